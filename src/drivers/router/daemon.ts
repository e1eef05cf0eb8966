// Processes that outlive the platform. Each writes its own pid file before it becomes the program, so there is no moment
// at which it runs unknown; a pid is believed only when its command line is the one we would start.
import { spawn } from 'node:child_process'
import { mkdir, open, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readIfPresent } from './atomic-file.ts'

const WRITE_PID_AND_BECOME = 'echo $$ > "$0.new" && mv "$0.new" "$0" && exec "$@"'
const POLL_MS = 20
const LOG_TAIL_CHARACTERS = 2000

export interface DaemonSpec {
  name: string
  pidFile: string
  logFile: string
  command: string
  /** Last of them: what tells this program in this version from any other. */
  args: string[]
  cwd: string
  /** How long it may take until it is ready; a database that recovers after a crash needs more than most. */
  patienceMs?: number
}

/** Pid of the living process of this pid file whose command line contains `mark`, or null. */
export async function findDaemon(pidFile: string, mark: string): Promise<number | null> {
  const pid = Number((await readIfPresent(pidFile)) ?? NaN)
  if (!Number.isInteger(pid) || pid <= 1) return null
  return (await commandLineOf(pid)).some(argument => argument.includes(mark)) ? pid : null
}

/**
 * Starts the program detached and waits until `ready` is true. Throws with the end of its log when it ends before that,
 * or is not ready within 10 s or `patienceMs` (it is killed then).
 */
export async function startDaemon(spec: DaemonSpec, ready: (pid: number) => Promise<boolean>): Promise<number> {
  await mkdir(path.dirname(spec.logFile), { recursive: true })
  const log = await open(spec.logFile, 'w', 0o600)
  const child = spawn('/bin/sh', ['-c', WRITE_PID_AND_BECOME, spec.pidFile, spec.command, ...spec.args], {
    cwd: spec.cwd,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    env: { PATH: process.env['PATH'] ?? '/usr/sbin:/usr/bin:/sbin:/bin' }, // nothing of ours: no keys, no passwords
  })
  const pid = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('spawn', () => resolve(child.pid ?? 0))
  }).finally(() => log.close())
  child.unref()

  const patienceMs = spec.patienceMs ?? 10_000
  const deadline = Date.now() + patienceMs
  while (!(await ready(pid))) {
    const ended = child.exitCode !== null || child.signalCode !== null
    if (ended || Date.now() > deadline) {
      if (!ended) await stopDaemon(pid)
      const tail = ((await readIfPresent(spec.logFile)) ?? '').trim().slice(-LOG_TAIL_CHARACTERS)
      throw new Error(
        `${spec.name} ${ended ? 'ended at once' : `was not ready within ${patienceMs / 1000} s`}: ${tail || '(no output)'}`,
      )
    }
    await pause(POLL_MS)
  }
  return pid
}

/** SIGTERM, SIGKILL after 5 s, and waits until the process is gone. One that is gone already is success. */
export async function stopDaemon(pid: number, pidFile?: string): Promise<void> {
  signal(pid, 'SIGTERM')
  const deadline = Date.now() + 5000
  while ((await commandLineOf(pid)).length > 0) {
    if (Date.now() > deadline) signal(pid, 'SIGKILL')
    await pause(POLL_MS)
  }
  if (pidFile !== undefined) await rm(pidFile, { force: true })
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Empty for a process that does not exist or is a zombie. */
async function commandLineOf(pid: number): Promise<string[]> {
  try {
    const text = await readFile(`/proc/${pid}/cmdline`, 'utf8')
    return text.split('\0').filter(argument => argument !== '')
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}
