// One build by the engine's own builder: the only one on this engine that obeys limits of memory (dataplane 2).
import { setTimeout as sleep } from 'node:timers/promises'
import type { Readable } from 'node:stream'
import type Docker from 'dockerode'
import { LOGS } from '../../domain/limits.ts'
import { DriverError, type LineSink } from '../contracts.ts'
import { isUnreachable, refused, statusOf, unavailable } from '../docker/engine.ts'
import { jsonLines } from '../docker/json-lines.ts'
import { DOCKERFILE } from './context.ts'
import { diskFull, failed, outOfMemory, tooLong } from './refusal.ts'

const MIB = 1024 * 1024
const CPU_PERIOD = 100_000
/** The engine tells of a kill for memory a moment after the step has ended. */
const OOM_NEWS_MS = 300
const LAST_LINES = 20
const LOOK_EVERY_MS = 100
/** So often in a row nothing may be seen of an aborted build before it counts as gone. */
const QUIET_LOOKS = 3
/** A cached layer was removed between two steps, by another installation on the same engine. */
const LOST_LAYER = /no such image: sha256|unknown parent image/i
const NO_SPACE = /no space left on device|ENOSPC/i

export interface EngineBuild {
  context: Readable
  tag: string
  network: string
  memoryMb: number
  timeoutMs: number
}

interface BuildEvent {
  stream?: string
  status?: string
  aux?: { ID?: string }
  error?: string
  errorDetail?: { code?: number; message: string }
}

/**
 * Runs a build and answers the image's id. `made` hears the short id of each layer. When it was aborted, or took too long, it
 * returns only after the running step is gone. Throws DriverError build_oom | build_timeout | build_disk_full | deploy_failed.
 */
export async function runBuild(
  docker: Docker,
  build: EngineBuild,
  log: LineSink,
  made: (layer: string) => void,
  signal: AbortSignal,
): Promise<string> {
  const timeout = AbortSignal.timeout(build.timeoutMs)
  const watch = new StepWatch(docker, build)
  const output = new BuildOutput(log, made)
  try {
    const stream = await begin(docker, build, AbortSignal.any([signal, timeout]))
    for await (const event of jsonLines<BuildEvent>(stream)) {
      output.hear(event)
      if (event.error) throw new StepFailure(event)
    }
    if (output.image) return output.image
    throw unavailable('the build ended without a result')
  } catch (error) {
    build.context.destroy()
    if (signal.aborted || timeout.aborted) await watch.removeAll()
    signal.throwIfAborted()
    if (timeout.aborted) throw tooLong(build.timeoutMs)
    throw await explain(error, output, watch)
  }
}

async function begin(docker: Docker, build: EngineBuild, signal: AbortSignal): Promise<Readable> {
  return (await docker.buildImage(build.context, {
    t: build.tag,
    dockerfile: DOCKERFILE,
    memory: build.memoryMb * MIB,
    memswap: build.memoryMb * MIB,
    cpuperiod: CPU_PERIOD,
    cpuquota: CPU_PERIOD,
    networkmode: build.network,
    extrahosts: markOf(build.tag),
    forcerm: true,
    abortSignal: signal,
  })) as Readable
}

class StepFailure extends Error {
  readonly code: number | null
  constructor(event: BuildEvent) {
    super(event.errorDetail?.message ?? event.error ?? '')
    this.name = 'StepFailure'
    this.code = event.errorDetail?.code ?? null
  }
}

async function explain(error: unknown, output: BuildOutput, watch: StepWatch): Promise<unknown> {
  if (error instanceof DriverError) return error
  const message = String((error as Error).message)
  if (NO_SPACE.test(message) || (error instanceof StepFailure && NO_SPACE.test(output.last.join('\n'))))
    return diskFull(error)
  if (LOST_LAYER.test(message)) return refused('going on from a cached layer', error)
  if (error instanceof StepFailure) {
    if (error.code === 137 || (await watch.starved(output.containers, output.startedAt))) return outOfMemory(error)
    return failed(inWords(error), error)
  }
  if (isUnreachable(error) || error instanceof SyntaxError) return unavailable('building an image', error)
  // A refusal of the engine before the first step is about the Dockerfile.
  if (statusOf(error) !== null) return failed(`o Dockerfile não é válido (${oneLine(message)})`, error)
  return error
}

function inWords(error: StepFailure): string {
  const [, step, code] =
    /The command '(?:\/bin\/sh -c )?(.*)' returned a non-zero code: (\d+)/s.exec(error.message) ?? []
  if (step) return `a etapa "${oneLine(step)}" terminou com código ${code}; veja o log de build`
  return `${oneLine(error.message)}; veja o log de build`
}

function oneLine(text: string): string {
  const line = text
    .replace(/\(HTTP code \d+\) [\w ]* - /, '')
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > 160 ? `${line.slice(0, 159)}…` : line
}

/** What the engine says of a build, as lines for people, and the ids among them. */
class BuildOutput {
  image: string | null = null
  readonly containers: string[] = []
  readonly last: string[] = []
  readonly startedAt = Date.now()
  readonly #log: LineSink
  readonly #made: (layer: string) => void
  #pending = ''

  constructor(log: LineSink, made: (layer: string) => void) {
    this.#log = log
    this.#made = made
  }

  hear(event: BuildEvent): void {
    if (event.aux?.ID) this.image = event.aux.ID
    const text = event.stream ?? (event.status ? `${event.status}\n` : '')
    const lines = (this.#pending + text).split('\n')
    // A line without an end is not waited for: the last state of a progress bar, or else its beginning, is enough.
    this.#pending = bounded(lines.pop() ?? '')
    for (const line of lines) this.#line(line)
    if (event.error) this.#line(this.#pending)
  }

  #line(raw: string): void {
    // Colours, and all but the last state of a progress bar.
    const line =
      raw
        .replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '')
        .replace(/\r+$/, '')
        .split('\r')
        .at(-1)
        ?.trimEnd() ?? ''
    const [, running] = /^ ---> Running in ([0-9a-f]{12})$/.exec(line) ?? []
    if (running) this.containers.push(running)
    const [, layer] = /^ ---> ([0-9a-f]{12})$/.exec(line) ?? []
    if (layer) this.#made(layer)
    if (
      line === '' ||
      running ||
      layer ||
      /^(Removing intermediate|Successfully (built|tagged)|Step \d+\/\d+ : LABEL cais\.)/.test(line)
    )
      return
    this.last.push(line)
    if (this.last.length > LAST_LINES) this.last.shift()
    this.#log(line === ' ---> Using cache' ? '  (em cache)' : line)
  }
}

function bounded(line: string): string {
  if (line.length <= LOGS.maxReadBytes) return line
  return line.slice(line.lastIndexOf('\r') + 1).slice(0, LOGS.maxReadBytes)
}

/** The containers in which steps run. They have neither names nor labels of ours: an entry in their hosts file marks them. */
class StepWatch {
  readonly #docker: Docker
  readonly #network: string
  readonly #mark: string

  constructor(docker: Docker, { network, tag }: EngineBuild) {
    this.#docker = docker
    this.#network = network
    this.#mark = markOf(tag)
  }

  /** True where the kernel ended a process of one of them: the step itself may have said no more than `Killed`. */
  async starved(containers: readonly string[], since: number): Promise<boolean> {
    if (containers.length === 0) return false
    await sleep(OOM_NEWS_MS)
    const history = await this.#docker.getEvents({
      since: String(Math.floor(since / 1000) - 1) as unknown as number,
      until: String(Date.now() / 1000) as unknown as number,
      filters: { type: ['container'], event: ['oom'] },
    })
    for await (const event of jsonLines<{ Actor: { ID: string } }>(history as unknown as Readable))
      if (containers.some(short => event.Actor.ID.startsWith(short))) return true
    return false
  }

  /** Waits until none is left. The engine removes them by itself; one that was just being made may be a moment late. */
  async removeAll(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_LOOKS;) {
      const running = await this.#running()
      quiet = running.length === 0 ? quiet + 1 : 0
      await Promise.all(running.map(container => this.#remove(container)))
      await sleep(LOOK_EVERY_MS)
    }
  }

  async #running(): Promise<Docker.Container[]> {
    const found = await this.#docker.listContainers({ all: true, filters: { network: [this.#network] } })
    const marked = await Promise.all(
      found.map(async ({ Id }) => {
        const container = this.#docker.getContainer(Id)
        const info = await container.inspect().catch(ignoreGone)
        return info?.HostConfig.ExtraHosts?.includes(this.#mark) ? container : null
      }),
    )
    return marked.filter(container => container !== null)
  }

  async #remove(container: Docker.Container): Promise<void> {
    // 409: the engine is removing it at this moment.
    await container.remove({ force: true, v: true }).catch((error: unknown) => {
      if (statusOf(error) !== 409) ignoreGone(error)
    })
    await container.wait({ condition: 'removed' }).catch(ignoreGone)
  }
}

function markOf(tag: string): string {
  return `build-${tag.split(':').at(-1)}.invalid:127.0.0.1`
}

function ignoreGone(error: unknown): null {
  if (statusOf(error) === 404) return null
  throw error
}
