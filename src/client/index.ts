// The client of the API: types made from /openapi.json (paths.d.ts, `npm run openapi`), and what every client owes the
// server: idempotency keys, patience after 429 and 503, polling that backs off (spec 5.3, 6 and 7.1).
import { randomUUID } from 'node:crypto'
import type { components } from './paths.d.ts'
import { Transport, type ClientOptions } from './transport.ts'
import type { Args, Item, Method, PathWith, Success } from './types.ts'
import { pollUntilReady, type WaitOptions } from './wait.ts'

export { ApiError, EndedBadly } from './errors.ts'
export type { components, paths } from './paths.d.ts'
export type { ClientOptions, Clock } from './transport.ts'
export type { Body, Item, Success } from './types.ts'
export type { WaitOptions } from './wait.ts'

type Schemas = components['schemas']
export type Project = Schemas['Project']
export type Service = Schemas['Service']
export type Database = Schemas['Database']
export type Deployment = Schemas['Deployment']
export type Group = Schemas['Group']
export type Variable = Schemas['Variable']
export type Backup = Schemas['Backup']
export type Restore = Schemas['Restore']

const OPEN: ReadonlySet<string> = new Set(['queued', 'building', 'deploying'])
const RUNNING: ReadonlySet<string> = new Set(['running'])
const PROVISIONING: ReadonlySet<string> = new Set(['provisioning'])
// A backup that failed is tried again by the platform.
const BACKING_UP: ReadonlySet<string> = new Set(['running', 'failed'])

/** True while a deployment, or an item of a group, may still change. */
export function isOpen(status: string): boolean {
  return OPEN.has(status)
}

export class CaisClient {
  readonly #transport: Transport

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options)
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
    { name = 'code.tar.gz', key }: { name?: string; key?: string } = {},
  ): Promise<Deployment> {
    const form = new FormData()
    form.append('file', archive instanceof Blob ? archive : new Blob([new Uint8Array(archive)]), name)
    const path = fillPath('/v1/projects/{project}/services/{service}/deployments', at)
    const sent = { method: 'POST', path, body: form, headers: keyHeader(key) }
    return (await this.#transport.send(sent)).body as Deployment
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

  /** Polls until the deployment is ready; throws EndedBadly when it failed, was canceled, blocked or superseded. */
  async waitForDeployment(
    at: { project: string; service: string; deployment: string },
    options: WaitOptions<Deployment> = {},
  ): Promise<Deployment> {
    const path = fillPath('/v1/projects/{project}/services/{service}/deployments/{deployment}', at)
    return pollUntilReady(this.#transport, path, OPEN, options)
  }

  /** Polls until the group is ready; throws EndedBadly, naming its services, when it ended otherwise. */
  async waitForGroup(at: { project: string; group: string }, options: WaitOptions<Group> = {}): Promise<Group> {
    const path = fillPath('/v1/projects/{project}/group-deployments/{group}', at)
    return pollUntilReady(this.#transport, path, RUNNING, options)
  }

  /** Polls until the database is ready. */
  async waitForDatabase(
    at: { project: string; database: string },
    options: WaitOptions<Database> = {},
  ): Promise<Database> {
    const path = fillPath('/v1/projects/{project}/databases/{database}', at)
    return pollUntilReady(this.#transport, path, PROVISIONING, options)
  }

  /** Polls until the final backup is there. */
  async waitForBackup(at: { project: string; backup: string }, options: WaitOptions<Backup> = {}): Promise<Backup> {
    const path = fillPath('/v1/projects/{project}/backups/{backup}', at)
    return pollUntilReady(this.#transport, path, BACKING_UP, options)
  }

  /** Polls until the restored database is filled; throws EndedBadly when that failed. */
  async waitForRestore(at: { project: string; restore: string }, options: WaitOptions<Restore> = {}): Promise<Restore> {
    const path = fillPath('/v1/projects/{project}/restores/{restore}', at)
    return pollUntilReady(this.#transport, path, RUNNING, options)
  }

  async #call<P extends PathWith<M>, M extends Method>(method: M, path: P, init: object = {}): Promise<Success<P, M>> {
    const given = init as { path?: object; query?: object; body?: unknown; key?: string }
    const isJson = given.body !== undefined
    const headers = {
      ...(isJson ? { 'Content-Type': 'application/json' } : {}),
      ...(method === 'post' ? keyHeader(given.key) : {}),
    }
    const { body } = await this.#transport.send({
      method: method.toUpperCase(),
      path: fillPath(path, given.path) + queryText(given.query),
      body: isJson ? JSON.stringify(given.body) : undefined,
      headers,
    })
    return body as Success<P, M>
  }
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
