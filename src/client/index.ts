// The client of the API: types made from /openapi.json (paths.d.ts, `npm run openapi`), and what every client owes the
// server: idempotency keys, patience after 429 and 503, polling that backs off (spec 5.3, 6 and 7.1).
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from './errors.ts'
import type { components } from './paths.d.ts'
import type { Args, Item, Method, PathWith, Success } from './types.ts'

export { ApiError } from './errors.ts'
export type { components, paths } from './paths.d.ts'
export type { Body, Item, Success } from './types.ts'

type Schemas = components['schemas']
export type Project = Schemas['Project']
export type Service = Schemas['Service']
export type Database = Schemas['Database']
export type Deployment = Schemas['Deployment']
export type Group = Schemas['Group']
export type Variable = Schemas['Variable']

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

export interface WaitOptions<Resource> {
  /** Default 2 s; doubles up to 30 s (spec 6). A shorter one shortens only the first waits. */
  firstWaitMs?: number
  /** Default 10 minutes. */
  timeoutMs?: number
  /** Called with every state that differs from the one before. */
  onChange?: (resource: Resource) => void
}

const FIRST_WAIT_MS = 2000
const LONGEST_POLL_MS = 30_000
const TEN_MINUTES_MS = 600_000
const OPEN: ReadonlySet<string> = new Set(['queued', 'building', 'deploying'])
const realClock: Clock = { now: () => Date.now(), sleep: async ms => void (await sleep(ms)) }

interface Sent {
  method: string
  path: string
  body?: string | FormData | undefined
  headers?: Record<string, string>
}

/** True while a deployment, or an item of a group, may still change. */
export function isOpen(status: string): boolean {
  return OPEN.has(status)
}

export class CaisClient {
  readonly #url: string
  readonly #token: string
  readonly #clock: Clock
  readonly #fetch: typeof fetch
  readonly #attempts: number
  readonly #longestWaitMs: number

  constructor(options: ClientOptions) {
    this.#url = options.url.replace(/\/$/, '')
    this.#token = options.token
    this.#clock = options.clock ?? realClock
    this.#fetch = options.fetch ?? fetch
    this.#attempts = options.attempts ?? 10
    this.#longestWaitMs = options.longestWaitMs ?? 60_000
  }

  get = <P extends PathWith<'get'>>(path: P, ...[init]: Args<P, 'get'>) => this.#call<P, 'get'>('get', path, init)
  post = <P extends PathWith<'post'>>(path: P, ...[init]: Args<P, 'post'>) => this.#call<P, 'post'>('post', path, init)
  put = <P extends PathWith<'put'>>(path: P, ...[init]: Args<P, 'put'>) => this.#call<P, 'put'>('put', path, init)
  patch = <P extends PathWith<'patch'>>(path: P, ...[init]: Args<P, 'patch'>) =>
    this.#call<P, 'patch'>('patch', path, init)
  delete = <P extends PathWith<'delete'>>(path: P, ...[init]: Args<P, 'delete'>) =>
    this.#call<P, 'delete'>('delete', path, init)

  /** Deploys an archive (.tar.gz or .zip): the upload is the deployment. */
  async upload(
    at: { project: string; service: string },
    archive: Uint8Array | Blob,
    name = 'code.tar.gz',
  ): Promise<Deployment> {
    const form = new FormData()
    form.append('file', archive instanceof Blob ? archive : new Blob([new Uint8Array(archive)]), name)
    const path = fillPath('/v1/projects/{project}/services/{service}/deployments', at)
    return (await this.#send({ method: 'POST', path, body: form, headers: keyHeader() })).body as Deployment
  }

  /** Every item of a list, page by page as they are asked for. */
  async *pages<P extends PathWith<'get'>>(path: P, ...[init]: Args<P, 'get'>): AsyncGenerator<Item<P>> {
    let cursor: string | null = null
    do {
      const asked = (init as { query?: object } | undefined)?.query
      const query = { limit: 100, ...asked, ...(cursor === null ? {} : { cursor }) }
      const page = (await this.#call<P, 'get'>('get', path, { ...init, query })) as {
        items: Item<P>[]
        next_cursor: string | null
      }
      yield* page.items
      cursor = page.next_cursor
    } while (cursor !== null)
  }

  /** All items of a list. */
  async list<P extends PathWith<'get'>>(path: P, ...args: Args<P, 'get'>): Promise<Item<P>[]> {
    const items: Item<P>[] = []
    for await (const item of this.pages(path, ...args)) items.push(item)
    return items
  }

  /** Polls until the deployment has ended, however it did. */
  async waitForDeployment(
    at: { project: string; service: string; deployment: string },
    options: WaitOptions<Deployment> = {},
  ): Promise<Deployment> {
    const path = fillPath('/v1/projects/{project}/services/{service}/deployments/{deployment}', at)
    return this.#wait(path, deployment => !isOpen(deployment.status), options)
  }

  /** Polls until the group has ended, however it did. */
  async waitForGroup(at: { project: string; group: string }, options: WaitOptions<Group> = {}): Promise<Group> {
    const path = fillPath('/v1/projects/{project}/group-deployments/{group}', at)
    return this.#wait(path, group => group.status !== 'running', options)
  }

  /** Polls until the database is ready. */
  async waitForDatabase(
    at: { project: string; database: string },
    options: WaitOptions<Database> = {},
  ): Promise<Database> {
    const path = fillPath('/v1/projects/{project}/databases/{database}', at)
    return this.#wait(path, database => database.status === 'ready', options)
  }

  // A poll that finds nothing new is a 304, and free.
  async #wait<Resource>(
    path: string,
    ended: (resource: Resource) => boolean,
    { firstWaitMs = FIRST_WAIT_MS, timeoutMs = TEN_MINUTES_MS, onChange }: WaitOptions<Resource>,
  ): Promise<Resource> {
    const deadline = this.#clock.now() + timeoutMs
    let etag = ''
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, LONGEST_POLL_MS)) {
      const answer = await this.#send({ method: 'GET', path, headers: etag === '' ? {} : { 'If-None-Match': etag } })
      if (answer.status !== 304) {
        const resource = answer.body as Resource
        etag = answer.headers.get('etag') ?? ''
        onChange?.(resource)
        if (ended(resource)) return resource
      }
      const leftMs = deadline - this.#clock.now()
      if (leftMs <= 0) throw new Error(`GET ${path} has not ended after ${timeoutMs / 1000} s`)
      await this.#clock.sleep(Math.min(waitMs, leftMs))
    }
  }

  async #call<P extends PathWith<M>, M extends Method>(method: M, path: P, init: object = {}): Promise<Success<P, M>> {
    const given = init as { path?: object; query?: object; body?: unknown; key?: string }
    const isJson = given.body !== undefined
    const headers = {
      ...(isJson ? { 'Content-Type': 'application/json' } : {}),
      ...(method === 'post' ? keyHeader(given.key) : {}),
    }
    const { body } = await this.#send({
      method: method.toUpperCase(),
      path: fillPath(path, given.path) + queryText(given.query),
      body: isJson ? JSON.stringify(given.body) : undefined,
      headers,
    })
    return body as Success<P, M>
  }

  // Every request may be sent again: POST has its key, and the others mean the same twice.
  async #send(sent: Sent): Promise<{ status: number; headers: Headers; body: unknown }> {
    for (let attempt = 1; ; attempt++) {
      const last = attempt >= this.#attempts
      const answer = await this.#try(sent).catch((error: unknown) => {
        if (last || !(error instanceof TypeError)) throw error
        return null
      })
      if (answer?.ok || answer?.status === 304) return answer
      // Gone already, by the attempt whose answer was lost.
      if (answer?.status === 404 && sent.method === 'DELETE' && attempt > 1) return { ...answer, body: null }
      const waitMs = answer === null ? backoff(attempt) : this.#waitAfter(answer, attempt)
      if (answer && (waitMs === null || last)) throw new ApiError(sent, answer)
      await this.#clock.sleep(waitMs ?? 0)
    }
  }

  async #try({ method, path, body, headers }: Sent) {
    const response = await this.#fetch(this.#url + path, {
      method,
      headers: { Authorization: `Bearer ${this.#token}`, ...headers },
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    return { ok: response.ok, status: response.status, headers: response.headers, body: parse(text) }
  }

  /** How long to wait before the same again; null when that would not help, or not soon. */
  #waitAfter({ status, headers }: { status: number; headers: Headers }, attempt: number): number | null {
    const seconds = headers.get('retry-after')
    const worth = status === 429 || status === 503 || (status === 409 && seconds !== null)
    if (!worth) return null
    const waitMs = seconds === null ? backoff(attempt) : Number(seconds) * 1000
    return waitMs <= this.#longestWaitMs ? waitMs : null
  }
}

/** 0.25 s, 0.5 s, 1 s … 30 s. */
function backoff(attempt: number): number {
  return Math.min(250 * 2 ** (attempt - 1), LONGEST_POLL_MS)
}

function keyHeader(key: string = randomUUID()): Record<string, string> {
  return { 'Idempotency-Key': key }
}

function fillPath(path: string, params: object = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value: unknown = (params as Record<string, unknown>)[name]
    if (typeof value !== 'string' || value === '') throw new Error(`${path} needs the parameter ${name}`)
    return encodeURIComponent(value)
  })
}

function queryText(query: object = {}): string {
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) text.set(name, String(value))
  return text.size === 0 ? '' : `?${text.toString()}`
}

function parse(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return { error: '', message: text.slice(0, 200) } // Whatever stands before the API answered instead of it.
  }
}
