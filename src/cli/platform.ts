// Whether the control plane of this installation runs, asked the way any client would.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { CaisClient } from '../client/index.ts'
import type { Config } from '../config.ts'

const LONGEST_ANSWER_MS = 3000

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
  const quick: typeof fetch = (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(LONGEST_ANSWER_MS) })
  const client = new CaisClient({ url: platformUrl(config), token, fetch: quick, attempts: 1 })
  return client.get('/v1/me').then(
    () => true,
    () => false,
  )
}
