// Reads the world and Postgres, compares, acts. It takes no input, so the path after a crash is the everyday path.
import { listOwners, listProjectNetworks, listStrayRoutes, type OwnerRow } from '../../db/queries/instances.ts'
import {
  deleteOrphanRoutes,
  findRoute,
  listForgottenHolds,
  readdressRoute,
  stopHolding,
} from '../../db/queries/routes.ts'
import type { Engine, Instance } from '../drivers/contracts.ts'
import { syncCertificates } from './domains.ts'
import { reportExit, reportMissing } from './exits.ts'
import { removeOldImages } from './images.ts'
import { removeLeftProjects } from './removal.ts'
import { removeInstance } from './retire.ts'
import { applyRoute, syncRouter } from './route.ts'
import { sweepBackups, sweepEngine } from './sweep.ts'
import type { Tools } from './tools.ts'
import { revertTraffic } from './traffic.ts'
import { sweepVolumes } from './volumes.ts'

export interface Reconciled {
  instances: string[]
  networks: string[]
  images: string[]
  databases: string[]
  backups: string[]
  volumes: string[]
}

/** One pass. Answers what it removed. A part that fails is logged and does not keep the others from being done. */
export async function reconcile(tools: Tools): Promise<Reconciled> {
  const removed: Reconciled = { instances: [], networks: [], images: [], databases: [], backups: [], volumes: [] }
  const part = async (name: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      // What is away for now is the supervisor's news; the next pass finds it back.
      const isAway = (error as { temporary?: boolean }).temporary === true
      if (isAway) tools.log.info({ part: name, why: (error as Error).message }, 'left for the next pass')
      else tools.log.error({ err: error, part: name }, 'a part of the reconciliation failed')
    }
  }
  await part('routes', () => repairRoutes(tools))
  await part('volumes', async () => void (removed.volumes = await sweepVolumes(tools)))
  await part('instances', async () => void (removed.instances = await reconcileInstances(tools)))
  await part('router', () => syncRouter(tools))
  await part('certificates', () => syncCertificates(tools))
  await part('networks', async () => void (removed.networks = await removeNetworks(tools)))
  await part('images', async () => void (removed.images = await removeOldImages(tools, null)))
  for (const engine of Object.keys(tools.world.databases) as Engine[])
    await part(`databases of ${engine}`, async () => void removed.databases.push(...(await sweepEngine(tools, engine))))
  await part('backups', async () => void (removed.backups = await sweepBackups(tools)))
  if (Object.values(removed).some(names => names.length > 0)) tools.log.info({ removed }, 'removed what nobody owns')
  return removed
}

// A deployment ended badly and its revert never happened (the router was away for too long).
async function repairRoutes(tools: Tools): Promise<void> {
  for (const { service_id: serviceId, deployment_id: deploymentId, generation } of await listStrayRoutes(tools.db))
    await revertTraffic(tools, { deploymentId, serviceId, generation })
  for (const { service_id: serviceId, deployment_id: deploymentId } of await listForgottenHolds(tools.db))
    await finishHold(tools, serviceId, deploymentId)
  await deleteOrphanRoutes(tools.db)
}

// Requests wait, and whoever was to end that is gone. An instance that does not run is the business of its service.
async function finishHold(tools: Tools, serviceId: string, deploymentId: string): Promise<void> {
  const instance = await tools.world.containers.inspect(deploymentId)
  const generation = (await findRoute(tools.db, serviceId))?.generation ?? 0
  if (instance?.address)
    await readdressRoute(tools.db, { serviceId, deploymentId, address: instance.address, generation })
  else await stopHolding(tools.db, serviceId)
  await applyRoute(tools, serviceId)
}

async function reconcileInstances(tools: Tools): Promise<string[]> {
  // In this order: whatever is listed had its owner before, so what has none now is an orphan.
  const instances = await tools.world.containers.list()
  const owners = new Map((await listOwners(tools.db)).map(owner => [owner.deployment_id, owner]))
  const orphans = instances.filter(one => !owners.has(one.deploymentId)).map(one => one.deploymentId)
  const present = new Map(instances.map(one => [one.deploymentId, one]))
  for (const owner of owners.values()) await reportIfDown(tools, owner, present.get(owner.deployment_id) ?? null)
  // Together, because each may take the whole grace of a stop.
  await Promise.all(orphans.map(id => removeInstance(tools, id)))
  return orphans
}

async function reportIfDown(tools: Tools, owner: OwnerRow, listed: Instance | null): Promise<void> {
  const expected = owner.active || owner.state.startsWith('deploying')
  if (!expected || listed?.running) return
  // The list may be older than the instance.
  const instance = await tools.world.containers.inspect(owner.deployment_id)
  if (instance?.running) return
  if (instance?.finishedAt) await reportExit(tools, instance, 'reconciler')
  else if (!instance && owner.active && !owner.down) await reportMissing(tools, owner.service_id, owner.deployment_id)
}

async function removeNetworks(tools: Tools): Promise<string[]> {
  const networks = await tools.world.containers.listNetworks()
  const projects = new Set((await listProjectNetworks(tools.db)).map(one => one.project_id))
  const orphans = networks.filter(one => !projects.has(one.projectId)).map(one => one.name)
  for (const name of orphans) await tools.world.containers.removeNetwork(name)
  await removeLeftProjects(tools)
  return orphans
}
