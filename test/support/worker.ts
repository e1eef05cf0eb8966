// What a platform runs beside its API: the pump and the performers, on the simulated world, for as long as a test lasts.
import pino from 'pino'
import { openPresence, perform, pump } from '../../src/actors/index.ts'
import { createSimulatedWorld, type SimulatedWorld } from '../../src/drivers/simulated/world.ts'
import { createPerformers } from '../../src/effects/handlers.ts'
import type { Tools } from '../../src/effects/tools.ts'
import type { Api } from './api.ts'

interface Test {
  testdir(): string
  teardown(work: () => Promise<void> | void): void
}

/** Starts a worker for this API; it stops when the test ends. */
export async function startWorker(t: Test, api: Api): Promise<Tools & { world: SimulatedWorld }> {
  const { db, keyring } = api
  const dataDir = t.testdir()
  const config = { ...api.config, dataDir }
  const world = createSimulatedWorld({ config, provisionMs: 0 })
  const log = pino({ level: process.env.CAIS_LOG_LEVEL ?? 'silent' })
  const tools = { db, keyring, world, config, log }
  const presence = await openPresence(api.databaseUrl, () => {})
  const stopping = new AbortController()
  const loops = Promise.all([
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
