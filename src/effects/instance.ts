// A container made from an artifact, and known to answer.
import type { Performers } from '../actors/index.ts'
import { openRoute } from '../../db/queries/routes.ts'
import { RUN } from '../domain/limits.ts'
import { DriverError, type Instance } from '../drivers/contracts.ts'
import { instanceSpec, probeOf, readPlan, type Plan } from './plan.ts'
import { applyRoute } from './route.ts'
import { keepOffLostVolume, readyVolume } from './volume-holding.ts'
import type { Tools } from './tools.ts'

export function startPerformer(tools: Tools): Performers['start'] {
  return async ({ deploymentId, image }, { signal }) => {
    const plan = await readPlan(tools, deploymentId)
    // Names and databases answer only to networks that the router knows, and an application may ask while it starts.
    await openRoute(tools.db, plan.serviceId)
    await applyRoute(tools, plan.serviceId)
    const address = await startHealthy(tools, plan, image, signal)
    return { address, port: plan.settings.port }
  }
}

/** Starts the instance of a plan, or finds it running, and waits for its first answer. Answers its address. */
export async function startHealthy(tools: Tools, plan: Plan, image: string, signal: AbortSignal): Promise<string> {
  const { containers } = tools.world
  await containers.ensureNetwork(plan.network)
  const volume = await readyVolume(tools, plan)
  await containers.start(instanceSpec(tools, plan, image, volume), signal)
  await keepOffLostVolume(tools, plan)
  await containers.healthy(plan.deploymentId, { ...probeOf(tools, plan), timeoutMs: RUN.healthTimeoutMs }, signal)
  const instance = await containers.inspect(plan.deploymentId)
  if (instance?.address) return instance.address
  // It has answered: what ended it came after its start (D-52).
  throw exited(instance)
}

/** The failure of an instance that answered and is no longer there. */
export function exited(instance: Instance | null): DriverError {
  return new DriverError('crashed_after_start', `the instance exited with ${instance?.exitCode ?? 'an unknown code'}`, {
    details: { codigo: instance?.exitCode ?? null, memoria: instance?.outOfMemory ? 1 : 0 },
  })
}
