// The name server seen from the platform: its process, and the file that tells it the names.
import { createHash } from 'node:crypto'
import { chmod, mkdir, readFile } from 'node:fs/promises'
import dgram from 'node:dgram'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import dnsPacket from 'dns-packet'
import { DriverError } from '../contracts.ts'
import { writeChanged } from './atomic-file.ts'
import { findDaemon, startDaemon, stopDaemon } from './daemon.ts'
import type { NameBook } from './names.ts'

const SOURCES = ['dns-server', 'dns-forward', 'names']
const ANSWER_TIMEOUT_MS = 1000

export class NameServer {
  readonly #folder: string
  readonly #logFile: string
  readonly #address: string
  /** A name that the server knows as soon as it runs: what we ask it to see whether it is well. */
  readonly #known: string

  constructor(runDir: string, logFile: string, address: string, known: string) {
    this.#folder = path.join(runDir, 'dns')
    this.#logFile = logFile
    this.#address = address
    this.#known = known
  }

  /** Replaces the names; the very next question is answered from them. */
  async write(book: NameBook): Promise<void> {
    const file = path.join(this.#folder, 'names.json')
    await mkdir(this.#folder, { recursive: true })
    await chmod(this.#folder, 0o755)
    await writeChanged(file, JSON.stringify(book))
  }

  /** Makes a name server of this version run; names must have been written. True when it was started. */
  async ensure(): Promise<boolean> {
    const program = fileURLToPath(
      new URL(`./dns-server${path.extname(fileURLToPath(import.meta.url))}`, import.meta.url),
    )
    const generation = `${this.#folder}#${await versionOf(path.dirname(program), path.extname(program))}`
    if ((await findDaemon(this.#pidFile, generation)) !== null) return false
    await this.stop() // one of an older version: names are missing for some 0.3 s, and resolvers ask again
    const loader = program.endsWith('.ts') ? ['--import', import.meta.resolve('tsx')] : []
    const spec = {
      name: 'The name server',
      pidFile: this.#pidFile,
      logFile: this.#logFile,
      command: process.execPath,
      args: [...loader, program, this.#address, generation],
      cwd: this.#folder,
    }
    await startDaemon(spec, () => this.alive()).catch(cause => {
      const hint = 'Port 53 of this address must be free.'
      const message = `${(cause as Error).message} ${hint}`
      throw new DriverError('unavailable', message, { temporary: true, cause })
    })
    return true
  }

  async stop(): Promise<void> {
    const pid = await findDaemon(this.#pidFile, `${this.#folder}#`)
    if (pid !== null) await stopDaemon(pid, this.#pidFile)
  }

  /** True when it answers a question now. */
  async alive(): Promise<boolean> {
    const question = dnsPacket.encode({ type: 'query', id: 1, questions: [{ type: 'A', name: this.#known }] })
    const socket = dgram.createSocket('udp4')
    return await new Promise<boolean>(resolve => {
      const timer = setTimeout(() => resolve(false), ANSWER_TIMEOUT_MS)
      socket.on('message', () => {
        clearTimeout(timer)
        resolve(true)
      })
      socket.on('error', () => {
        clearTimeout(timer)
        resolve(false)
      })
      socket.connect(53, this.#address, () => socket.send(question))
    }).finally(() => socket.close())
  }

  get #pidFile(): string {
    return path.join(this.#folder, '..', 'dns.pid')
  }
}

async function versionOf(folder: string, extension: string): Promise<string> {
  const hash = createHash('sha256').update(process.version)
  for (const name of SOURCES) hash.update(await readFile(path.join(folder, name + extension)))
  return hash.digest('hex').slice(0, 12)
}
