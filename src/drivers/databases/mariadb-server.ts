// The MariaDB server of the tenants' databases, as a process of its own under DATA_DIR: made, configured, started and
// adopted here. What is in it: mariadb.ts.
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { access, chmod, chown, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createConnection, type Connection, type SqlError } from 'mariadb'
import { databaseAddress } from '../../domain/addresses.ts'
import { databaseHostName, ENGINE_PORTS } from '../../domain/database-variables.ts'
import { DriverError } from '../contracts.ts'
import { readIfPresent, replaceFile } from '../router/atomic-file.ts'
import type { Authority } from '../router/authority.ts'
import { findDaemon, startDaemon, stopDaemon } from '../router/daemon.ts'
import { makeHome, ownedFolder, type Account } from './postgres-process.ts'

const run = promisify(execFile)

export const PORT = ENGINE_PORTS.mariadb
const CERTIFICATE_DAYS = 365
/** Longer paths of Unix sockets do not fit into the kernel's structure (108 bytes). */
const LONGEST_SOCKET_FOLDER = 90
/** A server that was killed reads its log again before it answers. */
const PATIENCE_MS = 50_000

export interface MariadbOptions {
  config: { instance: string; platformPool: string }
  authority: Pick<Authority, 'issue' | 'rootPath'>
  /** Everything of this engine; normally DATA_DIR/engines/mariadb. */
  stateDir: string
}

interface Home {
  folder: string
  data: string
  socket: string
  /** Who runs the server; null = ourselves. */
  account: Account | null
}

export class MariadbServer {
  readonly host: string
  readonly address: string
  readonly #options: MariadbOptions
  #home: Home | null = null

  constructor(options: MariadbOptions) {
    this.#options = options
    this.host = databaseHostName(options.config.instance)
    this.address = databaseAddress(options.config.platformPool)
  }

  /** Data folder, certificate, process and our own tables as they should be; a server that runs is adopted. */
  async ensure(): Promise<void> {
    const home = await this.#open()
    await ensureData(home)
    const renewed = await this.#ensureCertificate(home)
    const elsewhere = (await this.pid()) !== null && (await this.#pidOf(`--bind-address=${this.address}`)) === null
    if (elsewhere) await this.stop() // The pool in the configuration changed.
    if (!(await this.#runs())) await this.#start(home)
    else if (renewed) await this.asAdministrator(connection => connection.query('flush ssl'))
    await this.asAdministrator(makeOwnTables)
  }

  async stop(): Promise<void> {
    const pid = await this.pid()
    if (pid !== null) await stopDaemon(pid, this.#pidFile)
  }

  /** Process id of the server, or null. */
  async pid(): Promise<number | null> {
    const home = this.#home?.data ?? path.join(this.#options.stateDir, 'server', 'data')
    return this.#pidOf(`--datadir=${home}`)
  }

  /** Runs `work` as the administrator. Faults of the server are DriverError 'unavailable', temporary. */
  async asAdministrator<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const { socket } = await this.#open()
    const user = userInfo().username
    const connection = await createConnection({ socketPath: socket, user, ...CLIENT }).catch(cause => {
      throw this.unavailable('the tenant MariaDB server does not answer', cause)
    })
    try {
      return await work(connection)
    } catch (error) {
      if ((error as SqlError).fatal !== true) throw error
      throw this.unavailable('the tenant MariaDB server went away', error)
    } finally {
      await connection.end().catch(() => connection.destroy()) // It went away before us.
    }
  }

  /** Path of the Unix socket, for the programs that dump and restore. */
  async socket(): Promise<string> {
    return (await this.#open()).socket
  }

  unavailable(message: string, cause?: unknown): DriverError {
    const code = (cause as SqlError | undefined)?.code
    return new DriverError('unavailable', code ? `${message}: ${code}` : message, { temporary: true, cause })
  }

  get #pidFile(): string {
    return path.join(this.#options.stateDir, 'server.pid')
  }

  #pidOf(mark: string): Promise<number | null> {
    return findDaemon(this.#pidFile, mark)
  }

  async #open(): Promise<Home> {
    if (this.#home) return this.#home
    await access('/usr/sbin/mariadbd').catch(cause => {
      throw this.unavailable('MariaDB is not installed: apt-get install mariadb-server mariadb-client', cause)
    })
    const account = await serverAccount()
    await mkdir(this.#options.stateDir, { recursive: true, mode: 0o711 })
    const folder = await makeHome(path.join(this.#options.stateDir, 'server'), account)
    const sockets = socketFolder(folder)
    await ownedFolder(sockets, account)
    await mkdir(path.join(folder, 'nothing'), { recursive: true })
    this.#home = { folder, data: path.join(folder, 'data'), socket: path.join(sockets, 'mariadb.sock'), account }
    return this.#home
  }

  async #start(home: Home): Promise<void> {
    const settings = Object.entries(this.#settings(home)).map(([name, value]) => `--${name}=${value}`)
    const spec = {
      name: 'The tenant MariaDB server',
      pidFile: this.#pidFile,
      logFile: path.join(home.folder, 'server.log'),
      command: '/usr/sbin/mariadbd',
      args: ['--no-defaults', ...(home.account ? [`--user=${home.account.name}`] : []), ...settings],
      cwd: '/',
      patienceMs: PATIENCE_MS,
    }
    await startDaemon(spec, () => this.#answers()).catch(cause => {
      throw new DriverError('unavailable', (cause as Error).message, { temporary: true, cause })
    })
  }

  /** Whether a server that answers is there; one that is ending or has just begun is waited for. */
  async #runs(): Promise<boolean> {
    for (const deadline = Date.now() + PATIENCE_MS; (await this.pid()) !== null; await pause(50)) {
      if (await this.#answers()) return true
      if (Date.now() > deadline) throw this.unavailable('the tenant MariaDB server runs and does not answer')
    }
    return false
  }

  async #answers(): Promise<boolean> {
    return this.asAdministrator(connection => connection.query('select 1')).then(
      () => true,
      error => {
        if (error instanceof DriverError) return false
        throw error
      },
    )
  }

  // The authority's key file is ours; the server gets a copy that its account may read.
  async #ensureCertificate(home: Home): Promise<boolean> {
    const issued = await this.#options.authority.issue({
      names: [this.host],
      dir: path.join(this.#options.stateDir, 'certificate'),
      file: 'server',
      days: CERTIFICATE_DAYS,
    })
    const key = await handOver(issued.keyPath, path.join(home.folder, 'server.key'), home.account)
    return (await handOver(issued.certPath, path.join(home.folder, 'server.crt'), home.account)) || key
  }

  #settings(home: Home): Record<string, string> {
    return {
      datadir: home.data,
      socket: home.socket,
      'pid-file': path.join(home.data, 'mariadbd.pid'),
      'bind-address': this.address,
      port: String(PORT),
      'ssl-cert': path.join(home.folder, 'server.crt'),
      'ssl-key': path.join(home.folder, 'server.key'),
      'tls-version': 'TLSv1.2,TLSv1.3',
      'require-secure-transport': 'ON',
      'skip-name-resolve': 'ON',
      'local-infile': 'OFF',
      'secure-file-priv': path.join(home.folder, 'nothing'),
      'character-set-server': 'utf8mb4',
      'collation-server': 'utf8mb4_unicode_ci',
      'default-time-zone': '+00:00',
      // Only what InnoDB holds is measured, and only it survives kill -9.
      'enforce-storage-engine': 'InnoDB',
      'innodb-buffer-pool-size': '128M',
      'innodb-temp-data-file-path': 'ibtmp1:12M:autoextend:max:1G',
      'max-connections': '200',
      'max-allowed-packet': '64M',
      // What a session may set for itself ends here: the memory is everybody's.
      'maximum-max-session-mem-used': '134217728',
      'maximum-sort-buffer-size': '16777216',
      'maximum-join-buffer-size': '16777216',
      'maximum-read-rnd-buffer-size': '16777216',
      'maximum-tmp-memory-table-size': '67108864',
      'maximum-max-heap-table-size': '67108864',
      'performance-schema': 'OFF',
      'event-scheduler': 'OFF',
      'log-warnings': '1',
    }
  }
}

const CLIENT = {
  connectTimeout: 5_000,
  bigIntAsNumber: true,
  decimalAsNumber: true,
  // A statement that fails is quoted in the error: never with values.
  logParam: false,
} as const

/** Made in a draft that becomes the data folder by one rename: a crash leaves no data folder, or a whole one. */
async function ensureData({ folder, data, account }: Home): Promise<void> {
  if (await isThere(path.join(data, 'mysql'))) return
  const draft = path.join(folder, `data.${randomBytes(4).toString('hex')}.new`)
  await ownedFolder(draft, account)
  const administrator = ['--auth-root-authentication-method=socket', `--auth-root-socket-user=${userInfo().username}`]
  const options = ['--no-defaults', `--datadir=${draft}`, ...administrator, '--skip-test-db', '--skip-name-resolve']
  try {
    await run('mariadb-install-db', [...options, ...(account ? [`--user=${account.name}`] : [])], {
      cwd: '/',
      env: ENV,
    })
    await rename(draft, data)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (await isThere(path.join(data, 'mysql'))) return // Somebody else was first.
    const { stderr, message } = error as { stderr?: string; message: string }
    throw new Error(`mariadb-install-db failed in ${folder}: ${(stderr || message).trim().slice(-1000)}`)
  }
}

const ENV = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }

// What we know of each tenant, where a tenant cannot see it; written before anything of the tenant is made.
async function makeOwnTables(connection: Connection): Promise<void> {
  await connection.query('create schema if not exists cais')
  await connection.query(
    `create table if not exists cais.tenant (
       database_id varchar(64) primary key, database_name varchar(64) not null, user varchar(64) not null,
       host varchar(64) not null, read_only boolean not null default false, tidied_at datetime(6) null
     ) character set ascii`,
  )
}

/** The account that runs the server when we are root: Debian's. */
async function serverAccount(): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map(line => line.split(':'))
  const [name, , uid, gid] = accounts.find(([name]) => name === 'mysql') ?? []
  if (name === undefined) throw new Error('MariaDB does not run as root, and this machine has no account "mysql".')
  return { name, uid: Number(uid), gid: Number(gid) }
}

function socketFolder(home: string): string {
  const inside = path.join(home, 'socket')
  if (inside.length <= LONGEST_SOCKET_FOLDER) return inside
  const name = `cais-${createHash('sha256').update(home).digest('hex').slice(0, 12)}`
  return path.join(process.getuid?.() === 0 ? '/run' : tmpdir(), name)
}

/** Copies a file so that the account may read and not change it; answers whether it was another one before. */
async function handOver(from: string, to: string, account: Account | null): Promise<boolean> {
  const text = await readFile(from, 'utf8')
  if ((await readIfPresent(to)) === text) return false
  const draft = `${to}.${randomBytes(4).toString('hex')}`
  await replaceFile(draft, text, 0o600)
  if (account) await chown(draft, 0, account.gid)
  await chmod(draft, account ? 0o640 : 0o600)
  await rename(draft, to)
  return true
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
