// HAProxy as a process of its own: started, found again, replaced without closing a connection, and told things through
// its runtime socket.
import { createHash } from 'node:crypto'
import { execFile } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { DriverError } from '../contracts.ts'
import { writeChanged } from './atomic-file.ts'
import type { LeafFiles } from './authority.ts'
import { serialOf } from './authority.ts'
import { findDaemon, startDaemon, stopDaemon } from './daemon.ts'
import {
  adminSocket,
  connectionsFor,
  renderHaproxyConfig,
  renderHoldScript,
  type HaproxySettings,
} from './haproxy-config.ts'
import { requireProgram, toolEnv } from './network.ts'

const run = promisify(execFile)
const COMMAND_TIMEOUT_MS = 5000
const ACCOUNT = 'haproxy'

export type Endpoints = Pick<
  HaproxySettings,
  'publicAddress' | 'httpsPort' | 'httpPort' | 'platformAddress' | 'privatePort'
>

export class Haproxy {
  readonly #runDir: string
  readonly #logFile: string
  readonly #endpoints: Endpoints
  #loadedSerial: string | null = null

  constructor(runDir: string, logFile: string, endpoints: Endpoints) {
    this.#runDir = runDir
    this.#logFile = logFile
    this.#endpoints = endpoints
  }

  /**
   * Makes HAProxy run with the configuration of this version and this certificate. A living one is left alone; one of
   * another configuration hands over its listeners and ends with its last connection. True when it was started.
   */
  async ensure(certificate: LeafFiles): Promise<boolean> {
    const files = await this.#writeFiles(certificate)
    const pid = await findDaemon(this.#pidFile, `${this.#runDir}/haproxy.`)
    if (pid !== null && (await findDaemon(this.#pidFile, files.config)) === pid) {
      await this.#renewCertificate(files.pem)
      return false
    }
    await requireProgram('haproxy')
    if (pid === null) await this.#requireFreePorts()
    await this.#check(files.config)
    await this.#start(files.config, pid)
    this.#loadedSerial = await serialOf(files.pem)
    await this.#removeOldFiles(files)
    return true
  }

  async stop(): Promise<void> {
    const pid = await findDaemon(this.#pidFile, `${this.#runDir}/haproxy.`)
    if (pid !== null) await stopDaemon(pid, this.#pidFile)
  }

  /** Sends one command to the runtime socket and answers its output, trimmed. */
  async command(text: string): Promise<string> {
    try {
      return (await exchange(adminSocket(this.#runDir), `${text}\n`)).trim()
    } catch (cause) {
      const message = `HAProxy does not answer on its runtime socket (${(cause as Error).message})`
      throw new DriverError('unavailable', message, { temporary: true, cause })
    }
  }

  async alive(): Promise<boolean> {
    return await this.command('show info').then(
      info => info.includes('Name: HAProxy'),
      () => false,
    )
  }

  get #pidFile(): string {
    return path.join(this.#runDir, 'haproxy.pid')
  }

  /** The names of the files carry a hash of what they say: a running HAProxy shows in its command line what it runs. */
  async #writeFiles(certificate: LeafFiles): Promise<{ config: string; script: string; pem: string }> {
    const pem = path.join(this.#runDir, 'apps.pem')
    await writeChanged(pem, await readFile(certificate.pemPath, 'utf8'), 0o600)

    const holdText = renderHoldScript(this.#runDir)
    const script = path.join(this.#runDir, `hold.${hash(holdText)}.lua`)
    const text = renderHaproxyConfig({
      ...this.#endpoints,
      runDir: this.#runDir,
      pemFile: pem,
      holdScript: script,
      maxConnections: connectionsFor(await descriptorLimit()),
      user: await account(),
    })
    const config = path.join(this.#runDir, `haproxy.${hash(text)}.cfg`)
    await writeChanged(script, holdText)
    await writeChanged(config, text)
    return { config, script, pem }
  }

  async #start(config: string, predecessor: number | null): Promise<void> {
    const args = ['-db', '-f', config]
    if (predecessor !== null) args.push('-sf', String(predecessor))
    await startDaemon(
      { name: 'HAProxy', pidFile: this.#pidFile, logFile: this.#logFile, command: 'haproxy', args, cwd: '/' },
      async pid => (await this.command('show info').catch(() => '')).includes(`\nPid: ${pid}\n`), // not its predecessor
    ).catch(cause => {
      throw new DriverError('unavailable', (cause as Error).message, { temporary: true, cause })
    })
  }

  async #check(config: string): Promise<void> {
    try {
      await run('haproxy', ['-c', '-f', config], { env: toolEnv() })
    } catch (cause) {
      const output = (cause as { stderr?: string }).stderr ?? String(cause)
      throw new DriverError('unavailable', `HAProxy refuses its configuration: ${output.trim()}`, { cause })
    }
  }

  /** Gives a certificate that was issued again to the running HAProxy; nothing is closed. */
  async #renewCertificate(pem: string): Promise<void> {
    const serial = await serialOf(pem)
    if (this.#loadedSerial === serial) return
    const shown = await this.command(`show ssl cert ${pem}`)
    if (!new RegExp(`^Serial: 0*${serial}$`, 'im').test(shown)) {
      await this.command(`set ssl cert ${pem} <<\n${(await readFile(pem, 'utf8')).trim()}\n`)
      const committed = await this.command(`commit ssl cert ${pem}`)
      if (!committed.includes('Success')) {
        throw new DriverError('unavailable', `HAProxy: ${committed}`, { temporary: true })
      }
    }
    this.#loadedSerial = serial
  }

  async #requireFreePorts(): Promise<void> {
    const { publicAddress, httpsPort, httpPort, platformAddress, privatePort } = this.#endpoints
    await requireFreePort(publicAddress, httpsPort, 'public HTTPS', 'HTTPS_PORT or CAIS_PUBLIC_ADDRESS')
    await requireFreePort(publicAddress, httpPort, 'public HTTP', 'HTTP_PORT or CAIS_PUBLIC_ADDRESS')
    await requireFreePort(platformAddress, privatePort, 'private names', 'CAIS_PLATFORM_POOL')
  }

  async #removeOldFiles(current: { config: string; script: string }): Promise<void> {
    for (const name of await readdir(this.#runDir)) {
      const file = path.join(this.#runDir, name)
      const ours = /^(haproxy\..*\.cfg|hold\..*\.lua)$/.test(name)
      if (ours && file !== current.config && file !== current.script) await rm(file, { force: true })
    }
  }
}

/** Makes the folder in which HAProxy finds its maps, readable by the account it becomes. */
export async function makeRunDir(runDir: string): Promise<void> {
  await mkdir(path.join(runDir, 'maps'), { recursive: true })
  await chmod(runDir, 0o755)
}

async function requireFreePort(host: string, port: number, what: string, variable: string): Promise<void> {
  const server = net.createServer()
  const error = await new Promise<NodeJS.ErrnoException | null>(resolve => {
    server.once('error', resolve)
    server.listen({ host, port }, () => server.close(() => resolve(null)))
  })
  if (error === null) return
  const reasons: Record<string, string> = {
    EADDRINUSE: `another program listens there. Stop it (see it with: ss -ltnp 'sport = :${port}')`,
    EACCES: 'this needs root',
    EADDRNOTAVAIL: 'this machine does not have that address',
  }
  const reason = reasons[error.code ?? ''] ?? error.message
  const message = `The router cannot listen on ${host}:${port} (${what}): ${reason}, or choose another with ${variable}.`
  throw new DriverError('unavailable', message, { temporary: true, cause: error })
}

function exchange(socketPath: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(socketPath)
    const chunks: Buffer[] = []
    socket.setTimeout(COMMAND_TIMEOUT_MS, () => socket.destroy(new Error('no answer in time')))
    socket.on('data', chunk => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
    socket.end(text)
  })
}

async function account(): Promise<{ name: string; group: string } | null> {
  if (process.getuid?.() !== 0) return null
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n')
  return lines.some(line => line.startsWith(`${ACCOUNT}:`)) ? { name: ACCOUNT, group: ACCOUNT } : null
}

async function descriptorLimit(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8')
  const hard = /^Max open files\s+\S+\s+(\d+)/m.exec(limits)?.[1]
  return hard === undefined ? 1024 : Number(hard)
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)
