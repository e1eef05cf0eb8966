// Tenants' MariaDB databases (spec 2.4; recipe and measurements: design/dataplane.md §6). Each has a schema and an account
// of its own, is reached over TLS only, and only from the network of its project.
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import ipaddr from 'ipaddr.js'
import type { Connection } from 'mariadb'
import { databaseVariables } from '../../domain/database-variables.ts'
import { DriverError, type DatabaseEngine, type DatabaseLifecycle, type TenantDatabase } from '../contracts.ts'
import { TENANT_NAME } from './access-rules.ts'
import { dumpDatabase, replayDump } from './mariadb-backup.ts'
import { MariadbServer, PORT, type MariadbOptions } from './mariadb-server.ts'

/** Sessions of one tenant at a time. */
const CONNECTIONS = 20
const STATEMENT_SECONDS = 300
const MIB = 1024 * 1024
/** How long a killed session may take to be gone; a large transaction is rolled back first. */
const FAREWELL_MS = 15_000

/** No EVENT (work without a session), no GRANT OPTION (what we take back, nobody gives back). */
const KEPT_WHEN_FULL = 'select, delete, drop, lock tables, execute, show view, trigger, alter routine'
const LOST_WHEN_FULL =
  'insert, update, create, references, index, alter, create temporary tables, create view, create routine'

export interface MariadbEngine extends DatabaseEngine, DatabaseLifecycle {
  /** Makes, configures and starts the server, or adopts the one that runs. Throws DriverError 'unavailable', temporary. */
  ensure(): Promise<void>
  /** Ends the server; data stays. */
  stop(): Promise<void>
  health(): Promise<{ healthy: boolean; detail: string | null }>
  /** Process id of the server, or null. */
  pid(): Promise<number | null>
}

/** The tenant engine on Debian's MariaDB, as a server process of its own under `stateDir`. */
export function createMariadbEngine(options: MariadbOptions): MariadbEngine {
  const server = new MariadbServer(options)
  const asAdministrator = server.asAdministrator.bind(server)
  let ensuring: Promise<void> | null = null

  async function ready(): Promise<void> {
    await asAdministrator(connection => connection.query('select 1 from cais.tenant limit 1'))
  }

  return {
    ready,
    provision: tenant =>
      asAdministrator(async connection => {
        checkNames(tenant)
        await remember(connection, tenant)
        await connection.query(`create database if not exists ${tenant.databaseName}`)
        await ensureAccounts(connection, tenant)
        await grant(connection, tenant)
        return { sizeMb: await sizeOf(connection, tenant) }
      }),
    variables: tenant => databaseVariables('mariadb', { host: server.host, port: PORT, credentials: tenant }),
    drop: (databaseId, names) =>
      asAdministrator(async connection => {
        checkNames(names)
        for (const account of await accountsOf(connection, names.user)) await connection.query(`drop user ${account}`)
        await endSessions(connection, names.user)
        await connection.query(`drop database if exists ${names.databaseName}`)
        await connection.query('delete from cais.tenant where database_id = ?', [databaseId])
      }),
    list: () =>
      asAdministrator(async connection => {
        const rows: { database_id: string }[] = await connection.query('select database_id from cais.tenant order by 1')
        return rows.map(row => row.database_id)
      }),
    rotate: tenant =>
      asAdministrator(async connection => {
        checkNames(tenant)
        await connection.query(`alter user ${networkAccount(tenant)} ${identified(tenant.password)} require ssl`)
        await endSessions(connection, tenant.user)
      }),
    measure: tenant => asAdministrator(connection => measure(connection, tenant)),
    setReadOnly: (tenant, readOnly) =>
      asAdministrator(async connection => {
        checkNames(tenant)
        const facts = [readOnly, tenant.databaseId]
        await connection.query('update cais.tenant set read_only = ?, tidied_at = null where database_id = ?', facts)
        await grant(connection, tenant)
        // A session that has chosen its database goes on with the rights of that moment.
        if (readOnly) await endSessions(connection, tenant.user)
      }),
    suspend: tenant =>
      asAdministrator(async connection => {
        checkNames(tenant)
        await connection.query(`alter user if exists ${networkAccount(tenant)} account lock`)
        await endSessions(connection, tenant.user)
      }),
    backup: async (tenant, path, signal) => {
      checkNames(tenant)
      await ready()
      return dumpDatabase(await server.socket(), tenant.databaseName, path, signal)
    },
    restore: (tenant, backup, signal) =>
      asAdministrator(async connection => {
        checkNames(tenant)
        await connection.query(`drop database if exists ${tenant.databaseName}`)
        await connection.query(`create database ${tenant.databaseName}`)
        const owner = ownerAccount(tenant.user)
        const password = onePassword()
        await connection.query(`alter user ${owner} ${identified(password)} account unlock`)
        try {
          await replayDump(await server.socket(), { ...tenant, password }, backup, signal)
        } finally {
          await connection.query(`alter user ${owner} ${identified(onePassword())} account lock`)
        }
        return { sizeMb: await sizeOf(connection, tenant) }
      }),
    ensure: () => (ensuring ??= server.ensure().finally(() => (ensuring = null))),
    stop: () => server.stop(),
    health: () =>
      ready().then(
        () => ({ healthy: true, detail: null }),
        (error: Error) => ({ healthy: false, detail: error.message }),
      ),
    pid: () => server.pid(),
  }
}

// Names are checked against a pattern without quotes: they may stand in the text of statements.
function checkNames(names: { databaseName: string; user: string }): void {
  if (TENANT_NAME.test(names.databaseName) && TENANT_NAME.test(names.user)) return
  throw new DriverError(
    'invalid_name',
    `"${names.databaseName}" or "${names.user}" is not a name for a tenant database`,
  )
}

/** The account with which services come: known only to the addresses of their project. */
function networkAccount({ user, subnet }: TenantDatabase): string {
  return `'${user}'@'${networkHost(subnet)}'`
}

function networkHost(subnet: string): string {
  const network = ipaddr.IPv4.networkAddressFromCIDR(subnet).toString()
  return `${network}/${ipaddr.IPv4.subnetMaskFromPrefixLength(ipaddr.IPv4.parseCIDR(subnet)[1]).toString()}`
}

/**
 * Same rights, no way in but ours while we restore: what it creates then (views, triggers, routines) runs with its rights
 * for ever, so it stays as long as the database does.
 */
const ownerAccount = (user: string): string => `'${user}'@'localhost'`

// The server keeps this hash instead of the password, so the password never travels in a statement, and so never into a log.
function identified(password: string): string {
  const once = createHash('sha1').update(password).digest()
  const hash = createHash('sha1').update(once).digest('hex').toUpperCase()
  return `identified via mysql_native_password using '*${hash}'`
}

/** Known to nobody but its caller, for as long as the caller runs. */
const onePassword = (): string => randomBytes(24).toString('base64url')

async function remember(connection: Connection, tenant: TenantDatabase): Promise<void> {
  const { databaseId, databaseName, user, subnet } = tenant
  await connection.query(
    `insert into cais.tenant (database_id, database_name, user, host) values (?, ?, ?, ?)
     on duplicate key update host = value(host)`,
    [databaseId, databaseName, user, networkHost(subnet)],
  )
}

async function ensureAccounts(connection: Connection, tenant: TenantDatabase): Promise<void> {
  const limits = `require ssl with max_user_connections ${CONNECTIONS} max_statement_time ${STATEMENT_SECONDS}`
  const [network, owner] = [networkAccount(tenant), ownerAccount(tenant.user)]
  await connection.query(`create user if not exists ${network} ${identified(tenant.password)} ${limits} account lock`)
  await connection.query(`alter user ${network} ${identified(tenant.password)} ${limits} account unlock`)
  await connection.query(`create user if not exists ${owner} ${identified(onePassword())} account lock`)
  for (const account of await accountsOf(connection, tenant.user))
    if (account !== network && account !== owner) await connection.query(`drop user ${account}`)
}

async function accountsOf(connection: Connection, user: string): Promise<string[]> {
  const rows: { host: string }[] = await connection.query('select host as host from mysql.user where user = ?', [user])
  return rows.map(row => `'${user}'@'${row.host}'`)
}

/** The rights that follow from `read_only`. Taken away one by one, so that reading never stops in between. */
async function grant(connection: Connection, tenant: TenantDatabase): Promise<void> {
  const { read_only: readOnly } = await recordOf(connection, tenant)
  // In this place `_` stands for any letter, unless it is escaped.
  const everything = `\`${tenant.databaseName.replaceAll('_', '\\_')}\`.*`
  for (const account of await accountsOf(connection, tenant.user)) {
    await connection.query(`grant ${KEPT_WHEN_FULL} on ${everything} to ${account}`)
    if (readOnly) await connection.query(`revoke ${LOST_WHEN_FULL} on ${everything} from ${account}`)
    else await connection.query(`grant ${LOST_WHEN_FULL} on ${everything} to ${account}`)
  }
}

interface TenantRecord {
  read_only: number
  tidied_at: Date | null
}

async function recordOf(connection: Connection, { databaseId }: TenantDatabase): Promise<TenantRecord> {
  const rows: TenantRecord[] = await connection.query('select * from cais.tenant where database_id = ?', [databaseId])
  if (!rows[0]) throw new DriverError('gone', `MariaDB has no database ${databaseId}`)
  return rows[0]
}

/** Ends the user's sessions and waits until they are gone. */
async function endSessions(connection: Connection, user: string): Promise<void> {
  for (const deadline = Date.now() + FAREWELL_MS; ; await pause(20)) {
    const sessions: { id: number }[] = await connection.query(
      'select id as id from information_schema.processlist where user = ?',
      [user],
    )
    if (sessions.length === 0) return
    if (Date.now() > deadline)
      throw new DriverError('unavailable', `sessions of ${user} take long to end`, { temporary: true })
    for (const { id } of sessions)
      await connection.query(`kill hard connection ${id}`).catch(error => {
        if (error.code !== 'ER_NO_SUCH_THREAD') throw error
      })
  }
}

async function measure(connection: Connection, tenant: TenantDatabase): Promise<{ sizeMb: number }> {
  checkNames(tenant)
  const { read_only: readOnly, tidied_at: tidiedAt } = await recordOf(connection, tenant)
  const sizeMb = await sizeOf(connection, tenant)
  if (!readOnly && sizeMb <= tenant.quotaMb) return { sizeMb }
  await giveBack(connection, tenant, tidiedAt)
  return { sizeMb: await sizeOf(connection, tenant) }
}

// A file keeps its size when rows are deleted; only writing the table anew gives the space back, and a tenant that is over
// its quota may not do that itself.
async function giveBack(connection: Connection, tenant: TenantDatabase, tidiedAt: Date | null): Promise<void> {
  const changed: { name: string }[] = await connection.query(
    `select table_name as name from information_schema.tables
      where table_schema = ? and table_type = 'BASE TABLE' and engine = 'InnoDB'
        and (? is null or data_free > ${MIB} or update_time >= ?)`,
    [tenant.databaseName, tidiedAt, tidiedAt],
  )
  await connection.query('update cais.tenant set tidied_at = now(6) where database_id = ?', [tenant.databaseId])
  await connection.query('set lock_wait_timeout = 2, innodb_lock_wait_timeout = 2')
  // A table in use answers with a row that says so: the next measurement tries again.
  for (const { name } of changed)
    await connection.query(`optimize no_write_to_binlog table ${tenant.databaseName}.\`${name.replaceAll('`', '``')}\``)
}

/** Of the files on disk: the estimates of information_schema.tables lag far behind. */
async function sizeOf(connection: Connection, { databaseName }: TenantDatabase): Promise<number> {
  const rows: { bytes: number | null }[] = await connection.query(
    `select sum(file_size) as bytes from information_schema.innodb_sys_tablespaces
      where substring_index(name, '/', 1) = ?`,
    [databaseName],
  )
  return Math.floor(Number(rows[0]?.bytes ?? 0) / MIB)
}
