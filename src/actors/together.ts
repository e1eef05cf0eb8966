// What one transaction does with actors: steps them through their mail, and carries what they tell each other to whoever is
// free, so that a deployment and its service, or a group and its next layer, change in one moment for everybody who looks.
import {
  lockFreeActors,
  noDebts,
  readMail,
  writeDebts,
  type ActorRow,
  type Debts,
  type Mail,
} from '../../db/queries/actors.ts'
import type { Db } from '../../db/connect.ts'
import { machines, versionOf, type Kind } from '../../machines/index.ts'
import { passTransitions } from './failpoints.ts'
import { Stepper } from './step.ts'

/** Another owner wrote this actor first; the transaction must be rolled back and may be tried again. */
export class StaleOwner extends Error {
  constructor(missing: string[]) {
    super(`another process has stepped ${missing.join(', ')} meanwhile`)
    this.name = 'StaleOwner'
  }
}

/** The version of every machine that this process knows. */
export const versions: Readonly<Record<string, number>> = Object.fromEntries(
  (Object.keys(machines) as Kind[]).map(kind => [kind, versionOf(kind)]),
)

/** How far letters are carried; what is written after that, like what nobody free can take, waits in inboxes. */
const ROUNDS = 4

type Letter = Debts['letters'][number]

/**
 * Steps these locked actors through what waits for them, and then through `asked`; writes all that comes of it. `rounds`
 * is how far their letters are carried. Throws StaleOwner.
 */
export async function stepTogether(
  trx: Db,
  rows: ActorRow[],
  { asked = [], rounds = ROUNDS }: { asked?: Mail[]; rounds?: number } = {},
): Promise<Debts> {
  const debts = noDebts()
  const hands = new Map<string, Stepper>()
  await takeIn(trx, rows, hands, debts)
  for (const item of asked) keepWaiting(hands.get(item.actor_id)?.take([item]) ?? [item], debts)
  for (let round = 0; round < rounds && debts.letters.length > 0; round++) {
    if (!(await carry(trx, hands, debts))) break
  }
  for (const stepper of hands.values()) stepper.close()
  const written = new Set(await writeDebts(trx, debts))
  const missing = debts.actors.filter(actor => !written.has(actor.id)).map(actor => actor.id)
  if (missing.length > 0) throw new StaleOwner(missing)
  passTransitions(
    trx,
    [...hands.values()].flatMap(stepper => stepper.taken),
  )
  return debts
}

/** Takes locked actors into hand, and has them read what waits for them. */
async function takeIn(trx: Db, rows: ActorRow[], hands: Map<string, Stepper>, debts: Debts): Promise<void> {
  if (rows.length === 0) return
  const waiting = new Map<string, Mail[]>(rows.map(row => [row.id, []]))
  for (const mail of await readMail(trx, [...waiting.keys()])) waiting.get(mail.actor_id)?.push(mail)
  for (const row of rows) {
    const stepper = new Stepper(row, debts)
    hands.set(row.id, stepper)
    stepper.take(waiting.get(row.id) ?? [])
  }
}

/** Gives the letters written so far to those who can read them now. False when nobody could. */
async function carry(trx: Db, hands: Map<string, Stepper>, debts: Debts): Promise<boolean> {
  const letters = debts.letters.splice(0)
  const strangers = [...new Set(letters.map(letter => letter.actor_id))].filter(id => !hands.has(id))
  if (strangers.length > 0) await takeIn(trx, await lockFreeActors(trx, strangers, versions), hands, debts)
  let carried = 0
  for (const letter of letters) {
    const left = hands.get(letter.actor_id)?.take([mailOf(letter)])
    if (left?.length === 0) carried++
    else debts.letters.push(letter)
  }
  return carried > 0
}

/** What was to be read and could not be becomes a letter, so that it is not lost. */
function keepWaiting(mail: Mail[], debts: Debts): void {
  for (const { actor_id, event, source } of mail) debts.letters.push({ actor_id, event, source })
}

function mailOf({ actor_id, event, source }: Letter): Mail {
  return {
    actor_id,
    inbox_id: null,
    timer: null,
    event: event as Mail['event'],
    source,
    effect_id: null,
    stale: false,
    attempts: 0,
  }
}
