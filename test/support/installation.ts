// One real installation of its own: platform process, Docker, router, engines, and the operator's command beside it.
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile } from 'node:fs/promises'
import https from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { GENEROUS_LIMITS, startPlatformProcess, type RunningPlatform } from './platform.ts'
import { freePort } from './router-lab.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const LOAD = fileURLToPath(new URL('./load.mjs', import.meta.url))
/** What may be asked again when its instance dies before it has answered. */
export const SAFE_LANES = [{ path: '/' }, { path: '/slow' }]
const LANES = [...SAFE_LANES, { path: '/', method: 'POST' }]

export interface Answer {
  status: number
  body: string
  authorized: boolean
}

export interface Outcome {
  good: number
  /** How often, by status or error. */
  bad: Record<string, number>
  /** In the order in which they were first seen. */
  versions: number[]
  /** Answers of a version older than one that had been seen before the request was sent. */
  backwards: number
}

/** A running load; `stop` answers what came of it. */
export interface Load {
  name: string
  stop(): Promise<Outcome>
}

export class Installation {
  readonly instance: string
  readonly dataDir: string
  readonly url: string
  readonly env: Record<string, string>
  #platform: RunningPlatform | null = null

  private constructor(instance: string, dataDir: string, env: Record<string, string>) {
    this.instance = instance
    this.dataDir = dataDir
    this.env = env
    this.url = `http://127.0.0.1:${env['PORT']}`
  }

  /** `pools`: second byte of two networks that nobody else on this machine uses. */
  static async prepare(instance: string, pools: [number, number], more: Record<string, string>): Promise<Installation> {
    const dataDir = await mkdtemp(path.join(tmpdir(), `cais-${instance}-`))
    return new Installation(instance, dataDir, {
      CAIS_RUNTIME: 'docker',
      CAIS_LIMITS: GENEROUS_LIMITS,
      CAIS_INSTANCE: instance,
      CAIS_PROJECT_POOL: `10.${pools[0]}.0.0/16`,
      CAIS_PLATFORM_POOL: `10.${pools[1]}.0.0/16`,
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      PORT: String(await freePort()),
      HTTPS_PORT: String(await freePort()),
      HTTP_PORT: String(await freePort()),
      ...more,
    })
  }

  async start(): Promise<void> {
    this.#platform = await startPlatformProcess(this.env)
    if (!this.#platform) throw new Error('the platform ended while it started')
  }

  /** kill -9 of the control plane; everything else goes on. */
  async kill(): Promise<void> {
    await this.#platform?.kill('SIGKILL')
  }

  async stop(): Promise<void> {
    await this.#platform?.kill('SIGTERM')
  }

  /** The operator's command, with the environment of the platform. Answers standard output. */
  async cais(...args: string[]): Promise<string> {
    const options = { cwd: root, env: { ...process.env, ...this.env } }
    return (await run('npm', ['run', '-s', 'cais', '--', ...args], options)).stdout.trim()
  }

  docker(...args: string[]): Promise<string> {
    return this.run('docker', ...args)
  }

  async run(program: string, ...args: string[]): Promise<string> {
    return (await run(program, args, { maxBuffer: 64 << 20 })).stdout.trim()
  }

  /** Ids of the containers of a service, running or not. */
  async containersOf(serviceId: string, ...more: string[]): Promise<string[]> {
    const filters = [`label=cais.instance=${this.instance}`, `label=cais.service=${serviceId}`, ...more]
    const words = filters.flatMap(filter => ['--filter', filter])
    return (await this.docker('ps', '-a', '-q', '--no-trunc', ...words)).split('\n').filter(Boolean)
  }

  async addressOf(container: string): Promise<string> {
    return this.docker('inspect', '-f', '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}', container)
  }

  /** Process id of a daemon of the router. */
  async pidOf(daemon: 'haproxy' | 'dns'): Promise<number> {
    return Number(await readFile(`/run/cais-${this.instance}/${daemon}.pid`, 'utf8'))
  }

  hostOf(publicUrl: string | undefined): string {
    if (!publicUrl) throw new Error('the service has no public address')
    return new URL(publicUrl).hostname
  }

  /** One HTTPS request to a public address, trusting the installation's own root and nothing else. */
  async visit(publicUrl: string | undefined, at = '/'): Promise<Answer> {
    const host = this.hostOf(publicUrl)
    const port = Number(this.env['HTTPS_PORT'])
    const ca = await readFile(path.join(this.dataDir, 'ca', 'root.crt'))
    return new Promise((resolve, reject) => {
      const where = { host: '127.0.0.1', port, servername: host, ca, agent: false, path: at, timeout: 20_000 } as const
      const request = https.get({ ...where, headers: { host: `${host}:${port}` } }, answer => {
        const { authorized } = answer.socket as import('node:tls').TLSSocket
        text(answer).then(body => resolve({ status: answer.statusCode ?? 0, body, authorized }), reject)
      })
      request.on('error', reject).on('timeout', () => request.destroy(new Error('no answer within 20 s')))
    })
  }

  async visitJson<T>(publicUrl: string | undefined, at = '/'): Promise<T> {
    return JSON.parse((await this.visit(publicUrl, at)).body) as T
  }

  async publicLoad(publicUrl: string | undefined, keepAlive: boolean, lanes: object[] = LANES): Promise<Load> {
    const host = this.hostOf(publicUrl)
    const port = Number(this.env['HTTPS_PORT'])
    const where = { secure: true, host: '127.0.0.1', port, servername: host, headers: { host: `${host}:${port}` } }
    const ca = await readFile(path.join(this.dataDir, 'ca', 'root.crt'), 'utf8')
    const LOAD_ENV = JSON.stringify({ ...where, ca, keepAlive, lanes })
    return load(`public, keep-alive ${keepAlive}`, process.execPath, [LOAD], { LOAD: LOAD_ENV })
  }

  /** From inside a running container, by the private name. */
  async privateLoad(container: string, service: string, keepAlive: boolean): Promise<Load> {
    const variable = `LOAD=${JSON.stringify({ host: service, port: 8080, keepAlive, lanes: LANES })}`
    const program = await readFile(LOAD, 'utf8')
    const inside = ['exec', '-i', '-e', variable, container, 'node', '--input-type=module', '-e', program]
    return load(`private, keep-alive ${keepAlive}`, 'docker', inside)
  }
}

function load(name: string, command: string, args: string[], env: Record<string, string> = {}): Load {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] })
  const said = text(child.stdout)
  return {
    name,
    async stop() {
      child.stdin.end()
      return JSON.parse(await said) as Outcome
    },
  }
}
