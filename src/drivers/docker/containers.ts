// Instances as containers named `<instance>.<deploymentId>`: the name makes every verb repeatable.
import { setTimeout as sleep } from 'node:timers/promises'
import type Docker from 'dockerode'
import { DriverError, type Containers, type Instance, type InstanceSpec } from '../contracts.ts'
import { containerSpec, type HostFiles, type Placement } from './container-spec.ts'
import { connectDocker, refused, statusOf, withEngine } from './engine.ts'
import { watchExits } from './exits.ts'
import { accountsOf, isPlainlyRoot, numericIdentity, resolveIdentity, userOf, type Identity } from './identity.ts'
import { logLines } from './log-lines.ts'
import { giveFolder } from './folder-owner.ts'
import { ensureBridge, listProjectNetworks, projectBridge, removeBridge } from './networks.ts'
import { awaitReady, ranOutOfMemory } from './readiness.ts'

/** How often the same start meets somebody else's start or removal before it gives up for now. */
const START_ROUNDS = 8
/** Stands in for a name until the image's files have told who that is. */
const NOBODY: Identity = { uid: 65534, gid: 65534 }

export interface ContainersOptions {
  /** A client, or the address of an engine; null = the usual socket. */
  docker: Docker | string | null
  instance: string
  files: HostFiles
}

/** The engine of this host as the platform's containers. Verbs: contracts.ts. */
export function createContainers(options: ContainersOptions): Containers {
  const docker =
    typeof options.docker === 'string' || options.docker === null ? connectDocker(options.docker) : options.docker
  const { instance, files } = options
  const nameOf = (deploymentId: string): string => `${instance}.${deploymentId}`
  const containerOf = (deploymentId: string): Docker.Container => docker.getContainer(nameOf(deploymentId))
  const talk = <T>(what: string, verb: () => Promise<T>): Promise<T> => withEngine(docker, what, verb)

  return {
    ensureNetwork: network =>
      talk(`network ${network.name}`, () => ensureBridge(docker, projectBridge(network, instance))),
    removeNetwork: name => talk(`removing network ${name}`, () => removeBridge(docker, name)),
    listNetworks: () => talk('listing networks', () => listProjectNetworks(docker, instance)),
    start: (spec, signal) => {
      const place = { name: nameOf(spec.deploymentId), instance, files }
      return talk(`starting ${place.name}`, () => startInstance(docker, spec, place, signal))
    },
    healthy: (deploymentId, probe, signal) =>
      talk(`probing ${nameOf(deploymentId)}`, () => probeInstance(docker, containerOf(deploymentId), probe, signal)),
    inspect: deploymentId =>
      talk(`inspecting ${nameOf(deploymentId)}`, async () => {
        const info = await look(containerOf(deploymentId))
        return info && info.Config.Labels['cais.instance'] === instance ? instanceOf(docker, info) : null
      }),
    stop: (deploymentId, graceMs) =>
      talk(`stopping ${nameOf(deploymentId)}`, () => stopContainer(containerOf(deploymentId), graceMs)),
    remove: deploymentId =>
      talk(`removing ${nameOf(deploymentId)}`, () => removeContainer(docker, containerOf(deploymentId))),
    list: () => talk('listing containers', () => listInstances(docker, instance)),
    async *logs(deploymentId, wanted, signal) {
      await talk(`log of ${nameOf(deploymentId)}`, async () => {})
      yield* logLines(containerOf(deploymentId), wanted, signal)
    },
    watch: (onExit, onGap, signal) => watchExits(docker, instance, onExit, onGap, signal),
  }
}

// Looks, does one thing, and looks again: whoever was interrupted anywhere here is continued by the next call.
async function startInstance(
  docker: Docker,
  spec: InstanceSpec,
  place: Placement,
  signal: AbortSignal,
): Promise<Instance> {
  const container = docker.getContainer(place.name)
  const image = await imageOf(docker, spec.image)
  const user = spec.user ?? image.Config.User
  if (isPlainlyRoot(user)) throw requiresRoot()
  let identity = numericIdentity(user) ?? NOBODY
  for (let round = 0; round < START_ROUNDS; round++) {
    signal.throwIfAborted()
    const info = await look(container)
    if (!info) {
      // A name that is taken and not yet to be seen: somebody is creating it at this moment.
      if (!(await create(docker, containerSpec(spec, image, identity, place)))) await sleep(50 * (round + 1))
      continue
    }
    checkOwner(info, spec, place)
    if (info.State.Running) return instanceOf(docker, info)
    if (spec.volume && !mounts(info, spec.volume)) {
      await removeContainer(docker, container)
      continue
    }
    if ((info.State.Status as string) === 'created') {
      // What the image's own files make of the user can be read only now, and must be before anything runs.
      const told = resolveIdentity(user, await accountsOf(docker, info.Id))
      if (!told) {
        await removeContainer(docker, container)
        throw requiresRoot()
      }
      identity = told
    }
    const usable = info.Config.User === userOf(identity) || info.State.Status === 'exited'
    if (usable && spec.volume) await giveFolder(spec.volume.source, numericIdentity(info.Config.User) ?? identity)
    // Started once is enough: one that has exited again by now is for `healthy` to explain.
    if (usable && (await startContainer(container))) return instanceOf(docker, await container.inspect())
    await removeContainer(docker, container)
  }
  throw refused(`starting ${place.name}`, new Error('it is created and removed by somebody else at the same time'))
}

/** False for a container that was made while the volume had another place. */
function mounts(info: Docker.ContainerInspectInfo, volume: NonNullable<InstanceSpec['volume']>): boolean {
  return info.Mounts.some(mount => mount.Source === volume.source && mount.Destination === volume.mountPath)
}

function checkOwner(info: Docker.ContainerInspectInfo, spec: InstanceSpec, place: Placement): void {
  const labels = info.Config.Labels
  if (labels['cais.instance'] === place.instance && labels['cais.deployment'] === spec.deploymentId) return
  throw new DriverError('name_taken', `a container ${place.name} exists that is not ours`)
}

/** False where a container of this name is there, or about to be. */
async function create(docker: Docker, description: Docker.ContainerCreateOptions): Promise<boolean> {
  try {
    await docker.createContainer(description)
    return true
  } catch (error) {
    const status = statusOf(error)
    if (status === 409) return false
    if (status === 404 && /no such image/i.test(String(error))) throw missingImage(error)
    throw status === null ? error : refused(`creating ${description.name}`, error)
  }
}

/** False where this container can never start again and has to be made anew. */
async function startContainer(container: Docker.Container): Promise<boolean> {
  try {
    await container.start()
    return true
  } catch (error) {
    const status = statusOf(error)
    if (status === null) throw error
    if (status === 304) return true
    const text = String(error)
    // Its network was made anew since, or it is on its way out.
    if (status === 404 || status === 409 || /network .* not found|marked for removal/i.test(text)) return false
    if (/OCI runtime|executable file|exec format|no such file|permission denied/i.test(text))
      throw new DriverError('activate_app_crashed', 'the command of the image cannot be run', {
        details: { codigo: /permission denied/i.test(text) ? 126 : 127 },
        cause: error,
      })
    throw refused('starting a container', error)
  }
}

async function probeInstance(
  docker: Docker,
  container: Docker.Container,
  probe: Parameters<Containers['healthy']>[1],
  signal: AbortSignal,
): Promise<void> {
  try {
    await awaitReady(docker, container, probe, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (statusOf(error) === 404)
      throw new DriverError('deploy_failed', 'the container is gone', {
        details: { motivo: 'a instância foi removida antes de responder' },
        cause: error,
      })
    throw error
  }
}

async function stopContainer(container: Docker.Container, graceMs: number): Promise<void> {
  try {
    await container.stop({ t: Math.ceil(graceMs / 1000) })
  } catch (error) {
    const status = statusOf(error)
    if (status === 304 || status === 404) return
    throw status === null ? error : refused('stopping a container', error)
  }
}

async function removeContainer(docker: Docker, container: Docker.Container): Promise<void> {
  const info = await look(container)
  if (!info) return
  try {
    await container.remove({ force: true, v: true })
  } catch (error) {
    const status = statusOf(error)
    if (status === 409) await container.wait({ condition: 'removed' }).catch(ignoreGone)
    else if (status !== 404) throw status === null ? error : refused('removing a container', error)
  }
  // Volumes that were made for the image's own VOLUME lines have names, and `v` spares those.
  const volumes = info.Mounts.filter(
    mount => mount.Type === 'volume' && mount.Name?.startsWith(`${info.Name.slice(1)}.`),
  )
  for (const volume of volumes)
    await docker
      .getVolume(volume.Name ?? '')
      .remove()
      .catch(ignoreGone)
}

function ignoreGone(error: unknown): void {
  if (statusOf(error) !== 404) throw error
}

async function listInstances(docker: Docker, instance: string): Promise<Instance[]> {
  const found = await docker.listContainers({
    all: true,
    filters: { label: [`cais.instance=${instance}`, 'cais.deployment'] },
  })
  const instances = await Promise.all(
    found.map(async summary => {
      const info = await look(docker.getContainer(summary.Id))
      return info && instanceOf(docker, info)
    }),
  )
  return instances.filter(entry => entry !== null)
}

async function look(container: Docker.Container): Promise<Docker.ContainerInspectInfo | null> {
  return container.inspect().catch((error: unknown) => {
    if (statusOf(error) === 404) return null
    throw error
  })
}

async function instanceOf(docker: Docker, info: Docker.ContainerInspectInfo): Promise<Instance> {
  const labels = info.Config.Labels
  const running = info.State.Running
  const ran = (info.State.Status as string) !== 'created'
  const over = !running && ran
  return {
    deploymentId: labels['cais.deployment'] ?? '',
    serviceId: labels['cais.service'] ?? '',
    projectId: labels['cais.project'] ?? '',
    containerId: info.Id,
    running,
    address: running ? Object.values(info.NetworkSettings.Networks)[0]?.IPAddress || null : null,
    exitCode: over ? info.State.ExitCode : null,
    outOfMemory: over && (await ranOutOfMemory(docker, info)),
    finishedAt: over ? info.State.FinishedAt : null,
  }
}

async function imageOf(docker: Docker, image: string): Promise<Docker.ImageInspectInfo> {
  try {
    return await docker.getImage(image).inspect()
  } catch (error) {
    if (statusOf(error) === 404) throw missingImage(error)
    throw error
  }
}

function missingImage(cause: unknown): DriverError {
  const details = { motivo: 'a imagem desta implantação não existe mais; implante de novo' }
  return new DriverError('deploy_failed', 'the image is not on this host', { details, cause })
}

function requiresRoot(): DriverError {
  return new DriverError('image_requires_root', 'the image runs as root')
}
