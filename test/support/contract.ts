// The OpenAPI document as a judge of answers: what `/openapi.json` says, and nothing from the code behind it.
import { createRequire } from 'node:module'
import type { Ajv2020 as Ajv, ValidateFunction } from 'ajv/dist/2020.js'

// ajv is CommonJS whose default export types as a namespace.
const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as { Ajv2020: new (options: object) => Ajv }

export type JsonSchema = { [key: string]: unknown }

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: JsonSchema
  example?: unknown
}

export interface Operation {
  operationId: string
  'x-scope': string | null
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema; example?: unknown }> }
  responses: Record<string, Response>
}

interface Response {
  $ref?: string
  headers?: Record<string, { $ref: string }>
  content?: Record<string, { schema: JsonSchema; example?: unknown; examples?: Record<string, { value: unknown }> }>
}

type PathItem = { parameters?: Parameter[]; 'x-other-methods': Record<string, Response> } & Record<string, Operation>

export interface Document {
  openapi: string
  paths: Record<string, PathItem>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, Response>
    headers: Record<string, { required?: boolean; schema: JsonSchema; example: unknown }>
  }
}

export interface Line {
  method: string
  path: string
  operation: Operation
  /** Of the path and of the operation. */
  parameters: Parameter[]
}

const OF_THE_TABLE = ['get', 'post', 'put', 'patch', 'delete']
const ALL = [...OF_THE_TABLE, 'head', 'options']

/** Every operation of the document that is a line of the route table. */
export function linesOf(document: Document, below = '/v1/', methods = OF_THE_TABLE): Line[] {
  return Object.entries(document.paths)
    .filter(([path]) => path.startsWith(below))
    .flatMap(([path, item]) =>
      methods.flatMap(method => {
        const operation = item[method]
        if (!operation) return []
        const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
        return [{ method: method.toUpperCase(), path, operation, parameters }]
      }),
    )
}

/** An answer as it came. */
export interface Answered {
  status: number
  headers: Headers
  /** The JSON of it, or its text; null when it was empty. */
  body: unknown
}

export interface Contract {
  lines: Line[]
  /** A schema of the document, references and all, as a judge. */
  validator(schema: JsonSchema): ValidateFunction
  /** The operation that a request is for; null when its path is not in the document, or knows no such method. */
  lineFor(method: string, path: string): Line | null
  /** What is wrong with an answer to this operation, in words; null when the document allows it. */
  complaint(line: Line, answered: Answered): string | null
  /** The same for any request below /v1, also those for paths or methods that are not in the document. */
  complaintAbout(method: string, path: string, answered: Answered): string | null
}

/** `strict`: answers may not have fields that the document does not list, although clients must ignore them. */
export function openContract(document: Document, { strict = true } = {}): Contract {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const components = strict ? closed(document.components.schemas) : document.components.schemas
  ajv.addSchema({ $id: 'openapi', components: { schemas: components } })
  const known = new Map<JsonSchema, ValidateFunction>()
  const validator = (schema: JsonSchema): ValidateFunction => {
    const found = known.get(schema) ?? ajv.compile(rooted(strict ? closed(schema) : schema) as JsonSchema)
    known.set(schema, found)
    return found
  }
  const all = linesOf(document, '/', ALL).map(line => ({ line, pattern: patternOf(line.path) }))
  const lineFor = (method: string, path: string): Line | null =>
    all.find(({ line, pattern }) => line.method === method && pattern.test(path))?.line ?? null

  function judge(responses: Record<string, Response>, { status, headers, body }: Answered): string | null {
    const listed = responses[String(status)]
    if (!listed) return `the status ${status} is not in the document: ${JSON.stringify(body)}`
    const response = responseOf(document, listed)
    const wrong = headerComplaint(document, response, headers) ?? waitComplaint(status, headers, body)
    if (wrong) return wrong
    if (!response.content) return body === null ? null : `a body where the document has none: ${JSON.stringify(body)}`
    const type = headers.get('content-type')?.split(';')[0] ?? ''
    const schema = response.content[type]?.schema
    if (!schema) return `the document does not list ${type} here`
    const validate = validator(schema)
    return validate(body) ? null : `${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`
  }

  return {
    lines: linesOf(document),
    validator,
    lineFor,
    complaint: (line, answered) => judge(line.operation.responses, answered),
    complaintAbout(method, path, answered) {
      const line = lineFor(method, path)
      if (line) return judge(line.operation.responses, answered)
      const item = all.find(({ pattern }) => pattern.test(path))?.line.path
      // Whoever is not known, or comes too often, hears that first (D-15).
      const before = lineFor('OPTIONS', '/v1/me')?.operation.responses ?? {}
      const { 204: _, ...common } = before as Record<string, Response>
      if (item) return judge({ ...common, ...document.paths[item]?.['x-other-methods'] }, answered)
      const nothing = lineFor('GET', '/v1/projects/x')?.operation.responses['404'] as Response
      return judge({ ...common, 404: nothing }, answered)
    },
  }
}

/** What HTTP itself brings, and no document lists. */
const TRANSPORT = new Set(['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'])

function headerComplaint(document: Document, { headers: listed = {} }: Response, headers: Headers): string | null {
  const names = new Map(Object.entries(listed).map(([name, { $ref }]) => [name.toLowerCase(), componentOf($ref)]))
  for (const name of headers.keys()) {
    if (!TRANSPORT.has(name) && !names.has(name)) return `the header ${name} is not in the document`
  }
  for (const [name, component] of names) {
    if (document.components.headers[component]?.required && !headers.has(name)) return `no ${name}`
  }
  return null
}

const componentOf = (reference: string): string => reference.split('/').at(-1) ?? ''

// Which of the codes of one status come with Retry-After no document can say (D-20).
function waitComplaint(status: number, headers: Headers, body: unknown): string | null {
  const code = codeOf(body)
  const waits =
    status === 429 ||
    status === 503 ||
    code === 'idempotency_in_progress' ||
    (status === 422 && code === 'rate_limited')
  return body === null || waits === headers.has('retry-after')
    ? null
    : `${status} ${code} and Retry-After do not go together`
}

/** `/v1/projects/{project}` → every path that it stands for. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)
}

export const codeOf = (body: unknown): string => (body as { error?: string } | null)?.error ?? ''

/** The response, or the component that it refers to. */
export function responseOf(document: Document, response: Response): Response {
  return response.$ref ? (document.components.responses[componentOf(response.$ref)] ?? {}) : response
}

function rooted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rooted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === '$ref' ? `openapi${String(inner)}` : rooted(inner)]),
  )
}

function closed<T>(value: T): T {
  return close(value) as T
}

function close(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(close)
  if (typeof value !== 'object' || value === null) return value
  const inner = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, close(each)]))
  const isShape = inner.type === 'object' && inner.properties !== undefined && inner.additionalProperties === undefined
  return isShape ? { ...inner, additionalProperties: false } : inner
}
