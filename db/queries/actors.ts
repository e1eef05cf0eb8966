// The statements of the durable runtime on actors, journal, inbox and timers. Writing is one statement a batch (group commit).
import type { Db } from '../connect.ts'

export interface ActorRow {
  id: string
  kind: string
  version: number
  status: 'active' | 'done' | 'parked'
  state: string
  snapshot: unknown
  revision: number
  subject: string | null
  created_at: Date
  started_at: Date | null
  finished_at: Date | null
}

/** One thing waiting for an actor: a letter or an answer (inbox), or a due timer. */
export interface Mail {
  actor_id: string
  inbox_id: number | null
  timer: string | null
  event: { type: string; [key: string]: unknown }
  source: string
  effect_id: number | null
  /** An answer is stale when its effect was cancelled, or its answer taken, meanwhile. */
  stale: boolean
  attempts: number
}

export interface JournalEntry {
  actor_id: string
  revision: number
  source: string
  event: unknown
  before: string | null
  after: string
  handled: boolean
  asked: unknown[]
  error: string | null
}

export interface NewEffect {
  key: string
  actor_id: string
  invoke_id: string | null
  lane: string
  name: string
  params: unknown
}

/** Everything that a batch of steps owes, written by one statement. */
export interface Debts {
  actors: {
    id: string
    version: number
    status: string
    state: string
    snapshot: string
    revision: number
    was: number
    left: boolean
  }[]
  journal: JournalEntry[]
  letters: { actor_id: string; event: unknown; source: string; dedupe?: string | null }[]
  effects: NewEffect[]
  cancelled: { actor_id: string; invoke_id: string }[]
  delivered: number[]
  read: number[]
  timersSet: { actor_id: string; name: string; event: unknown; delay_ms: number }[]
  timersCleared: { actor_id: string; name: string }[]
  postponed: { actor_id: string; delay_ms: number }[]
}

export const noDebts = (): Debts => ({
  actors: [],
  journal: [],
  letters: [],
  effects: [],
  cancelled: [],
  delivered: [],
  read: [],
  timersSet: [],
  timersCleared: [],
  postponed: [],
})

// Mail of parked actors, and of those that only a newer version of the platform understands, must not fill the window.
const CAN_BE_STEPPED = (row: string) => `exists (
  select 1 from actor a where a.id = ${row}.actor_id and a.status <> 'parked'
     and a.version <= coalesce((cast(:versions as json) ->> a.kind)::int, 0))`

/** Actors with due mail or timers, locked; those that another process steps right now are left to it. */
export async function lockDueActors(
  db: Db,
  n: number,
  versions: Readonly<Record<string, number>>,
): Promise<ActorRow[]> {
  const { rows } = await db.raw(
    `with due as (
       select actor_id from (
         select i.actor_id from inbox i where i.due_at <= now() and ${CAN_BE_STEPPED('i')} order by i.id limit :wide) mail
       union
       select actor_id from (
         select t.actor_id from timer t where t.fire_at <= now() and ${CAN_BE_STEPPED('t')} order by t.fire_at limit :wide) clock
     )
     select a.* from actor a join due on due.actor_id = a.id
      order by a.id limit :n
        for no key update of a skip locked`,
    { n, wide: n * 8, versions: JSON.stringify(versions) },
  )
  return rows
}

/** Of these actors, those that nobody steps right now and that can be stepped, locked. */
export async function lockFreeActors(
  db: Db,
  ids: string[],
  versions: Readonly<Record<string, number>>,
): Promise<ActorRow[]> {
  const { rows } = await db.raw(
    `select * from actor a
      where a.id = any(:ids) and a.status <> 'parked'
        and a.version <= coalesce((cast(:versions as json) ->> a.kind)::int, 0)
      order by a.id
        for no key update skip locked`,
    { ids, versions: JSON.stringify(versions) },
  )
  return rows
}

/** One actor, locked; waits for whoever steps it. Undefined when there is none. */
export async function lockActor(db: Db, id: string): Promise<ActorRow | undefined> {
  const { rows } = await db.raw('select * from actor where id = ? for no key update', [id])
  return rows[0]
}

/** One actor as it stands, unlocked. */
export async function readActor(db: Db, id: string): Promise<ActorRow | undefined> {
  const { rows } = await db.raw('select * from actor where id = ?', [id])
  return rows[0]
}

/** What waits for these actors: letters and answers in the order of arrival, then due timers. */
export async function readMail(db: Db, actorIds: string[]): Promise<Mail[]> {
  const { rows } = await db.raw(
    `select i.actor_id, i.id as inbox_id, null as timer, i.event, i.source, i.effect_id, i.attempts,
            i.effect_id is not null and (e.id is null or e.delivered) as stale
       from inbox i left join effect e on e.id = i.effect_id
      where i.actor_id = any(:actorIds) and i.due_at <= now()
      union all
     (select t.actor_id, null, t.name, t.event, 'timer:' || t.name, null, 0, false
       from timer t where t.actor_id = any(:actorIds) and t.fire_at <= now() order by t.fire_at)
      order by inbox_id nulls last`,
    { actorIds },
  )
  return rows
}

export async function insertActor(
  db: Db,
  actor: {
    id: string
    kind: string
    version: number
    status: string
    state: string
    snapshot: string
    subject: string | null
  },
): Promise<void> {
  await db.raw(
    `insert into actor (id, kind, version, status, state, snapshot, revision, subject, finished_at)
     values (:id, :kind, :version, :status, :state, :snapshot, 0, :subject, case when :status = 'done' then now() end)`,
    actor,
  )
}

/** A letter from outside the machines; the same `dedupe` is posted once while it waits. */
export async function insertMail(
  db: Db,
  mail: { to: string; event: unknown; source: string; dedupe: string | null },
): Promise<void> {
  await db.raw(
    `insert into inbox (actor_id, event, source, dedupe)
     select :to, :event, :source, :dedupe where exists (select 1 from actor a where a.id = :to)
     on conflict (actor_id, dedupe) do nothing`,
    { ...mail, event: JSON.stringify(mail.event) },
  )
}

/**
 * Writes a batch of steps. Answers the ids of the actors that were written: one missing means that its revision moved
 * meanwhile (a stale owner), and the caller must roll back.
 */
export async function writeDebts(db: Db, debts: Debts): Promise<string[]> {
  const { rows } = await db.raw(WRITE_DEBTS, {
    actors: JSON.stringify(debts.actors),
    journal: JSON.stringify(debts.journal),
    letters: JSON.stringify(debts.letters),
    effects: JSON.stringify(debts.effects),
    cancelled: JSON.stringify(debts.cancelled),
    delivered: debts.delivered,
    read: debts.read,
    timersSet: JSON.stringify(debts.timersSet),
    timersCleared: JSON.stringify(debts.timersCleared),
    postponed: JSON.stringify(debts.postponed),
  })
  return rows.map((row: { id: string }) => row.id)
}

// The parts touch different rows, so their order does not matter: what a batch both asks for and takes back is settled in memory.
const WRITE_DEBTS = `
with journaled as (
  insert into journal (actor_id, revision, source, event, before, after, handled, asked, error)
  select * from json_to_recordset(cast(:journal as json)) as j(
    actor_id text, revision bigint, source text, event json, before text, after text, handled boolean, asked json, error text)
), mailed as (
  insert into inbox (actor_id, event, source, dedupe)
  select * from json_to_recordset(cast(:letters as json)) as l(actor_id text, event json, source text, dedupe text)
   where exists (select 1 from actor a where a.id = l.actor_id)
  on conflict (actor_id, dedupe) do nothing
), asked as (
  insert into effect (key, actor_id, invoke_id, lane, name, params)
  select * from json_to_recordset(cast(:effects as json)) as e(
    key text, actor_id text, invoke_id text, lane text, name text, params json)
), taken as (
  update effect set delivered = true where id = any(cast(:delivered as bigint[]))
), cancelled as (
  update effect e
     set state = case e.state when 'running' then 'canceling' when 'ready' then 'canceled' else e.state end,
         finished_at = case e.state when 'ready' then now() else e.finished_at end,
         delivered = true
    from json_to_recordset(cast(:cancelled as json)) as c(actor_id text, invoke_id text)
   where e.actor_id = c.actor_id and e.invoke_id = c.invoke_id and not e.delivered
     and not (e.id = any(cast(:delivered as bigint[])))
), read as (
  delete from inbox where id = any(cast(:read as bigint[]))
), armed as (
  insert into timer (actor_id, name, event, fire_at)
  select t.actor_id, t.name, t.event, now() + t.delay_ms * interval '1 millisecond'
    from json_to_recordset(cast(:timersSet as json)) as t(actor_id text, name text, event json, delay_ms double precision)
  on conflict (actor_id, name) do update set event = excluded.event, fire_at = excluded.fire_at
), disarmed as (
  delete from timer t using json_to_recordset(cast(:timersCleared as json)) as c(actor_id text, name text)
   where t.actor_id = c.actor_id and t.name = c.name
), postponed as (
  update inbox i set due_at = now() + p.delay_ms * interval '1 millisecond', attempts = i.attempts + 1
    from json_to_recordset(cast(:postponed as json)) as p(actor_id text, delay_ms double precision)
   where i.actor_id = p.actor_id and not (i.id = any(cast(:read as bigint[])))
)
update actor a
   set version = n.version, status = n.status, state = n.state, snapshot = n.snapshot::json, revision = n.revision,
       started_at = case when n.left then coalesce(a.started_at, now()) else a.started_at end,
       finished_at = case when n.status = 'done' then coalesce(a.finished_at, now()) else a.finished_at end
  from json_to_recordset(cast(:actors as json)) as n(
    id text, version int, status text, state text, snapshot text, revision bigint, was bigint, "left" boolean)
 where a.id = n.id and a.revision = n.was
returning a.id`

/** Milliseconds until the next timer or postponed letter is due; null when nothing waits for the clock. */
export async function msToNextDue(db: Db): Promise<number | null> {
  const { rows } = await db.raw(
    `select extract(epoch from least((select min(fire_at) from timer), (select min(due_at) from inbox)) - now()) * 1000 as ms`,
  )
  return rows[0].ms === null ? null : Number(rows[0].ms)
}

/** Lets the mail of one actor wait, so that it does not hold up the others. */
export async function postponeMail(db: Db, actorId: string, ms: number): Promise<void> {
  await db.raw(`update inbox set due_at = now() + :ms * interval '1 millisecond' where actor_id = :actorId`, {
    ms,
    actorId,
  })
  await db.raw(
    `update timer set fire_at = greatest(fire_at, now() + :ms * interval '1 millisecond') where actor_id = :actorId`,
    {
      ms,
      actorId,
    },
  )
}
