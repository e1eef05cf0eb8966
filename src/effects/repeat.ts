// Work that is repeated for as long as the platform runs.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

/** Does `work` at once and then every so often (counted from its end) until `signal` aborts. Errors are logged, never fatal. */
export async function repeat(
  log: Logger,
  name: string,
  everyMs: number,
  work: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await work()
    } catch (error) {
      if (!signal.aborted) log.error({ err: error }, `${name}: failed, trying again in ${everyMs} ms`)
    }
    await rest(everyMs, signal)
  }
}

/** Waits; an abort ends the wait and is no error. */
export async function rest(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}
