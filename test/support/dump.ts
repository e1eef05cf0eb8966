// What a dump of a control database shows, and the forms in which a secret could be found in it.
import type { Knex } from 'knex'

/** Every row of every table as text, as a dump would show it; binary columns as bytes too. */
export async function dump(db: Knex): Promise<{ text: string; tables: number }> {
  const tables = await db('information_schema.tables').where({ table_schema: 'public' }).pluck('table_name')
  const parts: string[] = []
  for (const table of tables) {
    const { rows } = await db.raw('select t::text as line from ?? as t', [table])
    for (const { line } of rows) parts.push(line, ...binary(line))
  }
  return { text: parts.join('\n'), tables: tables.length }
}

const binary = (line: string): string[] =>
  [...line.matchAll(/\\x([0-9a-f]{8,})/g)].map(([, hex]) => Buffer.from(hex ?? '', 'hex').toString('latin1'))

/** How a secret could be lying about: itself, escaped, in base64 at any of the three offsets, in hex. */
function forms(secret: string): string[] {
  const offsets = [0, 1, 2].map(n => {
    const text = Buffer.from(' '.repeat(n) + secret).toString('base64')
    return text.slice(n === 0 ? 0 : 4, -4)
  })
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    ...offsets,
    Buffer.from(secret).toString('hex'),
  ]
}

/** Those of these secrets that the text shows in any form. */
export const foundIn = (text: string, secrets: readonly string[]): string[] =>
  secrets.filter(secret => forms(secret).some(form => text.includes(form)))
