// What anybody may ask for outside /v1, without a token (D-10), as the OpenAPI document lists it.
import { ApiError } from './errors.ts'
import { always, EVERY_ANSWER } from './openapi-headers.ts'
import type { Refusals } from './openapi-refusals.ts'

type Json = { [key: string]: unknown }

const SEEN = { ok: { type: 'boolean' }, detail: { type: 'string', description: 'For whoever operates the platform.' } }
const HEALTH = content(
  'application/json',
  { type: 'object', properties: SEEN, required: ['ok', 'detail'] },
  { ok: true, detail: 'ready' },
)
const NOT_READY = content(
  'application/json',
  {
    type: 'object',
    properties: { error: { const: 'unavailable' }, message: { type: 'string' }, ...SEEN },
    required: ['error', 'message', 'ok', 'detail'],
  },
  { ...new ApiError('unavailable').body, ok: false, detail: 'the control database is not migrated' },
)
const NO_STORE = { ...EVERY_ANSWER, ...always('Cache-Control') }
const KEPT = { ...NO_STORE, ...always('ETag') }
const PAGE = { ...KEPT, ...always('Content-Security-Policy', 'Referrer-Policy') }

/** /healthz, /readyz, /openapi.json and /docs. */
export function openPathsOf(refusals: Refusals): Record<string, Json> {
  const notReady = {
    description: 'Not now: `detail` says what is missing.',
    headers: { ...NO_STORE, ...always('Retry-After', 'Content-Language') },
    ...NOT_READY,
  }
  return {
    '/healthz': open('isAlive', 'This process answers', { 200: answer('Alive.', NO_STORE, HEALTH) }, refusals),
    '/readyz': open(
      'isReady',
      'Requests are served and work is picked up',
      { 200: answer('Ready.', NO_STORE, HEALTH), 503: notReady },
      refusals,
    ),
    '/openapi.json': open(
      'readDocument',
      'This document',
      {
        200: answer('OpenAPI 3.1.', KEPT, content('application/json', { type: 'object' }, { openapi: '3.1.0' })),
        304: answer('Not changed.', KEPT),
      },
      refusals,
    ),
    '/docs': open(
      'readDocumentation',
      'This document for people',
      {
        200: answer(
          'A page that loads nothing from elsewhere.',
          PAGE,
          content('text/html', { type: 'string' }, '<!doctype html>'),
        ),
        304: answer('Not changed.', PAGE),
      },
      refusals,
    ),
  }
}

function open(operationId: string, summary: string, answers: Record<string, Json>, refusals: Refusals): Json {
  const failures = (kind: 'head' | 'body') => ({
    ...refusals.responses(['invalid_request.http', 'internal_error'], kind),
  })
  const bodiless = Object.fromEntries(
    Object.entries(answers).map(([status, { content: _, ...rest }]) => [status, rest]),
  )
  const common = { security: [], tags: ['platform'] }
  const known = '304' in answers ? { parameters: [IF_NONE_MATCH] } : {}
  const allowed = answer('In `Allow`.', { ...EVERY_ANSWER, ...always('Allow') })
  return {
    get: { operationId, summary, ...common, ...known, responses: { ...answers, ...failures('body') } },
    head: {
      operationId: `${operationId}Head`,
      summary: 'GET without the body',
      ...common,
      ...known,
      responses: { ...bodiless, ...failures('head') },
    },
    options: {
      operationId: `${operationId}Options`,
      summary: 'The methods that this address knows',
      ...common,
      responses: { 204: allowed, ...failures('body') },
    },
    'x-other-methods': refusals.responses(['method_not_allowed']),
  }
}

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The last ETag: 304 when nothing changed.',
  schema: { type: 'string', examples: ['W/"x1"'] },
}

function answer(description: string, headers: Json, shown: Json = {}): Json {
  return { description, headers, ...shown }
}

function content(type: string, schema: Json, example: unknown): Json {
  return { content: { [type]: { schema, example } } }
}
