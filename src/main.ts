// Composition root: the only file that knows everybody.
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Knex } from 'knex'
import { pino, type Logger } from 'pino'
import { connect } from '../db/connect.ts'
import { isMigrated, migrate } from '../db/migrate.ts'
import { findFreshHealth, reportHealth } from '../db/queries/health.ts'
import { openPresence, perform, pump, type Presence } from './actors/index.ts'
import { armFailpoint } from './actors/failpoints.ts'
import type { Config } from './config.ts'
import type { Keyring } from './domain/sealing.ts'
import { createPerformers } from './effects/handlers.ts'
import { startEffects } from './effects/loops.ts'
import { repeat } from './effects/repeat.ts'
import { createApp, listen } from './http/app.ts'
import { ensureControlDatabase, stopControlDatabase } from './setup/control-database.ts'
import { ensureFirstTeam } from './setup/first-team.ts'
import { ensureKeyring, REFRESH_EVERY_MS } from './setup/keyring.ts'
import { superviseParts } from './setup/parts.ts'
import { openWorld } from './setup/world.ts'

const EFFECTS_AT_ONCE = 24
const LONGEST_GOODBYE_MS = 10_000
const HEALTH_IS_FRESH_SECONDS = 30

export interface Platform {
  /** Where the API listens, without `/v1`. */
  url: string
  /** Ends the control plane: no new work, open requests answered, running effects given back. The data plane goes on. */
  stop(): Promise<void>
}

/**
 * Starts the control plane of one DATA_DIR and answers once requests are served and work is picked up. Whatever a killed
 * predecessor left half done is simply due work. `log` defaults to JSON lines on standard output.
 */
export async function startPlatform(config: Config, log: Logger = pino({ level: config.logLevel })): Promise<Platform> {
  armFailpoint(config.failpoint)
  // The accounts of the engines have to get through to their own folders; what is secret has modes of its own.
  await mkdir(config.dataDir, { recursive: true, mode: 0o711 })
  const control = await ensureControlDatabase(config)
  const db = connect(control.url, { max: 20, log })
  await migrate(db)
  const keyring = await ensureKeyring(db, config)
  await ensureFirstTeam(db, config)

  const { world, parts } = await openWorld(config, log)
  const stopping = new AbortController()
  const keys = repeat(log, 'look for new data keys', REFRESH_EVERY_MS, () => keyring.refresh(), stopping.signal)
  const report = (part: string, healthy: boolean, detail: string | null) => reportHealth(db, part, healthy, detail)
  const supervisor = superviseParts({ parts, report, log })
  const worker = await startWorker({ config, log, db, keyring, world, databaseUrl: control.url }, stopping.signal)
  const app = createApp({ db, keyring, config, log, ready: () => readiness(db, worker.presence, config) })
  const { server, port } = await listen(app, config.port, config.host)
  await supervisor.start()
  worker.begin()

  const stop = async () => {
    server.close()
    server.closeIdleConnections()
    stopping.abort()
    const cut = setTimeout(() => server.closeAllConnections(), LONGEST_GOODBYE_MS)
    await Promise.all([
      supervisor.stop(),
      keys,
      worker.ended(),
      new Promise<void>(resolve => (server.listening ? server.on('close', resolve) : resolve())),
    ])
    clearTimeout(cut)
    await worker.presence.close()
    await db.destroy()
    if (!config.databaseUrl) await stopControlDatabase(config)
  }
  return { url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`, stop }
}

interface WorkerParts {
  config: Config
  log: Logger
  db: Knex
  keyring: Keyring
  world: Awaited<ReturnType<typeof openWorld>>['world']
  databaseUrl: string
}

// The worker's loops begin only when the parts have been looked after once: effects need them.
async function startWorker(parts: WorkerParts, signal: AbortSignal) {
  const { db, log, keyring, world, config } = parts
  const presence = await openPresence(parts.databaseUrl, error =>
    log.error({ err: error }, 'lost the connection for hints'),
  )
  const tools = { db, keyring, world, config, log }
  let loops: Promise<unknown> = Promise.resolve()
  return {
    presence,
    begin: () => {
      loops = Promise.all([
        pump(db, log, signal),
        perform({ db, log, presence, performers: createPerformers(tools), concurrency: EFFECTS_AT_ONCE }, signal),
        startEffects(tools, signal),
      ])
    },
    ended: () => loops,
  }
}

/** Ready once the schema is ours, this worker is known, and every part that deployments need has been seen well. */
async function readiness(db: Knex, presence: Presence, config: Config): Promise<{ ok: boolean; detail: string }> {
  if (!(await isMigrated(db).catch(() => false))) return { ok: false, detail: 'the control database is not migrated' }
  if (presence.number() === null) return { ok: false, detail: 'the worker has lost its connection' }
  for (const part of config.runtime === 'docker' ? ['docker', 'router'] : []) {
    const seen = await findFreshHealth(db, part, HEALTH_IS_FRESH_SECONDS)
    if (!seen?.healthy) return { ok: false, detail: `${part}: ${seen?.detail ?? 'not looked at yet'}` }
  }
  return { ok: true, detail: 'ready' }
}

export const logFile = (config: Config): string => path.join(config.dataDir, 'cais.log')
