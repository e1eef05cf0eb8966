// A body against its schema, and the first thing that is wrong with it in the words of decisions 8.1. All problems are
// listed in `details.fields`.
import { z } from 'zod'
import { ApiError, quote, type ErrorText, type FieldProblem } from './errors.ts'

type Issue = z.core.$ZodIssue

/** Fields that resources show and clients never send. */
const READ_ONLY = new Set(
  'id project_id public_url status needs_redeploy depends_on active_deployment_id created_at updated_at'.split(' '),
)

/** The body as its schema makes it; 400 with the first problem as the message and all of them in the details. */
export function validate(schema: z.ZodType, body: unknown): unknown {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  const problems = result.error.issues.flatMap(issue => problemsOf(issue, schema, body))
  const [first] = problems
  if (!first) throw new ApiError('invalid_request.body')
  const fields = problems.slice(0, 50).map(({ field, problem }) => ({ field: quote(field), problem }))
  throw new ApiError(first.text, { campo: first.field, ...first.params }, { details: { fields } })
}

interface Problem extends FieldProblem {
  text: ErrorText
  params: Record<string, string>
}

function problemsOf(issue: Issue, schema: z.ZodType, body: unknown): Problem[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map(key => unknownKey(key, issue.path, schema))
  // Only the variant that the discriminator chose is worth complaining about.
  if (issue.code === 'invalid_union' && issue.errors.length === 1) {
    const inner = issue.errors[0] ?? []
    return inner.flatMap(each => problemsOf({ ...each, path: [...issue.path, ...each.path] } as Issue, schema, body))
  }
  const field = pathText(issue.path)
  const value = valueAt(body, issue.path)
  if (value === undefined && issue.path.length > 0) {
    return [{ field, problem: 'required', text: 'invalid_request.required', params: {} }]
  }
  if (issue.path.length === 0 && issue.code !== 'custom') {
    return [{ field: '', problem: 'invalid', text: 'invalid_request.body', params: {} }]
  }
  const named = issue.code === 'custom' ? (issue.params?.error as ErrorText | undefined) : undefined
  if (named) return [{ field, problem: 'invalid', text: named, params: { valor: String(value) } }]
  return [{ field, problem: 'invalid', text: 'invalid_request.rule', params: { regra: issue.message } }]
}

function unknownKey(key: string, path: PropertyKey[], schema: z.ZodType): Problem {
  const field = pathText([...path, key])
  const home = path.length === 0 ? homeOf(key, schema) : null
  if (home) return { field, problem: 'misplaced', text: 'invalid_request.misplaced', params: { objeto: home } }
  const problem = READ_ONLY.has(key) ? 'read_only' : 'unknown'
  return { field, problem, text: 'invalid_request.unknown_field', params: {} }
}

/** The object of the schema in which a field that was put at the root belongs. */
function homeOf(key: string, schema: z.ZodType): string | null {
  for (const [name, field] of Object.entries(shapeOf(schema) ?? {})) {
    if (Object.hasOwn(shapeOf(field) ?? {}, key)) return name
  }
  return null
}

type Shape = Record<string, z.core.$ZodType>

function shapeOf(schema: z.core.$ZodType): Shape | null {
  if (schema instanceof z.ZodObject) return schema.shape as Shape
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return shapeOf(schema.unwrap())
  }
  if (schema instanceof z.ZodUnion) {
    return Object.assign({}, ...schema.options.map(option => shapeOf(option as z.core.$ZodType) ?? {})) as Shape
  }
  return null
}

function pathText(path: PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return text === '' ? String(step) : `${text}.${String(step)}`
  }, '')
}

function valueAt(body: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>((value, step) => (value as Record<PropertyKey, unknown> | undefined)?.[step], body)
}
