// One request until it is answered: patience after 429 and 503, after lost connections, and after a key whose first
// request is still running (spec 5.3 and 7.1). Every request may be sent again: POST has its key, and the others mean the
// same twice.
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from './errors.ts'

/** Time as the client sees it; tests bring their own. */
export interface Clock {
  now(): number
  sleep(ms: number): Promise<void>
}

export interface ClientOptions {
  /** Where the API is, without `/v1`. */
  url: string
  token: string
  clock?: Clock
  fetch?: typeof fetch
  /** How often one request is tried altogether. Default 10. */
  attempts?: number
  /** A `Retry-After` beyond this is not waited for. Default 60 s. */
  longestWaitMs?: number
}

export interface Sent {
  method: string
  path: string
  body?: string | FormData | undefined
  headers?: Record<string, string>
}

export interface Answer {
  ok: boolean
  status: number
  headers: Headers
  body: unknown
}

const LONGEST_BACKOFF_MS = 30_000
const realClock: Clock = { now: () => Date.now(), sleep: async ms => void (await sleep(ms)) }

export class Transport {
  readonly clock: Clock
  readonly #url: string
  readonly #token: string
  readonly #fetch: typeof fetch
  readonly #attempts: number
  readonly #longestWaitMs: number

  constructor(options: ClientOptions) {
    this.clock = options.clock ?? realClock
    this.#url = options.url.replace(/\/$/, '')
    this.#token = options.token
    this.#fetch = options.fetch ?? fetch
    this.#attempts = options.attempts ?? 10
    this.#longestWaitMs = options.longestWaitMs ?? 60_000
  }

  /** The answer, 2xx or 304. Throws ApiError for every other, and what fetch threw when nobody ever answered. */
  async send(sent: Sent): Promise<Answer> {
    let isLost = false
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt >= this.#attempts
      const answer = await this.#try(sent).catch((error: unknown) => {
        // What fetch throws when there is no connection, or none any more.
        if (isLast || !(error instanceof TypeError)) throw error
        return null
      })
      if (answer?.ok || answer?.status === 304) return answer
      // Gone already, by the attempt whose answer was lost.
      if (answer?.status === 404 && sent.method === 'DELETE' && isLost) return { ...answer, body: null }
      isLost ||= answer === null
      const waitMs = answer === null ? backoff(attempt) : this.#waitAfter(answer, attempt)
      if (answer && (waitMs === null || isLast)) throw new ApiError(sent, answer)
      await this.clock.sleep(waitMs ?? 0)
    }
  }

  async #try({ method, path, body, headers }: Sent): Promise<Answer> {
    const response = await this.#fetch(this.#url + path, {
      method,
      headers: { Authorization: `Bearer ${this.#token}`, ...headers },
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    return { ok: response.ok, status: response.status, headers: response.headers, body: parse(text) }
  }

  /** How long to wait before the same again; null when that would not help, or not soon. */
  #waitAfter({ status, headers }: Answer, attempt: number): number | null {
    const given = headers.get('retry-after')
    const isWorthIt = status === 429 || status === 503 || (status === 409 && given !== null)
    if (!isWorthIt) return null
    const waitMs = (given === null ? null : this.#readWait(given)) ?? backoff(attempt)
    return waitMs <= this.#longestWaitMs ? waitMs : null
  }

  // The API says seconds; what stands before it may say a date.
  #readWait(given: string): number | null {
    if (/^\d+$/.test(given)) return Number(given) * 1000
    const at = Date.parse(given)
    return Number.isNaN(at) ? null : Math.max(0, at - this.clock.now())
  }
}

/** 0.25 s, 0.5 s, 1 s … 30 s. */
function backoff(attempt: number): number {
  return Math.min(250 * 2 ** (attempt - 1), LONGEST_BACKOFF_MS)
}

function parse(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return { error: '', message: text.slice(0, 200) } // Whatever stands before the API answered instead of it.
  }
}
