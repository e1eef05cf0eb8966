// The server process of the tenants' databases: made, configured, started and adopted here. What is in it: postgres.ts.
import { createHash, randomBytes } from 'node:crypto'
import { access, chown, mkdir, readFile, rename } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { databaseHostName, ENGINE_PORTS } from '../../domain/database-variables.ts'
import { databaseAddress } from '../../domain/addresses.ts'
import { DriverError } from '../contracts.ts'
import { readIfPresent, replaceFile } from '../router/atomic-file.ts'
import type { Authority } from '../router/authority.ts'
import { readRules, renderAccess, renderAdministrators } from './access-rules.ts'
import {
  ensureCluster,
  makeHome,
  ownedFolder,
  postmaster,
  serverAccount,
  startServer,
  stopServer,
  trimLog,
  type Account,
  type Cluster,
} from './postgres-process.ts'

export const PORT = ENGINE_PORTS.postgres
const CERTIFICATE_DAYS = 365
/** Longer paths of Unix sockets do not fit into the kernel's structure (108 bytes, 15 of them are the file's name). */
const LONGEST_SOCKET_FOLDER = 90
const INITDB = ['--username=postgres', '--auth=reject', '--encoding=UTF8', '--locale=C.UTF-8', '--data-checksums']

export interface PostgresOptions {
  config: { instance: string; platformPool: string }
  authority: Pick<Authority, 'issue'>
  /** Everything of this engine; normally DATA_DIR/engines/postgres. */
  stateDir: string
  /** Folder of `initdb` and `postgres`; normally Debian's. */
  binaries?: string
}

export class PostgresServer {
  readonly host: string
  readonly address: string
  readonly rulesFolder: string
  readonly #options: PostgresOptions
  #cluster: Cluster | null = null
  #socketFolder = ''

  constructor(options: PostgresOptions) {
    this.#options = options
    this.host = databaseHostName(options.config.instance)
    this.address = databaseAddress(options.config.platformPool)
    this.rulesFolder = path.join(options.stateDir, 'rules')
  }

  /** Cluster, certificate, rules and process as they should be; a server that runs is adopted. */
  async ensure(): Promise<void> {
    const cluster = await this.#open()
    await ensureCluster(cluster, INITDB)
    const changed = [await this.#ensureCertificate(cluster), await this.#ensureAccessFiles(cluster)].includes(true)
    const running = await postmaster(cluster)
    if (running?.ready && running.address === this.address && (await this.#answers())) {
      if (changed) await this.reload()
      return trimLog(cluster)
    }
    await this.#checkAddress()
    if (running && running.address !== this.address) await stopServer(cluster) // The pool in the configuration changed.
    await startServer(cluster, this.#settings(cluster))
  }

  async stop(): Promise<void> {
    const { stateDir } = this.#options
    if (await isThere(path.join(stateDir, 'server', 'data'))) await stopServer(await this.#open())
  }

  /** Process id of the server, or null. */
  async pid(): Promise<number | null> {
    return (await postmaster(await this.#open()))?.pid ?? null
  }

  /** Renders the rules and makes the server follow them; throws when it does not understand them. Sessions go on. */
  async applyRules(): Promise<void> {
    if (await this.#ensureAccessFiles(await this.#open())) await this.reload()
  }

  async reload(): Promise<void> {
    await this.asAdministrator('postgres', async client => {
      await client.query('select pg_reload_conf()')
      const { rows } = await client.query('select line_number, error from pg_hba_file_rules where error is not null')
      if (rows.length > 0) throw new Error(`line ${rows[0].line_number} of pg_hba.conf is refused: ${rows[0].error}`)
    })
  }

  /** Runs `work` as the superuser in this database, blind to whatever names the tenant gave its own objects. */
  async asAdministrator<T>(database: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
    await this.#open()
    const client = new pg.Client({
      host: this.#socketFolder,
      port: PORT,
      user: 'postgres',
      database,
      application_name: 'cais',
      connectionTimeoutMillis: 5_000,
      options: '-c search_path=pg_catalog',
    })
    try {
      await client.connect()
    } catch (error) {
      throw this.unavailable('the tenant PostgreSQL server does not answer', error)
    }
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }

  /** A client program of the server's own version, and the words that lead it to the server. */
  async tool(name: string): Promise<{ file: string; connection: string[] }> {
    const { binaries } = await this.#open()
    return { file: path.join(binaries, name), connection: ['-h', this.#socketFolder, '-p', String(PORT)] }
  }

  /** Whether a session can be had; what the pid file says may be news of a dying server. */
  async #answers(): Promise<boolean> {
    return this.asAdministrator('postgres', client => client.query('select 1')).then(
      () => true,
      error => {
        if (error instanceof DriverError) return false
        throw error
      },
    )
  }

  unavailable(message: string, cause?: unknown): DriverError {
    const because = cause instanceof Error ? `: ${cause.message}` : ''
    return new DriverError('unavailable', message + because, { temporary: true, cause })
  }

  async #open(): Promise<Cluster> {
    if (this.#cluster) return this.#cluster
    const { stateDir, binaries = '/usr/lib/postgresql/15/bin' } = this.#options
    if (!(await isThere(path.join(binaries, 'postgres'))))
      throw this.unavailable(`PostgreSQL 15 is not installed (${binaries}): apt-get install postgresql-15`)
    const account = await serverAccount()
    await mkdir(stateDir, { recursive: true, mode: 0o711 })
    const home = await makeHome(path.join(stateDir, 'server'), account)
    this.#socketFolder = socketFolder(home)
    await ownedFolder(this.#socketFolder, account)
    this.#cluster = { binaries, home, account }
    return this.#cluster
  }

  // The server cannot listen on an address that the machine does not have yet; router.ensure() makes its interface.
  async #checkAddress(): Promise<void> {
    const probe = createServer()
    try {
      await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, this.address, resolve))
    } catch (error) {
      throw this.unavailable(`no interface has the database address ${this.address} yet (the router makes it)`, error)
    }
    await new Promise(resolve => probe.close(resolve))
  }

  // The authority's key file is ours; the server gets a copy that is its own.
  async #ensureCertificate(cluster: Cluster): Promise<boolean> {
    const issued = await this.#options.authority.issue({
      names: [this.host],
      dir: path.join(this.#options.stateDir, 'certificate'),
      file: 'server',
      days: CERTIFICATE_DAYS,
    })
    const pem = async (file: string): Promise<string> => readFile(file, 'utf8')
    const key = await handOver(path.join(cluster.home, 'server.key'), await pem(issued.keyPath), cluster.account)
    const chain = await handOver(path.join(cluster.home, 'server.crt'), await pem(issued.certPath), cluster.account)
    return key || chain
  }

  async #ensureAccessFiles(cluster: Cluster): Promise<boolean> {
    const administrators = [userInfo().username, ...(cluster.account ? [cluster.account.name] : [])]
    const access = renderAccess(await readRules(this.rulesFolder))
    const ident = await handOver(identFile(cluster), renderAdministrators(administrators), cluster.account)
    return (await handOver(accessFile(cluster), access, cluster.account)) || ident
  }

  #settings(cluster: Cluster): Record<string, string> {
    return {
      cluster_name: this.#options.config.instance,
      listen_addresses: this.address,
      port: String(PORT),
      unix_socket_directories: this.#socketFolder,
      unix_socket_permissions: '0700',
      hba_file: accessFile(cluster),
      ident_file: identFile(cluster),
      ssl: 'on',
      ssl_cert_file: path.join(cluster.home, 'server.crt'),
      ssl_key_file: path.join(cluster.home, 'server.key'),
      ssl_min_protocol_version: 'TLSv1.2',
      password_encryption: 'scram-sha-256',
      authentication_timeout: '15s',
      max_connections: '200',
      superuser_reserved_connections: '10',
      shared_buffers: '128MB',
      max_wal_size: '512MB',
      wal_level: 'minimal',
      max_wal_senders: '0',
      jit: 'off',
      tcp_keepalives_idle: '60',
      client_connection_check_interval: '10s',
      // Tenants' statements hold tenants' data: the log says what happened, never with which statement.
      log_min_error_statement: 'panic',
      log_parameter_max_length_on_error: '0',
      log_min_messages: 'log',
      log_checkpoints: 'off',
      log_line_prefix: '%m [%p] %u@%d ',
      timezone: 'UTC',
    }
  }
}

const accessFile = (cluster: Cluster): string => path.join(cluster.home, 'pg_hba.conf')
const identFile = (cluster: Cluster): string => path.join(cluster.home, 'pg_ident.conf')

function socketFolder(home: string): string {
  const inside = path.join(home, 'socket')
  if (inside.length <= LONGEST_SOCKET_FOLDER) return inside
  const name = `cais-${createHash('sha256').update(home).digest('hex').slice(0, 12)}`
  return path.join(process.getuid?.() === 0 ? '/run' : tmpdir(), name)
}

/** Writes a file that the server may read and not change; answers whether its text changed. */
async function handOver(file: string, text: string, account: Account | null): Promise<boolean> {
  if ((await readIfPresent(file)) === text) return false
  const draft = `${file}.${randomBytes(4).toString('hex')}`
  await replaceFile(draft, text, account ? 0o640 : 0o600)
  if (account) await chown(draft, 0, account.gid)
  await rename(draft, file)
  return true
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
