// Waiting for the first healthy answer of an instance, against its exit and the clock (D-52, dataplane 3).
import { setTimeout as sleep } from 'node:timers/promises'
import type Docker from 'dockerode'
import { DriverError } from '../contracts.ts'
import { logLines } from './log-lines.ts'
import { probe, type Seen, type Target } from './probe.ts'

const MIB = 1024 * 1024
const FIRST_PAUSE_MS = 25
const LONGEST_PAUSE_MS = 250
const FIRST_TIMEOUT_MS = 1000
/** An application that answers, but slowly, gets this long. */
const LONGEST_TIMEOUT_MS = 5000
const TAIL_LINES = 100
const READ_ONLY = /EROFS|read-only file system/i
const WANTS_ROOT = /operation not permitted|must be (run as )?root|requires? root/i

export interface Probe {
  port: number
  path: string
  host: string
  timeoutMs: number
}

/** Resolves at the first 2xx or 3xx. Throws DriverError activate_app_crashed | activate_no_http | activate_readonly_write | image_requires_root. */
export async function awaitReady(
  docker: Docker,
  container: Docker.Container,
  wanted: Probe,
  signal: AbortSignal,
): Promise<void> {
  const info = await container.inspect()
  const address = Object.values(info.NetworkSettings.Networks)[0]?.IPAddress
  if (!info.State.Running || !address) throw await crash(docker, container)
  const over = new AbortController()
  const ended = AbortSignal.any([signal, over.signal])
  const exited = container.wait({ condition: 'not-running', abortSignal: ended }).then(() => 'exited' as const)
  try {
    const target = { address, port: wanted.port, path: wanted.path, host: wanted.host }
    const end = await Promise.race([exited, probeUntil(target, wanted.timeoutMs, ended)])
    if (end === 'exited') throw await crash(docker, container)
    if (!end.healthy) throw await silence(container, wanted, end)
  } finally {
    // Whoever lost the race is told to stop, and its complaint about that is no news.
    exited.catch(() => {})
    over.abort()
  }
}

// Often at first, when it decides how fast a deployment is; rarely later, when the application is only slow.
async function probeUntil(target: Target, timeoutMs: number, signal: AbortSignal): Promise<Seen> {
  const startedAt = Date.now()
  let patienceMs = FIRST_TIMEOUT_MS
  let last: Seen | null = null
  for (;;) {
    const leftMs = Math.max(1, startedAt + timeoutMs - Date.now())
    const seen = await probe(target, Math.min(patienceMs, leftMs), signal)
    // A try that the clock cut short says less than the one before it.
    if (!seen.timedOut || patienceMs <= leftMs) last = seen
    const elapsedMs = Date.now() - startedAt
    if (seen.healthy || elapsedMs >= timeoutMs) return last ?? seen
    if (seen.timedOut) patienceMs = Math.min(patienceMs * 2, LONGEST_TIMEOUT_MS)
    const pauseMs = Math.min(Math.max(elapsedMs / 40, FIRST_PAUSE_MS), LONGEST_PAUSE_MS)
    await sleep(Math.min(pauseMs, timeoutMs - elapsedMs), undefined, { signal })
  }
}

async function silence(container: Docker.Container, wanted: Probe, last: Seen): Promise<DriverError> {
  const output = await lastOutput(container)
  if (READ_ONLY.test(output)) return readOnlyWrite()
  return new DriverError('activate_no_http', `no 2xx or 3xx in ${wanted.timeoutMs} ms`, {
    details: { caminho: wanted.path, porta: wanted.port, ultimo: last.text },
  })
}

async function crash(docker: Docker, container: Docker.Container): Promise<DriverError> {
  const info = await container.inspect()
  const output = await lastOutput(container)
  const { ExitCode: exitCode } = info.State
  const memory = await ranOutOfMemory(docker, info)
  if (!memory && exitCode !== 0 && READ_ONLY.test(output)) return readOnlyWrite()
  if (exitCode !== 0 && WANTS_ROOT.test(output) && (await isForced(docker, info)))
    return new DriverError('image_requires_root', 'the image does not work as the user it was given')
  return new DriverError('activate_app_crashed', `the application exited with code ${exitCode}`, {
    details: { codigo: exitCode, ...(memory ? { memoria: Math.round((info.HostConfig.Memory ?? 0) / MIB) } : {}) },
  })
}

function readOnlyWrite(): DriverError {
  return new DriverError('activate_readonly_write', 'the application wrote outside /tmp')
}

/**
 * True where the kernel ended this run for memory. A child of the first process that was killed sets no flag: only the
 * engine's memory of its events tells.
 */
export async function ranOutOfMemory(docker: Docker, info: Docker.ContainerInspectInfo): Promise<boolean> {
  if (info.State.OOMKilled) return true
  if (info.State.ExitCode !== 137) return false
  const since = Math.floor(Date.parse(info.State.StartedAt) / 1000)
  const history = await docker.getEvents({
    since: String(since) as unknown as number,
    until: String(Date.now() / 1000) as unknown as number,
    filters: { container: [info.Id], event: ['oom'] },
  })
  for await (const _event of history) return true
  return false
}

// Only a user that the image did not choose can be the reason.
async function isForced(docker: Docker, info: Docker.ContainerInspectInfo): Promise<boolean> {
  const image = await docker.getImage(info.Image).inspect()
  const own = image.Config.User.split(':')[0] ?? ''
  return own === '' || own === 'root' || own === '0'
}

async function lastOutput(container: Docker.Container): Promise<string> {
  const { State } = await container.inspect()
  const options = { since: State.StartedAt, follow: false, tail: TAIL_LINES }
  const texts: string[] = []
  for await (const line of logLines(container, options, new AbortController().signal)) texts.push(line.text)
  return texts.join('\n')
}
