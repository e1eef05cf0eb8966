// Builds are instant: an image is a name derived from its source, so equal sources give equal images.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { DriverError, type Builder, type BuildJob, type LineSink } from '../contracts.ts'
import { behaviourOf } from './behaviour.ts'
import { Folder } from './disk.ts'
import type { Faults } from './faults.ts'

export interface SimulatedImage {
  deploymentId: string
  /** `sha256:…`; null while it is being built. */
  image: string | null
  /** The reference it was pulled by; null for a build. */
  ref: string | null
}

export const imagesOf = (dir: string): Folder<SimulatedImage> => new Folder(path.join(dir, 'images'))

export function simulatedBuilder(dir: string, faults: Faults): Builder {
  const images = imagesOf(dir)

  async function build(job: BuildJob, log: LineSink, signal: AbortSignal): Promise<{ image: string }> {
    const ref = job.source.type === 'image' ? job.source.ref : null
    images.create(job.deploymentId, { deploymentId: job.deploymentId, image: null, ref })
    log(ref ? `Pulling ${ref}` : `Building with ${job.builder}`)
    await misbehave(ref, job, signal)
    const image = job.source.type === 'image' ? digest(job.source.ref) : await digestOfFile(job.source.archivePath)
    images.replace(job.deploymentId, { deploymentId: job.deploymentId, image, ref })
    log(`Built ${image}`)
    return { image }
  }

  return {
    build: (job, log, signal) =>
      faults.perform('build', [job.deploymentId, job.serviceId], () => build(job, log, signal), signal),
    has: image => faults.perform('hasImage', [image], () => images.all().some(one => one.image === image)),
    remove: id => faults.perform('removeImage', [id], () => void images.remove(id)),
    list: () => faults.perform('listImages', [], () => images.names()),
  }
}

async function misbehave(ref: string | null, job: BuildJob, signal: AbortSignal): Promise<void> {
  const { name, afterMs } = behaviourOf(ref)
  if (!name.startsWith('build-') && name !== 'missing') return
  await sleep(afterMs, undefined, { signal })
  const minutes = Math.round(job.limits.timeoutMs / 60_000)
  if (name === 'build-oom') throw new DriverError('build_oom', 'simulated: out of memory')
  if (name === 'build-timeout')
    throw new DriverError('build_timeout', 'simulated: too slow', { details: { minutos: minutes } })
  if (name === 'build-disk-full') throw new DriverError('build_disk_full', 'simulated: no space left')
  if (name === 'build-storage') throw new DriverError('build_storage_error', 'simulated: storage fault')
  if (name === 'build-root') throw new DriverError('image_requires_root', 'simulated: image wants root')
  if (name === 'build-fail') throw refused('um comando do build terminou com código 1')
  if (name === 'missing') throw refused(`a imagem ${ref} não foi encontrada`)
}

function refused(motivo: string): DriverError {
  return new DriverError('deploy_failed', 'simulated: the build was refused', { details: { motivo } })
}

function digest(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}

async function digestOfFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(file), hash)
  } catch (error) {
    throw new DriverError('deploy_failed', 'the archive cannot be read', {
      details: { motivo: 'o arquivo enviado não pôde ser lido' },
      cause: error,
    })
  }
  return `sha256:${hash.digest('hex')}`
}
