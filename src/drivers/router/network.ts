// The kernel's part: the interface that carries the platform's own addresses, and the packet filter.
import { execFile, spawn } from 'node:child_process'
import { DriverError } from '../contracts.ts'

/** Debian package of each program that we run. */
const PACKAGES = { ip: 'iproute2', nft: 'nftables', haproxy: 'haproxy' }

export type Program = keyof typeof PACKAGES

/** Runs a system program and answers its output. Throws one clear error when it is not installed or refuses. */
export async function runProgram(program: Program, args: string[], input = ''): Promise<string> {
  return await new Promise((resolve, reject) => {
    const child = execFile(program, args, { maxBuffer: 64 << 20, env: toolEnv() }, (error, stdout, stderr) => {
      if (!error) resolve(stdout)
      else if (error.code === 'ENOENT') reject(notInstalled(program))
      else reject(refused(program, args, stderr || error.message, error))
    })
    child.stdin?.on('error', () => undefined) // it ended without reading; its exit code tells the story
    child.stdin?.end(input)
  })
}

/** Throws unless the program can be started. */
export async function requireProgram(program: Program): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const child = spawn(program, ['-v'], { stdio: 'ignore', env: toolEnv() })
    child.once('error', () => reject(notInstalled(program)))
    child.once('exit', () => resolve())
  })
}

/** Environment in which the tools of an administrator are found, also where PATH is a user's. */
export function toolEnv(): Record<string, string> {
  return { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/bin:/sbin:/bin` }
}

/**
 * Makes the interface be there, up, with exactly these IPv4 addresses. It is a bridge without ports: the one kind of
 * interface that keeps addresses and exists in every kernel.
 */
export async function ensureInterface(name: string, addresses: string[]): Promise<void> {
  const present = await addressesOf(name)
  if (present === null) await runProgram('ip', ['link', 'add', 'name', name, 'type', 'bridge'])
  if (!present?.up) await runProgram('ip', ['link', 'set', name, 'up'])
  const wanted = addresses.map(address => `${address}/32`)
  for (const address of wanted) {
    if (!present?.addresses.includes(address)) await runProgram('ip', ['addr', 'replace', address, 'dev', name])
  }
  for (const address of present?.addresses ?? []) {
    if (!wanted.includes(address)) await runProgram('ip', ['addr', 'del', address, 'dev', name])
  }
}

/** Removes the interface; none is success. */
export async function removeInterface(name: string): Promise<void> {
  if ((await addressesOf(name)) !== null) await runProgram('ip', ['link', 'del', name])
}

async function addressesOf(name: string): Promise<{ up: boolean; addresses: string[] } | null> {
  const interfaces = JSON.parse((await runProgram('ip', ['-j', 'addr', 'show'])) || '[]') as {
    ifname: string
    flags: string[]
    addr_info: { family: string; local: string; prefixlen: number }[]
  }[]
  const found = interfaces.find(each => each.ifname === name)
  if (!found) return null
  const addresses = found.addr_info.filter(info => info.family === 'inet')
  return { up: found.flags.includes('UP'), addresses: addresses.map(info => `${info.local}/${info.prefixlen}`) }
}

/** The packet filter: loads a table when its text is new or somebody changed what is loaded. */
export class PacketFilter {
  readonly #table: string
  #loaded: { rules: string; listing: string } | null = null

  constructor(table: string) {
    this.#table = table
  }

  /** Makes the kernel have these rules; false when it had them already. */
  async ensure(rules: string): Promise<boolean> {
    const current = this.#loaded?.rules === rules && (await this.#list()) === this.#loaded.listing
    if (current) return false
    await runProgram('nft', ['-f', '-'], rules)
    this.#loaded = { rules, listing: await this.#list() }
    return true
  }

  /** Loads the rules if their text is new, without looking at the kernel. */
  async change(rules: string): Promise<void> {
    if (this.#loaded?.rules !== rules) await this.ensure(rules)
  }

  async intact(): Promise<boolean> {
    return this.#loaded !== null && (await this.#list()) === this.#loaded.listing
  }

  async remove(): Promise<void> {
    this.#loaded = null
    await runProgram('nft', ['-f', '-'], `table inet ${this.#table} {\n}\ndelete table inet ${this.#table}\n`)
  }

  /** The table without its counters, or '' when it is not there. */
  async #list(): Promise<string> {
    const tables = await runProgram('nft', ['list', 'tables'])
    if (!tables.split('\n').includes(`table inet ${this.#table}`)) return ''
    return await runProgram('nft', ['-s', 'list', 'table', 'inet', this.#table])
  }
}

function notInstalled(program: Program): DriverError {
  const message =
    `The router needs the program "${program}", which is not installed. ` +
    `Install it: apt-get install ${PACKAGES[program]}`
  return new DriverError('unavailable', message, { temporary: true })
}

function refused(program: Program, args: string[], output: string, cause: unknown): DriverError {
  const denied = /not permitted|permission denied/i.test(output)
  const hint = denied ? ' The router needs root (CAP_NET_ADMIN): start the platform as root.' : ''
  const message = `"${program} ${args.join(' ')}" failed: ${output.trim().slice(0, 1000)}${hint}`
  return new DriverError('unavailable', message, { temporary: true, cause })
}
