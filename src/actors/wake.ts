// Hints that there is work. Losing one costs a poll interval, never work: the rows are the truth.
import { EventEmitter, once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Db } from '../../db/connect.ts'
import { WORKER_IS_ALIVE, WORKER_NUMBER } from '../../db/queries/effects.ts'

const CHANNEL = 'cais_work'
const RECONNECT_MS = 500

const local = new EventEmitter().setMaxListeners(0)

/** Tells every process, when this transaction commits. */
export async function wakeOthers(db: Db): Promise<void> {
  await db.raw(`select pg_notify('${CHANNEL}', '')`)
}

/** Tells the loops of this process. */
export function wakeHere(): void {
  local.emit('work')
}

/** Resolves at the next hint, after `ms` at the latest, or when `signal` aborts. */
export async function nextHint(ms: number, signal: AbortSignal): Promise<void> {
  const done = new AbortController()
  const any = AbortSignal.any([signal, done.signal])
  const ignoreAbort = (error: unknown) => {
    if (!any.aborted) throw error
  }
  await Promise.race([
    once(local, 'work', { signal: any }).catch(ignoreAbort),
    delay(ms, undefined, { signal: any }).catch(ignoreAbort),
  ])
  done.abort()
}

export interface Presence {
  /** The number by which this worker's leases are known; changes when the connection was lost. */
  number(): number | null
  close(): Promise<void>
}

/**
 * One connection of its own: it hears hints, and holds the lock that shows this worker alive. A killed worker's lock goes
 * with its connection, so its leases are free at once.
 */
export async function openPresence(databaseUrl: string, onLost: (error: Error) => void): Promise<Presence> {
  let number: number | null = null
  let client: pg.Client | null = null
  let closed = false

  const connect = async () => {
    const next = new pg.Client({ connectionString: databaseUrl, application_name: 'cais-presence', keepAlive: true })
    const lost = (error?: Error) => {
      if (client !== next || closed) return
      client = null
      number = null
      onLost(error ?? new Error('the connection for hints ended'))
      void reconnect()
    }
    next.on('error', lost)
    next.on('end', () => lost())
    next.on('notification', wakeHere)
    await next.connect()
    const { rows } = await next.query(WORKER_NUMBER)
    const mine = (rows[0] as { number: number }).number
    await next.query(WORKER_IS_ALIVE, [mine])
    await next.query(`listen ${CHANNEL}`)
    client = next
    number = mine
  }
  const reconnect = async () => {
    while (!closed && !client) {
      await delay(RECONNECT_MS)
      await connect().catch(onLost)
    }
  }
  await connect()
  return {
    number: () => number,
    close: async () => {
      closed = true
      await client?.end()
    },
  }
}
