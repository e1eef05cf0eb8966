// Node packages, on a machine that may have none yet: plain JavaScript, nothing but Node itself.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))
const OLDEST_NODE = [20, 19]
/** `npm run build` copies this file next to compiled ones; who built them has installed what they need. */
const isCompiled = existsSync(fileURLToPath(new URL('announce.js', import.meta.url)))

/** Throws a sentence for the person at the keyboard when this Node is too old. */
export function checkNodeVersion(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [wantedMajor, wantedMinor] = OLDEST_NODE
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return
  throw new Error(`Cais needs Node ${OLDEST_NODE.join('.')} or newer; this is ${version} (${process.execPath}).`)
}

/** True when node_modules holds what package-lock.json asks for. Packages of other platforms may be absent. */
export function packagesMatch(folder = root) {
  const installed = path.join(folder, 'node_modules/.package-lock.json')
  if (!existsSync(installed)) return false
  const wanted = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')).packages
  const present = JSON.parse(readFileSync(installed, 'utf8')).packages
  return Object.entries(wanted).every(([name, entry]) => {
    if (name === '' || entry.link) return true
    const found = present[name]
    return found ? found.version === entry.version : Boolean(entry.optional || entry.devOptional)
  })
}

/**
 * Installs the node packages when they are missing or not those of package-lock.json, and says so in one line.
 * Everything it prints goes to stderr: commands whose stdout is an answer (a token) call this too.
 */
export async function ensurePackages() {
  if (packagesMatch()) return
  const startedAt = Date.now()
  const output = []
  const child = spawn('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'development' },
  })
  child.stdout.on('data', chunk => output.push(chunk))
  child.stderr.on('data', chunk => output.push(chunk))
  // An npm left behind would fight with the next one over the same folder.
  const end = signal => {
    child.kill(signal)
    process.exit(130)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const name of signals) process.once(name, end)
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  for (const name of signals) process.off(name, end)
  if (code !== 0) {
    throw new Error(`npm ci failed (exit code ${code}). It said:\n${Buffer.concat(output).toString().trimEnd()}`)
  }
  process.stderr.write(`✓ node packages … ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`)
}

/**
 * Node version, packages, and TypeScript for the rest of this process. In this process rather than in a child: a signal,
 * `kill -9` included, then ends the platform itself and never a wrapper that would leave it orphaned.
 */
export async function prepareNode() {
  checkNodeVersion()
  if (isCompiled) return
  await ensurePackages()
  const tsx = import.meta.resolve('tsx')
  process.execArgv.push('--import', tsx) // what we fork reads TypeScript too
  await import(tsx)
}

/** Ends the process with the error and its causes as sentences; the stack only where somebody asked for it. */
export function fail(error) {
  process.stderr.write(`\n✗ ${sentences(error)}\n`)
  if (process.env.CAIS_LOG_LEVEL === 'debug' && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  process.exit(1)
}

function sentences(error) {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${sentences(error.cause)}`
}
