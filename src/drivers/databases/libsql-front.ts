// The TLS front of the libSQL servers seen from the platform: its process, and the file that tells it who may reach what.
import { createHash, randomBytes } from 'node:crypto'
import { chmod, copyFile, mkdir, readFile } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { DriverError } from '../contracts.ts'
import { replaceFile } from '../router/atomic-file.ts'
import type { LeafFiles } from '../router/authority.ts'
import { findDaemon, startDaemon, stopDaemon } from '../router/daemon.ts'

const SOURCES = ['libsql-front-server']
const APPLY_MS = 5_000

export interface FrontRoute {
  /** Of the server that has the database. */
  address: string
  /** CIDR of the only clients. */
  subnet: string
  /** Another number ends the connections that are open. */
  generation: number
}

export interface FrontRoutes {
  /** Another with every change: how we know that a change is in force. */
  revision: string
  /** By the first label of the host name. */
  routes: Record<string, FrontRoute>
}

export class LibsqlFront {
  readonly #folder: string
  readonly #address: string
  readonly #port: number
  #written: FrontRoutes | null = null

  constructor(folder: string, address: string, port: number) {
    this.#folder = folder
    this.#address = address
    this.#port = port
  }

  /** Makes the front run with this certificate; routes must have been written. */
  async ensure(certificate: LeafFiles): Promise<void> {
    const program = fileURLToPath(
      new URL(`./libsql-front-server${path.extname(fileURLToPath(import.meta.url))}`, import.meta.url),
    )
    const version = await versionOf(program, certificate, `${this.#address}:${this.#port}`)
    const mark = `${this.#folder}#${version}`
    if ((await findDaemon(this.#pidFile, mark)) !== null) return
    await this.stop()
    await copyFile(certificate.certPath, path.join(this.#folder, 'server.crt'))
    await copyFile(certificate.keyPath, path.join(this.#folder, 'server.key'))
    await chmod(path.join(this.#folder, 'server.key'), 0o600)
    const loader = program.endsWith('.ts') ? ['--import', import.meta.resolve('tsx')] : []
    const spec = {
      name: 'The TLS front of libSQL',
      pidFile: this.#pidFile,
      logFile: path.join(this.#folder, '..', 'front.log'),
      command: process.execPath,
      args: [...loader, program, this.#address, String(this.#port), mark],
      cwd: this.#folder,
    }
    await startDaemon(spec, async () => (await this.#inForce()) !== null).catch(cause => {
      throw new DriverError('unavailable', (cause as Error).message, { temporary: true, cause })
    })
  }

  /** Replaces the routes. Where the front runs, they are in force when this returns, on open connections too. */
  async write(routes: Record<string, FrontRoute>): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    await chmod(this.#folder, 0o755)
    if (this.#written && JSON.stringify(this.#written.routes) === JSON.stringify(routes)) return
    const next = { revision: randomBytes(8).toString('hex'), routes }
    await replaceFile(path.join(this.#folder, 'routes.json'), JSON.stringify(next))
    if ((await findDaemon(this.#pidFile, `${this.#folder}#`)) !== null) await this.#untilInForce(next.revision)
    this.#written = next
  }

  async alive(): Promise<boolean> {
    return (await this.#inForce()) !== null
  }

  async stop(): Promise<void> {
    const pid = await findDaemon(this.#pidFile, `${this.#folder}#`)
    if (pid !== null) await stopDaemon(pid, this.#pidFile)
  }

  async #untilInForce(revision: string): Promise<void> {
    for (const deadline = Date.now() + APPLY_MS; (await this.#inForce()) !== revision; await pause(20)) {
      if (Date.now() > deadline)
        throw new DriverError('unavailable', 'the TLS front of libSQL does not take its routes', { temporary: true })
    }
  }

  /** Revision of the routes that the front follows, or null where none answers. */
  async #inForce(): Promise<string | null> {
    const pid = await findDaemon(this.#pidFile, `${this.#folder}#`)
    if (pid === null) return null
    // Through /proc, as the path of a socket must be short and that of our folder may be long.
    const socket = net.connect(`/proc/${pid}/cwd/control.sock`)
    socket.setTimeout(APPLY_MS, () => socket.destroy(new Error('no answer')))
    return text(socket).catch(() => null)
  }

  get #pidFile(): string {
    return path.join(this.#folder, '..', 'front.pid')
  }
}

async function versionOf(program: string, certificate: LeafFiles, place: string): Promise<string> {
  const hash = createHash('sha256').update(process.version).update(place)
  const [folder, extension] = [path.dirname(program), path.extname(program)]
  for (const name of SOURCES) hash.update(await readFile(path.join(folder, name + extension)))
  return hash
    .update(await readFile(certificate.certPath))
    .digest('hex')
    .slice(0, 12)
}
