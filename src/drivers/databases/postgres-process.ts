// One PostgreSQL server as a process of its own: it is not our child, so it survives us, and the next of us adopts it.
// Without locks of ours: making the cluster ends in one atomic rename, and postmaster.pid lets one server win.
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmod,
  chown,
  link,
  mkdir,
  open,
  readFile,
  readdir,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Homes of servers whose own place their account cannot reach. */
export const ELSEWHERE = '/var/lib/cais'

export interface Account {
  name: string
  uid: number
  gid: number
}

export interface Cluster {
  /** Folder of `initdb` and `postgres`. */
  binaries: string
  /** Holds `data`, which is the account's, and the server's log. */
  home: string
  /** Who runs the server; null = ourselves (PostgreSQL refuses to run as root). */
  account: Account | null
}

export interface Postmaster {
  pid: number
  port: number
  /** The first address it listens on. */
  address: string | null
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

/**
 * Makes a server's home: ours, so that a server gone bad cannot lay traps in it, with passage for its account.
 * Answers its real path. Where the account cannot walk to `folder` (a checkout under /root), the home is made under
 * /var/lib/cais instead and `folder` becomes a link to it.
 */
export async function makeHome(folder: string, account: Account | null): Promise<string> {
  const home = (await readlink(folder).catch(() => null)) ?? (await chooseHome(folder, account))
  await mkdir(home, { recursive: true })
  if (account) await chown(home, 0, 0)
  await chmod(home, 0o711)
  await checkReachable(path.join(home, 'data'), account)
  return home
}

async function chooseHome(folder: string, account: Account | null): Promise<string> {
  if ((await blockedAt(folder, account)) === null) return folder
  const elsewhere = path.join(ELSEWHERE, `${path.basename(folder)}-${randomBytes(4).toString('hex')}`)
  await mkdir(ELSEWHERE, { recursive: true, mode: 0o755 })
  return symlink(elsewhere, folder).then(
    () => elsewhere,
    error => {
      if (error.code !== 'EEXIST') throw error
      return readlink(folder) // Another of us chose first.
    },
  )
}

/** Throws an error that names the first parent folder that the account may not enter. */
export async function checkReachable(target: string, account: Account | null): Promise<void> {
  const folder = await blockedAt(target, account)
  if (folder !== null)
    throw new Error(
      `PostgreSQL runs as "${account?.name}", which may not enter ${folder} and so cannot reach ${target}. ` +
        `Put the platform and its DATA_DIR elsewhere, or allow passage: chmod o+x ${folder}`,
    )
}

/** The outermost parent of `target` that the account may not walk through, or null. */
export async function blockedAt(target: string, account: Account | null): Promise<string | null> {
  if (!account) return null
  let blocked: string | null = null
  for (let folder = path.dirname(target); ; folder = path.dirname(folder)) {
    const { mode, uid, gid } = await stat(folder)
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) blocked = folder
    if (folder === path.dirname(folder)) return blocked
  }
}

/**
 * Runs initdb once; concurrent callers and crashes leave either no cluster or a whole one. Answers whether it made it.
 * `password` is the first user's, where it has one.
 */
export async function ensureCluster(cluster: Cluster, initdbArguments: string[], password?: string): Promise<boolean> {
  const data = dataFolder(cluster)
  if (await exists(path.join(data, 'PG_VERSION'))) return false
  await removeAbandoned(cluster)
  const draft = `${data}.${randomBytes(4).toString('hex')}.new`
  await ownedFolder(draft, cluster.account)
  const passwordFile = `${draft}.password`
  if (password !== undefined) await replaceFile(passwordFile, password, cluster.account)
  const secret = password === undefined ? [] : [`--pwfile=${passwordFile}`]
  await run(path.join(cluster.binaries, 'initdb'), ['-D', draft, '--no-instructions', ...secret, ...initdbArguments], {
    cwd: '/',
    env: environment,
    ...(cluster.account && { uid: cluster.account.uid, gid: cluster.account.gid }),
  })
    .catch(async error => {
      await rm(draft, { recursive: true, force: true })
      throw new Error(`initdb failed in ${cluster.home}: ${String(error.stderr || error.message).trim()}`)
    })
    .finally(() => rm(passwordFile, { force: true }))
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
  for (const deadline = Date.now() + 15_000; ; await pause(150)) {
    try {
      return await tryStart(cluster, settings)
    } catch (error) {
      // Killed just now: its sessions need a moment to notice. Or another of us is starting it.
      const soon = error instanceof ServerEnded && /shared memory block|lock file .* already exists/.test(error.log)
      if (!soon || Date.now() > deadline) throw error
    }
  }
}

async function tryStart(cluster: Cluster, settings: Record<string, string>): Promise<Postmaster> {
  const logFile = path.join(cluster.home, 'server.log')
  const log = await open(logFile, 'a', 0o600)
  const before = (await log.stat()).size
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(path.join(cluster.binaries, 'postgres'), ['-D', dataFolder(cluster), ...flags], {
    cwd: '/',
    env: environment,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    ...(cluster.account && { uid: cluster.account.uid, gid: cluster.account.gid }),
  })
  child.unref()
  const failures: Error[] = []
  child.on('error', error => failures.push(error))
  try {
    for (const deadline = Date.now() + 60_000; Date.now() < deadline; await pause(15)) {
      if (failures[0]) throw failures[0]
      const ended = child.exitCode !== null
      const running = await postmaster(cluster)
      // Another's counts only once ours has given way to it: the one we see may be dying.
      if (running?.ready && (running.pid === child.pid || ended)) return running
      // Ended, and nobody else holds the folder: a real failure. Otherwise somebody else's server is on its way.
      if (ended && !running) throw new ServerEnded(cluster.home, await tail(logFile, before))
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
  return { pid, port: Number(lines[3]), address: lines[5]?.trim() || null, ready: lines[7]?.trim() === 'ready' }
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

/** A folder of mode 0700 that is the account's own. */
export async function ownedFolder(folder: string, account: Account | null): Promise<void> {
  await mkdir(folder, { recursive: true })
  if (account) await chown(folder, account.uid, account.gid)
  await chmod(folder, 0o700)
}

async function removeAbandoned(cluster: Cluster): Promise<void> {
  for (const name of await readdir(cluster.home)) {
    if (!/^data\.[0-9a-f]{8}\.new/.test(name)) continue
    const folder = path.join(cluster.home, name)
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > 120_000) await rm(folder, { recursive: true, force: true })
  }
}

/** Empties the server's log when it has grown past 16 MB: whoever fails to log in all night must not fill the disk. */
export async function trimLog(cluster: Cluster): Promise<void> {
  const file = path.join(cluster.home, 'server.log')
  if ((await stat(file)).size > 16 * 1024 * 1024) await truncate(file) // The server appends, so it goes on at the start.
}

async function tail(file: string, from: number): Promise<string> {
  const text = (await readFile(file)).subarray(from).toString('utf8')
  return text.slice(-2000)
}

/** Writes `content`, unless the file is there; answers what the file holds. Two that race get the same answer. */
export async function keepFile(file: string, content: string): Promise<string> {
  if (!(await exists(file))) {
    const draft = await writeDraft(file, content, null)
    await link(draft, file).catch(error => {
      if (error.code !== 'EEXIST') throw error
    })
    await rm(draft)
  }
  return (await readFile(file, 'utf8')).trim()
}

/** Writes a whole new file of mode 0600, the account's own, and renames it into place. */
export async function replaceFile(file: string, content: string, account: Account | null): Promise<void> {
  await rename(await writeDraft(file, content, account), file)
}

async function writeDraft(file: string, content: string, account: Account | null): Promise<string> {
  const draft = `${file}.${randomBytes(4).toString('hex')}`
  await writeFile(draft, content, { mode: 0o600, flag: 'wx' })
  if (account) await chown(draft, account.uid, account.gid)
  return draft
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
