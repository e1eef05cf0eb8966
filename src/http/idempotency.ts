// Idempotency keys (D-17 to D-19): the key is claimed in the transaction of the effect; only 2xx answers are kept.
import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import { claimKey, findAnswer, releaseKey, rememberAnswer } from '../../db/queries/idempotency.ts'
import { IDEMPOTENCY } from '../domain/limits.ts'
import { IDEMPOTENCY_KEY } from '../domain/names.ts'
import { ApiError } from './errors.ts'

/** A key as one request presents it. */
export interface Claim {
  tokenId: string
  key: string
  fingerprint: string
}

/** An answer as it is sent and kept. */
export interface KeptAnswer {
  status: number
  body: string | null
  location: string | null
}

const LOCK_NOT_AVAILABLE = '55P03'

/** The key of the header, null without one; 400 when it is malformed. */
export function readKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  if (typeof header !== 'string' || !IDEMPOTENCY_KEY.test(header)) throw new ApiError('invalid_request.idempotency')
  return header
}

/** What makes two requests the same: method, path, and content whatever the order of its keys. */
export function fingerprintOf(method: string, path: string, content: unknown): string {
  return createHash('sha256')
    .update(`${method}\n${path}\n${JSON.stringify(sorted(content))}`)
    .digest('hex')
}

/**
 * Claims the key for this transaction, and answers null; or answers what the first request got. A first request that is
 * still running is waited for: 409 after 10 s. 422 when it was another request.
 */
export async function claim(trx: Knex.Transaction, wanted: Claim): Promise<KeptAnswer | null> {
  const { windowMs, waitForFirstMs: waitMs } = IDEMPOTENCY
  const claimed = await claimKey(trx, { ...wanted, windowMs, waitMs }).catch(error => {
    if (error.code === LOCK_NOT_AVAILABLE) throw new ApiError('idempotency_in_progress')
    throw error
  })
  if (claimed) return null
  const kept = await findAnswer(trx, wanted.tokenId, wanted.key)
  // The row went away between the two statements: whoever asks again finds the key free.
  if (!kept) throw new ApiError('idempotency_in_progress')
  if (kept.fingerprint !== wanted.fingerprint) throw new ApiError('idempotency_conflict')
  return { status: kept.status, body: kept.body, location: kept.location }
}

/** Keeps a 2xx answer for the claimed key, and lets the key of any other go. */
export async function settle(trx: Knex.Transaction, claimed: Claim, answer: KeptAnswer): Promise<void> {
  if (answer.status >= 200 && answer.status < 300) await rememberAnswer(trx, { ...claimed, ...answer })
  else await releaseKey(trx, claimed.tokenId, claimed.key)
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, sorted(inner)])
}
