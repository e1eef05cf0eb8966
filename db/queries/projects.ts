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

/** Whoever changes a project as a whole goes one after the other; rows that refer to the project are not held up. */
export async function lockProject(db: Db, id: string): Promise<void> {
  await db.raw('select id from project where id = ? for no key update', [id])
}

// Two advisory locks, one per pool of numbers: taken until the end of the transaction, so a number is never given twice.
const NETWORK_LOCK = 4_203_181
const VIP_LOCK = 4_203_182

/** The smallest network number that no project has; null when the pool is used up. */
export async function takeNetworkIndex(db: Db, capacity: number): Promise<number | null> {
  await db.raw('select pg_advisory_xact_lock(?)', [NETWORK_LOCK])
  const { rows } = await db.raw(
    `select n from generate_series(0, :last) n
      where not exists (select 1 from project where network_index = n) order by n limit 1`,
    { last: capacity - 1 },
  )
  return rows[0]?.n ?? null
}

/** The smallest address number that no service has; null when the pool is used up. */
export async function takeVipIndex(db: Db, capacity: number): Promise<number | null> {
  await db.raw('select pg_advisory_xact_lock(?)', [VIP_LOCK])
  const { rows } = await db.raw(
    `select n from generate_series(0, :last) n
      where not exists (select 1 from service where vip_index = n) order by n limit 1`,
    { last: capacity - 1 },
  )
  return rows[0]?.n ?? null
}
