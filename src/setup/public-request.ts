// One HTTPS request to a public address of this installation, verified with its own certificate authority. Node does not
// resolve *.localhost, so the connection goes to the address on which the router listens, under the name's own TLS.
import { readFile } from 'node:fs/promises'
import https from 'node:https'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { TLSSocket } from 'node:tls'
import type { Config } from '../config.ts'

export interface PublicAnswer {
  url: string
  status: number
  body: string
  milliseconds: number
  protocol: string
  caFile: string
}

/** Requests `https://<slug>.<apps_domain>/`. Throws what TLS or the network threw, and says which address it tried. */
export async function requestPublicUrl(config: Config, publicUrl: string): Promise<PublicAnswer> {
  const caFile = path.join(config.dataDir, 'ca', 'root.crt')
  const ca = await readFile(caFile)
  const { hostname } = new URL(publicUrl)
  const url = `https://${hostname}${config.httpsPort === 443 ? '' : `:${config.httpsPort}`}/`
  const startedAt = Date.now()
  return new Promise((resolve, reject) => {
    const request = https.get(
      {
        host: connectAddress(config),
        port: config.httpsPort,
        servername: hostname,
        headers: { Host: hostname, Accept: 'application/json' },
        ca,
        agent: false,
        timeout: 30_000,
      },
      response => {
        const protocol = (response.socket as TLSSocket).getProtocol() ?? 'TLS'
        text(response).then(
          body =>
            resolve({
              url,
              status: response.statusCode ?? 0,
              body,
              milliseconds: Date.now() - startedAt,
              protocol,
              caFile,
            }),
          reject,
        )
      },
    )
    request.on('timeout', () => request.destroy(new Error('no answer within 30 s')))
    request.on('error', cause =>
      reject(
        new Error(`GET ${url} (at ${connectAddress(config)}:${config.httpsPort}) failed: ${cause.message}`, { cause }),
      ),
    )
  })
}

/** Where the router's public side can be reached from this machine. */
export function connectAddress(config: Config): string {
  return config.publicAddress === '0.0.0.0' ? '127.0.0.1' : config.publicAddress
}
