// Keeping logs within bounds: the newest lines stay.
import type { Db } from '../connect.ts'

/** A build that is tried again writes its log anew. */
export async function clearBuildLog(db: Db, deploymentId: string): Promise<void> {
  await db.raw('delete from build_log where deployment_id = ?', [deploymentId])
}

/** Drops the oldest parts of a build log beyond `maxBytes`. */
export async function trimBuildLog(db: Db, deploymentId: string, maxBytes: number): Promise<void> {
  await db.raw(
    `delete from build_log where deployment_id = :deploymentId and id <= (
       select max(id) from (
         select id, sum(octet_length(text)) over (order by id desc) as bytes
           from build_log where deployment_id = :deploymentId
       ) sized where bytes > :maxBytes)`,
    { deploymentId, maxBytes },
  )
}

/** Drops the oldest runtime lines of a service beyond `maxBytes`. */
export async function trimRuntimeLog(db: Db, serviceId: string, maxBytes: number): Promise<void> {
  await db.raw(
    `delete from runtime_log where service_id = :serviceId and id <= (
       select max(id) from (
         select id, sum(octet_length(text)) over (order by id desc) as bytes
           from runtime_log where service_id = :serviceId
       ) sized where bytes > :maxBytes)`,
    { serviceId, maxBytes },
  )
}

/** The logs of a deleted service, and build logs of deployments that went with theirs. */
export async function deleteLogsOfService(db: Db, serviceId: string): Promise<void> {
  await db.raw('delete from runtime_log where service_id = ?', [serviceId])
  await db.raw('delete from build_log b where not exists (select 1 from deployment d where d.id = b.deployment_id)')
}
