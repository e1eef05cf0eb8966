// What the engine says of exits goes to the actors at once; a reconciliation soon after finds what was said too early.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Instance } from '../drivers/contracts.ts'
import { reportExit } from './exits.ts'
import { repeat, rest } from './repeat.ts'
import type { Tools } from './tools.ts'

const RECONNECT_MS = 1_000
const SOON_MS = 1_000
const LOOKS = 5
const LOOK_EVERY_MS = 40

/** Watches until `signal` aborts. `reconcileNow` is called after a gap, and some time after exits. */
export async function watchInstances(tools: Tools, reconcileNow: () => void, signal: AbortSignal): Promise<void> {
  let soon: NodeJS.Timeout | null = null

  async function tell(instance: Instance): Promise<void> {
    try {
      await reportExit(tools, await asInspected(tools, instance), 'engine')
    } catch (error) {
      tools.log.error(
        { err: error, deploymentId: instance.deploymentId },
        'an exit could not be told; it will be found',
      )
    }
    soon ??= setTimeout(() => {
      soon = null
      reconcileNow()
    }, SOON_MS)
  }

  const watch = (): Promise<void> => tools.world.containers.watch(instance => void tell(instance), reconcileNow, signal)
  await repeat(tools.log, 'watch instances', RECONNECT_MS, watch, signal)
  if (soon) clearTimeout(soon)
}

/**
 * An exit is known by its time, and the time of an event is not quite that of the inspection that the reconciler reads.
 * The event is believed only where the container cannot be asked any more.
 */
async function asInspected({ world }: Tools, told: Instance): Promise<Instance> {
  for (let look = 0; look < LOOKS; look++) {
    const seen = await world.containers.inspect(told.deploymentId)
    if (seen?.containerId !== told.containerId) return told
    if (!seen.running) return { ...seen, outOfMemory: seen.outOfMemory || told.outOfMemory }
    await sleep(LOOK_EVERY_MS)
  }
  return told
}

/** A pause that `wake` ends early; wakes that come while nobody waits end the next pause. */
export class Pause {
  #woken = false
  #stop = new AbortController()

  wake(): void {
    this.#woken = true
    this.#stop.abort()
  }

  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#woken) await rest(ms, AbortSignal.any([signal, this.#stop.signal]))
    this.#woken = false
    this.#stop = new AbortController()
  }
}
