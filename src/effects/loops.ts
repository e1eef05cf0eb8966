// Everything that effects do unasked: watching instances, collecting their logs, reconciling, tidying up.
import { housekeep } from './housekeeping.ts'
import { collectLogs } from './logs.ts'
import { repeat } from './repeat.ts'
import { reconcile } from './reconcile.ts'
import type { Tools } from './tools.ts'
import { Pause, watchInstances } from './watch.ts'

const RECONCILE_EVERY_MS = 30_000
/** Reconciliations that are asked for come no closer than this. */
const AT_MOST_EVERY_MS = 500

/** Runs until `signal` aborts; resolves when everything has stopped. Nothing in here is fatal. */
export async function startEffects(tools: Tools, signal: AbortSignal): Promise<void> {
  const pause = new Pause()
  const pass = async (): Promise<void> => {
    await reconcile(tools)
    await pause.wait(RECONCILE_EVERY_MS, signal)
  }
  await Promise.all([
    repeat(tools.log, 'reconcile', AT_MOST_EVERY_MS, pass, signal),
    watchInstances(tools, () => pause.wake(), signal),
    collectLogs(tools, signal),
    housekeep(tools, signal),
  ])
}
