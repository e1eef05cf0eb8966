// Group deployments: the row says whose it is, the actor of the same id says how it is.
import type { Db } from '../connect.ts'

export interface GroupRow {
  id: string
  project_id: string
  created_at: Date
  /** Of the actor. */
  state: string
  error: { code: string; details?: Record<string, string | number | null> } | null
  items: {
    serviceId: string
    serviceName: string
    deploymentId: string | null
    layer: number
    status: string
    reason: string | null
  }[]
  finished_at: Date | null
}

export async function insertGroup(db: Db, group: { id: string; projectId: string; teamId: string }): Promise<void> {
  await db.raw('insert into deployment_group (id, project_id, team_id) values (:id, :projectId, :teamId)', group)
}

export async function findGroup(db: Db, projectId: string, id: string): Promise<GroupRow | null> {
  const { rows } = await db.raw(
    `select g.id, g.project_id, g.created_at, a.state, a.finished_at,
            a.snapshot->'context'->'error' as error, a.snapshot->'context'->'items' as items
       from deployment_group g join actor a on a.id = g.id
      where g.id = :id and g.project_id = :projectId`,
    { id, projectId },
  )
  return rows[0] ?? null
}

/** The group that the project runs now; the actor's subject is the project, so there is at most one. */
export async function findRunningGroup(db: Db, projectId: string): Promise<string | null> {
  const { rows } = await db.raw(`select id from actor where kind = 'group' and status = 'active' and subject = ?`, [
    projectId,
  ])
  return rows[0]?.id ?? null
}

/** Deployments of a group that have not ended, oldest first. */
export async function listOpenItems(db: Db, groupId: string): Promise<string[]> {
  const { rows } = await db.raw(
    `select d.id from deployment d join actor a on a.id = d.id
      where d.group_id = ? and a.status = 'active' order by d.id`,
    [groupId],
  )
  return rows.map((row: { id: string }) => row.id)
}
