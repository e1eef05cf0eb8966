// The active instance of a service, up again after it exited.
import type { Performers } from '../actors/index.ts'
import { findRoute, handVolume, pointRoute, readdressRoute } from '../../db/queries/routes.ts'
import { DriverError } from '../drivers/contracts.ts'
import { startHealthy } from './instance.ts'
import { readPlan } from './plan.ts'
import { applyRoute } from './route.ts'
import type { Tools } from './tools.ts'

export function restartPerformer(tools: Tools): Performers['restartInstance'] {
  return async ({ serviceId, deploymentId }, { effectId, signal }) => {
    const plan = await readPlan(tools, deploymentId)
    const route = await findRoute(tools.db, serviceId)
    // Another deployment has the volume now: this instance comes back by its revert, or never (D-53).
    if (route?.volume_holder && route.volume_holder !== deploymentId) return { address: '' }
    if (plan.settings.volume && !route?.volume_holder)
      await handVolume(tools.db, { serviceId, deploymentId, generation: effectId })
    if (plan.image === null) throw new DriverError('deploy_failed', `deployment ${deploymentId} never had an image`)
    const address = await startHealthy(tools, plan, plan.image, signal)
    signal.throwIfAborted()
    await pointAgain(tools, { serviceId, deploymentId, address, port: plan.settings.port, generation: effectId })
    await applyRoute(tools, serviceId)
    return { address }
  }
}

// While a newer deployment has the traffic, only what would be reverted to changes.
async function pointAgain(
  { db }: Tools,
  route: { serviceId: string; deploymentId: string; address: string; port: number; generation: number },
): Promise<void> {
  const row = await findRoute(db, route.serviceId)
  if (row?.deployment_id) await readdressRoute(db, route)
  else await pointRoute(db, route)
}
