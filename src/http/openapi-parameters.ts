// What a request carries beside its body, as the OpenAPI document lists it: the path, the query, and headers
// (D-05 to D-08, D-17).
import { PAGE } from '../domain/limits.ts'
import { IDEMPOTENCY_KEY, SERVICE_NAME, VARIABLE_NAME } from '../domain/names.ts'
import { isList } from './openapi-refusals.ts'
import { exampleOf, type Schemas } from './openapi-schemas.ts'
import type { Route } from './route.ts'
import { id, sample } from './schemas/answers.ts'

type Json = { [key: string]: unknown }

/** Of every operation of this path. */
export function pathParameters(path: string, schemas: Schemas): Json[] {
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

/** Of one operation: query and headers; nothing at all where there are none. */
export function parametersOf(route: Route, schemas: Schemas): { parameters?: Json[] } {
  const parameters = [...(isList(route) ? PAGING : []), ...queryParameters(route, schemas), ...headerParameters(route)]
  return parameters.length > 0 ? { parameters } : {}
}

// The examples of what may be left out stand in their schemas: viewers fill forms with those that stand beside them.
const PAGING: Json[] = [
  {
    name: 'limit',
    in: 'query',
    schema: { type: 'integer', minimum: 1, maximum: PAGE.maxLimit, default: PAGE.defaultLimit, examples: [50] },
  },
  {
    name: 'cursor',
    in: 'query',
    description: '`next_cursor` of the page before.',
    schema: { type: 'string', examples: ['AQAAAAF6Zm9vYmFy'] },
  },
]

function queryParameters(route: Route, schemas: Schemas): Json[] {
  return Object.entries(route.query).map(([name, schema]) => {
    const { description, ...shown } = schemas.reference(schema, 'input')
    const examples = [exampleOf(shown, schemas.components)]
    return { name, in: 'query', ...(description ? { description } : {}), schema: { ...shown, examples } }
  })
}

function headerParameters(route: Route): Json[] {
  switch (route.method) {
    case 'GET':
      if (route.noStore === 'always') return []
      return [header('If-None-Match', 'The last ETag: 304 when nothing changed.', {}, 'W/"x1"')]
    case 'POST':
      return [header('Idempotency-Key', keyDescription(route), KEY, 'deploy-2030-01-31')]
    case 'DELETE':
      return []
    default:
      return [header('If-Match', 'The ETag that must still hold: otherwise 412.', {}, 'W/"x1"')]
  }
}

const header = (name: string, description: string, schema: Json, example: string): Json => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string', ...schema, examples: [example] },
})

const KEY = { pattern: IDEMPOTENCY_KEY.source }

function keyDescription({ remember }: Route): string {
  return remember
    ? 'The same key with the same request within 24 h repeats the answer, with `Idempotent-Replay: true`; with another ' +
        'request it is 422 `idempotency_conflict`. Only 2xx answers are kept.'
    : 'Looked at, and nothing is kept for it: the answer holds secrets.'
}
