// Bridge networks: one per project, and one for builds. Name of the network = name of the interface, so that firewall
// rules can be written before the engine knows the network.
import { readFile } from 'node:fs/promises'
import type Docker from 'dockerode'
import { DriverError, type ProjectNetwork } from '../contracts.ts'
import { refused, statusOf } from './engine.ts'

const ETHERNET_MTU = 1500

export interface BridgeNetwork {
  name: string
  /** Interface, at most 15 characters. */
  bridge: string
  /** CIDR; null = from the engine's own pools. */
  subnet: string | null
  labels: Record<string, string>
  /** No way out, and its containers do not see each other: only the host reaches them. */
  isolated?: boolean
}

/** Creates the bridge network, or finds it as it should be. Throws network_conflict where the name means another subnet. */
export async function ensureBridge(docker: Docker, wanted: BridgeNetwork): Promise<void> {
  if (await isThere(docker, wanted)) return
  try {
    await docker.createNetwork({
      Name: wanted.name,
      Driver: 'bridge',
      CheckDuplicate: true,
      Labels: wanted.labels,
      Internal: wanted.isolated ?? false,
      Options: {
        ...(wanted.isolated ? { 'com.docker.network.bridge.enable_icc': 'false' } : {}),
        'com.docker.network.bridge.name': wanted.bridge,
        'com.docker.network.driver.mtu': String(await uplinkMtu()),
      },
      ...(wanted.subnet ? { IPAM: { Driver: 'default', Config: [{ Subnet: wanted.subnet }] } } : {}),
    })
  } catch (error) {
    // Somebody else may have been faster; only then is the failure none.
    if (statusOf(error) === null || !(await isThere(docker, wanted))) throw explained(wanted, error)
  }
}

/** Removes a network; one that is gone is success. Throws, temporarily, while a container is still attached. */
export async function removeBridge(docker: Docker, name: string): Promise<void> {
  try {
    await docker.getNetwork(name).remove()
  } catch (error) {
    if (statusOf(error) === 404) return
    throw statusOf(error) === null ? error : refused(`removing network ${name}`, error)
  }
}

/** Project networks of this installation. */
export async function listProjectNetworks(
  docker: Docker,
  instance: string,
): Promise<{ name: string; projectId: string }[]> {
  const found = await docker.listNetworks({ filters: { label: [`cais.instance=${instance}`, 'cais.project'] } })
  return found.map(network => ({ name: network.Name, projectId: network.Labels?.['cais.project'] ?? '' }))
}

export function projectBridge(network: ProjectNetwork, instance: string): BridgeNetwork {
  const labels = { 'cais.instance': instance, 'cais.project': network.projectId }
  return { name: network.name, bridge: network.name, subnet: network.subnet, labels }
}

async function isThere(docker: Docker, wanted: BridgeNetwork): Promise<boolean> {
  const found = await docker
    .getNetwork(wanted.name)
    .inspect()
    .catch((error: unknown) => {
      if (statusOf(error) === 404) return null
      throw error
    })
  if (!found) return false
  const subnet: unknown = found.IPAM?.Config?.[0]?.Subnet
  const ours = found.Labels?.['cais.instance'] === wanted.labels['cais.instance']
  if (ours && (wanted.subnet === null || subnet === wanted.subnet)) return true
  throw new DriverError(
    'network_conflict',
    `the network ${wanted.name} exists with another owner or subnet (${String(subnet)})`,
  )
}

function explained(wanted: BridgeNetwork, error: unknown): unknown {
  if (statusOf(error) === null) return error
  if (!/overlap/i.test(String(error))) return refused(`creating network ${wanted.name}`, error)
  return new DriverError(
    'network_conflict',
    `the subnet ${wanted.subnet} of ${wanted.name} is in use by another network`,
    // Perhaps by this very network, which another start of the project is creating right now: the next try finds it.
    { temporary: true, cause: error },
  )
}

/** MTU of the way out of this machine: a bridge with a larger one loses large packets without a word. */
export async function uplinkMtu(): Promise<number> {
  const routes = await readFile('/proc/net/route', 'utf8').catch(() => '')
  const uplink = routes
    .split('\n')
    .map(line => line.split('\t'))
    .find(([, destination]) => destination === '00000000')?.[0]
  if (!uplink) return ETHERNET_MTU
  const mtu = Number(await readFile(`/sys/class/net/${uplink}/mtu`, 'utf8').catch(() => ETHERNET_MTU))
  return Math.min(mtu || ETHERNET_MTU, ETHERNET_MTU)
}
