// Tenants' PostgreSQL databases (spec 2.4; recipe and measurements: design/dataplane.md §6). Each has a role and a
// database of its own, is reached over TLS only, and only from the network of its project.
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { databaseVariables } from '../../domain/database-variables.ts'
import {
  DriverError,
  type BackupFile,
  type DatabaseEngine,
  type DatabaseLifecycle,
  type TenantDatabase,
} from '../contracts.ts'
import { verifyBackup } from './backup-file.ts'
import { readRules, removeRule, TENANT_NAME, writeRule } from './access-rules.ts'
import { dumpDatabase, fillDatabase } from './postgres-dump.ts'
import { compact, guardTables, isGuarded, liftGuard, refuseNewTables, unguardedTables } from './postgres-guard.ts'
import { PORT, PostgresServer, type PostgresOptions } from './postgres-server.ts'
import { scramVerifier } from './scram.ts'

/** Sessions of one tenant at a time. */
const CONNECTIONS = 20
const TEMPORARY_FILES = '256MB'
/** How long a login may take from its password to being seen. */
const SETTLING_MS = 50
/** How our roles and databases are told from all others: the comment on them. */
const MARK = 'cais database '

export interface PostgresEngine extends DatabaseEngine, DatabaseLifecycle {
  /** Makes, configures and starts the server, or adopts the one that runs. Throws DriverError 'unavailable', temporary. */
  ensure(): Promise<void>
  /** Ends the server; data stays. */
  stop(): Promise<void>
  health(): Promise<{ healthy: boolean; detail: string | null }>
  /** Process id of the server, or null. */
  pid(): Promise<number | null>
}

/** The tenant engine on Debian's PostgreSQL 15, as a server process of its own under `stateDir`. */
export function createPostgresEngine(options: PostgresOptions): PostgresEngine {
  const server = new PostgresServer(options)
  const inTurn = turnstile()

  async function ready(): Promise<void> {
    await server.asAdministrator('postgres', client => client.query('select 1'))
  }

  async function provision(tenant: TenantDatabase): Promise<{ sizeMb: number }> {
    checkNames(tenant)
    await ready()
    const verifier = await scramVerifier(tenant.password)
    await server.asAdministrator('postgres', async client => {
      await ensureRole(client, tenant, verifier)
      await ensureDatabase(client, tenant)
    })
    await server.asAdministrator(tenant.databaseName, client => furnish(client, tenant))
    // Last: nobody comes in before the walls stand.
    const { databaseId, databaseName, user, subnet } = tenant
    await writeRule(server.rulesFolder, { databaseId, databaseName, user, subnet })
    await server.applyRules()
    return server.asAdministrator('postgres', client => measure(client, tenant.databaseName))
  }

  async function drop(databaseId: string, names: { databaseName: string; user: string }): Promise<void> {
    checkNames(names)
    await ready()
    await removeRule(server.rulesFolder, databaseId)
    await server.applyRules()
    await server.asAdministrator('postgres', async client => {
      await client.query(`drop database if exists ${names.databaseName} with (force)`)
      await client.query(`drop role if exists ${names.user}`)
    })
  }

  async function rotate(tenant: TenantDatabase): Promise<void> {
    checkNames(tenant)
    const verifier = await scramVerifier(tenant.password)
    await server.asAdministrator('postgres', async client => {
      await ensureRole(client, tenant, verifier)
      await endSessions(client, tenant)
    })
  }

  async function size(tenant: TenantDatabase): Promise<{ sizeMb: number }> {
    checkNames(tenant)
    await server.asAdministrator(tenant.databaseName, async client => {
      if (await isGuarded(client)) await compact(client)
    })
    return server.asAdministrator('postgres', client => measure(client, tenant.databaseName))
  }

  async function setReadOnly(tenant: TenantDatabase, readOnly: boolean): Promise<void> {
    checkNames(tenant)
    const inside = <T>(work: (client: pg.Client) => Promise<T>): Promise<T> =>
      server.asAdministrator(tenant.databaseName, work)
    if (!readOnly) await inside(liftGuard)
    else {
      await inside(refuseNewTables)
      const open = await inside(unguardedTables)
      if (open.length > 0) await guardAlone(tenant, client => guardTables(client, open))
    }
    await limitSessions(tenant, CONNECTIONS)
  }

  // Sessions that were open when the event trigger came may be in the middle of something: they end, and none begins.
  async function guardAlone(tenant: TenantDatabase, guard: (client: pg.Client) => Promise<void>): Promise<void> {
    await limitSessions(tenant, 0)
    try {
      await server.asAdministrator('postgres', client => endSessions(client, tenant))
      await server.asAdministrator(tenant.databaseName, guard)
    } finally {
      await limitSessions(tenant, CONNECTIONS)
    }
  }

  async function limitSessions({ databaseName }: TenantDatabase, limit: number): Promise<void> {
    await server.asAdministrator('postgres', client =>
      client.query(`alter database ${databaseName} connection limit ${limit}`),
    )
  }

  async function suspend(tenant: TenantDatabase): Promise<void> {
    checkNames(tenant)
    await ready()
    await removeRule(server.rulesFolder, tenant.databaseId)
    await server.applyRules()
    await server.asAdministrator('postgres', async client => {
      const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [tenant.user])
      if (rowCount === 1) await client.query(`alter role ${tenant.user} nologin`)
      await endSessions(client, tenant)
    })
  }

  async function backup(tenant: TenantDatabase, file: string, signal: AbortSignal): Promise<BackupFile> {
    checkNames(tenant)
    await server.asAdministrator(tenant.databaseName, liftGuard)
    return dumpDatabase(server, tenant, file, signal)
  }

  async function restore(tenant: TenantDatabase, from: BackupFile, signal: AbortSignal): Promise<{ sizeMb: number }> {
    checkNames(tenant)
    await verifyBackup(from, signal)
    await inTurn(async () => {
      await server.asAdministrator('postgres', client =>
        client.query(`drop database if exists ${tenant.databaseName} with (force)`),
      )
      await provision(tenant)
    })
    // Building indexes may need more room than a tenant's own queries are given.
    await limitTemporaryFiles(tenant, '-1')
    await fillDatabase(server, tenant, from, signal).finally(() => limitTemporaryFiles(tenant, TEMPORARY_FILES))
    return size(tenant)
  }

  async function limitTemporaryFiles({ user }: TenantDatabase, limit: string): Promise<void> {
    await server.asAdministrator('postgres', client =>
      client.query(`alter role ${user} set temp_file_limit = '${limit}'`),
    )
  }

  async function list(): Promise<string[]> {
    const rules = await readRules(server.rulesFolder)
    const marked = await server.asAdministrator('postgres', listMarked)
    return [...new Set([...rules.map(rule => rule.databaseId), ...marked])].sort()
  }

  return {
    ready,
    provision: tenant => inTurn(() => provision(tenant)),
    variables: tenant => databaseVariables('postgres', { host: server.host, port: PORT, credentials: tenant }),
    drop: (databaseId, names) => inTurn(() => drop(databaseId, names)),
    list,
    rotate: tenant => inTurn(() => rotate(tenant)),
    measure: size,
    setReadOnly,
    suspend: tenant => inTurn(() => suspend(tenant)),
    backup,
    restore,
    ensure: () => inTurn(() => server.ensure()),
    stop: () => inTurn(() => server.stop()),
    health: () =>
      ready().then(
        () => ({ healthy: true, detail: null }),
        (error: Error) => ({ healthy: false, detail: error.message }),
      ),
    pid: () => server.pid(),
  }
}

// Names are checked against a pattern without quotes, the verifier is base64 and `$:` only: all may stand in the text.
function checkNames(names: { databaseName: string; user: string }): void {
  if (TENANT_NAME.test(names.databaseName) && TENANT_NAME.test(names.user)) return
  throw new DriverError(
    'invalid_name',
    `"${names.databaseName}" or "${names.user}" is not a name for a tenant database`,
  )
}

async function ensureRole(client: pg.Client, { databaseId, user }: TenantDatabase, verifier: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [user])
  const verb = rowCount === 0 ? 'create' : 'alter'
  await client.query('begin')
  await client.query(
    `${verb} role ${user} login password '${verifier}' connection limit ${CONNECTIONS}
     nosuperuser nocreatedb nocreaterole noreplication nobypassrls`,
  )
  await client.query(`comment on role ${user} is '${MARK}${databaseId}'`)
  // Only a superuser may change this one; the other limits a tenant could set would be advice.
  await client.query(`alter role ${user} set temp_file_limit = '${TEMPORARY_FILES}'`)
  await client.query('commit')
}

async function ensureDatabase(client: pg.Client, { databaseId, databaseName, user }: TenantDatabase): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [databaseName])
  // The owner may rename and drop a database and lift its limits: so the tenant is not its owner.
  if (rowCount === 0)
    await client.query(
      `create database ${databaseName} owner postgres template template0 connection limit ${CONNECTIONS}`,
    )
  await client.query(`comment on database ${databaseName} is '${MARK}${databaseId}'`)
  await client.query(`revoke all on database ${databaseName} from public`)
  await client.query(`grant connect, create, temporary on database ${databaseName} to ${user}`)
}

async function furnish(client: pg.Client, { user }: TenantDatabase): Promise<void> {
  await client.query('begin')
  // A tenant may drop `public`, which is its own, and then it stays dropped.
  const { rowCount } = await client.query(`select 1 from pg_namespace where nspname = 'public'`)
  if (rowCount === 1) await client.query(`alter schema public owner to ${user}`)
  await client.query('create schema if not exists plat authorization postgres')
  await client.query('revoke all on schema plat from public')
  await client.query(`grant usage on schema plat to ${user}`)
  // Large objects belong to no table, so no trigger could ever make them read-only.
  await client.query(`revoke execute on function ${LARGE_OBJECT_WRITERS} from public`)
  await client.query('commit')
}

const LARGE_OBJECT_WRITERS =
  'lo_create(oid), lo_creat(int), lo_from_bytea(oid, bytea), lo_put(oid, bigint, bytea), lowrite(int, bytea), ' +
  'lo_open(oid, int), lo_truncate(int, int), lo_truncate64(int, bigint)'

// What an empty database takes is ours, not the tenant's (and some 100 KB of caches appear with the first session).
async function measure(client: pg.Client, databaseName: string): Promise<{ sizeMb: number }> {
  const { rows } = await client.query(
    `select floor(greatest(0, pg_database_size($1::name) - pg_database_size('template0')) / 1048576.0)::int as mb`,
    [databaseName],
  )
  return { sizeMb: rows[0].mb }
}

/** Ends what this tenant has open. One that was logging in meanwhile shows up a moment later: hence the second look. */
async function endSessions(client: pg.Client, { user, databaseName }: TenantDatabase): Promise<void> {
  for (let quiet = 0; quiet < 2;) {
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where (usename = $1 or datname = $2) and backend_type = 'client backend' and pid <> pg_backend_pid()`,
      [user, databaseName],
    )
    quiet = rowCount === 0 ? quiet + 1 : 0
    if (quiet < 2) await pause(SETTLING_MS)
  }
}

async function listMarked(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query(
    `select substr(description, length($1) + 1) as id from pg_shdescription where starts_with(description, $1)`,
    [MARK],
  )
  return rows.map(row => row.id)
}

/** One at a time, in the order they came; a failure does not stop the next. */
function turnstile(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const mine = last.then(work, work)
    last = mine.catch(() => undefined) // Its own caller hears of it.
    return mine
  }
}
