// Does what machines asked for: claim under a lease, act, answer with an event. At least once, so every act is idempotent.
import { randomInt } from 'node:crypto'
import type { Knex } from 'knex'
import type { Logger } from 'pino'
import * as effects from '../../db/queries/effects.ts'
import type { Activities, ActivityName, WorkName, WorkParams } from '../../machines/index.ts'
import { failpoint } from './failpoints.ts'
import { nextHint, wakeHere, wakeOthers, type Presence } from './wake.ts'

export interface Job {
  /** Grows with every effect: the generation by which routes are fenced. */
  effectId: number
  actorId: string
  /** 1 at the first try. */
  attempt: number
  /** Aborted when the work is no longer wanted or the lease is lost: stop, and change nothing more. */
  signal: AbortSignal
  /** Runs with the answer, in its transaction: both are kept or neither, and only while the lease is still ours. */
  alongside: (work: (trx: Knex.Transaction) => Promise<void>) => void
}

export type Performers = {
  [N in WorkName]: (params: WorkParams<N>, job: Job) => Promise<N extends ActivityName ? Activities[N]['output'] : void>
}

const LEASE_MS = 10_000
const HEARTBEAT_MS = 1_000
const POLL_MS = 500
const AFTER_FAULT_MS = 500
/** Faults nobody foresaw are tried again a few times; temporary ones until the machine's own deadline, practically. */
const UNFORESEEN_TRIES = 3
const TEMPORARY_TRIES = 200
const FIRST_RETRY_MS = 200
const LONGEST_RETRY_MS = 30_000

interface Running {
  effect: effects.EffectRow
  stop: AbortController
}

export interface PerformOptions {
  db: Knex
  log: Logger
  presence: Presence
  performers: Performers
  /** How many effects at once in this process. */
  concurrency: number
}

/** Performs effects until `signal` aborts; then lets go of what runs, to be claimed by others at once. */
export async function perform(options: PerformOptions, signal: AbortSignal): Promise<void> {
  const running = new Map<string, Running>()
  const beats = heartbeat(options, running, signal)
  const tasks = new Set<Promise<void>>()
  while (!signal.aborted) {
    try {
      const free = options.concurrency - running.size
      const claimed = free > 0 ? await claim(options, free) : []
      for (const effect of claimed) {
        const task = performOne(options, effect, running).finally(() => tasks.delete(task))
        tasks.add(task)
      }
      if (claimed.length > 0) continue
      const ms = free > 0 ? await effects.msToNextEffect(options.db) : null
      await nextHint(Math.max(5, Math.min(ms ?? POLL_MS, POLL_MS)), signal)
    } catch (error) {
      options.log.error({ err: error }, 'effects could not be claimed; trying again')
      await nextHint(AFTER_FAULT_MS, signal)
    }
  }
  for (const { stop } of running.values()) stop.abort(new Error('the platform is stopping'))
  await Promise.all([...tasks, beats])
}

async function claim({ db, presence, performers }: PerformOptions, free: number): Promise<effects.EffectRow[]> {
  const owner = presence.number()
  if (owner === null) return []
  try {
    return await effects.claimEffects(db, owner, free, Object.keys(performers), LEASE_MS)
  } catch (error) {
    // Another worker took the same lane in the same instant.
    if ((error as { code?: string }).code === '23505') return []
    throw error
  }
}

async function performOne(
  options: PerformOptions,
  effect: effects.EffectRow,
  running: Map<string, Running>,
): Promise<void> {
  const { db, log } = options
  const stop = new AbortController()
  running.set(effect.lease, { effect, stop })
  const about = { effect: effect.name, key: effect.key, attempt: effect.attempts }
  try {
    failpoint(`${effect.name}@before-act`)
    const alongside: Alongside[] = []
    const output = await act(options.performers, effect, stop.signal, alongside)
    failpoint(`${effect.name}@after-act`)
    await end(options, effect, { ok: true, output, alongside })
    failpoint(`${effect.name}@after-answer`)
  } catch (error) {
    if (stop.signal.aborted) await letGo(db, effect)
    else {
      log.warn({ ...about, err: error }, 'an effect failed')
      await end(options, effect, { ok: false, error })
    }
  } finally {
    running.delete(effect.lease)
    wakeHere()
  }
}

type Alongside = (trx: Knex.Transaction) => Promise<void>

async function act(
  performers: Performers,
  effect: effects.EffectRow,
  signal: AbortSignal,
  alongside: Alongside[],
): Promise<unknown> {
  const performer = performers[effect.name as WorkName] as (params: unknown, job: Job) => Promise<unknown>
  const output = await performer(effect.params, {
    effectId: effect.id,
    actorId: effect.actor_id,
    attempt: effect.attempts,
    signal,
    alongside: work => void alongside.push(work),
  })
  signal.throwIfAborted()
  return output
}

type Outcome = { ok: true; output: unknown; alongside: Alongside[] } | { ok: false; error: unknown }

// The answer must not be lost to a passing fault of the database: the lease is kept alive while it is tried again.
async function end(options: PerformOptions, effect: effects.EffectRow, outcome: Outcome): Promise<void> {
  const { db, log } = options
  for (;;) {
    try {
      if (outcome.ok) await answer(db, effect, doneEvent(effect, outcome.output), 'done', null, outcome.alongside)
      else await retryOrGiveUp(db, effect, outcome.error)
      return
    } catch (error) {
      log.error({ err: error, key: effect.key }, 'an answer could not be written; trying again')
      await nextHint(AFTER_FAULT_MS, new AbortController().signal)
    }
  }
}

async function retryOrGiveUp(db: Knex, effect: effects.EffectRow, error: unknown): Promise<void> {
  const { code, details, temporary, message } = describe(error)
  // An answer with a code of the world is final for who waits; an effect nobody waits for is tried for longer.
  const tries = temporary ? TEMPORARY_TRIES : code && effect.invoke_id ? 1 : UNFORESEEN_TRIES
  if (effect.attempts < tries) {
    const ms = Math.min(FIRST_RETRY_MS * 2 ** (effect.attempts - 1), LONGEST_RETRY_MS)
    await effects.postponeEffect(db, effect, ms + randomInt(1 + Math.floor(ms / 4)), message)
    return
  }
  const reason = code
    ? { code, details }
    : { code: 'deploy_failed', details: { motivo: 'falha interna da plataforma' } }
  const event = { type: `xstate.error.actor.${effect.invoke_id}`, actorId: effect.invoke_id, error: reason }
  // Failed: somebody was told. Dead: nobody waited for it, and an operator has to look.
  await answer(db, effect, event, effect.invoke_id ? 'failed' : 'dead', message)
}

async function answer(
  db: Knex,
  effect: effects.EffectRow,
  event: unknown,
  state: 'done' | 'failed' | 'dead',
  error: string | null,
  alongside: Alongside[] = [],
): Promise<void> {
  try {
    await db.transaction(async trx => {
      if (!(await effects.isOurs(trx, effect))) throw new NoLongerWanted()
      // Before the effect's row is locked: whoever changes what these change locks that first, and the effect last.
      for (const work of alongside) await work(trx)
      if (!(await effects.answerEffect(trx, effect, { state, event, error }))) throw new NoLongerWanted()
      await wakeOthers(trx)
    })
  } catch (fault) {
    if (!(fault instanceof NoLongerWanted)) throw fault
    await effects.finishCancelled(db, effect)
  }
}

/** The effect was cancelled, or its lease is somebody else's: nothing of its answer is kept. */
class NoLongerWanted extends Error {}

const doneEvent = (effect: effects.EffectRow, output: unknown) => ({
  type: `xstate.done.actor.${effect.invoke_id}`,
  actorId: effect.invoke_id,
  output,
})

// No longer wanted, or we are stopping: a cancelled one ends, ours goes back so that another may take it at once.
async function letGo(db: Knex, effect: effects.EffectRow): Promise<void> {
  try {
    await effects.finishCancelled(db, effect)
    await effects.postponeEffect(db, effect, 0, 'given back')
  } catch {
    // The lease runs out by itself, and the effect is claimed again or ended as cancelled.
  }
}

/** Keeps the leases of running effects; those that are no longer ours are aborted. Frees what dead workers held. */
async function heartbeat(options: PerformOptions, running: Map<string, Running>, signal: AbortSignal): Promise<void> {
  const { db, log } = options
  while (!signal.aborted) {
    try {
      if ((await effects.expireLeasesOfDeadWorkers(db)) > 0) wakeHere()
      const leases = [...running.keys()]
      const kept = new Set(leases.length > 0 ? await effects.renewLeases(db, leases, LEASE_MS) : [])
      for (const lease of leases) {
        if (!kept.has(lease)) running.get(lease)?.stop.abort(new Error('cancelled, or taken over'))
      }
    } catch (error) {
      log.error({ err: error }, 'leases could not be renewed; trying again')
    }
    await beat(signal)
  }
}

const beat = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const timer = setTimeout(done, HEARTBEAT_MS)
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
  })

interface Described {
  code: string | null
  details: Record<string, string | number | null>
  temporary: boolean
  message: string
}

/** Errors of drivers carry `code`, `details` and `temporary` (src/drivers/contracts.ts); others carry only their text. */
function describe(error: unknown): Described {
  const known = (error ?? {}) as Partial<Described> & { name?: string }
  const isDriverError = known.name === 'DriverError'
  return {
    code: isDriverError ? (known.code ?? null) : null,
    details: isDriverError ? (known.details ?? {}) : {},
    // What is unavailable is so for now, whoever forgot to say it: no deployment fails for that at once.
    temporary: known.temporary === true || (isDriverError && known.code === 'unavailable'),
    message: error instanceof Error ? error.message : String(error),
  }
}
