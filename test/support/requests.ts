// Requests made from the OpenAPI document, half of them wrong on purpose: fast-check arbitraries of plain data, so that
// what fails shrinks and replays.
import fc, { type Arbitrary } from 'fast-check'
import type { Document, JsonSchema, Line, Parameter } from './contract.ts'

/** What stands for a parameter of the path: one of those that exist, or text as it is sent. */
export type Place = { known: number } | { text: string }

export type Content =
  | { kind: 'none' }
  | { kind: 'json'; value: unknown }
  | { kind: 'raw'; text: string; type: string }
  | { kind: 'form'; parts: { name: string; good: boolean }[] }

export interface Ask {
  /** Whether something in it is wrong on purpose. */
  wrong: boolean
  places: Record<string, Place>
  query: Record<string, string>
  headers: Record<string, string>
  content: Content
  /** Whether what was triggered is carried to its end before the next request. */
  carry: boolean
  /** Another than that of the line; without one, its own. */
  method?: string | undefined
}

/** Requests for one line of the document. */
export function requestsFor(line: Line, document: Document): Arbitrary<Ask> {
  const valid = asks(line, document, { wrong: 0 })
  const invalid = asks(line, document, { wrong: 1 })
  return fc.oneof(valid, invalid)
}

interface Mood {
  /** 0: as the document has it. 1: with something wrong in one or more places. */
  wrong: 0 | 1
}

function asks(line: Line, document: Document, { wrong }: Mood): Arbitrary<Ask> {
  const inPath = line.parameters.filter(parameter => parameter.in === 'path')
  const inQuery = line.parameters.filter(parameter => parameter.in === 'query')
  const right = {
    places: fc.record(Object.fromEntries(inPath.map(({ name }) => [name, fc.record({ known: fc.nat(3) })]))),
    query: fc.record(queryOf(inQuery, document), { requiredKeys: [] }),
    headers: fc.record(headersOf(line), { requiredKeys: [] }),
    content: contentOf(line, document),
    carry: fc.boolean(),
    wrong: fc.constant(wrong === 1),
    ...(line.method === 'GET' ? { method: fc.option(fc.constant('HEAD'), { nil: undefined, freq: 5 }) } : {}),
  }
  if (!wrong) return fc.record(right) as Arbitrary<Ask>
  const bad = {
    places: fc.record(Object.fromEntries(inPath.map(({ name }) => [name, place]))),
    query: fc.dictionary(fc.constantFrom(...inQuery.map(({ name }) => name), 'token', 'x'), oddText, { maxKeys: 2 }),
    headers: fc.dictionary(fc.constantFrom('idempotency-key', 'if-match', 'if-none-match', 'accept'), headerText, {
      maxKeys: 2,
    }),
    content: oddContent(line, document),
  }
  const others = ['POST', 'PUT', 'PATCH', 'DELETE'].filter(name => !document.paths[line.path]?.[name.toLowerCase()])
  const method = fc.constantFrom('OPTIONS', ...others)
  const parts = ['query', 'headers', 'content', ...(inPath.length > 0 ? ['places'] : [])] as (keyof typeof bad)[]
  // Mostly one thing is wrong, so that what comes later in the order of checks is reached as well.
  const one = parts.map(part => fc.record({ ...right, [part]: bad[part] }))
  const all = fc.record({ ...right, ...bad })
  const another = fc.record({ ...right, method, content: fc.constant<Content>({ kind: 'none' }) })
  return fc.oneof(...one, one[2] as (typeof one)[0], all, another) as Arbitrary<Ask>
}

const INJECTIONS = [
  "'; drop table project; --",
  '$(touch /tmp/x)',
  '{{7*7}}',
  '${{nope.X}}',
  '${{',
  'a\r\nX-Injected: 1',
  '\u0000',
  '\ud800',
  '../../etc/passwd',
  'é'.repeat(50),
  'x'.repeat(3000),
  '__proto__',
  '',
]
const oddText = fc.oneof(fc.constantFrom(...INJECTIONS), fc.string({ unit: 'binary', maxLength: 12 }), fc.string())
const headerText = fc.string({ unit: fc.constantFrom(...'abcXYZ019._:-!"W/*, ;='), minLength: 1, maxLength: 140 })
const ULID = fc.string({ unit: fc.constantFrom(...'0123456789abcdefghjkmnpqrstvwxyz'), minLength: 25, maxLength: 25 })
const place: Arbitrary<Place> = fc.oneof(
  fc.record({ known: fc.nat(3) }),
  ULID.map(rest => ({ text: `0${rest}` })),
  fc.constantFrom('%00', '%zz', '..%2f', '%ff', 'WEB', '0', 'a b', "'", 'x'.repeat(8192)).map(text => ({ text })),
  oddText.map(text => ({ text: encodeURIComponent(text.replace(/\p{Cs}/gu, '')) || '%20' })),
)

const VALUES = [null, true, -1, 0, 1.5, 1e308, 65536, '8080', [], {}, [null], { a: 1 }]
const oddValue: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...VALUES),
  oddText,
  fc.jsonValue({ maxDepth: 2 }),
)

function queryOf(parameters: Parameter[], document: Document): Record<string, Arbitrary<string>> {
  return Object.fromEntries(
    parameters
      .filter(({ name }) => name !== 'cursor') // Only the server makes cursors.
      .map(({ name, schema }) => [name, valueOf(schema, document).map(String)]),
  )
}

function headersOf(line: Line): Record<string, Arbitrary<string>> {
  const names = line.parameters.filter(parameter => parameter.in === 'header').map(({ name }) => name)
  const key = fc.string({ unit: fc.constantFrom(...'abcXYZ019._:-'), minLength: 8, maxLength: 128 })
  const known: Record<string, Arbitrary<string>> = {
    'Idempotency-Key': fc.oneof(fc.constantFrom('the-first-key', 'the-second-key'), key),
    'If-Match': fc.constantFrom('*', 'W/"x1"'),
    'If-None-Match': fc.constantFrom('*', 'W/"x1"'),
  }
  return Object.fromEntries(names.flatMap(name => (known[name] ? [[name.toLowerCase(), known[name]]] : [])))
}

function contentOf(line: Line, document: Document): Arbitrary<Content> {
  const body = line.operation.requestBody
  const none = fc.constant<Content>({ kind: 'none' })
  const schema = body?.content['application/json']?.schema
  if (!body || !schema) return none
  const json = valueOf(schema, document).map((value): Content => ({ kind: 'json', value }))
  const form = fc.constant<Content>({ kind: 'form', parts: [{ name: 'file', good: true }] })
  return fc.oneof(json, ...(body.required ? [json] : [none]), ...(body.content['multipart/form-data'] ? [form] : []))
}

function oddContent(line: Line, document: Document): Arbitrary<Content> {
  const schema = line.operation.requestBody?.content['application/json']?.schema
  const raw = fc.record({
    kind: fc.constant('raw' as const),
    text: fc.oneof(fc.constantFrom('{', '[]', 'null', '"x"', ' ', '{"a":1,"a":2}', `${'{"a":'.repeat(20)}1`), oddText),
    type: fc.constantFrom('application/json', 'text/plain', 'multipart/form-data', 'application/json; charset=x', ''),
  })
  const parts = fc.record({ name: fc.constantFrom('file', 'other', ''), good: fc.boolean() })
  const form = fc.array(parts, { maxLength: 2 }).map((each): Content => ({ kind: 'form', parts: each }))
  // GET has no body; fetch would not send one.
  if (line.method === 'GET') return fc.constant({ kind: 'none' })
  const spoiled = valueOf(schema ?? { type: 'object' }, document).chain(value => spoil(value))
  return fc.oneof(
    raw,
    form,
    { weight: 4, arbitrary: spoiled.map((value): Content => ({ kind: 'json', value })) },
    oddValue.map((value): Content => ({ kind: 'json', value })),
  )
}

/** A body with one or more fields added, taken away, or of another kind. */
function spoil(value: unknown): Arbitrary<unknown> {
  const fields = typeof value === 'object' && value !== null ? Object.keys(value) : []
  const names = fc.constantFrom(...fields, 'replicas', 'id', 'status', 'memory_mb', '__proto__', 'name', 'dry_run')
  return fc.dictionary(names, oddValue, { minKeys: 1, maxKeys: 3, noNullPrototype: true }).map(changes => ({
    ...(value as object),
    ...changes,
  }))
}

/** Values of a schema. Text that the document only describes comes from its examples. */
function valueOf(schema: JsonSchema, document: Document): Arbitrary<unknown> {
  if (typeof schema.$ref === 'string') {
    return valueOf(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, document)
  }
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]))
  const variants = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (variants) return fc.oneof(...variants.map(variant => valueOf(variant, document)))
  const examples = (schema.examples ?? []) as unknown[]
  const { minimum = 0, maximum = 5000 } = schema as { minimum?: number; maximum?: number }
  const largest = Math.max(minimum, Math.min(maximum, 5000))
  switch (schema.type) {
    case 'integer':
      return fc.integer({ min: minimum, max: largest })
    case 'number':
      return fc.constantFrom(...(examples.length > 0 ? examples : [minimum, minimum + 1]))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'string':
      return textOf(schema, examples)
    case 'array':
      return fc.array(valueOf((schema.items ?? {}) as JsonSchema, document), {
        minLength: (schema.minItems as number | undefined) ?? 0,
        maxLength: Math.min((schema.maxItems as number | undefined) ?? 3, 3),
      })
    case 'object': {
      const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
      const required = (schema.required as string[] | undefined) ?? []
      const optional = fields.map(([name]) => name).filter(name => !required.includes(name))
      // Few at a time: many fields exclude one another, which no schema says.
      return fc.subarray(optional, { maxLength: Math.min(2, optional.length) }).chain(chosen => {
        const some = fields.filter(([name]) => required.includes(name) || chosen.includes(name))
        return fc.record(Object.fromEntries(some.map(([name, field]) => [name, valueOf(field, document)])))
      })
    }
    default:
      return examples.length > 0 ? fc.constantFrom(...examples) : fc.constant('texto')
  }
}

const LONG = 1024

function textOf(schema: JsonSchema, examples: unknown[]): Arbitrary<unknown> {
  const maxLength = Math.min((schema.maxLength as number | undefined) ?? 64, LONG)
  // What a name is like is said by its pattern; the names of a format have to be real.
  if (schema.format === 'date-time') return fc.constantFrom('2030-01-31T12:00:00Z', '2020-01-31T12:00:00.5+03:00')
  // fast-check does not look ahead: what that excludes is met now and then, and refused.
  const pattern = typeof schema.pattern === 'string' ? new RegExp(schema.pattern.replace(/\(\?!.*?\)/g, '')) : null
  // A pattern bounds its texts itself or not at all: of the largest size they would fill the memory.
  const sized = (size: 'small' | 'large') =>
    pattern === null
      ? fc.string({ maxLength, size })
      : fc.stringMatching(pattern, { size: size === 'large' ? 'medium' : size })
  // Mostly short; now and then long.
  const made = fc.oneof({ weight: 3, arbitrary: sized('small') }, sized('large'))
  if (examples.length === 0) return made
  return fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...examples) }, made)
}
