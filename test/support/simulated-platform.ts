// A whole platform in this process, on a fresh database and a simulated world that the test can look into.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Knex } from 'knex'
import { pino } from 'pino'
import { readConfig, type Config } from '../../src/config.ts'
import { createSimulatedWorld, type SimulatedWorld } from '../../src/drivers/simulated/world.ts'
import { startPlatform } from '../../src/main.ts'
import { Client } from './api.ts'
import { GENEROUS_LIMITS } from './platform.ts'
import { freshDatabase } from './postgres.ts'

interface Test {
  testdir(): string
  teardown(work: () => Promise<void> | void): void
}

export interface SimulatedPlatform {
  client: Client
  world: SimulatedWorld
  db: Knex
  config: Config
}

/** Starts it with the token of its first team, which has every scope; it stops when the test ends. */
export async function startSimulated(t: Test, env: Record<string, string> = {}): Promise<SimulatedPlatform> {
  const { db, url } = await freshDatabase(t)
  const dataDir = t.testdir()
  const fixed = { DATA_DIR: dataDir, DATABASE_URL: url, CAIS_RUNTIME: 'simulated', CAIS_STABILITY_MS: '0', PORT: '0' }
  const config = readConfig({ ...fixed, CAIS_LIMITS: GENEROUS_LIMITS, ...env })
  const platform = await startPlatform(config, pino({ level: process.env.CAIS_LOG_LEVEL ?? 'silent' }))
  t.teardown(() => platform.stop())
  const token = (await readFile(path.join(dataDir, 'token'), 'utf8')).trim()
  return { client: new Client(`${platform.url}/v1`, token), world: createSimulatedWorld({ config }), db, config }
}
