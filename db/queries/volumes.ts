// Volumes of services. Whether one is attached is decided by the deployment that serves: it runs with what it was given.
import type { Db } from '../connect.ts'

export interface VolumeRow {
  id: string
  service_id: string
  project_id: string
  team_id: string
  mount_path: string
  size_gb: number
  /** As last measured. */
  used_mb: number
  created_at: Date
  updated_at: Date
  service_name: string
  /** The deployment that serves has it, as it is set now. */
  attached: boolean
}

const SHOWN = `v.*, s.name as service_name, coalesce((
    select d.settings->'volume'->>'id' = v.id and d.settings->'volume'->>'mountPath' = v.mount_path
       and (d.settings->'volume'->>'sizeGb')::int = v.size_gb
      from actor a join deployment d on d.id = a.snapshot->'context'->>'active' where a.id = v.service_id
  ), false) as attached`
const FROM = 'volume v join service s on s.id = v.service_id'

export async function findVolume(db: Db, serviceId: string): Promise<VolumeRow | null> {
  const { rows } = await db.raw(`select ${SHOWN} from ${FROM} where v.service_id = ?`, [serviceId])
  return rows[0] ?? null
}

/** Oldest first, those after `after` (an id; null = from the oldest). */
export async function listVolumes(
  db: Db,
  projectId: string,
  after: string | null,
  limit: number,
): Promise<VolumeRow[]> {
  const { rows } = await db.raw(
    `select ${SHOWN} from ${FROM}
      where v.project_id = :projectId and (cast(:after as text) is null or v.id > :after)
      order by v.id limit :limit`,
    { projectId, after, limit },
  )
  return rows
}

export interface VolumeFields {
  mountPath: string
  sizeGb: number
}

export async function insertVolume(
  db: Db,
  volume: VolumeFields & { id: string; serviceId: string; projectId: string; teamId: string },
): Promise<void> {
  await db.raw(
    `insert into volume (id, service_id, project_id, team_id, mount_path, size_gb)
     values (:id, :serviceId, :projectId, :teamId, :mountPath, :sizeGb)`,
    { ...volume },
  )
}

export async function updateVolume(db: Db, id: string, { mountPath, sizeGb }: VolumeFields): Promise<void> {
  await db.raw('update volume set mount_path = :mountPath, size_gb = :sizeGb, updated_at = now() where id = :id', {
    id,
    mountPath,
    sizeGb,
  })
}

/** Out of sight, and written down as over: from here on its data may be destroyed. */
export async function deleteVolume(db: Db, id: string): Promise<void> {
  await db.raw(
    `with gone as (delete from volume where id = ? returning id, service_id)
     insert into deleted_volume (id, service_id) select id, service_id from gone`,
    [id],
  )
}

/** Sum over the volumes of the team outside this service. For a transaction that has locked the team. */
export async function volumeGbOf(db: Db, teamId: string, exceptServiceId: string): Promise<number> {
  const { rows } = await db.raw(
    'select coalesce(sum(size_gb), 0)::int as gb from volume where team_id = :teamId and service_id <> :exceptServiceId',
    { teamId, exceptServiceId },
  )
  return rows[0].gb
}

export async function countVolumesOfProject(db: Db, projectId: string): Promise<number> {
  const { rows } = await db.raw('select count(*)::int as n from volume where project_id = ?', [projectId])
  return rows[0].n
}

/** Of these ids: those in use, those that are over and may go, and (in neither) those nobody here has heard of. */
export async function sortVolumeIds(db: Db, ids: string[]): Promise<{ owned: Set<string>; ended: Set<string> }> {
  const { rows } = await db.raw(
    `select id, true as owned from volume where id = any(:ids)
      union all
     select d.id, false from deleted_volume d where d.id = any(:ids)
        and not exists (select 1 from effect e where e.lane = 'service:' || d.service_id
                           and e.state in ('ready', 'running', 'canceling'))`,
    { ids },
  )
  const of = (owned: boolean) =>
    new Set<string>(rows.filter((row: { owned: boolean }) => row.owned === owned).map((row: { id: string }) => row.id))
  return { owned: of(true), ended: of(false) }
}

export async function reportVolumeUsage(db: Db, id: string, usedMb: number): Promise<void> {
  await db.raw('update volume set used_mb = :usedMb where id = :id and used_mb <> :usedMb', { id, usedMb })
}
