// A customer of a platform: a token, HTTP, and patience. Polling asks with the last ETag, because a 304 costs no quota.
import { setTimeout as delay } from 'node:timers/promises'
import { Client, type Reply } from './client.ts'
import { form } from './deployments.ts'

export interface Failure {
  code: string
  message: string
}

export interface Deployment {
  id: string
  status: string
  service_id: string
  created_at: string
  finished_at: string | null
  error?: Failure
}

export interface Group {
  id: string
  status: string
  items: { service_name: string; deployment_id: string | null; status: string; layer: number }[]
}

export interface Service {
  id: string
  name: string
  status: string
  public_url?: string
  needs_redeploy: boolean
  depends_on: string[]
  active_deployment_id: string | null
}

export class Refused extends Error {
  readonly status: number
  readonly code: string
  constructor(request: string, status: number, body: { error?: string; message?: string }) {
    super(`${request} answered ${status} ${body.error}: ${body.message}`)
    this.status = status
    this.code = body.error ?? ''
  }
}

/** Of deployments, databases and services. */
const OPEN = ['queued', 'building', 'deploying', 'provisioning']
const POLL_MS = 25

export class Customer {
  readonly #client: Client
  readonly #seen = new Map<string, { etag: string; body: unknown }>()

  constructor(url: string, token: string) {
    this.#client = new Client(`${url}/v1`, token)
  }

  async get<T>(path: string): Promise<T> {
    const seen = this.#seen.get(path)
    const answer = await this.#client.get(path, seen ? { 'if-none-match': seen.etag } : {})
    if (seen && answer.status === 304) return seen.body as T
    const body = this.#read<T>(`GET ${path}`, answer)
    const etag = answer.headers.get('etag')
    if (etag) this.#seen.set(path, { etag, body })
    return body
  }

  async send<T>(method: 'POST' | 'PUT' | 'PATCH', path: string, body: object = {}): Promise<T> {
    return this.#read(`${method} ${path}`, await this.#client.send(method, path, body))
  }

  /** The upload is the deployment. */
  async upload(service: string, archive: Buffer): Promise<Deployment> {
    const path = `${service}/deployments`
    return this.#read(`POST ${path}`, await this.#client.post(path, form(archive)))
  }

  /** Sets variables of `owner`, a service or, with its path's end `/shared-variables`, a project. */
  async setVariables(owner: string, values: Record<string, string>, sensitive = false): Promise<void> {
    const variables = Object.entries(values).map(([name, value]) => ({ name, value, ...(sensitive && { sensitive }) }))
    await this.send('PUT', `${owner}${owner.endsWith('/shared-variables') ? '' : '/variables'}`, { variables })
  }

  async text(path: string): Promise<string> {
    return (await this.get<{ text: string }>(`${path}/logs`)).text
  }

  /** Deploys what the service has and waits for the end. */
  async deploy(service: string): Promise<Deployment> {
    const { id } = await this.send<Deployment>('POST', `${service}/deployments`)
    return this.ended(`${service}/deployments/${id}`)
  }

  async uploadAndWait(service: string, archive: Buffer): Promise<Deployment> {
    const { id } = await this.upload(service, archive)
    return this.ended(`${service}/deployments/${id}`)
  }

  async groupEnded(path: string): Promise<Group> {
    return this.until(
      `${path} ends`,
      () => this.get<Group>(path),
      seen => seen.status !== 'running',
      120_000,
    )
  }

  /** Waits until a deployment, a database or a service has left its open states. */
  async ended<T extends { status: string }>(path: string, ms = 120_000): Promise<T> {
    return this.until(
      `${path} ends`,
      () => this.get<T>(path),
      seen => !OPEN.includes(seen.status),
      ms,
    )
  }

  /** Looks again until `good`; nobody answering, as while the platform is being started again, is just not good yet. */
  async until<T>(what: string, look: () => Promise<T>, good: (seen: T) => unknown, ms = 90_000): Promise<T> {
    const deadline = Date.now() + ms
    let last: unknown = 'nothing'
    for (;;) {
      try {
        const seen = await look()
        if (good(seen)) return seen
        last = seen
      } catch (error) {
        if (error instanceof Refused && ![404, 429, 503].includes(error.status)) throw error
        last = error
      }
      if (Date.now() > deadline) throw new Error(`waited ${ms} ms in vain: ${what}; last seen: ${show(last)}`)
      await delay(POLL_MS)
    }
  }

  #read<T>(request: string, { status, body }: Reply): T {
    if (status >= 300) throw new Refused(request, status, body ?? {})
    return body as T
  }
}

const show = (value: unknown): string => (value instanceof Error ? value.message : JSON.stringify(value)).slice(0, 2000)
