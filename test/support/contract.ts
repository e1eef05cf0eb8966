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
  headers?: Record<string, unknown>
  content?: Record<string, { schema: JsonSchema; example?: unknown; examples?: Record<string, { value: unknown }> }>
}

export interface Document {
  openapi: string
  paths: Record<string, { parameters?: Parameter[] } & Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema>; responses: Record<string, Response>; headers: object }
}

export interface Line {
  method: string
  path: string
  operation: Operation
  /** Of the path and of the operation. */
  parameters: Parameter[]
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** Every operation of the document, below /v1 unless told otherwise. */
export function linesOf(document: Document, below = '/v1/'): Line[] {
  return Object.entries(document.paths)
    .filter(([path]) => path.startsWith(below))
    .flatMap(([path, item]) =>
      METHODS.flatMap(method => {
        const operation = item[method]
        if (!operation) return []
        const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
        return [{ method: method.toUpperCase(), path, operation, parameters }]
      }),
    )
}

export interface Contract {
  lines: Line[]
  /** A schema of the document, references and all, as a judge. */
  validator(schema: JsonSchema): ValidateFunction
  /** What is wrong with an answer, in words; null when the document allows it. */
  complaint(line: Line, status: number, headers: Headers, body: unknown): string | null
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
  const complaint: Contract['complaint'] = (line, status, headers, body) => {
    const listed = line.operation.responses[String(status)]
    if (!listed) return `the status ${status} is not in the document: ${JSON.stringify(body)}`
    const response = responseOf(document, listed)
    if (!headers.get('request-id')) return 'no Request-Id'
    const missing = REQUIRED_HEADERS.filter(
      ([name, when]) => when(status, body) && (!headers.has(name) || !response.headers?.[name]),
    )
    if (missing.length > 0) return `no ${missing.map(([name]) => name).join(', ')}`
    const schema = response.content?.['application/json']?.schema
    if (!schema) return body === null ? null : `a body where the document has none: ${JSON.stringify(body)}`
    const validate = validator(schema)
    return validate(body) ? null : `${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`
  }
  return { lines: linesOf(document), validator, complaint }
}

type Rule = [name: string, when: (status: number, body: unknown) => boolean]
const REQUIRED_HEADERS: Rule[] = [
  ['Retry-After', (status, body) => status === 429 || status === 503 || codeOf(body) === 'idempotency_in_progress'],
  ['WWW-Authenticate', status => status === 401],
  ['Location', status => status === 202],
  ['Content-Language', status => status >= 400],
]

export const codeOf = (body: unknown): string => (body as { error?: string } | null)?.error ?? ''

/** The response, or the component that it refers to. */
export function responseOf(document: Document, response: Response): Response {
  return response.$ref ? (document.components.responses[response.$ref.split('/').at(-1) ?? ''] ?? {}) : response
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
