// What answers are made of. A named shape becomes a component of the OpenAPI document, with its example; types of views
// come from these schemas, and the tests hold every answer to them. Clients ignore fields that they do not know (D-01).
import { z } from 'zod'

const EXAMPLE_ID = '01kapvsxq2hm6c8v5z3n9d4wtf'
const EXAMPLE_TIME = '2030-01-31T12:00:00.000Z'

/** An object that answers show, under its name in the document. `example` must match it. */
export function shape<Shape extends z.core.$ZodLooseShape>(
  name: string,
  fields: Shape,
  example: z.output<z.ZodObject<Shape, z.core.$strict>>,
) {
  return z.strictObject(fields).meta({ id: name, examples: [example] })
}

const PAGES = new WeakSet<z.ZodType>()

/** One page of a list (D-05). */
export function pageOf<Item extends z.ZodType>(item: Item) {
  const page = z.strictObject({
    items: z.array(item),
    next_cursor: z.string().nullable().meta({ description: 'Null on the last page.' }),
    has_more: z.boolean(),
  })
  PAGES.add(page)
  return page
}

/** True for what `pageOf` made: such routes take `limit` and `cursor`. */
export function isPage(schema: z.ZodType): boolean {
  return PAGES.has(schema)
}

/** A lowercase ULID (D-03). */
export const id = z
  .string()
  .regex(/^[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  .meta({ id: 'Id', description: 'Lowercase ULID.', examples: [EXAMPLE_ID] })

/** UTC, to the millisecond (D-03). */
export const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .meta({ id: 'Time', format: 'date-time', description: 'RFC 3339, UTC.', examples: [EXAMPLE_TIME] })

/** Whole and not negative: counts and sizes. */
export const count = z.int().min(0)

/** For examples. */
export const sample = { id: EXAMPLE_ID, time: EXAMPLE_TIME }
