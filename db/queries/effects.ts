// The statements on effects: claim with a lease, keep it, answer, try again. Every write names the lease (fencing).
import type { Db } from '../connect.ts'

export interface EffectRow {
  id: number
  key: string
  actor_id: string
  invoke_id: string | null
  lane: string
  name: string
  params: unknown
  state: string
  attempts: number
  lease: string
}

/** Class of the advisory locks by which living workers are known. */
const WORKER_LOCK_CLASS = 4_203_172

/** A number for this worker, and the lock that shows it alive for as long as this connection lives. */
export const WORKER_NUMBER = `select nextval('worker_number')::int as number`
export const WORKER_IS_ALIVE = `select pg_advisory_lock(${WORKER_LOCK_CLASS}, $1)`

/**
 * Takes up to `n` effects whose turn it is: the oldest open one of its lane, ready, or left behind by an owner whose lease
 * ran out. One that was being cancelled by an owner now dead is cancelled at last. A concurrent claim of the same lane is
 * refused by the index one_running_effect_a_lane (23505): try again.
 */
export async function claimEffects(
  db: Db,
  owner: number,
  n: number,
  names: string[],
  leaseMs: number,
): Promise<EffectRow[]> {
  const { rows } = await db.raw(
    `with turn as (
       select e.id from effect e
        where e.state in ('ready', 'running', 'canceling')
          and e.name = any(:names)
          and case e.state when 'ready' then e.run_at <= now() else e.leased_until < now() end
          and not exists (select 1 from effect o where o.lane = e.lane and o.id < e.id
                             and o.state in ('ready', 'running', 'canceling'))
          and not exists (select 1 from effect o where o.lane = e.lane and o.id > e.id
                             and o.state in ('running', 'canceling'))
        order by e.id limit :n
          for update skip locked
     )
     update effect e
        set state = case e.state when 'canceling' then 'canceled' else 'running' end,
            lease = gen_random_uuid(), owner = :owner, attempts = attempts + 1,
            leased_until = now() + :leaseMs * interval '1 millisecond',
            finished_at = case e.state when 'canceling' then now() end
       from turn where e.id = turn.id
     returning e.*`,
    { owner, n, names, leaseMs },
  )
  return rows.filter((row: EffectRow) => row.state === 'running')
}

/** Ends at once the leases of workers that no longer live; frozen ones keep theirs until it runs out. */
export async function expireLeasesOfDeadWorkers(db: Db): Promise<number> {
  const { rowCount } = await db.raw(
    `update effect set leased_until = now() - interval '1 millisecond'
      where state in ('running', 'canceling') and leased_until >= now()
        and owner <> all (array(
          select objid::int from pg_locks
           where locktype = 'advisory' and classid = ${WORKER_LOCK_CLASS} and objsubid = 2 and granted
             and database = (select oid from pg_database where datname = current_database())))`,
  )
  return rowCount ?? 0
}

/** Keeps the leases; answers those still ours and wanted. One that is missing was cancelled or taken over. */
export async function renewLeases(db: Db, leases: string[], leaseMs: number): Promise<string[]> {
  const { rows } = await db.raw(
    `update effect set leased_until = now() + :leaseMs * interval '1 millisecond'
      where lease = any(cast(:leases as uuid[])) and state in ('running', 'canceling')
     returning lease, state`,
    { leases, leaseMs },
  )
  return rows.filter((row: { state: string }) => row.state === 'running').map((row: { lease: string }) => row.lease)
}

/** True while the lease is ours and the effect is wanted. Only `answerEffect` decides. */
export async function isOurs(db: Db, { id, lease }: EffectRow): Promise<boolean> {
  const { rows } = await db.raw(`select 1 from effect where id = :id and lease = :lease and state = 'running'`, {
    id,
    lease,
  })
  return rows.length > 0
}

/**
 * Ends an effect and, when somebody waits for it, puts the answer into the inbox: one statement. False when the lease was
 * lost or the effect cancelled: then nothing was said.
 */
export async function answerEffect(
  db: Db,
  effect: EffectRow,
  end: { state: 'done' | 'failed' | 'dead'; event: unknown; error: string | null },
): Promise<boolean> {
  const { rows } = await db.raw(
    `with ended as (
       update effect set state = :state, error = :error, finished_at = now(), leased_until = null,
              delivered = invoke_id is null
        where id = :id and lease = :lease and state = 'running'
       returning id, actor_id, invoke_id
     ), answered as (
       insert into inbox (actor_id, event, source, effect_id)
       select actor_id, cast(:event as json), 'effect:' || id, id from ended where invoke_id is not null
     )
     select id from ended`,
    { id: effect.id, lease: effect.lease, state: end.state, error: end.error, event: JSON.stringify(end.event) },
  )
  return rows.length > 0
}

/** Gives an effect back to be tried again after `delayMs`. */
export async function postponeEffect(db: Db, effect: EffectRow, delayMs: number, error: string): Promise<boolean> {
  const { rowCount } = await db.raw(
    `update effect set state = 'ready', run_at = now() + :delayMs * interval '1 millisecond', error = :error,
            lease = null, leased_until = null
      where id = :id and lease = :lease and state = 'running'`,
    { id: effect.id, lease: effect.lease, delayMs, error },
  )
  return (rowCount ?? 0) > 0
}

/** The performer of a cancelled effect has stopped: the lane is free. */
export async function finishCancelled(db: Db, effect: EffectRow): Promise<void> {
  await db.raw(
    `update effect set state = 'canceled', finished_at = now(), leased_until = null
      where id = :id and lease = :lease and state = 'canceling'`,
    { id: effect.id, lease: effect.lease },
  )
}

/** Milliseconds until the next effect may be tried; null when none waits for the clock. */
export async function msToNextEffect(db: Db): Promise<number | null> {
  const { rows } = await db.raw(
    `select extract(epoch from min(case state when 'ready' then run_at else leased_until end) - now()) * 1000 as ms
       from effect where state in ('ready', 'running', 'canceling')`,
  )
  return rows[0].ms === null ? null : Number(rows[0].ms)
}

/** Removes what ended before `days` ago. One whose answer still waits for its actor stays: without it, the answer is stale. */
export async function deleteOldEffects(db: Db, days: number): Promise<void> {
  await db.raw(`delete from effect where finished_at < now() - :days * interval '1 day' and delivered`, { days })
}
