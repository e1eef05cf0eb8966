// A volume from one version to the next and back: requests wait, the old instance ends, the new one begins (D-53).
import type { Performers } from '../actors/index.ts'
import {
  findRoute,
  handVolume,
  openRoute,
  readdressRoute,
  stopHolding,
  takeVolumeBack,
} from '../../db/queries/routes.ts'
import { reportVolumeUsage, sortVolumeIds } from '../../db/queries/volumes.ts'
import { RUN } from '../domain/limits.ts'
import { DriverError } from '../drivers/contracts.ts'
import { reportExit, reportMissing } from './exits.ts'
import { startHealthy } from './instance.ts'
import { findPlan, readPlan } from './plan.ts'
import { drain, removeInstance } from './retire.ts'
import { applyRoute } from './route.ts'
import type { Tools } from './tools.ts'

/** Requests wait from here on; whoever had the volume finishes what it has, and stops. Its container stays for a revert. */
export function takeVolumePerformer(tools: Tools): Performers['takeVolume'] {
  return async ({ deploymentId, serviceId }, { effectId, signal }) => {
    await openRoute(tools.db, serviceId)
    const row = await handVolume(tools.db, { serviceId, deploymentId, generation: effectId })
    if (!row) throw overtaken(serviceId)
    await applyRoute(tools, serviceId)
    const others = (await tools.world.containers.list()).filter(
      one => one.serviceId === serviceId && one.deploymentId !== deploymentId && one.running,
    )
    await Promise.all(
      others.map(async other => {
        await drain(tools, other.deploymentId, signal)
        await tools.world.containers.stop(other.deploymentId, RUN.stopGraceMs)
      }),
    )
    return { from: row.deployment_id }
  }
}

/** True when a revert of this deployment is about a volume: it has it, or it was being given back when somebody died. */
export async function hadVolume(tools: Tools, serviceId: string, deploymentId: string): Promise<boolean> {
  const route = await findRoute(tools.db, serviceId)
  if (route?.volume_holder === deploymentId) return true
  return Boolean(route?.held) && Boolean((await findPlan(tools, deploymentId))?.settings.volume)
}

/**
 * The failed version ends, the one before is started again and gets the requests that waited. Answers who serves. Where it
 * does not come up, its service is told, which goes on trying.
 */
export async function revertVolume(
  tools: Tools,
  { deploymentId, serviceId, generation }: { deploymentId: string; serviceId: string; generation: number },
): Promise<string | null> {
  await takeVolumeBack(tools.db, { serviceId, deploymentId, generation })
  await applyRoute(tools, serviceId)
  await tools.world.containers.stop(deploymentId, RUN.stopGraceMs)
  const row = await findRoute(tools.db, serviceId)
  if (!row?.held || !row.deployment_id || row.deployment_id === deploymentId) return row?.deployment_id ?? null
  return resume(tools, serviceId, row.deployment_id, generation)
}

/** Starts the instance for which requests wait, and lets them through. */
export async function resume(
  tools: Tools,
  serviceId: string,
  deploymentId: string,
  generation: number,
): Promise<string | null> {
  const plan = await readPlan(tools, deploymentId)
  try {
    const address = await startHealthy(tools, plan, plan.image ?? '', new AbortController().signal)
    await readdressRoute(tools.db, { serviceId, deploymentId, address, generation })
  } catch (error) {
    if (!(error instanceof DriverError) || error.temporary) throw error
    await stopHolding(tools.db, serviceId)
    const instance = await tools.world.containers.inspect(deploymentId)
    if (instance?.finishedAt) await reportExit(tools, instance, 'revert')
    else await reportMissing(tools, serviceId, deploymentId)
  }
  await applyRoute(tools, serviceId)
  return deploymentId
}

/** Data destroyed. Whatever still runs on it ends first. */
export function removeVolumePerformer(tools: Tools): Performers['removeVolume'] {
  return async ({ volumeId, serviceId }) => {
    const instances = (await tools.world.containers.list()).filter(one => one.serviceId === serviceId)
    for (const { deploymentId } of instances) {
      const plan = await findPlan(tools, deploymentId)
      if (!plan || plan.settings.volume?.id === volumeId) await removeInstance(tools, deploymentId)
    }
    await tools.world.volumes.remove(volumeId)
  }
}

/** Measures the volumes in use (mounting what a reboot has unmounted), and destroys what is over; answers the latter. */
export async function sweepVolumes(tools: Tools): Promise<string[]> {
  const { volumes } = tools.world
  // The world is read before its owners: a volume made after this cannot be taken for one that is over.
  const present = await volumes.list()
  const { owned, ended } = await sortVolumeIds(tools.db, present)
  for (const id of present.filter(one => owned.has(one))) {
    const usedMb = await volumes.usage(id)
    if (usedMb !== null) await reportVolumeUsage(tools.db, id, usedMb)
  }
  const orphans = present.filter(id => ended.has(id))
  for (const id of orphans) await volumes.remove(id)
  return orphans
}

function overtaken(serviceId: string): DriverError {
  return new DriverError('deploy_failed', `the route of ${serviceId} belongs to a newer deployment`, {
    details: { motivo: 'uma implantação mais nova assumiu o tráfego' },
  })
}
