// What a step asks for, as data → the rows that the runtime owes: effects, timers, letters.
import { lanes, type Letter, type WorkName } from '../../machines/index.ts'
import type { Debts } from '../../db/queries/actors.ts'

export interface Action {
  type: string
  params?: unknown
}

const BUILT_IN: ReadonlySet<string> = new Set([
  'xstate.raise',
  'xstate.cancel',
  'xstate.spawnChild',
  'xstate.stopChild',
  'tell',
])

/** Throws when a machine asks for anything that is not in the catalogue of machines/effects.ts. */
export function assertKnown(kind: string, actions: Action[]): void {
  for (const action of actions) {
    const name = action.type === 'xstate.spawnChild' ? String((action.params as { src: unknown }).src) : action.type
    if (!BUILT_IN.has(name) && !(name in lanes)) {
      throw new Error(`${kind} asks for "${name}", which is not in the catalogue of machines/effects.ts`)
    }
  }
}

/** Actions as data → effects, timers and letters. Anything else is a mistake of the machine and refused. */
export class Recorder {
  private readonly actorId: string
  private readonly kind: string
  private readonly debts: Debts

  constructor(actorId: string, kind: string, debts: Debts) {
    this.actorId = actorId
    this.kind = kind
    this.debts = debts
  }

  /** `revision` is the journal's number of this step: it makes the keys of the effects. */
  record(actions: Action[], revision: number): { asked: unknown[]; disarmed: string[]; stopped: string[] } {
    const asked: unknown[] = []
    const disarmed: string[] = []
    const stopped: string[] = []
    actions.forEach((action, n) => {
      const key = `${this.actorId}:${revision}:${n}`
      const params = action.params as Record<string, unknown> | null | undefined
      switch (action.type) {
        case 'xstate.raise': {
          // Without a delay it has been consumed within the same macrostep.
          if (params?.['delay'] === undefined) return
          const name = String(params['id'])
          this.setTimer(name, params['event'], Number(params['delay']))
          asked.push({ timer: name, delayMs: params['delay'] })
          return
        }
        case 'xstate.cancel': {
          const name = String(params?.['sendId'])
          this.clearTimer(name)
          disarmed.push(name)
          return
        }
        case 'xstate.spawnChild': {
          const id = String(params?.['id'])
          const name = String(params?.['src']) as WorkName
          this.ask(key, name, params?.['input'], id)
          asked.push({ activity: name, key })
          return
        }
        case 'xstate.stopChild': {
          const id = childId(action.params)
          this.stop(id)
          stopped.push(id)
          return
        }
        case 'tell': {
          if (!params) return
          const { to, event } = params as unknown as Letter
          this.debts.letters.push({ actor_id: to, event, source: `${this.kind}:${this.actorId}` })
          asked.push({ tell: to, event: event.type })
          return
        }
        default: {
          if (!params) return
          this.ask(key, action.type as WorkName, params, null)
          asked.push({ effect: action.type, key })
        }
      }
    })
    return { asked, disarmed, stopped }
  }

  clearTimer(name: string): void {
    const { debts, actorId } = this
    debts.timersSet = debts.timersSet.filter(timer => timer.actor_id !== actorId || timer.name !== name)
    debts.timersCleared.push({ actor_id: actorId, name })
  }

  private setTimer(name: string, event: unknown, delayMs: number): void {
    if (!Number.isFinite(delayMs)) throw new Error(`${this.kind}: the delay of "${name}" is not a number`)
    this.clearTimer(name)
    this.debts.timersCleared = this.debts.timersCleared.filter(
      timer => timer.actor_id !== this.actorId || timer.name !== name,
    )
    this.debts.timersSet.push({ actor_id: this.actorId, name, event, delay_ms: delayMs })
  }

  private ask(key: string, name: WorkName, params: unknown, invokeId: string | null): void {
    const lane = (lanes[name] as (params: unknown) => string)(params)
    this.debts.effects.push({ key, actor_id: this.actorId, invoke_id: invokeId, lane, name, params })
  }

  /** Work asked for in this very batch is never written; older work is cancelled where it stands. */
  private stop(invokeId: string): void {
    const { debts, actorId } = this
    debts.effects = debts.effects.filter(effect => effect.actor_id !== actorId || effect.invoke_id !== invokeId)
    debts.cancelled.push({ actor_id: actorId, invoke_id: invokeId })
  }
}

function childId(params: unknown): string {
  if (typeof params === 'string') return params
  const id = (params as { id?: unknown } | undefined)?.id
  if (typeof id !== 'string') throw new Error('a stopped child has no id')
  return id
}
