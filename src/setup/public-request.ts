// One HTTPS request to a public address of this installation, verified with its own certificate authority. Node does not
// resolve *.localhost, so the connection goes to the address on which the router listens, under the name's own TLS.
import { readFile } from 'node:fs/promises'
import https from 'node:https'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { TLSSocket } from 'node:tls'
import type { Config } from '../config.ts'

const TIMEOUT_MS = 30_000

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
  const { hostname } = new URL(publicUrl)
  const url = `https://${hostname}${config.httpsPort === 443 ? '' : `:${config.httpsPort}`}/`
  const startedAt = Date.now()
  const answer = await requestWithRoot(config, hostname, await readFile(caFile))
  return { url, caFile, milliseconds: Date.now() - startedAt, ...answer }
}

/** One GET of `/` under this host name, trusting this root and nothing else. */
export async function requestWithRoot(
  config: Config,
  hostname: string,
  ca: Buffer,
): Promise<{ status: number; body: string; protocol: string }> {
  const [host, port] = [connectAddress(config), config.httpsPort]
  const headers = { Host: hostname, Accept: 'application/json' }
  return new Promise((resolve, reject) => {
    const options = { host, port, servername: hostname, headers, ca, agent: false, timeout: TIMEOUT_MS } as const
    const request = https.get(options, response => {
      const protocol = (response.socket as TLSSocket).getProtocol() ?? 'TLS'
      text(response).then(body => resolve({ status: response.statusCode ?? 0, body, protocol }), reject)
    })
    request.on('timeout', () => request.destroy(new Error('no answer within 30 s')))
    request.on('error', cause =>
      reject(new Error(`GET https://${hostname} (at ${host}:${port}) failed: ${cause.message}`, { cause })),
    )
  })
}

/** Where the router's public side can be reached from this machine. */
export function connectAddress(config: Config): string {
  return config.publicAddress === '0.0.0.0' ? '127.0.0.1' : config.publicAddress
}
