// Who may import whom: architecture.md §4 as data. The first rule that fits a file applies.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = fileURLToPath(new URL('../../', import.meta.url))

interface Rule {
  files: RegExp
  mayImport: RegExp[]
  packages: RegExp
}

const NODE = 'node:[a-z/_]+'
const MACHINES = /^machines\//
const DB = /^db\//
const DOMAIN = /^src\/domain\//
const DRIVERS = /^src\/drivers\//
const ACTORS = /^src\/actors\//
const EFFECTS = /^src\/effects\//
const HTTP = /^src\/http\//
const WEB = /^src\/web\//
const CLI = /^src\/cli\//
const SETUP = /^src\/setup\//
const CLIENT = /^src\/client\//
const CONFIG = /^src\/config\.ts$/
const LOG = /^src\/log\.ts$/
const ANYTHING = /./

const packages = (...names: string[]): RegExp => new RegExp(`^(?:${[NODE, ...names].join('|')})$`)

const RULES: Rule[] = [
  { files: MACHINES, mayImport: [MACHINES], packages: /^xstate$/ },
  { files: DB, mayImport: [DB], packages: packages('knex', 'pg') },
  // What an archive may hold is a rule too, but it can only be judged by streaming the file through its two formats. That
  // costs these few the purity of the rest of the domain; what is ours stays out of their reach all the same.
  { files: /^src\/domain\/archive(?:-[a-z]+)?\.ts$/, mayImport: [DOMAIN], packages: packages('tar-stream', 'yauzl') },
  // Pure rules: arithmetic, hashing and ids, never the file system, the network or the clock of another.
  {
    files: DOMAIN,
    mayImport: [DOMAIN],
    packages: /^(?:node:(?:crypto|zlib|util|path|buffer|url)|jose|ulid|ipaddr\.js|zod)$/,
  },
  { files: DRIVERS, mayImport: [DRIVERS, DOMAIN], packages: ANYTHING },
  { files: ACTORS, mayImport: [ACTORS, MACHINES, DB, LOG, DOMAIN], packages: packages('xstate', 'knex', 'pg', 'pino') },
  {
    files: EFFECTS,
    mayImport: [EFFECTS, ACTORS, DRIVERS, DOMAIN, DB, MACHINES, LOG],
    packages: packages('knex', 'pino'),
  },
  // Never effects or drivers: a request cannot touch a container.
  { files: HTTP, mayImport: [HTTP, ACTORS, DOMAIN, DB, MACHINES, CONFIG, LOG], packages: ANYTHING },
  // What anybody could use who has an address and a token.
  { files: CLIENT, mayImport: [CLIENT], packages: packages() },
  { files: WEB, mayImport: [WEB, HTTP, ACTORS, DOMAIN, DB, MACHINES, LOG], packages: ANYTHING },
  // Commands start and stop machines as well as read rows.
  {
    files: CLI,
    mayImport: [CLI, CLIENT, SETUP, HTTP, ACTORS, DRIVERS, DOMAIN, DB, MACHINES, CONFIG, LOG],
    packages: ANYTHING,
  },
  {
    files: SETUP,
    mayImport: [SETUP, CLI, CLIENT, ACTORS, DRIVERS, DOMAIN, DB, CONFIG, LOG, /^src\/main\.ts$/],
    packages: ANYTHING,
  },
  { files: CONFIG, mayImport: [DOMAIN], packages: packages('zod') },
  { files: LOG, mayImport: [CONFIG], packages: packages('pino') },
  { files: /^src\/main\.ts$/, mayImport: [ANYTHING], packages: ANYTHING },
]

/** Only these may read the environment: `PATH` and certificate files are the machine's, not our configuration. */
const READ_ENVIRONMENT = /^src\/(?:config\.ts|setup\/.*|drivers\/.*|actors\/failpoints\.ts)$/

async function sources(folder: string): Promise<string[]> {
  const entries = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile() && /\.(?:ts|mjs)$/.test(entry.name))
    .map(entry => path.relative(root, path.join(entry.parentPath, entry.name)))
}

function imports(text: string): { name: string; type: boolean }[] {
  const statements = text.matchAll(/(?:^|\n)\s*(?:import|export)\b[^'"\n]*(?:\n[^'"]*?)?from\s+['"]([^'"]+)['"]/g)
  const sideEffects = text.matchAll(/(?:^|\n)\s*import\s+['"]([^'"]+)['"]/g)
  const dynamic = text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)
  return [...statements, ...sideEffects, ...dynamic].map(match => ({
    name: match[1] ?? '',
    type: /^\s*(?:import|export)\s+type\b/.test(match[0]),
  }))
}

function offences(file: string, text: string): string[] {
  const rule = RULES.find(one => one.files.test(file))
  if (!rule) return [`${file} belongs to no layer`]
  return imports(text).flatMap(({ name, type }) => {
    if (!name.startsWith('.')) return rule.packages.test(name) ? [] : [`${file} imports the package ${name}`]
    const target = path.relative(root, path.resolve(root, path.dirname(file), name))
    // A layer that is handed the configuration may name its type; that costs nothing at run time.
    if (type && CONFIG.test(target)) return []
    return rule.mayImport.some(layer => layer.test(target)) ? [] : [`${file} imports ${target}`]
  })
}

t.test('imports point the way the architecture says', async t => {
  const files = (await Promise.all(['machines', 'db', 'src'].map(sources))).flat()
  t.ok(files.length > 50, `${files.length} files read`)
  const found = await Promise.all(
    files.map(async file => offences(file, await readFile(path.join(root, file), 'utf8'))),
  )
  t.strictSame(found.flat(), [])
})

t.test('configuration is read in one place', async t => {
  const files = (await Promise.all(['machines', 'db', 'src'].map(sources))).flat()
  const readers: string[] = []
  for (const file of files) {
    if (READ_ENVIRONMENT.test(file)) continue
    if (/process\.env/.test(await readFile(path.join(root, file), 'utf8'))) readers.push(file)
  }
  t.strictSame(readers, [])
})

t.test('machines know neither clock nor chance', async t => {
  for (const file of await sources('machines')) {
    const text = await readFile(path.join(root, file), 'utf8')
    t.notMatch(text, /Date\.now|new Date\(|Math\.random|randomUUID/, file)
  }
})
