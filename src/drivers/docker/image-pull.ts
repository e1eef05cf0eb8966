// Taking an image from its registry, within a bounded time.
import type { Readable } from 'node:stream'
import type Docker from 'dockerode'
import { statusOf } from './engine.ts'
import { jsonLines } from './json-lines.ts'

/** A registry that has not said anything by then is not there. */
const FIRST_ANSWER_MS = 10_000
/** Between two signs of life of a pull. */
const SILENCE_MS = 60_000

/** `absent`: the registry answered that there is no such image (for us). `unreachable`: no registry answered. */
export type PullOutcome = { result: 'pulled' } | { result: 'absent' | 'unreachable'; reason: string }

interface Progress {
  status?: string
  id?: string
  error?: string
}

/** Pulls `ref` (with tag or digest). Progress goes to `log`, a line a step. Throws only when aborted or the engine is gone. */
export async function pullImage(
  docker: Docker,
  ref: string,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<PullOutcome> {
  const watchdog = new AbortController()
  let timer = setTimeout(() => watchdog.abort(), FIRST_ANSWER_MS)
  const alive = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => watchdog.abort(), SILENCE_MS)
  }
  const both = AbortSignal.any([signal, watchdog.signal])
  try {
    const stream = (await docker.createImage({ fromImage: ref, abortSignal: both })) as Readable
    for await (const progress of jsonLines<Progress>(stream)) {
      alive()
      if (progress.error) return outcomeOf(progress.error)
      if (progress.status && isNews(progress)) log(progress.id ? `${progress.id}: ${progress.status}` : progress.status)
    }
    return { result: 'pulled' }
  } catch (error) {
    signal.throwIfAborted()
    if (watchdog.signal.aborted) return { result: 'unreachable', reason: 'o registro não respondeu a tempo' }
    if (statusOf(error) === null) throw error
    return outcomeOf(String((error as Error).message))
  } finally {
    clearTimeout(timer)
  }
}

function isNews({ status = '' }: Progress): boolean {
  return !/^(Downloading|Extracting|Waiting|Verifying Checksum|Pulling fs layer)/.test(status)
}

function outcomeOf(message: string): PullOutcome {
  const reason = message.replace(/\s+/g, ' ').trim()
  const answered =
    /manifest unknown|not found|denied|unauthorized|does not exist|no matching manifest|invalid reference/i
  const unreachable = /dial |lookup |no such host|timeout|connection refused|network is unreachable|x509|EOF/i
  return { result: answered.test(reason) && !unreachable.test(reason) ? 'absent' : 'unreachable', reason }
}
