// Creating actors and giving them events inside the caller's transaction: what the API does to machines.
import { initialTransition } from 'xstate'
import type { Db } from '../../db/connect.ts'
import { insertActor, insertMail, lockActor, noDebts, writeDebts, type Mail } from '../../db/queries/actors.ts'
import { versionOf, type Kind } from '../../machines/index.ts'
import { Recorder, assertKnown } from './record.ts'
import { machineOf, statusOf, toRow } from './restore.ts'
import { stepTogether } from './together.ts'
import { wakeOthers } from './wake.ts'

export interface Spawn {
  kind: Kind
  id: string
  input: unknown
  /** At most one active actor of a kind about one subject; a second one is 23505 on one_active_actor. */
  subject?: string | null
}

/** What polling would say. */
export interface Standing {
  id: string
  status: string
  state: string
  context: unknown
  isFinal: boolean
}

/** A newer version of the platform has stepped this actor; only that one understands it. */
export class NewerActor extends Error {
  constructor(row: { kind: string; id: string; version: number }) {
    super(
      `${row.kind} ${row.id} was stepped by version ${row.version} of its machine, which this process does not know`,
    )
    this.name = 'NewerActor'
  }
}

/** Creates an actor and whatever its first state owes, in the caller's transaction. */
export async function spawn(trx: Db, { kind, id, input, subject }: Spawn): Promise<Standing> {
  const [snapshot, actions] = initialTransition(machineOf(kind), input as never)
  if (snapshot.status === 'error') throw new Error(`${kind} ${id} cannot be created`, { cause: snapshot.error })
  assertKnown(kind, actions)
  const debts = noDebts()
  const { asked } = new Recorder(id, kind, debts).record(actions, 0)
  const row = toRow(kind, snapshot)
  debts.journal.push({
    actor_id: id,
    revision: 0,
    source: 'spawn',
    event: { type: 'spawn', input },
    before: null,
    after: row.state,
    handled: true,
    asked,
    error: null,
  })
  await insertActor(trx, { id, kind, version: versionOf(kind), subject: subject ?? null, ...row })
  await writeDebts(trx, debts)
  await wakeOthers(trx)
  return {
    id,
    state: row.state,
    status: statusOf(row.state),
    context: snapshot.context,
    isFinal: row.status === 'done',
  }
}

/** Puts an event into an actor's inbox; it is applied by whoever pumps next. The same `dedupe` waits only once. */
export async function post(
  trx: Db,
  letter: { to: string; event: { type: string; [key: string]: unknown }; source: string; dedupe?: string | null },
): Promise<void> {
  refuseReserved(letter.event)
  await insertMail(trx, { to: letter.to, event: letter.event, source: letter.source, dedupe: letter.dedupe ?? null })
  await wakeOthers(trx)
}

/**
 * Applies what already waits for the actor and then `event`, now, in the caller's transaction, and answers where the actor
 * stands. Waits for whoever is stepping it, but not for those whom it tells something. Null when there is no such actor.
 * Lock several in the order of their ids.
 */
export async function ask(
  trx: Db,
  id: string,
  event: { type: string; [key: string]: unknown },
): Promise<Standing | null> {
  refuseReserved(event)
  const row = await lockActor(trx, id)
  if (!row) return null
  if (row.version > versionOf(row.kind as Kind)) throw new NewerActor(row)
  if (row.status === 'parked') {
    // Nobody may step it before an operator has looked; what was asked of it waits with the rest of its mail.
    await insertMail(trx, { to: id, event, source: 'ask', dedupe: null })
    return standing(row)
  }
  const asked: Mail = {
    actor_id: id,
    inbox_id: null,
    timer: null,
    event,
    source: 'ask',
    effect_id: null,
    stale: false,
    attempts: 0,
  }
  const debts = await stepTogether(trx, [row], { asked: [asked] })
  await wakeOthers(trx)
  const now = debts.actors.find(actor => actor.id === id)
  return standing(now ? { ...now, snapshot: JSON.parse(now.snapshot) as unknown } : row)
}

function standing(row: { id: string; state: string; status: string; snapshot: unknown }): Standing {
  const { context } = row.snapshot as { context: unknown }
  return { id: row.id, state: row.state, status: statusOf(row.state), context, isFinal: row.status === 'done' }
}

/** `xstate.stop` and its like would break the machine; they never come from outside. */
function refuseReserved(event: { type: string }): void {
  if (event.type.startsWith('xstate.')) throw new Error(`events of type "${event.type}" are reserved`)
}
