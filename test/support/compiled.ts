// The platform as JavaScript: tests that start it hundreds of times do not compile it each time.
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../../', import.meta.url))
const SOURCES = ['machines', 'db', 'src']
const PROGRAM = 'test/support/platform-process.ts'

let program: Promise<string> | null = null

/** The program that is the whole platform, compiled once for each state of the sources; absolute path. */
export function compiledPlatform(): Promise<string> {
  return (program ??= compileWhatIsNew())
}

async function compileWhatIsNew(): Promise<string> {
  const listed = await Promise.all(SOURCES.map(folder => readdir(path.join(root, folder), { recursive: true })))
  const files = [PROGRAM, ...SOURCES.flatMap((folder, i) => (listed[i] ?? []).map(name => `${folder}/${name}`))].sort()
  // Inside node_modules' parent, so that packages are found; hidden from git with everything else in there.
  const target = path.join(root, 'node_modules/.cache/platform', await stateOf(files))
  if (!(await isThere(target))) await compile(files, target)
  return path.join(target, PROGRAM.replace(/\.ts$/, '.js'))
}

async function stateOf(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const { mtimeMs, size } of await Promise.all(files.map(file => stat(path.join(root, file)))))
    hash.update(`${mtimeMs} ${size}\n`)
  return hash.update(files.join('\n')).digest('hex').slice(0, 16)
}

/** Into a folder beside it first: whoever else compiles the same at this moment finds all of it or nothing. */
async function compile(files: readonly string[], target: string): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true })
  const draft = await mkdtemp(`${target}-`)
  await writeFile(path.join(draft, 'package.json'), await readFile(path.join(root, 'package.json')))
  for (const file of files) {
    const [from, to] = [path.join(root, file), path.join(draft, file)]
    if ((await stat(from)).isDirectory()) continue
    await mkdir(path.dirname(to), { recursive: true })
    if (file.endsWith('.ts')) await writeFile(to.replace(/\.ts$/, '.js'), javascript(await readFile(from, 'utf8')))
    else await cp(from, to)
  }
  await rename(draft, target).catch(async error => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    await rm(draft, { recursive: true })
  })
}

const javascript = (text: string): string =>
  ts.transpileModule(text, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      rewriteRelativeImportExtensions: true,
      verbatimModuleSyntax: true,
    },
  }).outputText

const isThere = (folder: string): Promise<boolean> =>
  stat(folder).then(
    () => true,
    error => {
      if (error.code !== 'ENOENT') throw error
      return false
    },
  )
