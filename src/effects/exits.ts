// Telling actors that an instance exited. Said twice, it is heard once: the machines know exits by their time.
import { findRoute, type RouteRow } from '../../db/queries/routes.ts'
import { readActor } from '../../db/queries/actors.ts'
import { post } from '../actors/index.ts'
import type { Instance } from '../drivers/contracts.ts'
import type { Tools } from './tools.ts'

/** Tells the deployment while it is open, and the service whose route leads to the instance. */
export async function reportExit(tools: Tools, instance: Instance, source: string): Promise<void> {
  await Promise.all([tellDeployment(tools, instance, source), tellService(tools, instance, source)])
}

async function tellDeployment({ db }: Tools, instance: Instance, source: string): Promise<void> {
  const actor = await readActor(db, instance.deploymentId)
  if (actor?.status !== 'active') return
  const { exitCode, outOfMemory } = instance
  await post(db, {
    to: instance.deploymentId,
    event: { type: 'EXITED', exitCode, outOfMemory },
    source,
    dedupe: `exited ${exitKey(instance)}`,
  })
}

// A retired instance exits too; nobody needs to hear of that.
async function tellService({ db }: Tools, instance: Instance, source: string): Promise<void> {
  const route = await findRoute(db, instance.serviceId)
  const concerned = [route?.deployment_id, route?.previous_deployment_id]
  if (!concerned.includes(instance.deploymentId) || hasLostVolume(route, instance.deploymentId)) return
  const { deploymentId, exitCode, outOfMemory } = instance
  await post(db, {
    to: instance.serviceId,
    event: { type: 'INSTANCE_EXITED', deploymentId, at: exitTime(instance), exitCode, outOfMemory },
    source,
    dedupe: `exited ${exitKey(instance)}`,
  })
}

/** An active instance whose container is not there at all. */
export async function reportMissing({ db }: Tools, serviceId: string, deploymentId: string): Promise<void> {
  if (hasLostVolume(await findRoute(db, serviceId), deploymentId)) return
  await post(db, {
    to: serviceId,
    event: { type: 'INSTANCE_EXITED', deploymentId, at: Date.now(), exitCode: null, outOfMemory: false },
    source: 'reconciler',
    dedupe: `missing ${deploymentId}`,
  })
}

// It was stopped so that another one may have the volume; it comes back by a revert, or never.
const hasLostVolume = (route: RouteRow | null, deploymentId: string): boolean =>
  Boolean(route?.volume_holder) && route?.volume_holder !== deploymentId

const exitKey = (instance: Instance): string => `${instance.containerId} ${instance.finishedAt}`

function exitTime(instance: Instance): number {
  const at = Date.parse(instance.finishedAt ?? '')
  return Number.isNaN(at) ? Date.now() : at
}
