// One event applied to one actor, in memory: the next snapshot, and what the step owes the world.
import { transition, type AnyMachineSnapshot } from 'xstate'
import { versionOf, type Kind } from '../../machines/index.ts'
import type { ActorRow, Debts, Mail } from '../../db/queries/actors.ts'
import { assertKnown, Recorder, type Action } from './record.ts'
import { machineOf, restore, SnapshotUnreadable, statePath, statusOf, toRow } from './restore.ts'

/** How often a poisonous event is tried before its actor is parked for an operator. */
const POISON_TRIES = 5
const POISON_FIRST_DELAY_MS = 1_000
const UNTIL_AN_OPERATOR_LOOKS_MS = 10 * 365 * 24 * 3_600_000

export interface Transitioned {
  kind: string
  before: string
  after: string
}

/**
 * One actor in the hands of a transaction: it takes mail, and what comes out goes into `debts`. Nothing is stored here;
 * `close` adds the row that is to be written.
 */
export class Stepper {
  /** The transitions taken, for failpoints and metrics. */
  readonly taken: Transitioned[] = []
  private snapshot: AnyMachineSnapshot | null = null
  private readonly row: ActorRow
  private readonly debts: Debts
  private readonly recorder: Recorder
  private state: string
  private status: ActorRow['status']
  private revision: number
  private left = false
  private stuck = false
  private readonly disarmed = new Set<string>()
  private readonly staleEffects = new Set<number>()

  constructor(row: ActorRow, debts: Debts) {
    this.row = row
    this.debts = debts
    this.recorder = new Recorder(row.id, row.kind, debts)
    this.state = row.state
    this.status = row.status
    this.revision = row.revision
  }

  /** Applies mail in order. Answers what has to wait: the poisonous piece and all that comes after it. */
  take(mail: Mail[]): Mail[] {
    if (this.stuck) return mail
    try {
      const poisonous = mail.findIndex((item, i) => !this.apply(item, mail.slice(i + 1)))
      if (poisonous < 0) return []
      this.stuck = true
      return mail.slice(poisonous)
    } catch (error) {
      if (!(error instanceof SnapshotUnreadable)) throw error
      this.stuck = true
      this.park(error.message)
      return mail
    }
  }

  /** False when it is poison. */
  private apply(mail: Mail, rest: Mail[]): boolean {
    if (mail.timer !== null && this.disarmed.has(mail.timer)) return true
    const isStale = mail.stale || (mail.effect_id !== null && this.staleEffects.has(mail.effect_id))
    // transition() would still follow a root-level `on` of a finished machine, and take a stale answer for a fresh one.
    if (this.status !== 'active' || isStale) {
      this.settle(mail)
      this.journal(mail, this.state, false, [], isStale ? 'stale answer' : null)
      return true
    }
    const before = this.snapshot ?? restore(this.row)
    let after: AnyMachineSnapshot
    let actions: Action[]
    try {
      ;[after, actions] = transition(machineOf(this.row.kind), before, mail.event)
      if (after.status === 'error') throw after.error
      assertKnown(this.row.kind, actions)
    } catch (error) {
      this.poison(mail, error)
      return false
    }
    this.settle(mail)
    const handled = after !== before
    const state = statePath(after.value)
    const { asked, disarmed, stopped } = this.recorder.record(actions, this.revision + 1)
    for (const name of disarmed) this.disarmed.add(name)
    // An answer that is already in this batch, to work that was just given up, must not reach a later state.
    for (const later of rest) {
      if (later.effect_id !== null && stopped.some(id => later.event.type.endsWith(`.actor.${id}`))) {
        this.staleEffects.add(later.effect_id)
      }
    }
    this.journal(mail, state, handled, asked, null)
    if (handled && state !== this.state) this.taken.push({ kind: this.row.kind, before: this.state, after: state })
    this.left ||= statusOf(state) !== statusOf(this.state)
    this.snapshot = after
    this.state = state
    this.status = after.status === 'active' ? 'active' : 'done'
    return true
  }

  /** The snapshot cannot be read: the mail stays where it is until somebody has mended it. */
  private park(reason: string): void {
    this.status = 'parked'
    this.revision += 1
    this.debts.journal.push({
      actor_id: this.row.id,
      revision: this.revision,
      source: 'restore',
      event: { type: 'parked' },
      before: this.state,
      after: this.state,
      handled: false,
      asked: [],
      error: reason,
    })
  }

  close(): void {
    if (this.revision === this.row.revision) return
    const snapshot =
      this.snapshot === null ? JSON.stringify(this.row.snapshot) : toRow(this.row.kind, this.snapshot).snapshot
    this.debts.actors.push({
      id: this.row.id,
      version: this.snapshot === null ? this.row.version : versionOf(this.row.kind as Kind),
      status: this.status,
      state: this.state,
      snapshot,
      revision: this.revision,
      was: this.row.revision,
      left: this.left,
    })
  }

  private poison(mail: Mail, error: unknown): void {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    this.journal(mail, this.state, false, [], reason)
    const isLast = mail.attempts + 1 >= POISON_TRIES
    if (isLast) this.status = 'parked'
    const delay = isLast ? UNTIL_AN_OPERATOR_LOOKS_MS : POISON_FIRST_DELAY_MS * 4 ** mail.attempts
    this.debts.postponed.push({ actor_id: this.row.id, delay_ms: delay })
    if (mail.timer !== null) {
      // A timer has no attempts of its own: it goes on as a letter.
      this.settle(mail)
      this.debts.letters.push({ actor_id: this.row.id, event: mail.event, source: mail.source })
    }
  }

  /** What has been taken is taken: the letter goes, the timer goes, the effect's answer counts as delivered. */
  private settle(mail: Mail): void {
    if (mail.inbox_id !== null) this.debts.read.push(mail.inbox_id)
    if (mail.effect_id !== null) this.debts.delivered.push(mail.effect_id)
    if (mail.timer !== null) this.recorder.clearTimer(mail.timer)
  }

  private journal(mail: Mail, after: string, handled: boolean, asked: unknown[], error: string | null): void {
    this.revision += 1
    this.debts.journal.push({
      actor_id: this.row.id,
      revision: this.revision,
      source: mail.source,
      event: mail.event,
      before: this.state,
      after,
      handled,
      asked,
      error,
    })
  }
}
