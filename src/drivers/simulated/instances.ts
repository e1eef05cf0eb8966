// The simulated containers. No process stands behind one: its file says when it will exit, so it "runs" also while the
// platform is dead, and every process sees the same.
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { DriverError, type Instance, type InstanceSpec } from '../contracts.ts'
import { behaviourOf, type Behaviour } from './behaviour.ts'
import { appendLine, Folder, readLines } from './disk.ts'
import { imagesOf, type SimulatedImage } from './builder.ts'

export interface SimulatedInstance {
  spec: InstanceSpec
  containerId: string
  behaviour: Behaviour
  starts: number
  address: string
  startedAt: number
  /** Answers from here on; null = never. Milliseconds since 1970, like the others. */
  answersAt: number | null
  exitsAt: number | null
  exitCode: number
  outOfMemory: boolean
}

export class Instances {
  readonly #dir: string
  readonly #records: Folder<SimulatedInstance>
  readonly #addresses: Folder<string>
  readonly #images: Folder<SimulatedImage>

  constructor(dir: string) {
    this.#dir = dir
    this.#records = new Folder(path.join(dir, 'instances'))
    this.#addresses = new Folder(path.join(dir, 'addresses'))
    this.#images = imagesOf(dir)
    new Folder(path.join(dir, 'logs'))
  }

  read(deploymentId: string): SimulatedInstance | null {
    return this.#records.read(deploymentId)
  }

  all(): SimulatedInstance[] {
    return this.#records.all()
  }

  ids(): string[] {
    return this.#records.names()
  }

  version(deploymentId: string): string | null {
    return this.#records.version(deploymentId)
  }

  /** Creates it, or starts it again when it has exited; one that runs stays as it is. */
  start(spec: InstanceSpec): SimulatedInstance {
    const present = this.read(spec.deploymentId)
    if (present && runs(present)) return present
    const record = this.#started(present?.spec ?? spec, present)
    if (present) this.#records.replace(spec.deploymentId, record)
    else if (!this.#records.create(spec.deploymentId, record)) {
      this.#addresses.remove(record.address)
      return this.start(spec)
    }
    this.#releaseAddresses(spec.deploymentId, record.address)
    this.say(spec.deploymentId, `${spec.serviceName} started, port ${record.spec.env['PORT'] ?? 'none'}`)
    if (record.behaviour.name === 'readonly') this.say(spec.deploymentId, "EROFS: read-only file system, open '/app/x'")
    if (record.behaviour.name === 'crash') this.say(spec.deploymentId, 'Error: this version crashes')
    return record
  }

  /** It exits at this very moment. Nothing happens to one that has exited. */
  exit(deploymentId: string, exitCode: number, outOfMemory = false): void {
    const record = this.read(deploymentId)
    if (!record || !runs(record)) return
    this.#records.replace(deploymentId, { ...record, exitsAt: Date.now(), exitCode, outOfMemory })
  }

  remove(deploymentId: string): void {
    this.#records.remove(deploymentId)
    this.#releaseAddresses(deploymentId, null)
    new Folder(path.join(this.#dir, 'logs')).remove(deploymentId)
  }

  /** One line of output. */
  say(deploymentId: string, text: string): void {
    appendLine(this.#log(deploymentId), `${stamp()} ${text}`)
  }

  lines(deploymentId: string): { at: string; text: string }[] {
    return readLines(this.#log(deploymentId)).map(line => {
      const gap = line.indexOf(' ')
      return { at: line.slice(0, gap), text: line.slice(gap + 1) }
    })
  }

  #started(spec: InstanceSpec, before: SimulatedInstance | null): SimulatedInstance {
    const now = Date.now()
    const behaviour = before?.behaviour ?? this.#behaviourOfImage(spec.image)
    const starts = (before?.starts ?? 0) + 1
    const dies = exitsOf(behaviour.name, starts)
    return {
      spec,
      containerId: before?.containerId ?? randomBytes(32).toString('hex'),
      behaviour,
      starts,
      address: this.#claimAddress(spec),
      startedAt: now,
      answersAt: dies?.beforeAnswer || behaviour.name === 'no-http' ? null : now + bootMs(behaviour),
      exitsAt: dies ? now + behaviour.afterMs : null,
      exitCode: dies?.code ?? 0,
      outOfMemory: behaviour.name === 'oom',
    }
  }

  #behaviourOfImage(image: string): Behaviour {
    const found = this.#images.all().find(one => one.image === image)
    if (found) return behaviourOf(found.ref)
    throw new DriverError('deploy_failed', `no image ${image}`, { details: { motivo: 'a imagem não existe mais' } })
  }

  // Every start takes another address, as it may in the real world. The first ones of a network are its gateway's.
  #claimAddress(spec: InstanceSpec): string {
    const [base = '10.0.0.0', bits = '25'] = spec.network.subnet.split('/')
    const parts = base.split('.').map(Number)
    const last = 2 ** (32 - Number(bits)) - 2
    for (let host = 2; host <= last; host++) {
      const [a, b, c, d] = parts as [number, number, number, number]
      const low = c * 256 + d + host
      const address = `${a}.${b}.${Math.floor(low / 256)}.${low % 256}`
      if (this.#addresses.create(address, spec.deploymentId)) return address
    }
    throw new DriverError('network_full', `no free address in ${spec.network.subnet}`, { temporary: true })
  }

  #releaseAddresses(deploymentId: string, keep: string | null): void {
    for (const address of this.#addresses.names())
      if (address !== keep && this.#addresses.read(address) === deploymentId) this.#addresses.remove(address)
  }

  #log(deploymentId: string): string {
    return path.join(this.#dir, 'logs', encodeURIComponent(deploymentId))
  }
}

export function runs(record: SimulatedInstance): boolean {
  return record.exitsAt === null || record.exitsAt > Date.now()
}

/** True while a request to it would be answered with 200. */
export function answers(record: SimulatedInstance): boolean {
  return runs(record) && record.answersAt !== null && record.answersAt <= Date.now()
}

export function toInstance(record: SimulatedInstance): Instance {
  const running = runs(record)
  return {
    deploymentId: record.spec.deploymentId,
    serviceId: record.spec.serviceId,
    projectId: record.spec.projectId,
    containerId: record.containerId,
    running,
    address: running ? record.address : null,
    exitCode: running ? null : record.exitCode,
    outOfMemory: !running && record.outOfMemory,
    finishedAt: running || record.exitsAt === null ? null : new Date(record.exitsAt).toISOString(),
  }
}

function bootMs(behaviour: Behaviour): number {
  return behaviour.name === 'slow' ? behaviour.afterMs : 5
}

function exitsOf(name: string, starts: number): { code: number; beforeAnswer: boolean } | null {
  if (name === 'crash' || name === 'readonly') return { code: 1, beforeAnswer: true }
  if (name === 'oom') return { code: 137, beforeAnswer: true }
  if (name === 'exit-later') return { code: 1, beforeAnswer: false }
  if (name === 'exit-once' && starts === 1) return { code: 1, beforeAnswer: false }
  return null
}

let lastStamp = 0n

// RFC 3339 with nanoseconds, never twice the same within a process.
function stamp(): string {
  const now = BigInt(Math.floor((performance.timeOrigin + performance.now()) * 1000)) * 1000n
  lastStamp = now > lastStamp ? now : lastStamp + 1n
  const seconds = new Date(Number(lastStamp / 1_000_000n)).toISOString().slice(0, 19)
  return `${seconds}.${String(lastStamp % 1_000_000_000n).padStart(9, '0')}Z`
}
