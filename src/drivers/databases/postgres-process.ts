// One PostgreSQL server as a process of its own: it is not our child, so it survives us, and the next of us adopts it.
// Without locks of ours: making the cluster ends in one atomic rename, and postmaster.pid lets one server win.
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, link, mkdir, open, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Account {
  name: string
  uid: number
  gid: number
}

export interface Cluster {
  /** Folder of `initdb` and `postgres`. */
  binaries: string
  /** Holds `data`, the password file and the server's log; belongs to `account`. */
  home: string
  /** Who runs the server; null = ourselves (PostgreSQL refuses to run as root). */
  account: Account | null
}

export interface Postmaster {
  pid: number
  port: number
  /** False while it starts, recovers or stops. */
  ready: boolean
}

/** The server ended before it was ready; `log` is what it wrote meanwhile. */
export class ServerEnded extends Error {
  readonly log: string
  constructor(home: string, log: string) {
    super(`PostgreSQL in ${home} ended before it was ready:\n${log.trim() || '(it wrote nothing)'}`)
    this.name = 'ServerEnded'
    this.log = log
  }
}

export const dataFolder = (cluster: Cluster): string => path.join(cluster.home, 'data')

/** The unprivileged account that runs servers when we are root: `postgres` where there is one, else `nobody`. */
export async function serverAccount(): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map(line => line.split(':'))
  for (const name of ['postgres', 'nobody']) {
    const entry = accounts.find(fields => fields[0] === name)
    if (entry) return { name, uid: Number(entry[2]), gid: Number(entry[3]) }
  }
  throw new Error('PostgreSQL does not run as root, and this machine has neither a "postgres" nor a "nobody" account.')
}

/** Makes `folder` the account's own, and checks that the account can walk to it. */
export async function ownFolder(folder: string, account: Account | null): Promise<void> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o700)
  if (account) await chown(folder, account.uid, account.gid)
  await checkReachable(folder, account)
}

/** Throws an error that names the first parent folder that the account may not enter. */
export async function checkReachable(target: string, account: Account | null): Promise<void> {
  if (!account) return
  for (let folder = path.dirname(target); ; folder = path.dirname(folder)) {
    const { mode, uid, gid } = await stat(folder)
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & bit) === 0)
      throw new Error(
        `PostgreSQL runs as "${account.name}", which may not enter ${folder} (mode ${(mode & 0o777).toString(8)}) and so cannot ` +
          `reach ${target}. Put the platform and its DATA_DIR outside ${folder}, or allow passage: chmod o+x ${folder}`,
      )
    if (folder === path.dirname(folder)) return
  }
}

/** Runs initdb once; concurrent callers and crashes leave either no cluster or a whole one. Answers whether it made it. */
export async function ensureCluster(cluster: Cluster, initdbArguments: string[]): Promise<boolean> {
  const data = dataFolder(cluster)
  if (await exists(path.join(data, 'PG_VERSION'))) return false
  await removeAbandoned(cluster)
  const draft = `${data}.${randomBytes(4).toString('hex')}.new`
  await run(path.join(cluster.binaries, 'initdb'), ['-D', draft, '--no-instructions', ...initdbArguments], {
    cwd: cluster.home,
    env: environment,
    ...(cluster.account && { uid: cluster.account.uid, gid: cluster.account.gid }),
  }).catch(async error => {
    await rm(draft, { recursive: true, force: true })
    throw new Error(`initdb failed in ${cluster.home}: ${String(error.stderr || error.message).trim()}`)
  })
  try {
    await rename(draft, data)
    return true
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    await rm(draft, { recursive: true, force: true }) // Somebody else was first: theirs is the cluster.
    return false
  }
}

/** Starts the server with these settings, unless one runs, and waits until it accepts connections. */
export async function startServer(cluster: Cluster, settings: Record<string, string>): Promise<Postmaster> {
  const logFile = path.join(cluster.home, 'server.log')
  const log = await open(logFile, 'a', 0o600)
  const before = (await log.stat()).size
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(path.join(cluster.binaries, 'postgres'), ['-D', dataFolder(cluster), ...flags], {
    cwd: cluster.home,
    env: environment,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    ...(cluster.account && { uid: cluster.account.uid, gid: cluster.account.gid }),
  })
  child.unref()
  let failure: Error | null = null
  child.on('error', error => (failure = error))
  try {
    for (const deadline = Date.now() + 60_000; Date.now() < deadline; await pause(15)) {
      if (failure) throw failure
      const running = await postmaster(cluster)
      if (running?.ready) return running
      // Ended, and nobody else holds the folder: a real failure. Otherwise somebody else's server is on its way.
      if (child.exitCode !== null && !running) throw new ServerEnded(cluster.home, await tail(logFile, before))
    }
    throw new Error(`PostgreSQL in ${cluster.home} was not ready after 60 s; see ${logFile}`)
  } finally {
    await log.close()
  }
}

/** The server that holds this cluster now, from its postmaster.pid; null when none is alive. */
export async function postmaster(cluster: Cluster): Promise<Postmaster | null> {
  const data = dataFolder(cluster)
  const lines = await readFile(path.join(data, 'postmaster.pid'), 'utf8').then(
    text => text.split('\n'),
    error => {
      if (error.code === 'ENOENT') return []
      throw error
    },
  )
  const pid = Number(lines[0])
  if (!(pid > 0) || !(await commandOf(pid)).includes(data)) return null
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' }
}

/** Fast shutdown: sessions end, work that was committed stays. Nothing running is success. */
export async function stopServer(cluster: Cluster): Promise<void> {
  const running = await postmaster(cluster)
  if (!running) return
  process.kill(running.pid, 'SIGINT')
  for (const deadline = Date.now() + 30_000; (await postmaster(cluster)) !== null; await pause(15)) {
    if (Date.now() > deadline) throw new Error(`PostgreSQL in ${cluster.home} did not stop within 30 s.`)
  }
}

// Nothing of our own environment: it may hold secrets, and PG* variables would change what the server does.
const environment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' }

// A pid can be somebody else's after a reboot: only a process that names our folder is our server.
async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).then(
    ({ stdout }) => stdout,
    () => '',
  )
}

async function removeAbandoned(cluster: Cluster): Promise<void> {
  for (const name of await readdir(cluster.home)) {
    if (!/^data\.[0-9a-f]{8}\.new$/.test(name)) continue
    const folder = path.join(cluster.home, name)
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > 120_000) await rm(folder, { recursive: true, force: true })
  }
}

async function tail(file: string, from: number): Promise<string> {
  const text = (await readFile(file)).subarray(from).toString('utf8')
  return text.slice(-2000)
}

/** Writes `content` for the account to read, unless the file is there; answers what the file holds. Safe when two race. */
export async function keepFile(file: string, content: string, account: Account | null): Promise<string> {
  if (!(await exists(file))) await replaceFile(file, content, account, { keepExisting: true })
  return (await readFile(file, 'utf8')).trim()
}

/** Writes a whole new file (mode 0600) and renames it into place. */
export async function replaceFile(
  file: string,
  content: string,
  account: Account | null,
  options: { keepExisting?: boolean } = {},
): Promise<void> {
  const draft = `${file}.${randomBytes(4).toString('hex')}`
  await writeFile(draft, content, { mode: 0o600 })
  if (account) await chown(draft, account.uid, account.gid)
  if (!options.keepExisting) return rename(draft, file)
  await link(draft, file).catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    error => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
}
