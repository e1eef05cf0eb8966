// zod → JSON Schema for the OpenAPI document: named shapes become components, everything else stays where it is used.
import { z } from 'zod'

export type JsonSchema = { [key: string]: unknown }

export interface Schemas {
  /** Named shapes that were referred to so far. */
  components: Record<string, JsonSchema>
  /** The schema as it stands in the document: a reference to a component, or in place. */
  reference(schema: z.ZodType, direction: 'input' | 'output'): JsonSchema
}

/** Collects the schemas of one document. */
export function collectSchemas(): Schemas {
  const components: Record<string, JsonSchema> = {}
  return {
    components,
    reference(schema, direction) {
      const {
        $schema: _,
        $defs = {},
        ...shown
      } = z.toJSONSchema(schema, { io: direction, unrepresentable: 'any' }) as JsonSchema & {
        $defs?: Record<string, JsonSchema>
      }
      const open = direction === 'output'
      for (const [name, definition] of Object.entries($defs)) components[name] ??= adapt(definition, open)
      return adapt(shown, open)
    },
  }
}

/** References point at components; answers may get more fields one day (D-01), bodies may not. */
function adapt(value: unknown, open: boolean): JsonSchema {
  return walk(value) as JsonSchema

  function walk(part: unknown): unknown {
    if (Array.isArray(part)) return part.map(walk)
    if (typeof part !== 'object' || part === null) return part
    const entries = Object.entries(part).filter(
      ([key, inner]) => !(open && key === 'additionalProperties' && inner === false),
    )
    return Object.fromEntries(
      entries.map(([key, inner]) =>
        key === '$ref' ? [key, String(inner).replace('#/$defs/', '#/components/schemas/')] : [key, walk(inner)],
      ),
    )
  }
}

/** An example of a schema: its own, or one put together from those of its parts. Only what is required, where anything is. */
export function exampleOf(schema: JsonSchema, components: Record<string, JsonSchema>): unknown {
  if (typeof schema.$ref === 'string')
    return exampleOf(components[schema.$ref.split('/').at(-1) ?? ''] ?? {}, components)
  if (Array.isArray(schema.examples)) return schema.examples[0]
  if ('const' in schema) return schema.const
  if ('default' in schema) return schema.default
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const variants = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (variants?.[0]) return exampleOf(variants[0], components)
  if (schema.type === 'object') {
    const required = new Set((schema.required as string[] | undefined) ?? [])
    const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
    const shown = required.size > 0 ? fields.filter(([name]) => required.has(name)) : fields
    return Object.fromEntries(shown.map(([name, field]) => [name, exampleOf(field, components)]))
  }
  if (schema.type === 'array') return [exampleOf((schema.items ?? {}) as JsonSchema, components)]
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  if (schema.type === 'boolean') return false
  if (schema.type === 'string') return 'texto'
  return null
}
