// Which instances somebody owns, and what is needed to make one. For effects; requests never ask.
import type { Db } from '../connect.ts'

export interface InstancePlanRow {
  id: string
  project_id: string
  service_id: string
  team_id: string
  network_index: number
  settings: unknown
  /** Sealed about the id. */
  environment: Buffer
  /** Artifact of the deployment, once it has one. */
  image: string | null
}

/** What a deployment runs with, and the network of its project. Null when it was deleted. */
export async function findInstancePlan(db: Db, deploymentId: string): Promise<InstancePlanRow | null> {
  const { rows } = await db.raw(
    `select d.id, d.project_id, d.service_id, d.team_id, p.network_index, d.settings, d.environment,
            a.snapshot->'context'->>'image' as image
       from deployment d
       join project p on p.id = d.project_id
       left join actor a on a.id = d.id
      where d.id = ?`,
    [deploymentId],
  )
  return rows[0] ?? null
}

export interface OwnerRow {
  deployment_id: string
  service_id: string
  /** Of the deployment's actor. */
  status: string
  state: string
  /** It is the instance that its service should keep up. */
  active: boolean
  /** Its service knows that it is down, and is about to start it again. */
  down: boolean
  /** The route of its service points at it. */
  routed: boolean
}

/**
 * Deployments whose instance (and image) must stay: open ones, the active one of each service, the ones a route points at
 * (its previous one only while the newer one is not settled), and those that open effects name.
 */
export async function listOwners(db: Db): Promise<OwnerRow[]> {
  const { rows } = await db.raw(
    `with serving as (
       select a.snapshot->'context'->>'active' as id, (a.snapshot->'context'->>'down')::boolean as down
         from service s join actor a on a.id = s.id
     ), owned as (
       select id from actor where kind = 'deployment' and status = 'active'
       union
       select id from serving where id is not null
       union
       select deployment_id from route where deployment_id is not null
       union
       select r.previous_deployment_id from route r join actor a on a.id = r.deployment_id and a.status = 'active'
       union
       select params->>'deploymentId' from effect where state in ('ready', 'running', 'canceling')
     )
     select d.id as deployment_id, d.service_id, a.status, a.state,
            serving.id is not null as active, coalesce(serving.down, false) as down, r.service_id is not null as routed
       from owned
       join deployment d on d.id = owned.id
       join actor a on a.id = d.id
       left join serving on serving.id = d.id
       left join route r on r.deployment_id = d.id
      order by d.id`,
  )
  return rows
}

/** Deployments that own an image which a rollback may still want: the newest `keep` ready ones of each service. */
export async function listRollbackImages(db: Db, keep: number, serviceId: string | null = null): Promise<string[]> {
  const { rows } = await db.raw(
    `select id, image from (
       select d.id, a.snapshot->'context'->>'image' as image,
              row_number() over (partition by d.service_id order by d.id desc) as place
         from deployment d join actor a on a.id = d.id
        where a.state = 'ready' and (cast(:serviceId as text) is null or d.service_id = :serviceId)
     ) ready where place <= :keep and image is not null`,
    { keep, serviceId },
  )
  return rows.map((row: { image: string }) => row.image)
}

/** The artifacts of these deployments, also those that a rollback is about to use; who has none is left out. */
export async function listImagesOf(
  db: Db,
  deploymentIds: string[],
): Promise<{ deployment_id: string; service_id: string; image: string }[]> {
  const { rows } = await db.raw(
    `select * from (
       select d.id as deployment_id, d.service_id,
              coalesce(a.snapshot->'context'->>'image', d.settings->>'image') as image
         from deployment d join actor a on a.id = d.id
        where d.id = any(:deploymentIds)
     ) artifact where image is not null`,
    { deploymentIds },
  )
  return rows
}

/** Every project's place in the pool. */
export async function listProjectNetworks(db: Db): Promise<{ project_id: string; network_index: number }[]> {
  const { rows } = await db.raw('select id as project_id, network_index from project order by network_index')
  return rows
}

/** Routes that still point at a deployment which ended other than `ready`: its revert never happened. */
export async function listStrayRoutes(
  db: Db,
): Promise<{ service_id: string; deployment_id: string; generation: number }[]> {
  const { rows } = await db.raw(
    `select r.service_id, r.deployment_id, r.generation
       from route r join actor a on a.id = r.deployment_id
      where a.status = 'done' and a.state <> 'ready'
        and not exists (select 1 from effect e where e.lane = 'service:' || r.service_id
                           and e.state in ('ready', 'running', 'canceling'))`,
  )
  return rows
}

/** Those of these ids that are no service and no database any more. */
export async function listMissingTargets(db: Db, ids: string[]): Promise<string[]> {
  const { rows } = await db.raw(
    `select id from unnest(cast(:ids as text[])) as target (id)
      where not exists (select 1 from service s where s.id = target.id)
        and not exists (select 1 from database d where d.id = target.id)`,
    { ids },
  )
  return rows.map((row: { id: string }) => row.id)
}

/** The plan of a team, how many of its other services have an instance that should serve, and whether this one has. */
export async function runningApps(
  db: Db,
  teamId: string,
  serviceId: string,
): Promise<{ plan: string; others: number; runs: boolean }> {
  const { rows } = await db.raw(
    `select t.plan, count(s.id) filter (where s.id <> :serviceId) as others,
            count(s.id) filter (where s.id = :serviceId) > 0 as runs
       from team t
       left join (service s join actor a on a.id = s.id and a.snapshot->'context'->>'active' is not null)
         on s.team_id = t.id
      where t.id = :teamId group by t.id`,
    { teamId, serviceId },
  )
  return { ...rows[0], others: Number(rows[0].others) }
}
