// OpenAPI 3.1 from the route table, the schemas and the error table (D-23). What every route of a kind has in common is
// said here once: parameters, headers, the errors of the order D-15.
import { z } from 'zod'
import { BODY, PAGE } from '../domain/limits.ts'
import { IDEMPOTENCY_KEY, SERVICE_NAME, VARIABLE_NAME } from '../domain/names.ts'
import { ERRORS, type ErrorCode } from './errors.ts'
import { COMMON_HEADERS, HEADERS, headersOf } from './openapi-headers.ts'
import { exampleOf, type Schemas } from './openapi-schemas.ts'
import type { Route } from './route.ts'
import { error } from './schemas/errors.ts'
import { id, isPage, sample } from './schemas/answers.ts'

type Json = { [key: string]: unknown }

/** What a client can ask for outside /v1, without a token (D-10). */
const OPEN_PATHS = {
  '/healthz': open('isAlive', 'This process answers.', [200]),
  '/readyz': open('isReady', 'Requests are served and work is picked up.', [200, 503]),
}

/** The whole document; throws when a route does not say what it answers. */
export function openApiOf(routes: readonly Route[], schemas: Schemas): Json {
  const paths: Record<string, Json> = {}
  const responses: Record<string, Json> = {}
  for (const route of routes) {
    const path = `/v1${route.path.replace(/:(\w+)/g, '{$1}')}`
    paths[path] ??= { parameters: pathParameters(route.path, schemas) }
    paths[path][route.method.toLowerCase()] = operationOf(route, schemas, responses)
  }
  schemas.reference(error, 'output')
  return {
    openapi: '3.1.0',
    info: { title: 'Cais', version: '1', description: DESCRIPTION, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/', description: 'This installation' }],
    security: [{ token: [] }],
    tags: tagsOf(routes),
    paths: { ...paths, ...OPEN_PATHS },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'An API token of a team.' } },
      schemas: schemas.components,
      headers: HEADERS,
      responses,
    },
  }
}

const DESCRIPTION = `Hosts applications made of several parts: projects of services and databases on a private network.

- Every request below \`/v1\` carries \`Authorization: Bearer <token>\`. What belongs to nobody and what belongs to another
  team is the same 404.
- Decide by \`error\`, never by \`message\`. After 429 and 503 wait \`Retry-After\` seconds and repeat.
- \`HEAD\` works wherever \`GET\` does; \`OPTIONS\` answers 204 with \`Allow\`; another method on a known path is 405
  \`method_not_allowed\` with \`Allow\`.
- Deployments, groups, databases and restores are polled: wait 2 s first, then twice as long up to 30 s. A poll with
  \`If-None-Match\` that answers 304 costs nothing.
- Clients ignore fields that they do not know.`

/** `GET /v1/projects/{project}` for people who read failures. */
export function lineOf(route: Route): string {
  return `${route.method} /v1${route.path}`
}

function operationOf(route: Route, schemas: Schemas, responses: Record<string, Json>): Json {
  const answers = Object.entries(route.answers)
  if (answers.length === 0) {
    throw new Error(`${lineOf(route)} does not say what it answers: add answers: { 200: schema } in src/http/routes.ts`)
  }
  const words = route.handle.name.replace(/([A-Z])/g, ' $1').toLowerCase()
  const parameters = [...queryParameters(route, schemas), ...headerParameters(route)]
  const scope = route.scope === null ? 'Any valid token.' : `Scope \`${route.scope}\`.`
  return {
    operationId: route.handle.name,
    summary: words.charAt(0).toUpperCase() + words.slice(1),
    description: route.unrestricted ? `${scope} Not with a token that is restricted to projects.` : scope,
    tags: [tagOf(route)],
    'x-scope': route.scope,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body === null ? {} : requestBody(route, schemas)),
    responses: {
      ...Object.fromEntries(answers.map(([status, schema]) => [status, success(route, status, schema, schemas)])),
      ...(route.method === 'GET' ? { 304: { description: 'Not changed.', headers: headersOf(304) } } : {}),
      ...refusals(route, responses),
    },
  }
}

function success(route: Route, status: string, schema: z.ZodType | null, schemas: Schemas): Json {
  const headers = { ...headersOf(Number(status)), ...(route.method === 'GET' ? headersOf('read') : headersOf('write')) }
  if (route.method === 'POST') Object.assign(headers, headersOf('replay'))
  if (schema === null) return { description: 'Done.', headers }
  const shown = schemas.reference(schema, 'output')
  const description = { 200: 'Done, as it is now.', 201: 'Created.', 202: 'Triggered: poll `Location`.' }[status]
  const content = { 'application/json': { schema: shown, example: exampleOf(shown, schemas.components) } }
  return { description: description ?? 'Done.', headers, content }
}

/** Every code that this route can answer, in the order in which D-15 decides. */
export function errorCodes(route: Route): ErrorCode[] {
  const mutates = route.body !== null
  return [
    'invalid_request',
    'unauthorized',
    ...(route.scope === null && !route.unrestricted ? [] : (['forbidden'] as const)),
    ...(route.path.includes(':') ? (['not_found'] as const) : []),
    ...(mutates ? (['unsupported_media_type', 'payload_too_large'] as const) : []),
    ...(['PUT', 'PATCH'].includes(route.method) ? (['precondition_failed'] as const) : []),
    ...(route.method === 'POST' && route.remember
      ? (['idempotency_in_progress', 'idempotency_conflict'] as const)
      : []),
    ...route.errors,
    'rate_limited',
    'internal_error',
    'unavailable',
  ]
}

/** Statuses of a code with all its texts: `rate_limited` has two. */
export function statusesOf(code: ErrorCode): Map<number, string[]> {
  const found = new Map<number, string[]>()
  for (const [text, [status, message]] of Object.entries(ERRORS)) {
    if (text.split('.')[0] === code) found.set(status, [...(found.get(status) ?? []), message])
  }
  return found
}

// The domain's own rate limit is 422 and belongs to routes that name it.
function refusals(route: Route, responses: Record<string, Json>): Json {
  const codes = new Map<number, ErrorCode[]>()
  for (const code of new Set(errorCodes(route))) {
    for (const status of statusesOf(code).keys()) {
      if (code === 'rate_limited' && status === 422 && !route.errors.includes('rate_limited')) continue
      codes.set(status, [...(codes.get(status) ?? []), code])
    }
  }
  return Object.fromEntries(
    [...codes].map(([status, some]) => {
      const name = `${status}-${some.join('-')}`
      responses[name] ??= refusal(status, some)
      return [status, { $ref: `#/components/responses/${name}` }]
    }),
  )
}

function refusal(status: number, codes: ErrorCode[]): Json {
  const examples = codes.flatMap(code =>
    (statusesOf(code).get(status) ?? []).map((message, i) => [
      i === 0 ? code : `${code}-${i + 1}`,
      { value: { error: code, message } },
    ]),
  )
  const schema = {
    allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { error: { enum: codes } } }],
  }
  return {
    description: codes.map(code => `\`${code}\``).join(', '),
    headers: { ...COMMON_HEADERS, ...headersOf(status) },
    content: { 'application/json': { schema, examples: Object.fromEntries(examples) } },
  }
}

function pathParameters(path: string, schemas: Schemas): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(PATH_PARAMETERS[name] ?? { schema: schemas.reference(id, 'output'), example: sample.id }),
  }))
}

const PATH_PARAMETERS: Record<string, Json> = {
  service: { description: 'Id or name.', schema: idOrName(), example: 'web' },
  database: { description: 'Id or name.', schema: idOrName(), example: 'db' },
  name: { schema: { type: 'string', pattern: VARIABLE_NAME.source }, example: 'API_URL' },
}

function idOrName(): Json {
  return { anyOf: [{ $ref: '#/components/schemas/Id' }, { type: 'string', pattern: SERVICE_NAME.source }] }
}

function queryParameters(route: Route, schemas: Schemas): Json[] {
  const own = Object.entries(route.query).map(([name, schema]) => {
    const { description, ...shown } = schemas.reference(schema, 'input')
    return { name, in: 'query', ...(description ? { description } : {}), schema: shown }
  })
  if (!Object.values(route.answers).some(schema => schema !== null && isPage(schema))) return own
  const limit = { type: 'integer', minimum: 1, maximum: PAGE.maxLimit, default: PAGE.defaultLimit }
  const cursor = { name: 'cursor', in: 'query', description: '`next_cursor` of the page before.' }
  return [{ name: 'limit', in: 'query', schema: limit }, { ...cursor, schema: { type: 'string' } }, ...own]
}

function headerParameters(route: Route): Json[] {
  const header = (name: string, description: string, schema: Json, example: string) => [
    { name, in: 'header', description, schema, example },
  ]
  const tag = { type: 'string' }
  if (route.method === 'GET') return header('If-None-Match', 'The last ETag: 304 when nothing changed.', tag, 'W/"x1"')
  if (route.method === 'POST') {
    const key = { type: 'string', pattern: IDEMPOTENCY_KEY.source }
    return header('Idempotency-Key', KEY_DESCRIPTION, key, 'deploy-2030-01-31')
  }
  if (route.method === 'DELETE') return []
  return header('If-Match', 'The ETag that must still hold: otherwise 412.', tag, 'W/"x1"')
}

const KEY_DESCRIPTION =
  'The same key with the same request within 24 h repeats the answer, with `Idempotent-Replay: true`; with another ' +
  'request it is 422 `idempotency_conflict`. Only 2xx answers are kept.'

function requestBody(route: Route, schemas: Schemas): Json {
  const schema = schemas.reference(route.body as z.ZodType, 'input')
  const json = { schema, example: exampleOf(schema, schemas.components) }
  const file = { type: 'string', contentMediaType: 'application/octet-stream', description: '.tar.gz or .zip' }
  const form = { type: 'object', properties: { file }, required: ['file'], additionalProperties: false }
  const size = `${route.maxBodyBytes / BODY.maxBytes} MiB`
  const content = { 'application/json': json, ...(route.receive ? { 'multipart/form-data': { schema: form } } : {}) }
  return { requestBody: { description: `At most ${size} of JSON.`, required: !route.bodyOptional, content } }
}

function open(operationId: string, summary: string, statuses: number[]): Json {
  const schema = { type: 'object', properties: { ok: { type: 'boolean' }, detail: { type: 'string' } } }
  const content = { 'application/json': { schema, example: { ok: true, detail: 'ready' } } }
  const headers = { 'Request-Id': { $ref: '#/components/headers/Request-Id' } }
  const answers = statuses.map(status => [status, { description: summary, headers, content }])
  return { get: { operationId, summary, security: [], tags: ['platform'], responses: Object.fromEntries(answers) } }
}

/** The last noun of the path: `/projects/:project/services/:service/logs` is about logs. */
function tagOf(route: Route): string {
  return (
    route.path
      .split('/')
      .filter(part => part !== '' && !part.startsWith(':') && !VERBS.has(part))
      .at(-1) ?? ''
  )
}
const VERBS = new Set(['rollback', 'cancel', 'rotate', 'credentials', 'verify', 'restore'])

function tagsOf(routes: readonly Route[]): Json[] {
  return [...new Set([...routes.map(tagOf), 'platform'])].map(name => ({ name }))
}
