// The acceptance checklist of the decisions (section 10): every statement is named by a test that shows it.
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import path from 'node:path'
import t from 'tap'

const folder = fileURLToPath(new URL('../', import.meta.url))

/** The numbers that exist: authentication, bodies, projects and services, variables, volumes, databases, … */
const RANGES = [
  [1, 15],
  [20, 33],
  [40, 59],
  [60, 79],
  [80, 84],
  [90, 99],
  [110, 129],
  [130, 139],
  [140, 155],
] as const

const STATEMENTS = RANGES.flatMap(([from, to]) =>
  Array.from({ length: to - from + 1 }, (_, i) => `C-${String(from + i).padStart(3, '0')}`),
)

async function namedByTests(): Promise<Set<string>> {
  const files = (await readdir(folder, { recursive: true })).filter(
    name => name.endsWith('.test.ts') && !name.startsWith('architecture/checklist'),
  )
  const texts = await Promise.all(files.map(name => readFile(path.join(folder, name), 'utf8')))
  return new Set(texts.flatMap(text => text.match(/\bC-\d{3}\b/g) ?? []))
}

t.test('every statement of the checklist is named by a test', async t => {
  const named = await namedByTests()
  for (const statement of STATEMENTS) {
    t.ok(named.has(statement), `${statement} has lost its test`)
  }
  for (const statement of named) t.ok(STATEMENTS.includes(statement), `${statement} exists`)
})
