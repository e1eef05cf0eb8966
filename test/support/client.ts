// The client of the tests. Whatever a well-behaved program could ask goes through the generated client of the repository
// (src/client); malformed and hostile requests go out as they are. Every answer is held to the OpenAPI document.
import assert from 'node:assert/strict'
import { openApiText } from '../../src/http/documentation.ts'
import { ApiError, CaisClient, type Project } from '../../src/client/index.ts'
import { openContract, type Contract, type Document, type Line } from './contract.ts'

export interface Reply {
  status: number
  headers: Headers
  text: string
  // Tests look into bodies of every shape.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any
}

type Given = Record<string, string>

let opened: Contract | null = null
/** The document as a judge, made once for all clients of a process. */
const contract = (): Contract => (opened ??= openContract(JSON.parse(openApiText()) as Document))

export class Client {
  /** Where the API is, with `/v1`. */
  readonly base: string
  readonly token: string
  /** For typed calls: fixtures, pages, waiting. */
  readonly typed: CaisClient
  readonly #inDocument: boolean

  /** `inDocument`: false for an API with routes of a test's own. */
  constructor(base: string, token: string, { inDocument = true } = {}) {
    this.base = base
    this.token = token
    this.typed = new CaisClient({ url: base.replace(/\/v1$/, ''), token })
    this.#inDocument = inDocument
  }

  get = (path: string, headers: Given = {}) => this.send('GET', path, undefined, headers)
  post = (path: string, body?: unknown, headers: Given = {}) => this.send('POST', path, body, headers)
  put = (path: string, body?: unknown, headers: Given = {}) => this.send('PUT', path, body, headers)
  patch = (path: string, body?: unknown, headers: Given = {}) => this.send('PATCH', path, body, headers)
  delete = (path: string, body?: unknown) => this.send('DELETE', path, body)

  /** A string, bytes, a form or a stream is sent as it is; anything else as JSON. */
  async send(method: string, path: string, body?: unknown, headers: Given = {}): Promise<Reply> {
    const call = this.#inDocument ? callFor(method, `/v1${path}`, body, headers) : null
    const reply = call ? await this.#call(call) : await this.#raw(method, path, body, headers)
    if (this.#inDocument) this.#judge(method, path, reply)
    return reply
  }

  /** Creates a project and answers it. */
  async project(name: string): Promise<Project> {
    return this.typed.post('/v1/projects', { body: { name } })
  }

  // What it answers or throws is what came over the wire. Once only: tests want to see 429 and 503.
  async #call({ line, path, query, body, key }: Call): Promise<Reply> {
    const replies: Reply[] = []
    const client = new CaisClient({
      url: this.base.replace(/\/v1$/, ''),
      token: this.token,
      attempts: 1,
      fetch: async (url, init) => {
        const response = await fetch(url, { ...init, redirect: 'manual' })
        replies.push(await readReply(response.clone()))
        return response
      },
    })
    const method = line.method.toLowerCase() as 'post'
    const given = { path, query, ...(body === undefined ? {} : { body }), ...(key === undefined ? {} : { key }) }
    const answered = await (
      body instanceof FormData
        ? client.upload(path as { project: string; service: string }, body.get('file') as Blob, { key: key as string })
        : client[method](line.path as '/v1/projects', given as never)
    ).catch((error: unknown) => error)
    const [reply] = replies
    if (!reply) throw answered
    if (answered instanceof ApiError) {
      const { error: code, details = {} } = reply.body ?? { error: '' }
      const { status, requestId } = answered
      const shown = { status, code: answered.code, details: answered.details, requestId }
      assert.deepEqual(shown, { status: reply.status, code, details, requestId: reply.headers.get('request-id') })
    } else assert.deepEqual(answered, reply.body)
    return reply
  }

  async #raw(method: string, path: string, body: unknown, headers: Given): Promise<Reply> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData
    const isJson = body !== undefined && !isRaw
    const response = await fetch(this.base + path, {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(isJson ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as string) }),
    })
    return readReply(response)
  }

  #judge(method: string, path: string, reply: Reply): void {
    const { status, headers, text, body } = reply
    const answered = { status, headers, body: text === '' ? null : (body ?? text) }
    const complaint = contract().complaintAbout(method, `/v1${path}`.split('?')[0] ?? '', answered)
    if (complaint) throw new Error(`${method} /v1${path} answered ${status} ${text.slice(0, 500)}\n${complaint}`)
  }
}

async function readReply(response: Response): Promise<Reply> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== ''
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null }
}

/** A request in the words of the generated client. */
interface Call {
  line: Line
  path: Record<string, string>
  query: Record<string, string>
  body: unknown
  key: string | undefined
}

/** Null for what the generated client would not send: unknown paths, other headers, bodies that are no objects. */
function callFor(method: string, target: string, body: unknown, headers: Given): Call | null {
  const { 'idempotency-key': key, ...others } = headers
  const [pathname = '', search = ''] = target.split('?')
  const line = METHODS.has(method) ? contract().lineFor(method, pathname) : null
  if (!line || Object.keys(others).length > 0 || (key !== undefined && method !== 'POST')) return null
  if (!isPlain(body) && !isUpload(body, line)) return null
  if (body !== undefined && line.operation.requestBody === undefined) return null
  const query = Object.fromEntries(new URLSearchParams(search))
  if (new URLSearchParams(query).toString() !== search) return null
  const path = parametersIn(line.path, pathname)
  return path && { line, path, query, body, key }
}

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

const isPlain = (body: unknown): boolean =>
  body === undefined || (typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype)

function isUpload(body: unknown, { operation }: Line): boolean {
  if (!(body instanceof FormData) || !operation.requestBody?.content['multipart/form-data']) return false
  return [...body.keys()].join() === 'file' && body.get('file') instanceof Blob
}

/** What fills the template; null when the generated client would write it otherwise. */
function parametersIn(template: string, pathname: string): Record<string, string> | null {
  const segments = pathname.split('/')
  const path: Record<string, string> = {}
  for (const [i, part] of template.split('/').entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name === undefined) continue
    const segment = segments[i] ?? ''
    if (/[^\w.~-]/.test(segment)) return null
    path[name] = segment
  }
  return path
}
