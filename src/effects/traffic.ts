// Moving requests between the instances of a service. Every write is fenced by the effect's id.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Performers } from '../actors/index.ts'
import { clearRoute, findRoute, pointRoute, readdressRoute, revertRoute } from '../../db/queries/routes.ts'
import { DriverError } from '../drivers/contracts.ts'
import { exited } from './instance.ts'
import { probeOf, readPlan, type Plan } from './plan.ts'
import { applyRoute } from './route.ts'
import { hadVolume, revertVolume } from './volumes.ts'
import type { Tools } from './tools.ts'

const PROBE_EVERY_MS = 200
const PROBE_FOR_MS = 5_000

/** Private name and public host to the new instance in one step. The old one is kept warm as `previous`. */
export function switchPerformer(tools: Tools): Performers['switchTraffic'] {
  return async ({ deploymentId, serviceId, address, port }, { effectId, signal }) => {
    await assertRunning(tools, deploymentId)
    signal.throwIfAborted()
    const row = await pointRoute(tools.db, { serviceId, deploymentId, address, port, generation: effectId })
    if (!row) throw overtaken(serviceId)
    await applyRoute(tools, serviceId)
    return { previous: row.previous_deployment_id }
  }
}

/** `ready` is said only of what was seen: it runs, it is the target, and it answers through the router. */
export function confirmPerformer(tools: Tools): Performers['confirm'] {
  return async ({ deploymentId, serviceId }, { signal }) => {
    const plan = await readPlan(tools, deploymentId)
    await assertRunning(tools, deploymentId)
    const row = await findRoute(tools.db, serviceId)
    if (row?.deployment_id !== deploymentId) throw overtaken(serviceId)
    await probeThroughRouter(tools, plan, signal)
    return { observedAt: new Date().toISOString() }
  }
}

/** Back to the instance that served before, if it still runs; else to nobody. */
export function revertPerformer(tools: Tools): Performers['revertTraffic'] {
  return async ({ deploymentId, serviceId }, { effectId }) => ({
    restored: await revertTraffic(tools, { deploymentId, serviceId, generation: effectId }),
  })
}

/** Takes the route away from a deployment; nothing changes when it has none, or a newer generation wrote it. */
export async function revertTraffic(
  tools: Tools,
  { deploymentId, serviceId, generation }: { deploymentId: string; serviceId: string; generation: number },
): Promise<string | null> {
  if (await hadVolume(tools, serviceId, deploymentId))
    return revertVolume(tools, { deploymentId, serviceId, generation })
  const before = await findRoute(tools.db, serviceId)
  if (before?.deployment_id !== deploymentId) {
    // Perhaps an earlier attempt wrote the row and died before the router heard of it.
    await applyRoute(tools, serviceId)
    return before?.deployment_id ?? null
  }
  const previousId = before.previous_deployment_id
  const previous = previousId ? await tools.world.containers.inspect(previousId) : null
  const row = previous?.running
    ? await revertRoute(tools.db, { serviceId, deploymentId, generation })
    : await clearRoute(tools.db, serviceId, generation)
  if (row?.deployment_id && previous?.address)
    await readdressRoute(tools.db, {
      serviceId,
      deploymentId: row.deployment_id,
      address: previous.address,
      generation,
    })
  await applyRoute(tools, serviceId)
  return row?.deployment_id ?? null
}

async function assertRunning({ world }: Tools, deploymentId: string): Promise<void> {
  const instance = await world.containers.inspect(deploymentId)
  if (!instance?.running) throw exited(instance)
}

// One good answer is enough; a few tries, because an answer can be lost to a busy machine.
async function probeThroughRouter({ world, ...tools }: Tools, plan: Plan, signal: AbortSignal): Promise<void> {
  const { path, host, port } = probeOf({ world, ...tools }, plan)
  const deadline = Date.now() + PROBE_FOR_MS
  for (;;) {
    const status = await world.router.probe(plan.serviceId, path, host)
    if (status !== null && status >= 200 && status < 400) return
    await assertRunning({ world, ...tools }, plan.deploymentId)
    if (Date.now() > deadline)
      throw new DriverError('activate_no_http', `the router saw ${status ?? 'no answer'}`, {
        details: { caminho: path, porta: port, ultimo: status },
      })
    await sleep(PROBE_EVERY_MS, undefined, { signal })
  }
}

function overtaken(serviceId: string): DriverError {
  return new DriverError('deploy_failed', `the route of ${serviceId} belongs to a newer deployment`, {
    details: { motivo: 'uma implantação mais nova assumiu o tráfego' },
  })
}
