// Failures to order. An order is a file, so that a test can give it to a platform in another process.
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DriverError } from '../contracts.ts'
import { appendLine, Folder, readLines } from './disk.ts'

export type Verb =
  | 'build'
  | 'hasImage'
  | 'removeImage'
  | 'listImages'
  | 'ensureNetwork'
  | 'removeNetwork'
  | 'start'
  | 'healthy'
  | 'inspect'
  | 'stop'
  | 'remove'
  | 'list'
  | 'logs'
  | 'setRoute'
  | 'syncRoutes'
  | 'inFlight'
  | 'probe'
  | 'certify'
  | 'challenge'
  | 'issueCertificate'
  | 'lookUp'
  | 'databaseReady'
  | 'provision'
  | 'dropDatabase'
  | 'listDatabases'
  | 'rotate'
  | 'measure'
  | 'setReadOnly'
  | 'suspend'
  | 'backup'
  | 'restore'
  | 'ensureVolume'
  | 'volumeUsage'
  | 'removeVolume'
  | 'listVolumes'
  | 'buildStorage'

/** Looking is not written to the ledger: only what changes the world, and what a deployment waits for. */
const QUIET: ReadonlySet<Verb> = new Set([
  'hasImage',
  'listImages',
  'inspect',
  'list',
  'logs',
  'inFlight',
  'lookUp',
  'certify',
  'listDatabases',
  'measure',
  'volumeUsage',
  'listVolumes',
  'buildStorage',
])

export interface LedgerEntry {
  at: string
  pid: number
  verb: Verb
  /** Ids that the verb was about: deployment, service, project, database, network. */
  about: string[]
  /** `done`, or the code of the failure. */
  outcome: string
}

interface Failing {
  code: string
  message: string
  temporary: boolean
  details: Record<string, string | number | null>
  /** `after`: the work is done and its answer lost. */
  when: 'before' | 'after'
}

export class Faults {
  readonly #ledger: string
  readonly #holds: Folder<object>
  readonly #orders: Folder<Failing>

  constructor(dir: string) {
    this.#ledger = path.join(dir, 'ledger')
    this.#holds = new Folder(path.join(dir, 'holds'))
    this.#orders = new Folder(path.join(dir, 'orders'))
  }

  /** The next `times` calls of this verb about this id (a service, a deployment… or `*`) fail. */
  fail(verb: Verb, about: string, times = 1, failing: Partial<Failing> = {}): void {
    const order: Failing = {
      code: 'unavailable',
      message: `the simulated world was told to fail ${verb}`,
      temporary: true,
      details: {},
      when: 'before',
      ...failing,
    }
    for (let n = 0; n < times; n++) this.#orders.create(`${verb} ${about} ${randomUUID()}`, order)
  }

  /** Calls of this verb about this id wait until `release`. */
  hold(verb: Verb, about: string): void {
    this.#holds.create(`${verb} ${about}`, {})
  }

  release(verb: Verb, about: string): void {
    this.#holds.remove(`${verb} ${about}`)
  }

  /** What was done to the world, in order. */
  ledger(verb?: Verb): LedgerEntry[] {
    const entries = readLines(this.#ledger).map(line => JSON.parse(line) as LedgerEntry)
    return verb ? entries.filter(entry => entry.verb === verb) : entries
  }

  /** Does the work of a verb the way the orders say, and writes it down. */
  async perform<T>(verb: Verb, about: string[], work: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    const write = (outcome: string): void => {
      if (QUIET.has(verb) && outcome === 'done') return
      const entry: LedgerEntry = { at: new Date().toISOString(), pid: process.pid, verb, about, outcome }
      appendLine(this.#ledger, JSON.stringify(entry))
    }
    try {
      signal?.throwIfAborted()
      await this.#wait(verb, about, signal)
      const failing = this.#take(verb, about)
      if (failing?.when === 'before') throw refusal(failing)
      const answer = await work()
      if (failing) throw refusal(failing)
      write('done')
      return answer
    } catch (error) {
      write(error instanceof DriverError ? error.code : error instanceof Error ? error.name : 'error')
      throw error
    }
  }

  async #wait(verb: Verb, about: string[], signal?: AbortSignal): Promise<void> {
    const held = (): boolean => ['*', ...about].some(id => this.#holds.version(`${verb} ${id}`) !== null)
    while (held()) await sleep(5, undefined, signal ? { signal } : {})
  }

  // Removing the file takes the order: of two callers at once, one fails.
  #take(verb: Verb, about: string[]): Failing | null {
    for (const name of this.#orders.names()) {
      const [of, id] = name.split(' ')
      if (of !== verb || (id !== '*' && !about.includes(id ?? ''))) continue
      const failing = this.#orders.read(name)
      if (failing && this.#orders.remove(name)) return failing
    }
    return null
  }
}

function refusal(failing: Failing): DriverError {
  return new DriverError(failing.code, failing.message, { temporary: failing.temporary, details: failing.details })
}
