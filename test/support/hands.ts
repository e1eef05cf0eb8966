// A worker by hand: it does what there is to do when it is told to, one thing after the other, and leaves what is held. So a
// test says when a build ends or a database is there, and nothing depends on what happens to come first.
import type { Knex } from 'knex'
import { pino } from 'pino'
import { answerEffect, type EffectRow } from '../../db/queries/effects.ts'
import { pumpOnce, wakeHere, type Performers } from '../../src/actors/index.ts'
import { DriverError } from '../../src/drivers/contracts.ts'
import { createSimulatedWorld, type SimulatedWorld } from '../../src/drivers/simulated/world.ts'
import { createPerformers } from '../../src/effects/handlers.ts'
import type { Api } from './api.ts'

const log = pino({ level: 'silent' })

/** What waits until somebody lets it happen. */
const HELD = new Set(['build', 'takeVolume', 'start', 'provisionDatabase'])

/** Which of the held work may be done now. */
export interface Let {
  names: readonly string[]
  /** Of the deployment or the database that it is about. */
  id: string
}

export class Hands {
  readonly world: SimulatedWorld
  readonly #db: Knex
  readonly #performers: Performers

  constructor({ db, keyring, config: { ...config } }: Api, dataDir: string) {
    const own = { ...config, dataDir }
    this.#db = db
    this.world = createSimulatedWorld({ config: own, provisionMs: 0 })
    this.#performers = createPerformers({ db, keyring, world: this.world, config: own, log })
  }

  /** Works until nothing is left but what is held. */
  async work(released?: Let): Promise<void> {
    for (;;) {
      const stepped = await pumpOnce(this.#db, log)
      const effect = await this.#claim(released)
      if (effect) await this.#perform(effect)
      else if (stepped === 0) return
    }
  }

  /** Works for as long as a request needs that waits for work to be done. */
  async workDuring<T>(request: Promise<T>): Promise<T> {
    let answered = false
    const end = request.finally(() => (answered = true))
    while (!answered) {
      await this.work()
      await new Promise(resolve => setTimeout(resolve, 5))
    }
    return end
  }

  async #claim(released?: Let): Promise<EffectRow | null> {
    const { rows } = await this.#db.raw(
      `select e.id, e.name, e.params from effect e
        where e.state = 'ready' and e.run_at <= now()
          and not exists (select 1 from effect o where o.lane = e.lane and o.id < e.id and o.state = 'ready')
        order by e.id`,
    )
    const next = (rows as EffectRow[]).find(({ name, params }) => {
      const { deploymentId, databaseId } = params as { deploymentId?: string; databaseId?: string }
      return !HELD.has(name) || (released?.names.includes(name) && [deploymentId, databaseId].includes(released.id))
    })
    if (!next) return null
    const { rows: claimed } = await this.#db.raw(
      `update effect set state = 'running', lease = gen_random_uuid(), owner = 0, attempts = attempts + 1,
              leased_until = now() + interval '1 minute' where id = ? returning *`,
      [next.id],
    )
    return claimed[0]
  }

  async #perform(effect: EffectRow): Promise<void> {
    const alongside: ((trx: Knex.Transaction) => Promise<void>)[] = []
    const perform = this.#performers[effect.name as keyof Performers] as (
      params: unknown,
      job: object,
    ) => Promise<unknown>
    const { id: effectId, actor_id: actorId, attempts: attempt, invoke_id: invokeId } = effect
    const job = {
      effectId,
      actorId,
      attempt,
      signal: new AbortController().signal,
      alongside: (work: (typeof alongside)[number]) => void alongside.push(work),
    }
    const answer = await perform(effect.params, job).then(
      output => ({
        state: 'done' as const,
        event: { type: `xstate.done.actor.${invokeId}`, actorId: invokeId, output },
      }),
      (error: unknown) => ({ state: 'failed' as const, event: failureEvent(invokeId, error) }),
    )
    await this.#db.transaction(async trx => {
      if (!(await answerEffect(trx, effect, { ...answer, error: null }))) return
      if (answer.state === 'done') for (const work of alongside) await work(trx)
    })
    wakeHere()
  }
}

function failureEvent(invokeId: string | null, error: unknown): object {
  // Nothing is ordered to fail for a while, so that would be a fault of the platform.
  if (!(error instanceof DriverError) || error.temporary || invokeId === null) throw error
  const { code, details } = error
  return { type: `xstate.error.actor.${invokeId}`, actorId: invokeId, error: { code, details } }
}
