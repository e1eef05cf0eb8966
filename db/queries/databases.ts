// Tenant databases: rows with sealed credentials; status, size and read-only are those of the actor with the same id.
import type { Db } from '../connect.ts'

export type EngineName = 'postgres' | 'mariadb' | 'sqlite'

export interface DatabaseRow {
  id: string
  project_id: string
  team_id: string
  name: string
  engine: EngineName
  quota_mb: number
  /** Sealed {databaseName, user, password} about the id. */
  credentials: Buffer
  created_at: Date
  updated_at: Date
  /** Of the actor: `provisioning…` or `ready.…`. */
  state: string
  size_mb: number
  read_only: boolean
}

const SHOWN = `d.*, a.state, coalesce(cast(a.snapshot->'context'->>'sizeMb' as numeric), 0) as size_mb,
  coalesce(cast(a.snapshot->'context'->>'readOnly' as boolean), false) as read_only`

export async function insertDatabase(
  db: Db,
  database: {
    id: string
    projectId: string
    teamId: string
    name: string
    engine: EngineName
    quotaMb: number
    credentials: Buffer
  },
): Promise<void> {
  await db.raw(
    `insert into database (id, project_id, team_id, name, engine, quota_mb, credentials)
     values (:id, :projectId, :teamId, :name, :engine, :quotaMb, :credentials)`,
    database,
  )
}

/** By id or by name: an id starts with a digit and a name with a letter (D-03). */
export async function findDatabase(db: Db, projectId: string, idOrName: string): Promise<DatabaseRow | null> {
  const { rows } = await db.raw(
    `select ${SHOWN} from database d join actor a on a.id = d.id
      where d.project_id = :projectId and (d.id = :idOrName or d.name = :idOrName)`,
    { projectId, idOrName },
  )
  return rows[0] ?? null
}

/** Oldest first, those after `after` (an id; null = from the oldest). */
export async function listDatabases(
  db: Db,
  projectId: string,
  after: string | null = null,
  limit: number | null = null,
): Promise<DatabaseRow[]> {
  const { rows } = await db.raw(
    `select ${SHOWN} from database d join actor a on a.id = d.id
      where d.project_id = :projectId and (cast(:after as text) is null or d.id > :after)
      order by d.id limit :limit`,
    { projectId, after, limit },
  )
  return rows
}

/** Every database of the installation, for the reconciler. */
export async function listAllDatabases(db: Db): Promise<DatabaseRow[]> {
  const { rows } = await db.raw(`select ${SHOWN} from database d join actor a on a.id = d.id order by d.id`)
  return rows
}

export interface DatabasePlan {
  id: string
  project_id: string
  team_id: string
  network_index: number
  name: string
  engine: EngineName
  quota_mb: number
  credentials: Buffer
  /** What a rotation is making valid; null when none is under way. */
  pending: Buffer | null
  deleted: boolean
}

/** What work on a database needs, whether it is in use or waits for its end: credentials and the network of the project. */
export async function findDatabasePlan(db: Db, id: string): Promise<DatabasePlan | null> {
  const { rows } = await db.raw(
    `select d.id, d.project_id, d.team_id, p.network_index, d.name, d.engine, d.quota_mb, d.credentials, d.pending,
            false as deleted
       from database d join project p on p.id = d.project_id where d.id = :id
      union all
     select id, project_id, team_id, network_index, name, engine, quota_mb, credentials, pending, true
       from deleted_database where id = :id`,
    { id },
  )
  return rows[0] ?? null
}

/** Writes the credential that is about to be made valid, unless one waits already; answers the one that waits. */
export async function keepPending(db: Db, id: string, sealed: Buffer): Promise<Buffer | null> {
  const { rows } = await db.raw(
    'update database set pending = coalesce(pending, :sealed) where id = :id returning pending',
    {
      id,
      sealed,
    },
  )
  return rows[0]?.pending ?? null
}

/** The pending credential is the current one from now on. False when there was none, or the database is gone. */
export async function adoptPending(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db.raw(
    `update database set credentials = pending, pending = null, updated_at = now() where id = ? and pending is not null`,
    [id],
  )
  return rowCount > 0
}

export async function updateQuota(db: Db, id: string, quotaMb: number): Promise<void> {
  await db.raw('update database set quota_mb = :quotaMb, updated_at = now() where id = :id', { id, quotaMb })
}

/**
 * Takes a database out of sight: its name and its place in the plan are free when this commits, and what its end needs is
 * kept apart. False when it is not there any more.
 */
export async function hideDatabase(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db.raw(
    `with gone as (delete from database where id = :id returning *),
          freed as (delete from component_name where owner_id = :id)
     insert into deleted_database (id, project_id, team_id, name, engine, quota_mb, network_index, credentials, pending, created_at)
     select g.id, g.project_id, g.team_id, g.name, g.engine, g.quota_mb, p.network_index, g.credentials, g.pending, g.created_at
       from gone g join project p on p.id = g.project_id`,
    { id },
  )
  return rowCount > 0
}

/** The data is gone: nothing more is owed. */
export async function forgetDatabase(db: Db, id: string): Promise<void> {
  await db.raw('delete from deleted_database where id = ?', [id])
}

/**
 * Of these ids, which are a database in use or on its way out (`owned`), and which were one once and are none any more
 * (`ended`). The rest nobody here has ever heard of.
 */
export async function sortDatabaseIds(db: Db, ids: string[]): Promise<{ owned: Set<string>; ended: Set<string> }> {
  const { rows } = await db.raw(
    `select i.id, a.id is not null as known,
            exists (select 1 from database d where d.id = i.id) or
            exists (select 1 from deleted_database d where d.id = i.id) as owned
       from unnest(cast(:ids as text[])) i (id) left join actor a on a.id = i.id and a.kind = 'database'`,
    { ids },
  )
  const of = (wanted: (row: { known: boolean; owned: boolean }) => boolean) =>
    new Set<string>(rows.filter(wanted).map((row: { id: string }) => row.id))
  return { owned: of(row => row.owned), ended: of(row => row.known && !row.owned) }
}

/** Databases of the team. For a transaction that has locked the team. */
export async function countDatabases(db: Db, teamId: string): Promise<number> {
  const { rows } = await db.raw('select count(*) as n from database where team_id = ?', [teamId])
  return Number(rows[0].n)
}

/** Takes a name of the project for an app or a database; 23505 on component_name_taken when it is used. */
export async function takeName(db: Db, projectId: string, name: string, ownerId: string): Promise<void> {
  await db.raw('insert into component_name (project_id, name, owner_id) values (?, ?, ?)', [projectId, name, ownerId])
}
