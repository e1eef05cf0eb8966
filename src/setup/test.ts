// `npm test`: the machine made ready as for the platform itself, then every test, then `N passed, N failed`.
import { spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../config.ts'
import { announcer, secondsSince } from './announce.ts'
import { prepareMachine } from './machine.ts'
import { TapReader, type FileResult } from './tap-summary.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Those that share nothing but the processor run side by side; those on the real machine one after the other. */
const RUNS = [
  {
    name: 'unit, architecture, integration',
    folders: ['unit', 'architecture', 'integration'],
    jobs: availableParallelism(),
  },
  // Keeps all processors busy by itself.
  { name: 'crash: kill -9 at every commit point', folders: ['crash'], jobs: 1 },
  { name: 'e2e, on real Docker', folders: ['e2e'], jobs: 1 },
]

/** Runs all tests, or the files named in `only`. Ends the process: 0 when every one passed. */
export async function test(only: readonly string[] = []): Promise<void> {
  const config = readConfig()
  await prepareMachine({ ...config, runtime: 'docker' }, { needs: ['data-plane', 'images', 'tests'] }, announcer())
  const startedAt = Date.now()
  const results: FileResult[] = []
  for (const run of RUNS) {
    const files = (await filesIn(run.folders)).filter(
      file => only.length === 0 || only.some(part => file.includes(part)),
    )
    if (files.length === 0) continue
    process.stdout.write(`\n${run.name}\n`)
    results.push(...(await runTap(files, run.jobs)))
  }
  const [passed, failed] = [sum(results, 'passed'), sum(results, 'failed')]
  describeFailures(results)
  process.stdout.write(`\n${results.length} files in ${secondsSince(startedAt)}\n${passed} passed, ${failed} failed\n`)
  process.exit(failed === 0 && passed > 0 ? 0 : 1)
}

async function filesIn(folders: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const folder of folders) {
    const names = await readdir(path.join(root, 'test', folder))
    found.push(...names.filter(name => name.endsWith('.test.ts')).map(name => `test/${folder}/${name}`))
  }
  return found.sort()
}

async function runTap(files: readonly string[], jobs: number): Promise<FileResult[]> {
  const results: FileResult[] = []
  const reader = new TapReader(result => {
    results.push(result)
    showFile(result)
  })
  const tap = path.join(root, 'node_modules/tap/dist/esm/run.mjs')
  const child = spawn(process.execPath, [tap, 'run', '--reporter=tap', `--jobs=${jobs}`, ...files], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const code = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  for await (const line of createInterface({ input: child.stdout })) reader.line(line)
  const missing = files.filter(file => !results.some(result => result.name === file))
  if ((await code) !== 0 || missing.length > 0) results.push(...missing.map(unreported))
  return results
}

const unreported = (name: string): FileResult => {
  const result = {
    name,
    passed: 0,
    failed: 1,
    seconds: 0,
    failures: [{ name: 'tap said nothing about this file', lines: [] }],
  }
  showFile(result)
  return result
}

function showFile({ name, passed, failed, seconds, failures }: FileResult): void {
  const mark = failed === 0 ? '✓' : '✗'
  process.stdout.write(
    `  ${mark} ${name.padEnd(48)} ${String(passed).padStart(3)} passed${failed > 0 ? `, ${failed} failed` : ''}  ${seconds.toFixed(1)} s\n`,
  )
  for (const failure of failures) process.stdout.write(`      ✗ ${failure.name}\n`)
}

function describeFailures(results: readonly FileResult[]): void {
  for (const { name, failures } of results) {
    for (const failure of failures) {
      process.stdout.write(`\n✗ ${name}: ${failure.name}\n${failure.lines.slice(-60).join('\n')}\n`)
    }
  }
}

const sum = (results: readonly FileResult[], key: 'passed' | 'failed'): number =>
  results.reduce((total, result) => total + result[key], 0)
