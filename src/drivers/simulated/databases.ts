// The three engines of the database host. A database is a file: who may reach it, and its rows. A session is a call with a
// password, so that tests can be clients of it.
import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { databaseVariables, ENGINE_PORTS } from '../../domain/database-variables.ts'
import {
  DriverError,
  type BackupFile,
  type DatabaseEngine,
  type DatabaseLifecycle,
  type Engine,
  type TenantDatabase,
} from '../contracts.ts'
import { Folder } from './disk.ts'
import type { Faults } from './faults.ts'

const HOST = 'db.cais.internal'
const EMPTY_MB = 8

interface Stored {
  tenant: TenantDatabase
  rows: string[]
  readOnly: boolean
  suspended: boolean
  /** What the next measuring finds. */
  sizeMb: number
}

/** A database as a client with this password sees it: every call is refused as the engine would refuse it. */
export interface SimulatedDatabase {
  readonly tenant: TenantDatabase
  readonly suspended: boolean
  rows(password: string): string[]
  insert(password: string, ...rows: string[]): void
  delete(password: string, row: string): void
  /** What the next measuring finds; deleting rows does not change it. */
  setSizeMb(sizeMb: number): void
}

export interface SimulatedEngine extends DatabaseEngine, DatabaseLifecycle {
  /** Null when there is none of this id. */
  database(databaseId: string): SimulatedDatabase | null
}

export function simulatedEngine(dir: string, engine: Engine, faults: Faults, provisionMs: number): SimulatedEngine {
  const databases = new Folder<Stored>(path.join(dir, 'databases', engine))
  const about = (tenant: TenantDatabase) => [tenant.databaseId, engine]
  const stored = (id: string): Stored => {
    const found = databases.read(id)
    if (!found) throw new DriverError('gone', `the simulated ${engine} has no database ${id}`)
    return found
  }
  const change = (id: string, changes: Partial<Stored>) => databases.replace(id, { ...stored(id), ...changes })

  return {
    ready: () => faults.perform('databaseReady', [engine], () => {}),
    provision: tenant =>
      faults.perform('provision', about(tenant), async () => {
        await sleep(provisionMs)
        const known = databases.read(tenant.databaseId)
        const empty = { rows: [], readOnly: false, suspended: false, sizeMb: EMPTY_MB }
        databases.replace(tenant.databaseId, { ...empty, ...known, tenant })
        return { sizeMb: EMPTY_MB }
      }),
    variables: tenant => databaseVariables(engine, { host: HOST, port: ENGINE_PORTS[engine], credentials: tenant }),
    drop: id => faults.perform('dropDatabase', [id, engine], () => void databases.remove(id)),
    list: () => faults.perform('listDatabases', [engine], () => databases.names()),
    rotate: tenant => faults.perform('rotate', about(tenant), () => change(tenant.databaseId, { tenant })),
    measure: tenant => faults.perform('measure', about(tenant), () => ({ sizeMb: stored(tenant.databaseId).sizeMb })),
    setReadOnly: (tenant, readOnly) =>
      faults.perform('setReadOnly', about(tenant), () => change(tenant.databaseId, { readOnly })),
    suspend: tenant => faults.perform('suspend', about(tenant), () => change(tenant.databaseId, { suspended: true })),
    backup: (tenant, file, signal) =>
      faults.perform('backup', about(tenant), () => writeBackup(stored(tenant.databaseId), file), signal),
    restore: (tenant, backup, signal) =>
      faults.perform(
        'restore',
        about(tenant),
        async () => {
          const { rows, sizeMb } = await readBackup(backup)
          change(tenant.databaseId, { rows, sizeMb, readOnly: false })
          return { sizeMb }
        },
        signal,
      ),
    database: id => (databases.read(id) ? client(id) : null),
  }

  function client(id: string): SimulatedDatabase {
    const session = (password: string): Stored => {
      const now = stored(id)
      if (now.suspended || now.tenant.password !== password) throw new Error('password authentication failed')
      return now
    }
    return {
      tenant: stored(id).tenant,
      suspended: stored(id).suspended,
      rows: password => session(password).rows,
      insert: (password, ...rows) => {
        const now = session(password)
        if (now.readOnly) throw new Error('database is read-only: storage quota exceeded')
        change(id, { rows: [...now.rows, ...rows] })
      },
      delete: (password, row) => change(id, { rows: session(password).rows.filter(other => other !== row) }),
      setSizeMb: sizeMb => change(id, { sizeMb }),
    }
  }
}

async function writeBackup({ rows, sizeMb }: Stored, file: string): Promise<BackupFile> {
  const bytes = gzipSync(JSON.stringify({ rows, sizeMb }))
  await fs.writeFile(`${file}.part`, bytes, { mode: 0o600 })
  await fs.rename(`${file}.part`, file)
  return { path: file, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

async function readBackup({ path: file }: BackupFile): Promise<Pick<Stored, 'rows' | 'sizeMb'>> {
  return JSON.parse(gunzipSync(await fs.readFile(file)).toString('utf8')) as Pick<Stored, 'rows' | 'sizeMb'>
}
