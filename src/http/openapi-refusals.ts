// Which lines of the error table an operation can answer, and how they stand in the OpenAPI document: one response a
// status, shared by the operations that refuse for the same reasons, with an example of each line.
import { z } from 'zod'
import { ApiError, ERRORS, type ErrorCode, type ErrorText } from './errors.ts'
import { headersOfRefusal } from './openapi-headers.ts'
import type { Route } from './route.ts'
import { isPage, sample } from './schemas/answers.ts'

type Json = { [key: string]: unknown }

/** Answered by any address below /v1, whatever it is asked. */
export const ANYWHERE: readonly ErrorText[] = [
  'invalid_request.http',
  'unauthorized',
  'rate_limited.requests',
  'internal_error',
  'unavailable',
]

/** Every line of the error table that this route can answer: what its kind has in common, and its own. */
export function refusalsOf(route: Route): ErrorText[] {
  const texts: ErrorText[] = [...ANYWHERE]
  if (route.path.includes(':')) texts.push('not_found')
  if (route.scope !== null) texts.push('forbidden.scope')
  if (route.unrestricted) texts.push('forbidden.restricted')
  if (takesParameters(route)) texts.push('invalid_request.parameter')
  if (isList(route)) texts.push('invalid_request.cursor')
  if (route.method === 'POST') texts.push('invalid_request.idempotency')
  if (route.body !== null) texts.push('unsupported_media_type', 'payload_too_large', ...refusalsOfBody(route.body))
  if (route.method === 'POST' && route.remember) texts.push('idempotency_in_progress', 'idempotency_conflict')
  if (route.method === 'PUT' || route.method === 'PATCH') texts.push('precondition_failed')
  return [...new Set([...texts, ...route.errors])]
}

/** What clients see of these lines. */
export function codesOf(texts: readonly ErrorText[]): ErrorCode[] {
  return [...new Set(texts.map(text => text.split('.')[0] as ErrorCode))]
}

export const isList = (route: Route): boolean =>
  Object.values(route.answers).some(schema => schema !== null && isPage(schema))

const takesParameters = (route: Route): boolean => isList(route) || Object.keys(route.query).length > 0

function refusalsOfBody(body: z.ZodType): ErrorText[] {
  const texts: ErrorText[] = ['invalid_request.body', 'invalid_request.unknown_field']
  const fields = body instanceof z.ZodObject ? Object.values(body.shape as Record<string, z.ZodType>) : []
  if (fields.length > 0) texts.push('invalid_request.rule')
  if (fields.some(field => !field.safeParse(undefined).success)) texts.push('invalid_request.required')
  return texts
}

/** Collects the responses of one document. */
export interface Refusals {
  /** For `components.responses`. */
  components: Record<string, Json>
  /** Status → reference. Answers to HEAD have no body. */
  responses(texts: readonly ErrorText[], kind?: 'head' | 'body'): Json
}

export function collectRefusals(): Refusals {
  const components: Record<string, Json> = {}
  return {
    components,
    responses(texts, kind = 'body') {
      const statuses = [...new Set(texts.map(statusOf))]
      const references = statuses.map(status => {
        const some = texts.filter(text => statusOf(text) === status)
        const name = `${kind === 'head' ? 'head-' : ''}${status}-${nameOf(some)}`
        components[name] ??= responseOf(status, some, kind)
        return [status, { $ref: `#/components/responses/${name}` }] as const
      })
      return Object.fromEntries(references)
    },
  }
}

const statusOf = (text: ErrorText): number => ERRORS[text][0]

// invalid_request.http and invalid_request.body → invalid_request.http.body; a code without variants is its own name.
function nameOf(texts: readonly ErrorText[]): string {
  return codesOf(texts)
    .map(code => {
      const variants = texts.filter(text => text.split('.')[0] === code).map(text => text.split('.')[1] ?? 'any')
      return variants.join('.') === 'any' ? code : [code, ...variants].join('.')
    })
    .join('-')
}

function responseOf(status: number, texts: readonly ErrorText[], kind: 'head' | 'body'): Json {
  const codes = codesOf(texts)
  const head = { description: codes.map(code => `\`${code}\``).join(', '), headers: headersOfRefusal(status, texts) }
  if (kind === 'head') return head
  const schema = { allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { error: { enum: codes } } }] }
  const examples = Object.fromEntries(texts.map(text => [text, { value: exampleOf(text) }]))
  return { ...head, content: { 'application/json': { schema, examples } } }
}

/** What fills the placeholders of the table in examples. */
const PARAMS = {
  campo: 'name',
  objeto: 'resources',
  regra: 'um texto',
  valor: 'A',
  escopo: 'deploy',
  metodo: 'DELETE',
  motivo: 'não é um .tar.gz nem um .zip',
  nome: 'db',
  slug: 'loja-da-ana',
  host: 'loja.example.com',
  ref: 'db.DATABASE_URL',
  caminho: 'api.A → api.B → api.A',
  recurso: 'serviços',
  usado: 10,
  max: 10,
  pedido: 64,
  limite: '1 MiB',
  segundos: 5,
  request_id: sample.id,
}

/** The `details` of those lines that have them. */
const DETAILS: Partial<Record<ErrorText, Json>> = {
  'invalid_request.unknown_field': { fields: [{ field: 'name', problem: 'unknown' }] },
  'invalid_request.misplaced': { fields: [{ field: 'memory_mb', problem: 'misplaced' }] },
  'invalid_request.required': { fields: [{ field: 'name', problem: 'required' }] },
  'invalid_request.rule': { fields: [{ field: 'name', problem: 'invalid' }] },
  'invalid_request.parameter': { fields: [{ field: 'limit', problem: 'invalid' }] },
  'invalid_request.duplicate': { fields: [{ field: 'variables[1].name', problem: 'duplicate' }] },
  'invalid_request.archive': { fields: [{ field: 'file', problem: 'invalid' }] },
  deploy_in_progress: { services: ['web'] },
  quota_exceeded: { resource: 'services', used: 10, max: 10 },
  'quota_exceeded.database': { resource: 'quota_mb', requested: 64, used: 120 },
  unresolved_reference: { references: ['db.DATABASE_URL'], name: 'DATABASE_URL', service: 'web' },
  'unresolved_reference.provisioning': { references: ['db.DATABASE_URL'], reason: 'database_provisioning' },
  reference_cycle: { references: ['api.A', 'api.B'] },
  'rate_limited.domain': { retry_after_seconds: 5 },
  'unavailable.build_storage': { error_code: 'build_storage_unavailable', deployment_id: sample.id },
  'unavailable.build_disk': { error_code: 'build_disk_full', deployment_id: sample.id },
}

function exampleOf(text: ErrorText): Json {
  const details = DETAILS[text]
  return new ApiError(text, PARAMS, details ? { details } : {}).body
}
