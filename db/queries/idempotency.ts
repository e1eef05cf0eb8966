// Idempotency keys, claimed in the transaction of the effect, so a crash cannot keep one without the other (D-19).
import type { Db } from '../connect.ts'

export interface IdempotencyRow {
  token_id: string
  key: string
  fingerprint: string
  status: number
  body: string | null
  location: string | null
}

/**
 * Claims the key for this transaction. Another transaction that holds the same key is waited for, at most `waitMs`
 * (then 55P03, lock_not_available). False when the key has an answer from within the window.
 */
export async function claimKey(
  db: Db,
  claim: { tokenId: string; key: string; fingerprint: string; windowMs: number; waitMs: number },
): Promise<boolean> {
  await db.raw(`select set_config('lock_timeout', ?, true)`, [`${claim.waitMs}ms`])
  const { rowCount } = await db.raw(
    `insert into idempotency as known (token_id, key, fingerprint, status)
     values (:tokenId, :key, :fingerprint, 0)
     on conflict (token_id, key) do update
       set fingerprint = excluded.fingerprint, status = 0, body = null, location = null, created_at = now()
       where known.created_at < now() - make_interval(secs => :windowMs / 1000.0)`,
    claim,
  )
  await db.raw(`select set_config('lock_timeout', '0', true)`)
  return rowCount > 0
}

export async function findAnswer(db: Db, tokenId: string, key: string): Promise<IdempotencyRow | null> {
  const { rows } = await db.raw('select * from idempotency where token_id = ? and key = ?', [tokenId, key])
  return rows[0] ?? null
}

/** Keeps the answer for the claimed key. */
export async function rememberAnswer(
  db: Db,
  answer: { tokenId: string; key: string; status: number; body: string | null; location: string | null },
): Promise<void> {
  await db.raw(
    `update idempotency set status = :status, body = :body, location = :location
      where token_id = :tokenId and key = :key`,
    answer,
  )
}

/** Lets the claimed key go: only 2xx answers are kept. */
export async function releaseKey(db: Db, tokenId: string, key: string): Promise<void> {
  await db.raw('delete from idempotency where token_id = ? and key = ?', [tokenId, key])
}

/** Removes answers that are older than the window; tells how many. */
export async function expireAnswers(db: Db, windowMs: number): Promise<number> {
  const { rowCount } = await db.raw(
    'delete from idempotency where created_at < now() - make_interval(secs => :windowMs / 1000.0)',
    { windowMs },
  )
  return rowCount
}
