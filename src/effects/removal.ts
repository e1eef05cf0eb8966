// What a deleted service or project left in the world goes, piece by piece; every piece that is gone already is success.
import type { Performers } from '../actors/index.ts'
import { deleteLogsOfService } from '../../db/queries/log-lines.ts'
import { forgetLeaving, listLeavingProjects } from '../../db/queries/projects.ts'
import { deleteRoute } from '../../db/queries/routes.ts'
import { networkName } from '../domain/addresses.ts'
import { removeOldImages } from './images.ts'
import { removeInstance } from './retire.ts'
import { syncRouter } from './route.ts'
import type { Tools } from './tools.ts'

/** Nobody reaches it any more, then nothing of it runs, then nothing of it is there. */
export function removeServicePerformer(tools: Tools): Performers['removeService'] {
  return async ({ serviceId }) => {
    await deleteRoute(tools.db, serviceId)
    await syncRouter(tools)
    const instances = (await tools.world.containers.list()).filter(one => one.serviceId === serviceId)
    await Promise.all(instances.map(one => removeInstance(tools, one.deploymentId)))
    await removeOldImages(tools, null)
    await deleteLogsOfService(tools.db, serviceId)
    await forgetLeaving(tools.db, serviceId)
    await removeLeftProjects(tools)
  }
}

/** Networks of deleted projects in which nothing runs any more; their numbers may be given again. Answers the names. */
export async function removeLeftProjects(tools: Tools): Promise<string[]> {
  const names: string[] = []
  for (const projectId of await listLeavingProjects(tools.db)) {
    const name = networkName(tools.config.instance, projectId)
    await tools.world.containers.removeNetwork(name)
    await forgetLeaving(tools.db, projectId)
    names.push(name)
  }
  return names
}
