// Tenants' libSQL databases (spec 2.4; recipe and measurements: design/dataplane.md §6). Each has a server of its own in a
// container, a disk of its own, and one key that verifies its tokens; the TLS front lets its project's network in.
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type Docker from 'dockerode'
import { databaseAddress } from '../../domain/addresses.ts'
import { databaseHostName, databaseVariables, ENGINE_PORTS } from '../../domain/database-variables.ts'
import { DriverError, type DatabaseEngine, type DatabaseLifecycle, type TenantDatabase } from '../contracts.ts'
import { withEngine } from '../docker/engine.ts'
import type { Authority } from '../router/authority.ts'
import { readBackup, writeBackup } from './backup-file.ts'
import {
  ensureImage,
  ensureServer,
  ensureServersNetwork,
  listServers,
  removeServer,
  removeServersNetwork,
  serverPid,
  serverProgram,
} from './libsql-container.ts'
import { LibsqlFront } from './libsql-front.ts'
import { readRecord, readRecords, removeRecord, writeRecord, type LibsqlRecord } from './libsql-records.ts'
import { answers, bytesInUse, configure, dump, removeNamespace, START_MS, type ServerAddress } from './libsql-server.ts'
import { ensureVolume, inboxOf, releaseVolume, removeVolume } from './libsql-volume.ts'

const CERTIFICATE_DAYS = 365
const MIB = 1024 * 1024
/** Two pages: whatever is in use already is more, so nothing grows. */
const FULL_BYTES = 8192
const RESTORE_FILE = 'restore.sql'

export interface LibsqlOptions {
  docker: Docker
  config: { instance: string; platformPool: string }
  authority: Pick<Authority, 'issue'>
  /** Everything of this engine; normally DATA_DIR/engines/sqlite. */
  stateDir: string
}

export interface LibsqlEngine extends DatabaseEngine, DatabaseLifecycle {
  /** Image, network, servers and TLS front as they should be; what runs is adopted. Throws 'unavailable', temporary. */
  ensure(): Promise<void>
  /** Ends front and servers; data stays. */
  stop(): Promise<void>
  health(): Promise<{ healthy: boolean; detail: string | null }>
  /** Process id of the server of one database, or null. */
  pid(databaseId: string): Promise<number | null>
}

/** The tenant engine on sqld, one sandboxed server per database. Needs root, for the disks. */
export function createLibsqlEngine(options: LibsqlOptions): LibsqlEngine {
  const { docker, stateDir } = options
  const { instance, platformPool } = options.config
  const host = databaseHostName(instance)
  const port = ENGINE_PORTS.sqlite
  const recordsFolder = path.join(stateDir, 'databases')
  const volumeOf = (databaseId: string): string => path.join(stateDir, 'volumes', databaseId)
  const front = new LibsqlFront(path.join(stateDir, 'front'), databaseAddress(platformPool), port)
  const lanes = createLanes()
  const talk = <T>(work: () => Promise<T>): Promise<T> => withEngine(docker, 'libSQL', work)
  /** Databases whose server could not be started in the last round, and why. */
  const ailing = new Map<string, string>()

  async function ensureOnce(): Promise<void> {
    await serverProgram()
    await ensureImage(docker)
    await ensureServersNetwork(docker, instance)
    // Of the whole round: many that are stuck must not keep it.
    const deadline = Date.now() + START_MS
    for (const { databaseId } of await readRecords(recordsFolder)) {
      if (lanes.busy(databaseId)) continue // Somebody makes, restores or drops it at this moment.
      await lanes
        .take(databaseId, () => revive(databaseId, deadline))
        .then(
          () => ailing.delete(databaseId),
          (error: Error) => ailing.set(databaseId, error.message),
        )
    }
    await publish()
    const names = [host, `*.${host}`]
    await front.ensure(
      await options.authority.issue({
        names,
        dir: path.join(stateDir, 'certificate'),
        file: 'front',
        days: CERTIFICATE_DAYS,
      }),
    )
  }

  async function ready(): Promise<void> {
    await talk(() => docker.ping())
    if (await front.alive()) return
    throw new DriverError('unavailable', 'the TLS front of libSQL does not run', { temporary: true })
  }

  async function revive(databaseId: string, deadline: number): Promise<void> {
    const record = await readRecord(recordsFolder, databaseId)
    if (!record) return
    // Docker takes a server that has just ended for one that runs, so what counts is whether it answers.
    for (; !(await answers(await startServer(record))); await pause(50)) {
      if (Date.now() > deadline)
        throw new DriverError('unavailable', 'the libSQL server does not answer', { temporary: true })
    }
  }

  /** The disk mounted, the container running, its address written down. */
  async function startServer(record: LibsqlRecord): Promise<LibsqlRecord & ServerAddress> {
    const { databaseId, quotaMb, adminKey } = record
    const vacate = () => talk(() => removeServer(docker, instance, databaseId))
    const volume = await ensureVolume(volumeOf(databaseId), quotaMb, vacate)
    const address = await talk(() => ensureServer(docker, { instance, databaseId, adminKey, volume }))
    const seen = { ...record, address }
    if (record.address !== address) await writeRecord(recordsFolder, seen)
    return seen
  }

  /** Tells the front who may come in. Written from all records, so that the last word is always the whole truth. */
  const publish = (): Promise<void> =>
    lanes.take('front', async () => {
      const records = await readRecords(recordsFolder)
      const open = records.flatMap(({ namespace, address, subnet, generation, open }) =>
        open && address !== null ? [[namespace, { address, subnet, generation }] as const] : [],
      )
      await front.write(Object.fromEntries(open))
    })

  async function recordOf({ databaseId }: { databaseId: string }): Promise<LibsqlRecord> {
    const record = await readRecord(recordsFolder, databaseId)
    if (record) return record
    throw new DriverError('gone', `libSQL has no database ${databaseId}`)
  }

  /** Writes the change down, makes server and front follow it, and ends the connections of before. */
  async function change(tenant: TenantDatabase, changes: Partial<LibsqlRecord>): Promise<LibsqlRecord & ServerAddress> {
    const before = await recordOf(tenant)
    const record = { ...before, ...changes, generation: before.generation + 1 }
    await writeRecord(recordsFolder, record)
    const server = await startServer(record)
    await configure(server, settingsOf(record))
    await publish()
    return server
  }

  async function sizeOf(server: ServerAddress, tenant: TenantDatabase): Promise<{ sizeMb: number }> {
    return { sizeMb: Math.floor((await bytesInUse(server, tenant.password)) / MIB) }
  }

  async function provision(tenant: TenantDatabase): Promise<{ sizeMb: number }> {
    await ready()
    const { databaseId, databaseName: namespace, user: publicKey, subnet, quotaMb } = tenant
    const born = {
      readOnly: false,
      open: false,
      generation: 0,
      address: null,
      adminKey: randomBytes(24).toString('hex'),
    }
    const before = (await readRecord(recordsFolder, databaseId)) ?? born
    const record = { ...before, databaseId, namespace, publicKey, subnet, quotaMb }
    await writeRecord(recordsFolder, record)
    const server = await startServer(record)
    await configure(server, settingsOf(record))
    // Last: nobody comes in before the walls stand.
    await writeRecord(recordsFolder, { ...record, address: server.address, open: true })
    await publish()
    return sizeOf(server, tenant)
  }

  async function drop(databaseId: string): Promise<void> {
    const record = await readRecord(recordsFolder, databaseId)
    if (record) await writeRecord(recordsFolder, { ...record, open: false })
    await publish()
    await talk(() => removeServer(docker, instance, databaseId))
    await removeVolume(volumeOf(databaseId))
    await removeRecord(recordsFolder, databaseId)
    ailing.delete(databaseId)
  }

  async function restore(
    tenant: TenantDatabase,
    backup: Parameters<DatabaseLifecycle['restore']>[1],
    signal: AbortSignal,
  ): Promise<{ sizeMb: number }> {
    const text = await readBackup(backup, signal)
    const server = await change(tenant, { open: false })
    const file = path.join(inboxOf(volumeOf(tenant.databaseId)), RESTORE_FILE)
    try {
      await pipeline(text, createWriteStream(file, { mode: 0o644 }), { signal })
      await removeNamespace(server)
      await configure(server, settingsOf(server), { dumpUrl: `file:///inbox/${RESTORE_FILE}`, signal })
    } finally {
      await rm(file, { force: true })
    }
    return sizeOf(await change(tenant, { open: true }), tenant)
  }

  return {
    ready,
    provision: tenant => lanes.take(tenant.databaseId, () => provision(tenant)),
    variables: tenant => databaseVariables('sqlite', { host, port, credentials: tenant }),
    drop: databaseId => lanes.take(databaseId, () => drop(databaseId)),
    async list() {
      const records = await readRecords(recordsFolder)
      const servers = await talk(() => listServers(docker, instance))
      await mkdir(path.join(stateDir, 'volumes'), { recursive: true })
      const volumes = await readdir(path.join(stateDir, 'volumes'))
      return [...new Set([...records.map(record => record.databaseId), ...servers, ...volumes])].sort()
    },
    rotate: tenant =>
      lanes.take(tenant.databaseId, async () => void (await change(tenant, { publicKey: tenant.user }))),
    measure: tenant =>
      lanes.take(tenant.databaseId, async () => {
        const server = await startServer(await recordOf(tenant))
        // A tenant can write to the server's own files, and so to its settings: they are said again each time.
        await configure(server, settingsOf(server))
        return sizeOf(server, tenant)
      }),
    setReadOnly: (tenant, readOnly) =>
      lanes.take(tenant.databaseId, async () => void (await change(tenant, { readOnly }))),
    suspend: tenant => lanes.take(tenant.databaseId, async () => void (await change(tenant, { open: false }))),
    backup: (tenant, file, signal) =>
      lanes.take(tenant.databaseId, async () => {
        const server = await startServer(await recordOf(tenant))
        await configure(server, settingsOf(server))
        const text = await dump(server, tenant.password, signal)
        return writeBackup(file, text, Promise.resolve(), tail => tail.trimEnd().endsWith('COMMIT;'), signal)
      }),
    restore: (tenant, backup, signal) => lanes.take(tenant.databaseId, () => restore(tenant, backup, signal)),
    ensure: () => lanes.share('ensure', () => talk(ensureOnce)),
    async stop() {
      await front.stop()
      await talk(async () => {
        for (const databaseId of await listServers(docker, instance)) await removeServer(docker, instance, databaseId)
        await removeServersNetwork(docker, instance)
      })
      for (const { databaseId } of await readRecords(recordsFolder)) await releaseVolume(volumeOf(databaseId))
    },
    health: () =>
      ready().then(
        () => ({
          healthy: true,
          detail: ailing.size === 0 ? null : [...ailing].map(each => each.join(': ')).join('; '),
        }),
        (error: Error) => ({ healthy: false, detail: error.message }),
      ),
    pid: databaseId => talk(() => serverPid(docker, instance, databaseId)),
  }
}

// A quarter more than the quota, so that a database can be seen to be over it; then nothing.
function settingsOf({ publicKey, quotaMb, readOnly }: LibsqlRecord): { jwtKey: string; maxBytes: number } {
  const roomMb = quotaMb + Math.max(8, Math.ceil(quotaMb / 4))
  return { jwtKey: publicKey, maxBytes: readOnly ? FULL_BYTES : roomMb * MIB }
}

/** One piece of work at a time per name, in the order they came; a failure does not stop the next. */
function createLanes() {
  const last = new Map<string, Promise<unknown>>()
  const shared = new Map<string, Promise<unknown>>()
  return {
    busy: (name: string): boolean => last.has(name),
    take<T>(name: string, work: () => Promise<T>): Promise<T> {
      const before = last.get(name) ?? Promise.resolve()
      const mine = before.then(work, work)
      const settled = mine.catch(() => undefined) // Its own caller hears of it.
      last.set(name, settled)
      void settled.then(() => last.get(name) === settled && last.delete(name))
      return mine
    },
    /** Those who come while it is done get the same answer. */
    share<T>(name: string, work: () => Promise<T>): Promise<T> {
      const running = shared.get(name) as Promise<T> | undefined
      if (running) return running
      const mine = work().finally(() => shared.delete(name))
      shared.set(name, mine)
      return mine
    },
  }
}
