// What the demo leaves on the screen: addresses, the token, and three commands that work as they stand.
import path from 'node:path'
import { environmentOf } from '../cli/effective-config.ts'
import type { Config } from '../config.ts'
import { connectAddress } from './public-request.ts'

export interface Shown {
  url: string
  publicUrl: string
  projectId: string
  token: string
}

/** The closing text of the demo. */
export function nextSteps(config: Config, shown: Shown): string {
  const relative = (file: string): string => {
    const absolute = path.join(config.dataDir, file)
    const short = path.relative(process.cwd(), absolute)
    return short.startsWith('..') ? absolute : short
  }
  return `
  Application  ${shown.publicUrl}
  API          ${shown.url}/v1
  Certificate  ${relative('ca/root.crt')}   (root of this installation's own authority)
  Token        ${relative('token')}   ${shown.token}

Next, in another terminal:
  ${curl(config, shown.publicUrl, relative('ca/root.crt'))}
  curl -H "Authorization: Bearer $(cat ${relative('token')})" ${shown.url}/v1/projects/${shown.projectId}/services/worker/logs
  ${prefix(config)}npm run -s cais -- token create --team demo --scopes all

Ctrl-C stops the control plane; applications keep running.`
}

// curl resolves *.localhost to this machine by itself; any other name or address has to be told.
function curl(config: Config, url: string, caFile: string): string {
  const { hostname } = new URL(url)
  const address = connectAddress(config)
  const local = hostname.endsWith('.localhost') && address === '127.0.0.1'
  return `curl --cacert ${caFile} ${local ? '' : `--resolve ${hostname}:${config.httpsPort}:${address} `}${url}`
}

const quoted = (text: string): string => (/^[\w.:/@,-]*$/.test(text) ? text : `'${text}'`)

/** `NAME=value ` for each setting that differs from the default, so that a command finds the same installation. */
function prefix(config: Config): string {
  return environmentOf(config)
    .filter(setting => !setting.secret && !setting.isDefault && setting.name !== 'CAIS_LOG_LEVEL')
    .map(setting => `${setting.name}=${quoted(setting.value)} `)
    .join('')
}
