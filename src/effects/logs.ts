// The runtime log: each owned instance is followed from the last line that was kept. Level-triggered: what should be
// followed is read from Postgres again and again, so it does not matter who started an instance, or who died.
import { setTimeout as sleep } from 'node:timers/promises'
import { listOwners } from '../../db/queries/instances.ts'
import { trimRuntimeLog } from '../../db/queries/log-lines.ts'
import { appendRuntimeLines, lastRuntimeStamp, type RuntimeLine } from '../../db/queries/logs.ts'
import { createMasker } from '../domain/masking.ts'
import { storable } from './build-log.ts'
import { repeat } from './repeat.ts'
import { findPlan } from './plan.ts'
import type { Tools } from './tools.ts'

const LOOK_EVERY_MS = 500
const BATCH_MS = 100
const BATCH_LINES = 500
/** An instance that has exited, or does not exist yet, is looked at again after growing pauses. */
const LONGEST_PAUSE_MS = 5_000
const KEPT_BYTES = 20 * 1024 * 1024
const TRIM_EVERY_BYTES = 2 * 1024 * 1024

/** Follows the instances of all owned deployments until `signal` aborts. */
export async function collectLogs(tools: Tools, signal: AbortSignal): Promise<void> {
  const followed = new Map<string, Promise<void>>()
  const stops = new Map<string, AbortController>()

  async function look(): Promise<void> {
    const owners = await listOwners(tools.db)
    const wanted = new Set(owners.filter(owner => mayHaveInstance(owner.state)).map(owner => owner.deployment_id))
    for (const [id, stop] of stops) if (!wanted.has(id)) stop.abort()
    for (const id of wanted) if (!followed.has(id)) begin(id)
  }

  function begin(deploymentId: string): void {
    const stop = new AbortController()
    const following = followUntilAborted(tools, deploymentId, AbortSignal.any([signal, stop.signal])).finally(() => {
      followed.delete(deploymentId)
      stops.delete(deploymentId)
    })
    followed.set(deploymentId, following)
    stops.set(deploymentId, stop)
  }

  await repeat(tools.log, 'follow logs', LOOK_EVERY_MS, look, signal)
  await Promise.all(followed.values())
}

/** Keeps what an instance wrote and nobody has read yet. Called before its container goes. */
export async function drainLog(tools: Tools, deploymentId: string): Promise<void> {
  const instance = await tools.world.containers.inspect(deploymentId)
  if (instance) await follow(tools, deploymentId, false, new AbortController().signal)
}

const mayHaveInstance = (state: string): boolean => state !== 'queued' && state !== 'building'

async function followUntilAborted(tools: Tools, deploymentId: string, signal: AbortSignal): Promise<void> {
  let pauseMs = LOOK_EVERY_MS / 2
  while (!signal.aborted) {
    try {
      const lines = await follow(tools, deploymentId, true, signal)
      pauseMs = lines > 0 ? LOOK_EVERY_MS / 2 : Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    } catch (error) {
      if (signal.aborted) return
      tools.log.debug({ err: error, deploymentId }, 'a log could not be followed; trying again')
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => {
      // Aborted: the loop ends.
    })
  }
}

/** Reads on from the last line kept, until the instance exits. Answers how many lines came. */
async function follow(tools: Tools, deploymentId: string, goOn: boolean, signal: AbortSignal): Promise<number> {
  const plan = await findPlan(tools, deploymentId)
  if (!plan) return 0
  const masker = createMasker(plan.environment.secrets)
  const keep = new Keeper(tools, plan.serviceId, deploymentId)
  const since = await lastRuntimeStamp(tools.db, deploymentId)
  try {
    for await (const line of tools.world.containers.logs(deploymentId, { since, follow: goOn }, signal))
      await keep.line({ stamp: line.at, text: storable(masker.mask(line.text)) })
  } finally {
    await keep.close()
  }
  return keep.count
}

/** Inserts in batches: a full one at once, a small one a moment after its first line. */
class Keeper {
  count = 0
  readonly #tools: Tools
  readonly #serviceId: string
  readonly #deploymentId: string
  #lines: RuntimeLine[] = []
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()
  #failure: Error | null = null
  #untrimmed = 0

  constructor(tools: Tools, serviceId: string, deploymentId: string) {
    this.#tools = tools
    this.#serviceId = serviceId
    this.#deploymentId = deploymentId
  }

  /** Throws when an earlier batch could not be written: following then begins again where the last good one ended. */
  async line(line: RuntimeLine): Promise<void> {
    if (this.#failure) throw this.#failure
    this.count += 1
    this.#lines.push(line)
    if (this.#lines.length >= BATCH_LINES) await this.#flush()
    else this.#timer ??= setTimeout(() => void this.#flush(), BATCH_MS)
  }

  async close(): Promise<void> {
    await this.#flush()
    if (this.#failure) throw this.#failure
  }

  #flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const lines = this.#lines
    this.#lines = []
    this.#writing = this.#writing
      .then(() => this.#write(lines))
      .catch((error: unknown) => void (this.#failure = error as Error))
    return this.#writing
  }

  async #write(lines: RuntimeLine[]): Promise<void> {
    // After a failure nothing newer may be written: the gap would never be filled.
    if (lines.length === 0 || this.#failure) return
    await appendRuntimeLines(this.#tools.db, this.#serviceId, this.#deploymentId, lines)
    this.#untrimmed += lines.reduce((sum, line) => sum + line.text.length, 0)
    if (this.#untrimmed < TRIM_EVERY_BYTES) return
    this.#untrimmed = 0
    await trimRuntimeLog(this.#tools.db, this.#serviceId, KEPT_BYTES)
  }
}
