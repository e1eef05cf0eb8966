// Exits of our containers as they happen, from the engine's event stream; what was missed meanwhile is somebody else's to find.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Readable } from 'node:stream'
import type Docker from 'dockerode'
import type { Instance } from '../contracts.ts'
import { isUnreachable, withEngine } from './engine.ts'
import { jsonLines } from './json-lines.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2000

interface EngineEvent {
  Action: string
  Actor: { ID: string; Attributes: Record<string, string> }
  timeNano: number
}

/** Calls `onExit` for each exit until `signal` aborts, and `onGap` whenever the stream was interrupted and is back. */
export async function watchExits(
  docker: Docker,
  instance: string,
  onExit: (instance: Instance) => void,
  onGap: () => void,
  signal: AbortSignal,
): Promise<void> {
  // The engine repeats what happened since then, so an interruption shorter than its memory loses nothing.
  let since: number | null = null
  let pauseMs = FIRST_PAUSE_MS
  const starved = new Set<string>()
  const heard = (event: EngineEvent): void => {
    // The engine's `since` is inclusive.
    if (since !== null && event.timeNano <= since) return
    since = event.timeNano
    if (event.Action === 'oom') starved.add(event.Actor.ID)
    else onExit(instanceOf(event, starved.delete(event.Actor.ID)))
  }
  for (let interrupted = false; !signal.aborted; interrupted = true) {
    try {
      await listen(docker, instance, since, signal, heard, () => {
        pauseMs = FIRST_PAUSE_MS
        if (interrupted) onGap()
      })
    } catch (error) {
      if (signal.aborted) return
      if (!isTransient(error)) throw error
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => {})
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
  }
}

async function listen(
  docker: Docker,
  instance: string,
  since: number | null,
  signal: AbortSignal,
  heard: (event: EngineEvent) => void,
  connected: () => void,
): Promise<void> {
  const stream = (await withEngine(docker, 'watching for exits', () =>
    docker.getEvents({
      filters: { type: ['container'], event: ['die', 'oom'], label: [`cais.instance=${instance}`, 'cais.deployment'] },
      ...(since === null ? {} : { since: unixSeconds(since) as unknown as number }),
    }),
  )) as Readable
  const stop = (): void => void stream.destroy()
  signal.addEventListener('abort', stop, { once: true })
  try {
    if (signal.aborted) return
    connected()
    for await (const event of jsonLines<EngineEvent>(stream)) heard(event)
  } finally {
    signal.removeEventListener('abort', stop)
    stream.destroy()
  }
}

// A stream that ends in the middle of a line is an engine that died.
function isTransient(error: unknown): boolean {
  return error instanceof SyntaxError || isUnreachable(error) || (error as { temporary?: boolean }).temporary === true
}

function instanceOf(event: EngineEvent, starved: boolean): Instance {
  const attributes = event.Actor.Attributes
  const exitCode = Number(attributes['exitCode'] ?? -1)
  return {
    deploymentId: attributes['cais.deployment'] ?? '',
    serviceId: attributes['cais.service'] ?? '',
    projectId: attributes['cais.project'] ?? '',
    containerId: event.Actor.ID,
    running: false,
    address: null,
    exitCode,
    outOfMemory: starved && exitCode === 137,
    finishedAt: new Date(event.timeNano / 1e6).toISOString(),
  }
}

function unixSeconds(nanoseconds: number): string {
  return `${Math.floor(nanoseconds / 1e9)}.${String(nanoseconds % 1e9).padStart(9, '0')}`
}
