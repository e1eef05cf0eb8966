// OpenAPI 3.1 from the route table, the schemas and the error table (D-23). What every route of a kind has in common is
// said once: here, in openapi-parameters.ts, openapi-headers.ts and openapi-refusals.ts.
import { z } from 'zod'
import { BODY } from '../domain/limits.ts'
import { HEADER_COMPONENTS, headersOfSuccess, OF_OPTIONS } from './openapi-headers.ts'
import { openPathsOf } from './openapi-open-paths.ts'
import { parametersOf, pathParameters } from './openapi-parameters.ts'
import { ANYWHERE, collectRefusals, refusalsOf, type Refusals } from './openapi-refusals.ts'
import { exampleOf, type Schemas } from './openapi-schemas.ts'
import type { Route } from './route.ts'
import { error } from './schemas/errors.ts'

type Json = { [key: string]: unknown }

interface Parts {
  schemas: Schemas
  refusals: Refusals
}

/** The whole document; throws when a route does not say what it answers. */
export function openApiOf(routes: readonly Route[], schemas: Schemas): Json {
  const parts = { schemas, refusals: collectRefusals() }
  const paths: Record<string, Json> = {}
  for (const { path } of routes) {
    paths[`/v1${path.replace(/:(\w+)/g, '{$1}')}`] ??= pathItem(
      routes.filter(route => route.path === path),
      parts,
    )
  }
  schemas.reference(error, 'output')
  return {
    openapi: '3.1.0',
    info: { title: 'Cais', version: '1', description: DESCRIPTION, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/', description: 'This installation' }],
    security: [{ token: [] }],
    tags: tagsOf(routes),
    paths: { ...paths, ...openPathsOf(parts.refusals) },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'An API token of a team.' } },
      schemas: schemas.components,
      headers: HEADER_COMPONENTS,
      responses: parts.refusals.components,
    },
  }
}

const DESCRIPTION = `Hosts applications made of several parts: projects of services and databases on a private network.

- Every request below \`/v1\` carries \`Authorization: Bearer <token>\`. What belongs to nobody and what belongs to another
  team is the same 404.
- Decide by \`error\`, never by \`message\`. After 429 and 503 wait \`Retry-After\` seconds and repeat.
- \`HEAD\` works wherever \`GET\` does; \`OPTIONS\` answers 204 with \`Allow\`; another method on a known path is the 405 in
  \`x-other-methods\` of that path, with \`Allow\`. A path that is not here is 404 \`not_found\`.
- Deployments, groups, databases and restores are polled: wait 2 s first, then twice as long up to 30 s. A poll with
  \`If-None-Match\` that answers 304 costs nothing.
- Clients ignore fields that they do not know.`

/** `GET /v1/projects/:project` for people who read failures. */
export function lineOf(route: Route): string {
  return `${route.method} /v1${route.path}`
}

/** Everything that one address answers (D-09). */
function pathItem(routes: readonly Route[], parts: Parts): Json {
  const [{ path } = { path: '' }] = routes
  const item: Json = { parameters: pathParameters(path, parts.schemas) }
  for (const route of routes) {
    item[route.method.toLowerCase()] = operationOf(route, parts)
    if (route.method === 'GET') item['head'] = headOf(route, parts)
  }
  item['options'] = {
    operationId: `optionsOf${pascal(path)}`,
    summary: 'The methods that this address knows',
    tags: [METHODS_TAG],
    responses: { 204: { description: 'In `Allow`.', headers: OF_OPTIONS }, ...parts.refusals.responses(ANYWHERE) },
  }
  return { ...item, 'x-other-methods': parts.refusals.responses(['method_not_allowed']) }
}

function operationOf(route: Route, parts: Parts): Json {
  const { schemas, refusals } = parts
  const words = route.handle.name.replace(/([A-Z])/g, ' $1').toLowerCase()
  const scope = route.scope === null ? 'Any valid token.' : `Scope \`${route.scope}\`.`
  return {
    operationId: route.handle.name,
    summary: words.charAt(0).toUpperCase() + words.slice(1),
    description: route.unrestricted ? `${scope} Not with a token that is restricted to projects.` : scope,
    tags: [tagOf(route)],
    ...authorization(route),
    ...parametersOf(route, schemas),
    ...(route.body === null ? {} : requestBody(route, route.body, schemas)),
    responses: {
      ...successesOf(route, schema => content(schema, schemas)),
      ...refusals.responses(refusalsOf(route)),
    },
  }
}

/** The same answers as GET, without their bodies. */
function headOf(route: Route, { schemas, refusals }: Parts): Json {
  return {
    operationId: `${route.handle.name}Head`,
    summary: 'GET without the body',
    tags: [METHODS_TAG],
    ...authorization(route),
    ...parametersOf(route, schemas),
    responses: { ...successesOf(route, () => ({})), ...refusals.responses(refusalsOf(route), 'head') },
  }
}

const authorization = ({ scope }: Route): Json => ({
  security: [{ token: scope === null ? [] : [scope] }],
  'x-scope': scope,
})

function successesOf(route: Route, contentOf: (schema: z.ZodType) => Json): Json {
  const answers = Object.entries(route.answers)
  if (answers.length === 0) {
    throw new Error(`${lineOf(route)} does not say what it answers: add answers: { 200: schema } in src/http/routes.ts`)
  }
  const successes = answers.map(([status, schema]) => {
    const description = (schema && DESCRIPTIONS[status]) ?? 'Done.'
    const headers = headersOfSuccess(route, Number(status))
    return [status, { description, headers, ...(schema ? contentOf(schema) : {}) }] as const
  })
  if (route.method !== 'GET' || route.noStore === 'always') return Object.fromEntries(successes)
  const unchanged = { description: 'Not changed.', headers: headersOfSuccess(route, 304) }
  return Object.fromEntries([...successes, ['304', unchanged]])
}

const DESCRIPTIONS: Record<string, string> = {
  200: 'Done, as it is now.',
  201: 'Created.',
  202: 'Triggered: poll `Location`.',
}

function content(schema: z.ZodType, schemas: Schemas): Json {
  const shown = schemas.reference(schema, 'output')
  return { content: { 'application/json': { schema: shown, example: exampleOf(shown, schemas.components) } } }
}

function requestBody(route: Route, body: z.ZodType, schemas: Schemas): Json {
  const schema = schemas.reference(body, 'input')
  const json = { schema, example: exampleOf(schema, schemas.components) }
  const file = { type: 'string', contentMediaType: 'application/octet-stream', description: '.tar.gz or .zip' }
  const form = {
    schema: { type: 'object', properties: { file }, required: ['file'], additionalProperties: false },
    example: { file: 'app.tar.gz' },
    encoding: { file: { contentType: 'application/gzip, application/zip, application/octet-stream' } },
  }
  const size = `At most ${route.maxBodyBytes / BODY.maxBytes} MiB of JSON`
  const description = route.receive
    ? `${size}, or one file of at most 512 MiB; with \`Expect: 100-continue\` it is asked for once the rest is well.`
    : `${size}.`
  const forms = route.receive ? { 'multipart/form-data': form } : {}
  return {
    requestBody: { description, required: !route.bodyOptional, content: { 'application/json': json, ...forms } },
  }
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

const METHODS_TAG = 'head and options'

function tagsOf(routes: readonly Route[]): Json[] {
  return [...new Set([...routes.map(tagOf), 'platform', METHODS_TAG])].map(name => ({ name }))
}

const pascal = (path: string): string => path.replace(/[^a-z]+([a-z]?)/gi, (_, letter: string) => letter.toUpperCase())
