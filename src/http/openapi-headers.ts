// Headers of answers, as the OpenAPI document lists them (D-04, D-07, D-09, D-11, D-18, D-20 to D-22, D-24). Each exists
// twice among the components: as one that is always there, and, with `.optional` behind its name, as one that may be.
import type { ErrorText } from './errors.ts'
import type { Route } from './route.ts'

type Json = { [key: string]: unknown }

const text = (description: string, example: string): Json => ({ description, schema: { type: 'string' }, example })

const HEADERS = {
  'Request-Id': text('Of this answer; quote it to whoever operates the platform.', '01kapvsxq2hm6c8v5z3n9d4wtf'),
  'X-Content-Type-Options': text('Always the same.', 'nosniff'),
  'RateLimit-Policy': text('Quotas of the token, and of deployments after a trigger.', '"token";q=600;w=60'),
  RateLimit: text('What is left of them, and the seconds until it is whole again.', '"token";r=587;t=41'),
  'Cache-Control': text(
    'Reads may be kept and asked for again with the ETag; secrets and logs not.',
    'private, no-cache',
  ),
  ETag: text('For If-None-Match and If-Match. Not on logs and secrets.', 'W/"kZbC8wX1"'),
  Location: text('Path of what was created or triggered.', '/v1/projects/01kapvsxq2hm6c8v5z3n9d4wtf'),
  'Idempotent-Replay': text('`true`: this is the answer of the first request with this key.', 'true'),
  'Retry-After': { description: 'Whole seconds to wait.', schema: { type: 'integer', minimum: 1 }, example: 5 },
  'WWW-Authenticate': text('Says nothing about the reason.', 'Bearer realm="api"'),
  'Content-Language': text('Of the message.', 'pt-BR'),
  Allow: text('The methods that the path knows.', 'GET, HEAD, OPTIONS'),
  'Content-Security-Policy': text('Forbids everything that does not come from here.', "default-src 'none'"),
  'Referrer-Policy': text('Always the same.', 'no-referrer'),
} satisfies Record<string, Json>

export type HeaderName = keyof typeof HEADERS

/** Every header, always there and optional, for `components.headers`. */
export const HEADER_COMPONENTS: Json = Object.fromEntries(
  Object.entries(HEADERS).flatMap(([name, header]) => [
    [name, { required: true, ...header }],
    [`${name}.optional`, header],
  ]),
)

/** Headers that an answer always has. */
export function always(...names: HeaderName[]): Json {
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))
}

/** Headers that an answer may have. */
export function sometimes(...names: HeaderName[]): Json {
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}.optional` }]))
}

export const EVERY_ANSWER = always('Request-Id', 'X-Content-Type-Options')
const QUOTA = always('RateLimit-Policy', 'RateLimit')

/** Of a 204 to OPTIONS below /v1. */
export const OF_OPTIONS = { ...EVERY_ANSWER, ...QUOTA, ...always('Allow') }

/** Of a success, or a 304, of this route. */
export function headersOfSuccess(route: Route, status: number): Json {
  return {
    ...EVERY_ANSWER,
    ...QUOTA,
    ...(status === 204 ? {} : always('Cache-Control')),
    ...(status === 201 || status === 202 ? always('Location') : {}),
    ...(route.method === 'POST' && route.remember ? sometimes('Idempotent-Replay') : {}),
    ...(route.method !== 'GET' || route.noStore === 'always' ? {} : etagOf(route, status)),
  }
}

const etagOf = ({ noStore }: Route, status: number): Json =>
  noStore === 'sometimes' && status === 200 ? sometimes('ETag') : always('ETag')

/** Statuses that are also answered before the caller is known, or outside /v1: without a quota of its own. */
const WITHOUT_A_TOKEN: ReadonlySet<number> = new Set([400, 405, 429, 500, 503])

/** Of a refusal with one of these lines of the error table. */
export function headersOfRefusal(status: number, texts: readonly ErrorText[]): Json {
  return {
    ...EVERY_ANSWER,
    ...always('Content-Language', 'Cache-Control'),
    ...(status === 401 ? always('WWW-Authenticate') : {}),
    ...(status === 405 ? always('Allow') : {}),
    ...(status === 401 ? {} : quotaOfRefusal(status)),
    ...waitOf(status, texts),
  }
}

const quotaOfRefusal = (status: number): Json =>
  WITHOUT_A_TOKEN.has(status) ? sometimes('RateLimit-Policy', 'RateLimit') : QUOTA

function waitOf(status: number, texts: readonly ErrorText[]): Json {
  if (status === 429 || status === 503) return always('Retry-After')
  return texts.some(name => WAITED_FOR.has(name)) ? sometimes('Retry-After') : {}
}
const WAITED_FOR: ReadonlySet<ErrorText> = new Set(['idempotency_in_progress', 'rate_limited.domain'])
