// Source to image. What a deployment runs is tagged `<instance>/<serviceId>:<deploymentId>`, built or pulled.
import { access, constants, statfs } from 'node:fs/promises'
import path from 'node:path'
import type Docker from 'dockerode'
import { interfacePrefix } from '../../domain/addresses.ts'
import type { Builder, BuildJob, LineSink } from '../contracts.ts'
import { refused, statusOf, withEngine } from '../docker/engine.ts'
import { ensureBridge } from '../docker/networks.ts'
import { contextOf } from './context.ts'
import { runBuild } from './engine-build.ts'
import { imageId, obtainImage, ownTags, removeTag, tagOf, withReachableBases } from './images.ts'
import { LayerRecords } from './layers.ts'
import { planBuild } from './plan.ts'
import { readProject } from './project.ts'
import { diskFull, tooLong, unreadable } from './refusal.ts'

/** A build is not begun with less than this left where the engine keeps images. */
const DISK_FLOOR_BYTES = 1024 ** 3

export interface BuilderOptions {
  docker: Docker
  config: { instance: string; dataDir: string }
}

interface Workshop {
  docker: Docker
  instance: string
  layers: LayerRecords
}

/** The engine of this host as the platform's builder. Verbs: contracts.ts. */
export function createBuilder({ docker, config }: BuilderOptions): Builder {
  const { instance } = config
  const workshop = { docker, instance, layers: layersOf(config) }
  return {
    build: (job, log, signal) =>
      withEngine(docker, `building ${job.deploymentId}`, () => build(workshop, job, log, signal)),
    has: image => withEngine(docker, 'looking for an image', async () => (await imageId(docker, image)) !== null),
    remove: deploymentId =>
      withEngine(docker, `removing the image of ${deploymentId}`, async () => {
        const tags = (await ownTags(docker, instance)).filter(tag => tag.deploymentId === deploymentId)
        for (const { name } of tags) await removeTag(docker, name)
        await workshop.layers.remove(docker, deploymentId)
      }),
    list: () =>
      withEngine(docker, 'listing images', async () => [
        ...new Set((await ownTags(docker, instance)).map(tag => tag.deploymentId)),
      ]),
  }
}

/** Removes every name and layer that builds of this installation left. An image obtained from elsewhere keeps its own name. */
export async function removeAllImages({ docker, config }: BuilderOptions): Promise<void> {
  for (const { name } of await ownTags(docker, config.instance)) await removeTag(docker, name)
  const layers = layersOf(config)
  for (const deploymentId of await layers.list()) await layers.remove(docker, deploymentId)
}

const layersOf = ({ dataDir }: BuilderOptions['config']): LayerRecords =>
  new LayerRecords(path.join(dataDir, 'build-layers'))

async function build(
  workshop: Workshop,
  job: BuildJob,
  log: LineSink,
  signal: AbortSignal,
): Promise<{ image: string }> {
  signal.throwIfAborted()
  const { docker, instance } = workshop
  const { repo, tag } = tagOf(instance, job.serviceId, job.deploymentId)
  const done = await imageId(docker, `${repo}:${tag}`)
  if (done) return { image: done }

  const startedAt = Date.now()
  const image =
    job.source.type === 'image'
      ? await fromRegistry(docker, job, job.source.ref, log, signal)
      : await fromUpload(workshop, job, job.source.archivePath, log, signal)
  await docker
    .getImage(image)
    .tag({ repo, tag })
    .catch((error: unknown) => {
      throw statusOf(error) === null ? error : refused('naming an image', error)
    })
  log(`Imagem pronta em ${((Date.now() - startedAt) / 1000).toFixed(1)} s (${image.slice(0, 19)})`)
  return { image }
}

async function fromRegistry(
  docker: Docker,
  job: BuildJob,
  ref: string,
  log: LineSink,
  signal: AbortSignal,
): Promise<string> {
  const timeout = AbortSignal.timeout(job.limits.timeoutMs)
  try {
    return await obtainImage(docker, ref, log, AbortSignal.any([signal, timeout]))
  } catch (error) {
    signal.throwIfAborted()
    throw timeout.aborted ? tooLong(job.limits.timeoutMs) : error
  }
}

async function fromUpload(
  workshop: Workshop,
  job: BuildJob,
  archivePath: string,
  log: LineSink,
  signal: AbortSignal,
): Promise<string> {
  const { docker, instance } = workshop
  await checkStorage(docker, archivePath)
  const plan = planBuild(await readProject(archivePath, job.rootDir, signal), job)
  for (const reason of plan.reasons) log(reason)
  // Our own plans name our own images only; those are always here.
  const dockerfile =
    plan.builder === 'dockerfile' ? await withReachableBases(docker, plan.dockerfile, log, signal) : plan.dockerfile
  const network = await buildNetwork(docker, instance)
  const record = await workshop.layers.begin(job.deploymentId)
  const { repo, tag } = tagOf(instance, job.serviceId, job.deploymentId)
  try {
    return await runBuild(
      docker,
      {
        context: contextOf(
          { archivePath, rootDir: job.rootDir },
          { ...plan, dockerfile: labelled(dockerfile, instance, job) },
        ),
        tag: `${repo}:${tag}`,
        network,
        ...job.limits,
      },
      log,
      record.note,
      signal,
    )
  } finally {
    await record.end()
  }
}

// One instruction at the end: every label given to the engine would be a step, and one at the start would end all caching.
function labelled(dockerfile: string, instance: string, { serviceId, deploymentId }: BuildJob): string {
  const text = dockerfile.trimEnd().replace(/[\\`]+$/, '')
  return `${text}\nLABEL cais.instance=${instance} cais.service=${serviceId} cais.deployment=${deploymentId}\n`
}

async function checkStorage(docker: Docker, archivePath: string): Promise<void> {
  await access(archivePath, constants.R_OK).catch((error: unknown) => {
    throw unreadable(error)
  })
  const { DockerRootDir } = (await docker.info()) as { DockerRootDir: string }
  const disk = await statfs(DockerRootDir).catch(() => null)
  // null: the engine lives elsewhere, or its folder is not ours to look at; it will tell by itself.
  if (disk && disk.bavail * disk.bsize < DISK_FLOOR_BYTES) throw diskFull()
}

// A network of its own: the firewall lets builds reach the Internet, and nothing of this host.
async function buildNetwork(docker: Docker, instance: string): Promise<string> {
  const name = `${instance}-build`
  const labels = { 'cais.instance': instance, 'cais.role': 'build' }
  await ensureBridge(docker, { name, bridge: `${interfacePrefix(instance)}build`, subnet: null, labels })
  return name
}
