// Projects, always within a team and, for a restricted token, within the projects that it names.
import type { Db } from '../connect.ts'

export interface ProjectRow {
  id: string
  team_id: string
  name: string
  slug: string
  network_index: number
  created_at: Date
  updated_at: Date
}

/** Whose projects may be seen: those of the team or, when a list is given, only these of them. */
export interface Owner {
  teamId: string
  projectIds: string[] | null
}

const VISIBLE = `team_id = :teamId and (cast(:projectIds as text[]) is null or id = any(:projectIds))`

/** One query for "another team's", "outside the token" and "nothing at all" (D-16). */
export async function findProject(db: Db, owner: Owner, id: string): Promise<ProjectRow | null> {
  const { rows } = await db.raw(`select * from project where id = :id and ${VISIBLE}`, { ...owner, id })
  return rows[0] ?? null
}

/** Oldest first, those after `after` (an id; null = from the oldest). */
export async function listProjects(db: Db, owner: Owner, after: string | null, limit: number): Promise<ProjectRow[]> {
  const { rows } = await db.raw(
    `select * from project where ${VISIBLE} and (cast(:after as text) is null or id > :after) order by id limit :limit`,
    { ...owner, after, limit },
  )
  return rows
}

export async function insertProject(
  db: Db,
  project: { id: string; teamId: string; name: string; slug: string; networkIndex: number },
): Promise<ProjectRow> {
  const { rows } = await db.raw(
    `insert into project (id, team_id, name, slug, network_index)
     values (:id, :teamId, :name, :slug, :networkIndex) returning *`,
    project,
  )
  return rows[0]
}

export async function renameProject(db: Db, id: string, name: string): Promise<ProjectRow> {
  const { rows } = await db.raw('update project set name = :name, updated_at = now() where id = :id returning *', {
    id,
    name,
  })
  return rows[0]
}

// Two advisory locks, one per pool of numbers: taken until the end of the transaction, so a number is never given twice.
const NETWORK_LOCK = 4_203_181
const VIP_LOCK = 4_203_182

/** The smallest network number that no project has; null when the pool is used up. */
export async function takeNetworkIndex(db: Db, capacity: number): Promise<number | null> {
  await db.raw('select pg_advisory_xact_lock(?)', [NETWORK_LOCK])
  const { rows } = await db.raw(
    `select n from generate_series(0, :last) n
      where not exists (select 1 from project where network_index = n)
        and not exists (select 1 from leaving where network_index = n) order by n limit 1`,
    { last: capacity - 1 },
  )
  return rows[0]?.n ?? null
}

/** The smallest address number that no service has; null when the pool is used up. */
export async function takeVipIndex(db: Db, capacity: number): Promise<number | null> {
  await db.raw('select pg_advisory_xact_lock(?)', [VIP_LOCK])
  const { rows } = await db.raw(
    `select n from generate_series(0, :last) n
      where not exists (select 1 from service where vip_index = n)
        and not exists (select 1 from leaving where vip_index = n) order by n limit 1`,
    { last: capacity - 1 },
  )
  return rows[0]?.n ?? null
}

/**
 * The project and all that is in it is gone when this commits; name and slug are free. Its network's number and its
 * services' addresses stay taken until nothing in the world uses them.
 */
export async function deleteProject(db: Db, id: string): Promise<void> {
  await db.raw(
    `insert into leaving (owner_id, project_id, vip_index)
     select id, project_id, vip_index from service where project_id = :id`,
    { id },
  )
  await db.raw(
    `with gone as (delete from project where id = :id returning id, network_index)
     insert into leaving (owner_id, project_id, network_index) select id, id, network_index from gone`,
    { id },
  )
}

/** True while the project has neither a database nor a volume. */
export async function isEmptyOfData(db: Db, id: string): Promise<boolean> {
  const { rows } = await db.raw(
    `select not exists (select 1 from database where project_id = :id)
        and not exists (select 1 from volume where project_id = :id) as empty`,
    { id },
  )
  return rows[0].empty
}

/** Nothing of a deleted service or project is left in the world: its number may be given again. */
export async function forgetLeaving(db: Db, ownerId: string): Promise<void> {
  await db.raw('delete from leaving where owner_id = ?', [ownerId])
}

/** Deleted projects whose services are all gone from the world. */
export async function listLeavingProjects(db: Db): Promise<string[]> {
  const { rows } = await db.raw(
    `select p.owner_id from leaving p where p.network_index is not null
        and not exists (select 1 from leaving s where s.project_id = p.project_id and s.owner_id <> p.owner_id)
      order by 1`,
  )
  return rows.map((row: { owner_id: string }) => row.owner_id)
}
