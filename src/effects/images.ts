// Images are kept for the instances that run and for the rollbacks that may come; never pruned, always named.
import { listImagesOf, listOwners, listRollbackImages } from '../../db/queries/instances.ts'
import type { Tools } from './tools.ts'

/** Ready deployments of a service whose images stay for rollbacks; a rollback further back makes its image again. */
export const ROLLBACK_IMAGES = 3

/** Removes the images of one service (null = all, and those of deleted deployments too) that nobody needs. */
export async function removeOldImages(tools: Tools, serviceId: string | null): Promise<string[]> {
  // The world is read before its owners: an image made after this cannot be taken for an orphan.
  const present = await tools.world.builder.list()
  const owners = await listOwners(tools.db)
  const images = await listImagesOf(tools.db, [...new Set([...present, ...owners.map(owner => owner.deployment_id)])])
  const owned = new Set(owners.map(owner => owner.deployment_id))
  const inUse = images.filter(one => owned.has(one.deployment_id)).map(one => one.image)
  const kept = new Set([...inUse, ...(await listRollbackImages(tools.db, ROLLBACK_IMAGES))])
  const removable = present.filter(id => {
    if (owned.has(id)) return false
    const image = images.find(one => one.deployment_id === id)
    if (serviceId !== null && image?.service_id !== serviceId) return false
    // Two deployments may share one artifact: a rollback, or the same source twice.
    return !image || !kept.has(image.image)
  })
  for (const id of removable) await tools.world.builder.remove(id)
  return removable
}
