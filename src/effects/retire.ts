// Taking instances away: what ended well is drained first, what failed is not waited for.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Performers } from '../actors/index.ts'
import { clearRoute, findRoute, forgetPrevious } from '../../db/queries/routes.ts'
import { RUN } from '../domain/limits.ts'
import { holdsVolume } from './volume-holding.ts'
import { removeOldImages } from './images.ts'
import { drainLog } from './logs.ts'
import { findPlan } from './plan.ts'
import { applyRoute } from './route.ts'
import type { Tools } from './tools.ts'
import { revertTraffic } from './traffic.ts'

const LOOK_EVERY_MS = 100

/** Drain, SIGTERM, SIGKILL, keep the log, remove (D-53). */
export function retirePerformer(tools: Tools): Performers['retireInstance'] {
  return async ({ deploymentId, serviceId }, { signal }) => {
    if (await isTarget(tools, deploymentId, serviceId)) {
      tools.log.warn({ deploymentId, serviceId }, 'an instance that still has the traffic is not retired')
      return
    }
    await forgetPrevious(tools.db, serviceId, deploymentId)
    await drain(tools, deploymentId, signal)
    await removeInstance(tools, deploymentId)
    await removeOldImages(tools, serviceId)
  }
}

/** Whatever an unsuccessful deployment left. Its instance never answers again, so nothing is drained. */
export function cleanUpPerformer(tools: Tools): Performers['cleanUp'] {
  return async ({ deploymentId, serviceId }, { effectId }) => {
    // The revert of the machine may have failed; a route must not lead to what is about to go.
    if ((await isTarget(tools, deploymentId, serviceId)) || (await holdsVolume(tools, deploymentId, serviceId)))
      await revertTraffic(tools, { deploymentId, serviceId, generation: effectId })
    await removeInstance(tools, deploymentId)
    await tools.world.builder.remove(deploymentId)
  }
}

/** A service that has failed for good: no route, no container. The image stays for rollbacks. */
export function withdrawPerformer(tools: Tools): Performers['withdrawInstance'] {
  return async ({ deploymentId, serviceId }, { effectId }) => {
    if (await isTarget(tools, deploymentId, serviceId)) await clearRoute(tools.db, serviceId, effectId)
    await forgetPrevious(tools.db, serviceId, deploymentId)
    await applyRoute(tools, serviceId)
    await removeInstance(tools, deploymentId)
  }
}

/** Stops the container of a deployment, keeps its last lines, and removes it. */
export async function removeInstance(tools: Tools, deploymentId: string): Promise<void> {
  const { containers } = tools.world
  await containers.stop(deploymentId, RUN.stopGraceMs)
  await drainLog(tools, deploymentId)
  await containers.remove(deploymentId)
}

async function isTarget({ db }: Tools, deploymentId: string, serviceId: string): Promise<boolean> {
  const route = await findRoute(db, serviceId)
  return route?.deployment_id === deploymentId
}

// Requests that were in flight at the switch may end; new ones do not come here any more.
export async function drain(tools: Tools, deploymentId: string, signal: AbortSignal): Promise<void> {
  const [plan, instance] = await Promise.all([
    findPlan(tools, deploymentId),
    tools.world.containers.inspect(deploymentId),
  ])
  if (!plan || !instance?.address) return
  const target = { address: instance.address, port: plan.settings.port }
  const deadline = Date.now() + RUN.drainMs
  while (Date.now() < deadline && (await tools.world.router.inFlight(target)) > 0)
    await sleep(LOOK_EVERY_MS, undefined, { signal })
}
