// The platform's own database: an embedded PostgreSQL under DATA_DIR, unless DATABASE_URL names another.
// It is a daemon of its own: a kill -9 of the platform leaves it alone, and the next start adopts it.
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import pg from 'pg'
import type { Config } from '../config.ts'
import {
  ensureCluster,
  keepFile,
  makeHome,
  postmaster,
  replaceFile,
  serverAccount,
  ServerEnded,
  startServer,
  stopServer,
  type Account,
  type Cluster,
} from '../drivers/databases/postgres-process.ts'
import { embeddedBinaries } from './embedded-binaries.ts'

const USER = 'cais'
const DATABASE = 'cais'
const INITDB = ['--username', USER, '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--data-checksums']

// One small team's control plane: many short transactions, which must survive a power cut.
const settings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '60',
  shared_buffers: '64MB',
  work_mem: '4MB',
  fsync: 'on',
  synchronous_commit: 'on',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '256MB',
  io_method: 'sync',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  // Statements can hold sealed values and log lines: the server's log gets only what happened, never the statement.
  log_min_error_statement: 'panic',
  log_line_prefix: '%m [%p] ',
  log_checkpoints: 'off',
  timezone: 'UTC',
}

type Place = Pick<Config, 'dataDir' | 'databaseUrl'>

/**
 * Answers the address of a control database that accepts connections; `started` tells whether this call started it.
 * Repeating it, also from two processes at once, is safe. `overrides` are PostgreSQL settings (tests turn fsync off).
 */
export async function ensureControlDatabase(
  config: Place,
  overrides: Record<string, string> = {},
): Promise<{ url: string; started: boolean }> {
  if (config.databaseUrl) return { url: config.databaseUrl, started: false }
  const cluster = await clusterOf(config)
  const password = await keepFile(passwordFile(config), randomBytes(24).toString('hex'))
  const adopted = await postmaster(cluster)
  const url = adopted?.ready ? await reach(adopted.port, password).catch(noServer) : null
  if (url !== null) return { url, started: false }

  await ensureCluster(cluster, INITDB, password)
  const started = await startOnFreePort(config, cluster, overrides)
  return { url: await reach(started, password), started: true }
}

/** Stops the embedded server, if one of ours runs. A server named by DATABASE_URL is never touched. */
export async function stopControlDatabase(config: Place): Promise<void> {
  if (config.databaseUrl) return
  if (await isThere(path.join(config.dataDir, 'control', 'data'))) await stopServer(await clusterOf(config))
}

const passwordFile = (config: Place): string => path.join(config.dataDir, 'control.password')
const portFile = (config: Place): string => path.join(config.dataDir, 'control.port')

async function clusterOf(config: Place): Promise<Cluster> {
  const account = await serverAccount()
  await openPassage(config.dataDir, account)
  const home = await makeHome(path.join(config.dataDir, 'control'), account)
  return { binaries: await embeddedBinaries(account), home, account }
}

// DATA_DIR is ours: the server's account may walk through it, not list it. Every secret in it is a file of mode 0600.
async function openPassage(dataDir: string, account: Account | null): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o711 })
  if (!account) return
  const { mode, uid } = await stat(dataDir)
  if (uid === process.getuid?.() && (mode & 0o001) === 0) await chmod(dataDir, (mode & 0o777) | 0o011)
}

// The port is chosen once and kept, so that a URL stays good; another is chosen only when somebody took it meanwhile.
async function startOnFreePort(config: Place, cluster: Cluster, overrides: Record<string, string>): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const port = await keepFile(portFile(config), String(await freePort()))
    try {
      return (await startServer(cluster, { ...settings, ...overrides, port })).port
    } catch (error) {
      if (!(error instanceof ServerEnded) || attempt === 5) throw error
      if (!/could not bind|could not create any TCP/.test(error.log)) throw error
      await replaceFile(portFile(config), String(await freePort()), null)
    }
  }
}

async function reach(port: number, password: string): Promise<string> {
  const url = (database: string): string => `postgres://${USER}:${password}@127.0.0.1:${port}/${database}`
  const client = new pg.Client({ connectionString: url('postgres'), connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`create database ${DATABASE}`).catch(ignoreDuplicate)
  } finally {
    await client.end()
  }
  return url(DATABASE)
}

// The pid file may be news of a server that was killed this moment.
function noServer(error: Error & { code?: string }): null {
  if (error.code !== 'ECONNREFUSED' && error.code !== 'ECONNRESET' && error.code !== '57P03') throw error
  return null
}

// Two processes that start at once may both create it.
function ignoreDuplicate(error: Error & { code?: string }): void {
  if (error.code !== '42P04' && error.code !== '23505') throw error
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))
  return port
}

async function isThere(folder: string): Promise<boolean> {
  return stat(folder).then(
    () => true,
    () => false,
  )
}
