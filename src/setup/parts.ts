// The parts that the platform stands on (Docker, router, engines), looked after without memory: whatever is missing is
// made, at boot and every few seconds, so the way back after a fault is the everyday way.
import { setTimeout as delay } from 'node:timers/promises'

const ROUND_MS = 5_000
/** A part that has not answered by then is unwell; the others are not kept waiting. */
const PATIENCE_MS = 60_000

export interface Health {
  healthy: boolean
  detail: string | null
}

export interface Part {
  name: string
  /** The others stand on it: looked after first, in order, and a start waits for it. */
  foundation?: boolean
  /** Makes the part be there; repeating it on a healthy part changes nothing. Throws when it cannot. */
  ensure(): Promise<void>
  /** A closer look, once `ensure` has passed. */
  health(): Promise<Health>
  /** Ends the part for good; only `cais down` asks for it. */
  stop(): Promise<void>
}

export interface SupervisorOptions {
  parts: Part[]
  /** Writes down what was seen, for requests to read. */
  report: (part: string, healthy: boolean, detail: string | null) => Promise<void>
  log: { info(fields: object, text: string): void; warn(fields: object, text: string): void }
  everyMs?: number
  patienceMs?: number
}

export interface Supervisor {
  /** One round: the foundation in its order, then the others side by side. */
  check(): Promise<void>
  /** Goes round every few seconds. Resolves once the foundation has been looked after. */
  start(): Promise<void>
  /** Ends the rounds; the parts go on. */
  stop(): Promise<void>
  /** Ends the parts, last one first; answers the names of those that could not be ended. */
  stopParts(): Promise<string[]>
}

export function superviseParts(options: SupervisorOptions): Supervisor {
  const { parts, report, log, everyMs = ROUND_MS, patienceMs = PATIENCE_MS } = options
  const pending = new Map<string, Promise<Health>>()
  const before = new Map<string, boolean>()
  const ending = new AbortController()
  let rounds: Promise<void> = Promise.resolve()
  let written = true

  async function check(): Promise<void> {
    await checkFoundation()
    await checkOthers()
  }

  async function checkFoundation(): Promise<void> {
    for (const part of parts) if (part.foundation) await checkOne(part)
  }

  async function checkOthers(): Promise<void> {
    await Promise.all(parts.filter(part => !part.foundation).map(checkOne))
  }

  async function checkOne(part: Part): Promise<void> {
    if (ending.signal.aborted) return
    const seen = await tend(part)
    say(part.name, seen)
    await writeDown(part.name, seen)
  }

  async function writeDown(part: string, { healthy, detail }: Health): Promise<void> {
    try {
      await report(part, healthy, detail)
      written = true
    } catch (error) {
      if (written) log.warn({ part, err: error }, 'the health of the parts could not be written down')
      written = false
    }
  }

  // One that hangs is not asked again until it has answered.
  async function tend(part: Part): Promise<Health> {
    const looking = pending.get(part.name) ?? look(part).finally(() => pending.delete(part.name))
    pending.set(part.name, looking)
    const patience = new AbortController()
    const late = delay(patienceMs, null, { signal: patience.signal }).catch(() => null)
    const seen = await Promise.race([looking, late])
    patience.abort()
    return seen ?? { healthy: false, detail: `still not ready after ${patienceMs} ms` }
  }

  function say(part: string, { healthy, detail }: Health): void {
    const was = before.get(part)
    before.set(part, healthy)
    if (was === healthy) return
    if (!healthy) log.warn({ part, detail }, `${part} does not work`)
    else log.info({ part }, was === undefined ? `${part} works` : `${part} works again`)
  }

  async function goOn(): Promise<void> {
    while (!ending.signal.aborted) {
      await delay(everyMs, undefined, { signal: ending.signal }).catch(() => undefined)
      await check()
    }
  }

  async function stop(): Promise<void> {
    ending.abort()
    await rounds
  }

  return {
    check,
    start: async () => {
      await checkFoundation()
      rounds = checkOthers().then(goOn)
    },
    stop,
    stopParts: async () => {
      await stop() // A round would make them again.
      const failed: string[] = []
      for (const part of [...parts].reverse()) {
        await part.stop().catch(error => {
          log.warn({ part: part.name, err: error }, `${part.name} could not be ended`)
          failed.push(part.name)
        })
      }
      return failed
    },
  }
}

async function look(part: Part): Promise<Health> {
  try {
    await part.ensure()
    return await part.health()
  } catch (error) {
    return { healthy: false, detail: error instanceof Error ? error.message : String(error) }
  }
}
