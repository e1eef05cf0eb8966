// Polling until something has ended (spec 6): first after 2 s, then twice as long up to 30 s.
import { EndedBadly } from './errors.ts'
import type { Transport } from './transport.ts'

export interface WaitOptions<Resource> {
  /** Default 2 s; doubles up to 30 s (spec 6). A shorter one shortens only the first waits. */
  firstWaitMs?: number
  /** Default 10 minutes. */
  timeoutMs?: number
  /** Called with every state that differs from the one before. */
  onChange?: (resource: Resource) => void
}

/** Anything that is polled. */
interface Polled {
  id: string
  status: string
}

const FIRST_WAIT_MS = 2000
const LONGEST_WAIT_MS = 30_000
const TEN_MINUTES_MS = 600_000

/**
 * The resource once it is `ready`. Throws EndedBadly when it ended any other way, and an Error when it is still `open`
 * after the timeout. A poll that finds nothing new is a 304, and free.
 */
export async function pollUntilReady<Resource extends Polled>(
  transport: Transport,
  path: string,
  open: ReadonlySet<string>,
  { firstWaitMs = FIRST_WAIT_MS, timeoutMs = TEN_MINUTES_MS, onChange }: WaitOptions<Resource>,
): Promise<Resource> {
  const { clock } = transport
  const deadline = clock.now() + timeoutMs
  let etag = ''
  let status = ''
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    const answer = await transport.send({ method: 'GET', path, headers: etag === '' ? {} : { 'If-None-Match': etag } })
    if (answer.status !== 304) {
      const resource = answer.body as Resource
      etag = answer.headers.get('etag') ?? ''
      status = resource.status
      onChange?.(resource)
      if (status === 'ready') return resource
      if (!open.has(status)) throw new EndedBadly(path, resource)
    }
    const leftMs = deadline - clock.now()
    if (leftMs <= 0) throw new Error(`${path} has not ended after ${timeoutMs / 1000} s: it is ${status}`)
    await clock.sleep(Math.min(waitMs, leftMs))
  }
}
