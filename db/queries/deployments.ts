// What deployments run with, and how they are shown. Status, error and times are those of the actor with the same id.
import type { Db } from '../connect.ts'
import { lockTeam } from './locks.ts'

export type DeploymentTrigger = 'api' | 'upload' | 'git' | 'rollback' | 'group'

export interface NewDeployment {
  id: string
  projectId: string
  serviceId: string
  teamId: string
  groupId: string | null
  trigger: DeploymentTrigger
  /** As the API shows it: {type, sha256 | ref | commit}. */
  source: object
  rollbackOf: string | null
  serviceRevision: number
  settings: object
  /** Sealed about the id. */
  environment: Buffer
}

export interface DeploymentRow {
  id: string
  project_id: string
  service_id: string
  team_id: string
  group_id: string | null
  trigger: DeploymentTrigger
  source: { type: string; sha256?: string | null; ref?: string; commit?: string | null }
  rollback_of: string | null
  service_revision: number
  created_at: Date
  /** Of the actor. */
  state: string
  error: { code: string; details?: Record<string, string | number | null> } | null
  image: string | null
  started_at: Date | null
  finished_at: Date | null
}

/** What effects and rollbacks need: the settings, and the environment still sealed. */
export interface DeploymentPlan {
  id: string
  project_id: string
  service_id: string
  team_id: string
  group_id: string | null
  trigger: DeploymentTrigger
  rollback_of: string | null
  settings: unknown
  environment: Buffer
}

const SHOWN = `d.id, d.project_id, d.service_id, d.team_id, d.group_id, d.trigger, d.source, d.rollback_of,
  d.service_revision, d.created_at, a.state, a.snapshot->'context'->'error' as error,
  a.snapshot->'context'->>'image' as image, a.started_at, a.finished_at`

export async function insertDeployment(db: Db, deployment: NewDeployment): Promise<void> {
  await db.raw(
    `insert into deployment (id, project_id, service_id, team_id, group_id, trigger, source, rollback_of,
                             service_revision, settings, environment)
     values (:id, :projectId, :serviceId, :teamId, :groupId, :trigger, :source, :rollbackOf,
             :serviceRevision, :settings, :environment)`,
    {
      ...deployment,
      source: JSON.stringify(deployment.source),
      settings: JSON.stringify(deployment.settings),
    },
  )
}

export async function findDeployment(db: Db, serviceId: string, id: string): Promise<DeploymentRow | null> {
  const { rows } = await db.raw(
    `select ${SHOWN} from deployment d join actor a on a.id = d.id where d.id = :id and d.service_id = :serviceId`,
    { id, serviceId },
  )
  return rows[0] ?? null
}

/** Newest first, those older than `before` (an id; null = from the newest). */
export async function listDeployments(
  db: Db,
  serviceId: string,
  before: string | null,
  limit: number,
): Promise<DeploymentRow[]> {
  const { rows } = await db.raw(
    `select ${SHOWN} from deployment d join actor a on a.id = d.id
      where d.service_id = :serviceId and (cast(:before as text) is null or d.id < :before)
      order by d.id desc limit :limit`,
    { serviceId, before, limit },
  )
  return rows
}

export async function listDeploymentsOfGroup(db: Db, groupId: string): Promise<DeploymentRow[]> {
  const { rows } = await db.raw(
    `select ${SHOWN} from deployment d join actor a on a.id = d.id where d.group_id = ? order by d.id`,
    [groupId],
  )
  return rows
}

export async function findDeploymentPlan(db: Db, id: string): Promise<DeploymentPlan | null> {
  const { rows } = await db.raw(
    `select id, project_id, service_id, team_id, group_id, trigger, rollback_of, settings, environment
       from deployment where id = ?`,
    [id],
  )
  return rows[0] ?? null
}

export interface OpenDeployment {
  id: string
  /** Of the actor: the service, or the service and `:next`; unique while the actor is active. */
  subject: string
  service_id: string
  service_name: string
  group_id: string | null
  /** Of the group's actor. */
  group_state: string | null
}

/** Deployments of these services that have not ended. Meant for a transaction that has locked the services. */
export async function listOpenDeployments(db: Db, serviceIds: string[]): Promise<OpenDeployment[]> {
  const { rows } = await db.raw(
    `select d.id, a.subject, d.service_id, s.name as service_name, d.group_id, g.state as group_state
       from actor a
       join deployment d on d.id = a.id
       join service s on s.id = d.service_id
       left join actor g on g.id = d.group_id
      where a.kind = 'deployment' and a.status = 'active'
        and a.subject = any(:subjects) and d.service_id = any(:serviceIds)
      order by d.id`,
    { serviceIds, subjects: serviceIds.flatMap(id => [id, `${id}:next`]) },
  )
  return rows
}

/** Uses of the hourly quota, and the whole seconds until the first of them leaves the window. */
export async function countDeploys(
  db: Db,
  teamId: string,
  windowMs: number,
): Promise<{ used: number; seconds: number }> {
  const { rows } = await db.raw(
    `select count(*) as used,
            coalesce(extract(epoch from min(at) - clock_timestamp()), 0) + :windowMs / 1000.0 as wait
       from deploy_use
      where team_id = :teamId and at > clock_timestamp() - make_interval(secs => :windowMs / 1000.0)`,
    { teamId, windowMs },
  )
  return { used: rows[0].used, seconds: Math.max(1, Math.ceil(rows[0].wait)) }
}

/** Removes uses of quotas that have run out, of teams that do not trigger any more. */
export async function deleteOldDeployUses(db: Db, windowMs: number): Promise<void> {
  await db.raw('delete from deploy_use where at < now() - make_interval(secs => :windowMs / 1000.0)', { windowMs })
}

/**
 * Takes `count` uses of the hourly quota, all or none (D-57): null, or the whole seconds until enough uses have left the
 * window. The team's row stays locked until the end of the transaction.
 */
export async function spendDeploys(
  db: Db,
  teamId: string,
  count: number,
  quota: { max: number; windowMs: number },
): Promise<number | null> {
  const { windowMs } = quota
  await lockTeam(db, teamId)
  // The clock and not now(): this transaction may have begun before one that it waited for.
  const expired = `at <= clock_timestamp() - make_interval(secs => :windowMs / 1000.0)`
  await db.raw(`delete from deploy_use where team_id = :teamId and ${expired}`, { teamId, windowMs })
  const { rows } = await db.raw(
    `select extract(epoch from at + make_interval(secs => :windowMs / 1000.0) - clock_timestamp()) as wait
       from deploy_use where team_id = :teamId order by at, id`,
    { teamId, windowMs },
  )
  const waits: number[] = rows.map((row: { wait: number }) => Math.max(1, Math.ceil(row.wait)))
  const excess = waits.length + count - quota.max
  if (excess > 0) return waits[excess - 1] ?? Math.ceil(windowMs / 1000)
  await db.raw(
    'insert into deploy_use (team_id, at) select :teamId, clock_timestamp() from generate_series(1, :count)',
    {
      teamId,
      count,
    },
  )
  return null
}
