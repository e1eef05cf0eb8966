// What a deployment runs with, gathered and opened: the facts that most performers start from.
import { findInstancePlan } from '../../db/queries/instances.ts'
import { networkName, projectSubnet } from '../domain/addresses.ts'
import type { DeploymentEnvironment, DeploymentSettings } from '../domain/deployment-settings.ts'
import { DriverError, type InstanceSpec, type ProjectNetwork } from '../drivers/contracts.ts'
import type { Tools } from './tools.ts'

export interface Plan {
  deploymentId: string
  serviceId: string
  projectId: string
  teamId: string
  settings: DeploymentSettings
  environment: DeploymentEnvironment
  network: ProjectNetwork
  /** The artifact, once the build has given one. */
  image: string | null
}

/** The plan of a deployment; null when it was deleted. */
export async function findPlan(tools: Tools, deploymentId: string): Promise<Plan | null> {
  const row = await findInstancePlan(tools.db, deploymentId)
  if (!row) return null
  return {
    deploymentId,
    serviceId: row.service_id,
    projectId: row.project_id,
    teamId: row.team_id,
    settings: row.settings as DeploymentSettings,
    environment: JSON.parse(tools.keyring.open(row.environment, deploymentId)) as DeploymentEnvironment,
    network: projectNetwork(tools, row.project_id, row.network_index),
    image: row.image,
  }
}

/** The plan of a deployment. Throws DriverError deploy_failed when it was deleted meanwhile. */
export async function readPlan(tools: Tools, deploymentId: string): Promise<Plan> {
  const plan = await findPlan(tools, deploymentId)
  if (plan) return plan
  throw new DriverError('deploy_failed', `deployment ${deploymentId} is gone`, {
    details: { motivo: 'o serviço foi removido' },
  })
}

export function projectNetwork({ config }: Tools, projectId: string, index: number): ProjectNetwork {
  return {
    projectId,
    name: networkName(config.instance, projectId),
    subnet: projectSubnet(config.projectPool, index),
  }
}

/** The platform's own variables make TLS verify by itself; what the user sets wins. */
export function instanceSpec(
  tools: Tools,
  plan: Plan,
  image: string,
  volume: InstanceSpec['volume'] = null,
): InstanceSpec {
  const { settings } = plan
  return {
    deploymentId: plan.deploymentId,
    serviceId: plan.serviceId,
    projectId: plan.projectId,
    serviceName: settings.serviceName,
    network: plan.network,
    image,
    user: settings.runAs,
    startCommand: settings.startCommand,
    env: { ...tools.world.instanceTrust.env, ...plan.environment.env },
    memoryMb: settings.memoryMb,
    cpus: settings.cpus,
    volume,
  }
}

/** Host names that a service answers to over public HTTPS. */
export function publicHosts(
  tools: Tools,
  service: { visibility: string; slug: string | null },
  domains: readonly string[] = [],
): string[] {
  if (service.visibility !== 'public' || !service.slug) return []
  return [`${service.slug}.${tools.config.appsDomain}`, ...domains]
}

/** What the health probe asks for, under the name that real requests use. */
export function probeOf(tools: Tools, { settings }: Plan): { port: number; path: string; host: string } {
  const host = publicHosts(tools, settings)[0] ?? settings.serviceName
  return { port: settings.port, path: settings.healthcheckPath, host }
}
