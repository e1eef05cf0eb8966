// What a platform runs beside its API: the pump and the performers, on the simulated world, for as long as a test lasts.
import pino from 'pino'
import { reportHealth } from '../../db/queries/health.ts'
import { openPresence, perform, pump } from '../../src/actors/index.ts'
import { createSimulatedWorld, type SimulatedWorld } from '../../src/drivers/simulated/world.ts'
import { createPerformers } from '../../src/effects/handlers.ts'
import { repeat } from '../../src/effects/repeat.ts'
import type { Tools } from '../../src/effects/tools.ts'
import type { Api } from './api.ts'

interface Test {
  testdir(): string
  teardown(work: () => Promise<void> | void): void
}

/** Well below the age at which the API takes an engine for away. */
const SEE_ENGINES_EVERY_MS = 5000
const ENGINES = ['postgres', 'mariadb', 'sqlite']

interface WorkerOptions {
  /** Default: a folder of the test. */
  dataDir?: string
  /** Whether the engines are seen to be well for as long as the test lasts. Default: false. */
  seesEngines?: boolean
}

/** Starts a worker for this API; it stops when the test ends. */
export async function startWorker(
  t: Test,
  api: Api,
  { dataDir = t.testdir(), seesEngines = false }: WorkerOptions = {},
): Promise<Tools & { world: SimulatedWorld }> {
  const { db, keyring } = api
  const config = { ...api.config, dataDir }
  const world = createSimulatedWorld({ config, provisionMs: 0 })
  const log = pino({ level: process.env.CAIS_LOG_LEVEL ?? 'silent' })
  const tools = { db, keyring, world, config, log }
  const presence = await openPresence(api.databaseUrl, () => {})
  const stopping = new AbortController()
  const seeEngines = async () => {
    for (const engine of seesEngines ? ENGINES : []) await reportHealth(db, engine, true, null)
  }
  await seeEngines()
  const loops = Promise.all([
    repeat(log, 'see engines', SEE_ENGINES_EVERY_MS, seeEngines, stopping.signal),
    pump(db, log, stopping.signal),
    perform({ db, log, presence, performers: createPerformers(tools), concurrency: 8 }, stopping.signal),
  ])
  t.teardown(async () => {
    stopping.abort()
    await loops
    await presence.close()
  })
  return tools
}
