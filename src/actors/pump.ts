// Delivers due mail and timers: many actors a batch, one transaction, written by one statement (group commit).
import type { Knex } from 'knex'
import type { Logger } from 'pino'
import { lockActor, lockDueActors, msToNextDue, postponeMail, type ActorRow } from '../../db/queries/actors.ts'
import { stepTogether, versions } from './together.ts'
import { nextHint, wakeHere } from './wake.ts'

const BATCH = 64
const POLL_MS = 500
const IN_OTHER_HANDS_MS = 50
const AFTER_FAULT_MS = 500

/** Pumps until `signal` aborts. Faults of the database are logged and waited out. */
export async function pump(db: Knex, log: Logger, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const stepped = await pumpOnce(db, log)
      if (stepped > 0) continue
      const ms = await msToNextDue(db)
      // What is due and was not stepped is in other hands: do not spin.
      await nextHint(ms === null ? POLL_MS : ms > 0 ? Math.min(ms + 1, POLL_MS) : IN_OTHER_HANDS_MS, signal)
    } catch (error) {
      log.error({ err: error }, 'the pump could not step; trying again')
      await nextHint(AFTER_FAULT_MS, signal)
    }
  }
}

/** One batch: everything due, up to 64 actors. Answers how many were stepped. */
export async function pumpOnce(db: Knex, log: Logger): Promise<number> {
  let batch: string[] = []
  try {
    return await db.transaction(async trx => {
      const rows = await lockDueActors(trx, BATCH, versions)
      batch = rows.map(row => row.id)
      return await stepLocked(trx, rows)
    })
  } catch (error) {
    if (batch.length === 0) throw error
    log.warn({ err: error, actors: batch.length }, 'a batch failed; stepping its actors one by one')
    for (const id of batch) await stepAlone(db, id, log)
    return batch.length
  }
}

// One actor that cannot be written must not hold up the others: not even those that have told it something.
async function stepAlone(db: Knex, id: string, log: Logger): Promise<void> {
  try {
    await db.transaction(async trx => {
      const row = await lockActor(trx, id)
      if (row) await stepLocked(trx, [row], 0)
    })
  } catch (error) {
    log.error({ err: error, actor: id }, 'an actor cannot be stepped; its mail waits')
    await postponeMail(db, id, 30_000)
  }
}

async function stepLocked(trx: Knex.Transaction, rows: ActorRow[], rounds?: number): Promise<number> {
  if (rows.length === 0) return 0
  const debts = await stepTogether(trx, rows, rounds === undefined ? {} : { rounds })
  if (debts.effects.length > 0) void trx.executionPromise.then(wakeHere, () => undefined)
  return debts.actors.length
}
