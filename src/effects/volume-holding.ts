// Who may have an instance on the volume of a service: the one deployment that the route names as its holder (D-53).
import { findRoute } from '../../db/queries/routes.ts'
import { DriverError, type InstanceSpec } from '../drivers/contracts.ts'
import type { Plan } from './plan.ts'
import type { Tools } from './tools.ts'

/** The volume of a plan, made and mounted for its instance; null when it has none. Throws when somebody else has it. */
export async function readyVolume(tools: Tools, plan: Plan): Promise<InstanceSpec['volume']> {
  const { volume } = plan.settings
  if (!volume) return null
  if (!(await holdsVolume(tools, plan.deploymentId, plan.serviceId))) throw lost(plan)
  const { source } = await tools.world.volumes.ensure({ volumeId: volume.id, sizeGb: volume.sizeGb })
  return { volumeId: volume.id, source, mountPath: volume.mountPath }
}

/** Looks once more after a start: a performer that was given up meanwhile must not leave a second instance behind. */
export async function keepOffLostVolume(tools: Tools, plan: Plan): Promise<void> {
  if (!plan.settings.volume || (await holdsVolume(tools, plan.deploymentId, plan.serviceId))) return
  await tools.world.containers.stop(plan.deploymentId, 0)
  throw lost(plan)
}

export async function holdsVolume({ db }: Tools, deploymentId: string, serviceId: string): Promise<boolean> {
  return (await findRoute(db, serviceId))?.volume_holder === deploymentId
}

function lost({ deploymentId }: Plan): DriverError {
  return new DriverError('deploy_failed', `the volume does not belong to ${deploymentId}`, {
    details: { motivo: 'o volume do serviço está com outra versão' },
  })
}
