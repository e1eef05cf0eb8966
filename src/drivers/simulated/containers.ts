// The verbs of an engine over simulated instances.
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DriverError, type Containers, type Instance, type LogLine, type ProjectNetwork } from '../contracts.ts'
import { Folder } from './disk.ts'
import type { Faults } from './faults.ts'
import { answers, runs, toInstance, type Instances, type SimulatedInstance } from './instances.ts'

const LOOK_EVERY_MS = 20

export function simulatedContainers(dir: string, instances: Instances, faults: Faults): Containers {
  const networks = new Folder<ProjectNetwork>(path.join(dir, 'networks'))
  const about = (deploymentId: string): string[] => {
    const serviceId = instances.read(deploymentId)?.spec.serviceId
    return serviceId ? [deploymentId, serviceId] : [deploymentId]
  }

  function removeNetwork(name: string): void {
    const used = instances.all().some(one => one.spec.network.name === name && runs(one))
    if (used) throw new DriverError('network_in_use', `network ${name} has running instances`, { temporary: true })
    networks.remove(name)
  }

  return {
    ensureNetwork: network =>
      faults.perform('ensureNetwork', [network.projectId, network.name], () => networks.replace(network.name, network)),
    removeNetwork: name => faults.perform('removeNetwork', [name], () => removeNetwork(name)),
    listNetworks: () => faults.perform('list', [], () => networks.all()),
    start: (spec, signal) =>
      faults.perform('start', [spec.deploymentId, spec.serviceId], () => start(spec, instances, networks), signal),
    healthy: (id, probe, signal) =>
      faults.perform('healthy', about(id), () => becomeHealthy(id, probe, instances, signal), signal),
    inspect: id =>
      faults.perform('inspect', about(id), () => {
        const record = instances.read(id)
        return record && toInstance(record)
      }),
    // Nothing here ignores SIGTERM, so nobody waits for the grace.
    stop: id => faults.perform('stop', about(id), () => instances.exit(id, 143)),
    remove: id => faults.perform('remove', about(id), () => instances.remove(id)),
    list: () => faults.perform('list', [], () => instances.all().map(toInstance)),
    logs: (id, options, signal) => follow(id, options, instances, faults, signal),
    watch: (onExit, onGap, signal) => watch(dir, instances, onExit, onGap, signal),
  }
}

function start(
  spec: Parameters<Containers['start']>[0],
  instances: Instances,
  networks: Folder<ProjectNetwork>,
): Instance {
  if (!networks.read(spec.network.name))
    throw new DriverError('no_network', `network ${spec.network.name} does not exist`, { temporary: true })
  refuseSecondOnVolume(spec, instances)
  const record = instances.start(spec)
  if (record.behaviour.name === 'root' && spec.user === null)
    throw new DriverError('image_requires_root', 'simulated: the image runs as root')
  return toInstance(record)
}

// The real world would let them corrupt each other; here it is the end of the test.
function refuseSecondOnVolume(spec: Parameters<Containers['start']>[0], instances: Instances): void {
  const other = instances
    .all()
    .find(
      one =>
        one.spec.deploymentId !== spec.deploymentId &&
        one.spec.volume &&
        one.spec.volume.volumeId === spec.volume?.volumeId &&
        runs(one),
    )
  if (other) throw new DriverError('two_on_volume', `${other.spec.deploymentId} and ${spec.deploymentId} on one volume`)
}

async function becomeHealthy(
  deploymentId: string,
  probe: { port: number; path: string; timeoutMs: number },
  instances: Instances,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const record = instances.read(deploymentId)
    if (!record) throw new DriverError('gone', `no container of ${deploymentId}`, { temporary: true })
    if (!runs(record)) throw crashed(record)
    if (answers(record)) return
    const patienceMs = record.behaviour.name === 'no-http' ? record.behaviour.afterMs : probe.timeoutMs
    if (Date.now() - record.startedAt > patienceMs)
      throw new DriverError('activate_no_http', 'simulated: no answer', {
        details: { caminho: probe.path, porta: probe.port, ultimo: 'ECONNREFUSED' },
      })
    await sleep(5, undefined, { signal })
  }
}

function crashed(record: SimulatedInstance): DriverError {
  if (record.behaviour.name === 'readonly')
    return new DriverError('activate_readonly_write', 'simulated: wrote to a read-only file system')
  return new DriverError('activate_app_crashed', `simulated: exit ${record.exitCode}`, {
    details: { codigo: record.exitCode },
  })
}

async function* follow(
  deploymentId: string,
  options: { since: string | null; follow: boolean },
  instances: Instances,
  faults: Faults,
  signal: AbortSignal,
): AsyncGenerator<LogLine> {
  await faults.perform('logs', [deploymentId], () => {}, signal)
  let since = options.since ?? ''
  while (!signal.aborted) {
    const record = instances.read(deploymentId)
    const ended = !record || !runs(record)
    for (const line of instances.lines(deploymentId)) {
      if (line.at <= since) continue
      since = line.at
      yield line
    }
    if (ended || !options.follow) return
    await rest(signal)
  }
}

/** Tells each exit once; those from before the watch began are for the reconciler. */
async function watch(
  dir: string,
  instances: Instances,
  onExit: (instance: Instance) => void,
  onGap: () => void,
  signal: AbortSignal,
): Promise<void> {
  const gaps = new Folder<number>(path.join(dir, 'gaps'))
  const seen = new Map<string, { version: string | null; record: SimulatedInstance | null }>()
  const told = new Set<string>()
  let gap = gaps.version('gap')
  let first = true
  while (!signal.aborted) {
    for (const id of instances.ids()) {
      const version = instances.version(id)
      if (seen.get(id)?.version !== version) seen.set(id, { version, record: instances.read(id) })
      const record = seen.get(id)?.record
      if (!record || runs(record)) continue
      const exit = `${record.containerId} ${record.exitsAt}`
      if (!told.has(exit) && !first) onExit(toInstance(record))
      told.add(exit)
    }
    if (gaps.version('gap') !== gap) onGap()
    gap = gaps.version('gap')
    first = false
    await rest(signal)
  }
}

// The end of a wait by abort is no error: the loops look at the signal themselves.
async function rest(signal: AbortSignal): Promise<void> {
  await sleep(LOOK_EVERY_MS, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}
