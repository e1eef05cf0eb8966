// Starting, killing and starting again a platform process, and asking it things.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from './client.ts'
import { compiledPlatform } from './compiled.ts'

const program = fileURLToPath(new URL('./platform-process.ts', import.meta.url))

/** Request quotas that no test meets by accident, for CAIS_LIMITS. */
export const GENEROUS_LIMITS = JSON.stringify({ requests: { perToken: 1_000_000, perAddress: 1_000_000 } })

export interface RunningPlatform {
  url: string
  child: ChildProcess
  /** How it ended: resolves with the signal or exit code. */
  ended: Promise<string>
  kill(signal?: NodeJS.Signals): Promise<string>
}

/** Starts a platform on this environment; resolves when it is ready, or null when it died on the way there. */
export async function startPlatformProcess(env: Record<string, string>): Promise<RunningPlatform | null> {
  return running(['--import', 'tsx', program], env)
}

/** The same, in half the time: for tests that start it hundreds of times. On the simulated world only. */
export async function startCompiledPlatform(env: Record<string, string>): Promise<RunningPlatform | null> {
  return running([await compiledPlatform()], env)
}

async function running(args: readonly string[], env: Record<string, string>): Promise<RunningPlatform | null> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, PORT: '0', CAIS_LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit').then(([code, signal]) => String(signal ?? code))
  const lines = createInterface({ input: child.stdout })
  const ready = once(lines, 'line').then(([line]) => JSON.parse(line as string) as { url: string })
  const first = await Promise.race([ready, ended])
  if (typeof first === 'string') return null
  const kill = async (signal: NodeJS.Signals = 'SIGKILL') => {
    child.kill(signal)
    return ended
  }
  return { url: first.url, child, ended, kill }
}

export interface Answer {
  status: number
  body: Record<string, unknown>
}

/** A client of the platform in `dataDir` that goes on asking while the platform is being killed and started again. */
export class PatientClient {
  url = ''
  readonly dataDir: string
  constructor(dataDir: string) {
    this.dataDir = dataDir
  }

  /** One request; null when nobody answered (the platform died under it). */
  async try(method: string, at: string, body?: unknown, key?: string): Promise<Answer | null> {
    const token = (await readFile(path.join(this.dataDir, 'token'), 'utf8')).trim()
    const client = new Client(`${this.url}/v1`, token)
    try {
      const { status, body: answered } = await client.send(method, at, body, key ? { 'idempotency-key': key } : {})
      return { status, body: answered ?? {} }
    } catch (error) {
      if (error instanceof TypeError) return null
      throw error
    }
  }
}

/** Asks again until `look` answers something; throws after `ms` milliseconds, which no machine is too slow for. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | null | false>,
  ms = 90_000,
): Promise<T> {
  const deadline = Date.now() + ms
  for (;;) {
    const seen = await look()
    if (seen !== undefined && seen !== null && seen !== false) return seen
    if (Date.now() > deadline) throw new Error(`never came true: ${what}`)
    await delay(20)
  }
}
