// Images that builds need or make: where they come from, and the tags by which the platform finds its own again.
import type Docker from 'dockerode'
import { refused, statusOf } from '../docker/engine.ts'
import { pullImage } from '../docker/image-pull.ts'
import type { LineSink } from '../contracts.ts'
import { baseReferences, localStandIn, withBases } from './base-reference.ts'
import { failed } from './refusal.ts'

/** For this long a registry that did not answer is not asked again. */
const FORGET_MS = 30_000
const ULID = /^[0-7][0-9a-z]{25}$/

const silentUntil = new Map<string, number>()

/** `<instance>/<serviceId>:<deploymentId>`, the name of what a deployment runs. */
export function tagOf(instance: string, serviceId: string, deploymentId: string): { repo: string; tag: string } {
  return { repo: `${instance}/${serviceId}`, tag: deploymentId }
}

/** Id of an image (`sha256:…`), or null when it is not here. */
export async function imageId(docker: Docker, name: string): Promise<string | null> {
  try {
    return (await docker.getImage(name).inspect()).Id
  } catch (error) {
    if (statusOf(error) === 404 || statusOf(error) === 400) return null
    throw error
  }
}

/** Tags of ours with their deployments; the platform's base images have names of another form. */
export async function ownTags(docker: Docker, instance: string): Promise<{ name: string; deploymentId: string }[]> {
  const images = await docker.listImages({ filters: { reference: [`${instance}/*`] } })
  return images
    .flatMap(image => image.RepoTags ?? [])
    .flatMap(name => {
      const [repo = '', deploymentId = ''] = name.split(':')
      const ours =
        repo.startsWith(`${instance}/`) && ULID.test(repo.slice(instance.length + 1)) && ULID.test(deploymentId)
      return ours ? [{ name, deploymentId }] : []
    })
}

/** Removes one name of an image, and the image with its last name. Throws, temporarily, while a container uses it. */
export async function removeTag(docker: Docker, name: string): Promise<void> {
  try {
    await docker.getImage(name).remove()
  } catch (error) {
    if (statusOf(error) === 404) return
    throw statusOf(error) === null ? error : refused(`removing the image ${name}`, error)
  }
}

/**
 * The image of an image source. By digest, or by id, what is here is what was meant; a tag may have moved, so its
 * registry is asked first. Throws deploy_failed where the image is nowhere.
 */
export async function obtainImage(docker: Docker, ref: string, log: LineSink, signal: AbortSignal): Promise<string> {
  const here = await imageId(docker, ref)
  if (here && (ref.includes('@sha256:') || ref.startsWith('sha256:'))) {
    log(`Imagem ${ref} já está nesta máquina`)
    return here
  }
  log(`Buscando a imagem ${ref}`)
  const pulled = await pull(docker, withTag(ref), log, signal)
  if (pulled.result === 'pulled') {
    const id = await imageId(docker, ref)
    if (id) return id
  } else if (pulled.result === 'unreachable' && here) {
    log(`O registro não respondeu (${pulled.reason}); usando a cópia que está nesta máquina`)
    return here
  }
  throw notObtained(ref, pulled)
}

/**
 * The Dockerfile with every FROM pointing at an image that is here: pulled, or replaced by a base image of the platform
 * (and the build log says so). Throws deploy_failed where there is neither.
 */
export async function withReachableBases(
  docker: Docker,
  dockerfile: string,
  log: LineSink,
  signal: AbortSignal,
): Promise<string> {
  const replacements = new Map<number, string>()
  for (const { image, line } of baseReferences(dockerfile)) {
    if (await imageId(docker, image)) continue
    log(`Buscando a imagem base ${image}`)
    const pulled = await pull(docker, withTag(image), log, signal)
    if (pulled.result === 'pulled') continue
    const standIn = pulled.result === 'unreachable' ? localStandIn(image) : null
    if (!standIn || !(await imageId(docker, standIn))) throw notObtained(image, pulled)
    log(`Nenhum registro respondeu: FROM ${image} foi trocado por ${standIn}, a imagem base desta plataforma`)
    replacements.set(line, standIn)
  }
  return withBases(dockerfile, replacements)
}

async function pull(
  docker: Docker,
  ref: string,
  log: LineSink,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<typeof pullImage>>> {
  const registry = registryOf(ref)
  if ((silentUntil.get(registry) ?? 0) > Date.now())
    return { result: 'unreachable', reason: `${registry} não responde` }
  const outcome = await pullImage(docker, ref, log, signal)
  if (outcome.result === 'unreachable') silentUntil.set(registry, Date.now() + FORGET_MS)
  return outcome
}

function notObtained(image: string, outcome: { result: string; reason?: string }): Error {
  if (outcome.result === 'absent')
    return failed(`a imagem "${image}" não existe no registro ou não é pública`, outcome.reason)
  return failed(
    `a imagem "${image}" não está nesta máquina e o registro ${registryOf(image)} não respondeu`,
    outcome.reason,
  )
}

function registryOf(ref: string): string {
  const first = ref.split('/')[0] ?? ''
  return ref.includes('/') && (/[.:]/.test(first) || first === 'localhost') ? first : 'docker.io'
}

// Without a tag the engine would take every tag of the repository.
function withTag(ref: string): string {
  const last = ref.split('/').at(-1) ?? ''
  return last.includes(':') || last.includes('@') ? ref : `${ref}:latest`
}
