// Headers of answers, as the OpenAPI document lists them (D-04, D-07, D-11, D-18, D-20 to D-22, D-24).
type Json = { [key: string]: unknown }

const text = (description: string, example: string): Json => ({ description, schema: { type: 'string' }, example })

export const HEADERS: Record<string, Json> = {
  'Request-Id': text('Of this answer; quote it to whoever operates the platform.', '01kapvsxq2hm6c8v5z3n9d4wtf'),
  'X-Content-Type-Options': text('Always.', 'nosniff'),
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
}

const references = (...names: string[]): Json =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))

/** What every refusal has. */
export const COMMON_HEADERS = references('Request-Id', 'X-Content-Type-Options', 'Content-Language', 'Cache-Control')

/** What answers of this status, or of this kind, have besides. */
export function headersOf(status: number | 'read' | 'write' | 'replay'): Json {
  const always = ['Request-Id', 'X-Content-Type-Options', 'RateLimit-Policy', 'RateLimit']
  switch (status) {
    case 'read':
      return references('Cache-Control', 'ETag')
    case 'write':
      return references('Cache-Control')
    case 'replay':
      return references('Idempotent-Replay')
    case 201:
    case 202:
      return references(...always, 'Location')
    case 304:
      return references(...always, 'ETag', 'Cache-Control')
    case 401:
      return references('WWW-Authenticate')
    case 429:
    case 503:
      return references('Retry-After')
    // Only idempotency_in_progress of 409, and only rate_limited of 422.
    case 409:
    case 422:
      return references('RateLimit-Policy', 'RateLimit', 'Retry-After')
    default:
      return references('RateLimit-Policy', 'RateLimit', ...(status < 400 ? always : []))
  }
}
