// Whether the control plane of this installation runs, asked the way any client would.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../config.ts'

/** Where the API of this configuration listens; an address of this machine also where it listens on all. */
export function platformUrl(config: Config): string {
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host
  return `http://${host.includes(':') ? `[${host}]` : host}:${config.port}`
}

/** The token that the first start wrote; null when there is none. */
export async function readToken(config: Config): Promise<string | null> {
  const text = await readFile(path.join(config.dataDir, 'token'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return text?.trim() ?? null
}

/** True when a platform answers there and knows the token of this DATA_DIR: another installation would not. */
export async function platformAnswers(config: Config): Promise<boolean> {
  if (config.port === 0) return false
  const token = await readToken(config)
  if (token === null) return false
  const headers = { Authorization: `Bearer ${token}` }
  return fetch(`${platformUrl(config)}/v1/me`, { headers, signal: AbortSignal.timeout(3000) }).then(
    answer => answer.ok,
    () => false,
  )
}
