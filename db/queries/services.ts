// Services with what their actor and their deployments say about them.
import type { Db } from '../connect.ts'

export type ServiceSource =
  | { type: 'upload' }
  | { type: 'image'; ref: string }
  | {
      type: 'git'
      installation_id: string
      repo: string | null
      branch: string | null
      root_dir: string | null
      watch_paths: string[]
    }

/** The columns that a client sets. */
export interface ServiceFields {
  name: string
  visibility: 'public' | 'private'
  slug: string | null
  port: number
  source: ServiceSource | null
  builder: string
  run_as: string | null
  healthcheck_path: string
  start_command: string | null
  build_command: string | null
  memory_mb: number
  cpus: number
  auto_deploy: boolean
}

export interface ServiceRow extends ServiceFields {
  id: string
  project_id: string
  team_id: string
  vip_index: number
  /** Counts changes that want a redeploy (D-59). */
  revision: number
  upload_sha256: string | null
  created_at: Date
  updated_at: Date
  /** Of the actor. */
  state: string
  active_deployment_id: string | null
  /** D-59: changed after the last deployment that became ready was triggered or, before there is one, after the first. */
  needs_redeploy: boolean
  /** As it is set now; what runs has what it was deployed with. */
  volume: { id: string; mountPath: string; sizeGb: number } | null
}

const SHOWN = `s.*, a.state, a.snapshot->'context'->>'active' as active_deployment_id,
  coalesce(s.revision > coalesce(
    (select d.service_revision from deployment d join actor da on da.id = d.id
      where d.service_id = s.id and da.state = 'ready' order by d.id desc limit 1),
    (select d.service_revision from deployment d where d.service_id = s.id order by d.id limit 1)
  ), false) as needs_redeploy,
  (select json_build_object('id', v.id, 'mountPath', v.mount_path, 'sizeGb', v.size_gb)
     from volume v where v.service_id = s.id) as volume`
const FROM = 'service s join actor a on a.id = s.id'

/** By id or by name: an id starts with a digit and a name with a letter (D-03). */
export async function findService(db: Db, projectId: string, idOrName: string): Promise<ServiceRow | null> {
  const { rows } = await db.raw(
    `select ${SHOWN} from ${FROM} where s.project_id = :projectId and (s.id = :idOrName or s.name = :idOrName)`,
    { projectId, idOrName },
  )
  return rows[0] ?? null
}

/** Oldest first, those after `after` (an id; null = from the oldest); all of them without a limit. */
export async function listServices(
  db: Db,
  projectId: string,
  after: string | null = null,
  limit: number | null = null,
): Promise<ServiceRow[]> {
  const { rows } = await db.raw(
    `select ${SHOWN} from ${FROM}
      where s.project_id = :projectId and (cast(:after as text) is null or s.id > :after)
      order by s.id limit :limit`,
    { projectId, after, limit },
  )
  return rows
}

export async function insertService(
  db: Db,
  service: ServiceFields & { id: string; project_id: string; team_id: string; vip_index: number },
): Promise<void> {
  await db.raw(
    `insert into service (id, project_id, team_id, vip_index, name, visibility, slug, port, source, builder, run_as,
                          healthcheck_path, start_command, build_command, memory_mb, cpus, auto_deploy)
     values (:id, :project_id, :team_id, :vip_index, :name, :visibility, :slug, :port, :source, :builder, :run_as,
             :healthcheck_path, :start_command, :build_command, :memory_mb, :cpus, :auto_deploy)`,
    { ...service, source: json(service.source) },
  )
}

/** Writes every field that a client sets. `redeploy` counts a change that the running instance does not have yet. */
export async function updateService(db: Db, id: string, fields: ServiceFields, redeploy: boolean): Promise<void> {
  await db.raw(
    `update service
        set name = :name, visibility = :visibility, slug = :slug, port = :port, source = :source, builder = :builder,
            run_as = :run_as, healthcheck_path = :healthcheck_path, start_command = :start_command,
            build_command = :build_command, memory_mb = :memory_mb, cpus = :cpus, auto_deploy = :auto_deploy,
            revision = revision + :step, updated_at = now()
      where id = :id`,
    { ...fields, source: json(fields.source), id, step: redeploy ? 1 : 0 },
  )
}

/** Renames an app or a database in the one set of names of its project; 23505 when the name is used. */
export async function renameComponent(db: Db, projectId: string, ownerId: string, name: string): Promise<void> {
  await db.raw('update component_name set name = :name where project_id = :projectId and owner_id = :ownerId', {
    projectId,
    ownerId,
    name,
  })
}

/** Services of the team and their memory. For a transaction that has locked the team. */
export async function reservedBy(db: Db, teamId: string): Promise<{ services: number; memoryMb: number }> {
  const { rows } = await db.raw(
    `select count(*) as services, coalesce(sum(memory_mb), 0) as "memoryMb" from service where team_id = ?`,
    [teamId],
  )
  return rows[0]
}

/**
 * The service and everything that hangs on it is gone when this commits; its name and slug are free. Its address stays
 * taken until nothing in the world uses it (`forgetLeaving`). Its logs are `deleteLogsOfService`'s.
 */
export async function deleteService(db: Db, id: string): Promise<void> {
  await db.raw(
    `with gone as (delete from service where id = :id returning id, project_id, vip_index),
          freed as (delete from component_name where owner_id = :id)
     insert into leaving (owner_id, project_id, vip_index) select id, project_id, vip_index from gone`,
    { id },
  )
}

function json(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}
