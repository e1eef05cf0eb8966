// Certificates of custom hosts: in one file for us, in a file each for HAProxy's next start, and inside the running one,
// which takes them through its runtime socket without closing anything.
import { X509Certificate } from 'node:crypto'
import { chmod, mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { DriverError, type HostCertificate } from '../contracts.ts'
import { readIfPresent, writeChanged } from './atomic-file.ts'
import { hostFile, hostList } from './haproxy-config.ts'
import { checkHost } from './routes.ts'

/** Host → key and chain. */
type Hosts = Map<string, string>

export class HostCertificates {
  readonly #runDir: string
  readonly #stateFile: string
  readonly #command: (text: string) => Promise<string>
  #wanted: Hosts | null = null
  /** What the running HAProxy has; null = look. */
  #live: Hosts | null = null

  constructor(runDir: string, stateFile: string, command: (text: string) => Promise<string>) {
    this.#runDir = runDir
    this.#stateFile = stateFile
    this.#command = command
  }

  /** Exactly these, on disk and live. */
  async set(certificates: HostCertificate[]): Promise<void> {
    for (const { host } of certificates) checkHost(host)
    this.#wanted = new Map(certificates.map(({ host, pem }) => [host, pem]))
    await writeChanged(this.#stateFile, JSON.stringify([...this.#wanted]), 0o600)
    await this.write()
    await this.goLive(false)
  }

  /** Writes what HAProxy reads when it starts. */
  async write(): Promise<void> {
    const wanted = await this.#load()
    const list = hostList(this.#runDir)
    await mkdir(path.dirname(list), { recursive: true })
    await chmod(path.dirname(list), 0o700)
    for (const [host, pem] of wanted) await writeChanged(hostFile(this.#runDir, host), pem, 0o600)
    await writeChanged(list, [...wanted.keys()].map(host => `${hostFile(this.#runDir, host)}\n`).join(''), 0o600)
    const files = new Set([list, ...[...wanted.keys()].map(host => hostFile(this.#runDir, host))])
    for (const name of await readdir(path.dirname(list))) {
      const file = path.join(path.dirname(list), name)
      if (!files.has(file)) await rm(file, { force: true })
    }
  }

  /** Brings the running HAProxy to what is on disk. `fresh`: it has just read it. */
  async goLive(fresh: boolean): Promise<void> {
    const wanted = await this.#load()
    const live = fresh ? wanted : (this.#live ?? (await this.#look(wanted)))
    this.#live = null // until all of it is done, we do not know
    for (const [host, pem] of wanted) {
      if (!live.has(host)) await this.#add(host, pem)
      else if (live.get(host) !== pem) await this.#replace(host, pem)
    }
    for (const host of live.keys()) if (!wanted.has(host)) await this.#remove(host)
    this.#live = new Map(wanted)
  }

  async #load(): Promise<Hosts> {
    if (this.#wanted) return this.#wanted
    const text = await readIfPresent(this.#stateFile)
    this.#wanted = new Map(text === null ? [] : (JSON.parse(text) as [string, string][]))
    return this.#wanted
  }

  /** A certificate that it has is told by its serial number; one that differs reads as another text. */
  async #look(wanted: Hosts): Promise<Hosts> {
    const lines = (await this.#command(`show ssl crt-list ${hostList(this.#runDir)}`)).split('\n')
    const found: Hosts = new Map()
    for (const line of lines) {
      const host = hostOf(this.#runDir, line.trim().split(/[ :]/)[0] ?? '')
      if (host === null) continue
      const pem = wanted.get(host) ?? ''
      const shown = pem === '' ? '' : await this.#command(`show ssl cert ${hostFile(this.#runDir, host)}`)
      const serial = pem === '' ? '' : new X509Certificate(pem).serialNumber.replace(/^0+/, '')
      found.set(host, serial !== '' && new RegExp(`^Serial: 0*${serial}$`, 'im').test(shown) ? pem : '')
    }
    return found
  }

  async #add(host: string, pem: string): Promise<void> {
    const file = hostFile(this.#runDir, host)
    const made = await this.#command(`new ssl cert ${file}`)
    if (!/New empty certificate|already exists/i.test(made)) throw refusal(made)
    await this.#commit(file, pem)
    const added = await this.#command(`add ssl crt-list ${hostList(this.#runDir)} ${file}`)
    if (!/Success|already/.test(added)) throw refusal(added)
  }

  async #replace(host: string, pem: string): Promise<void> {
    await this.#commit(hostFile(this.#runDir, host), pem)
  }

  async #commit(file: string, pem: string): Promise<void> {
    // An empty line would end the payload.
    const payload = pem.split('\n').filter(line => line.trim() !== '')
    const set = await this.#command(`set ssl cert ${file} <<\n${payload.join('\n')}\n`)
    if (!/Transaction (created|updated)/.test(set)) throw refusal(set)
    const committed = await this.#command(`commit ssl cert ${file}`)
    if (!committed.includes('Success')) throw refusal(committed)
  }

  async #remove(host: string): Promise<void> {
    const file = hostFile(this.#runDir, host)
    const taken = await this.#command(`del ssl crt-list ${hostList(this.#runDir)} ${file}`)
    if (!/deleted|can't delete|not found/i.test(taken)) throw refusal(taken)
    const removed = await this.#command(`del ssl cert ${file}`)
    if (!/deleted|doesn't exist/i.test(removed)) throw refusal(removed)
  }
}

function hostOf(runDir: string, file: string): string | null {
  const prefix = hostFile(runDir, '').slice(0, -'.pem'.length)
  return file.startsWith(prefix) && file.endsWith('.pem') ? file.slice(prefix.length, -'.pem'.length) : null
}

function refusal(answer: string): DriverError {
  return new DriverError('unavailable', `HAProxy refused a certificate: ${answer}`, { temporary: true })
}
