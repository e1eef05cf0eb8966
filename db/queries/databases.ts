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
  /** Of the actor: `provisioning…` or `ready.writable` | `ready.readOnly`. */
  state: string
  size_mb: number
}

const SHOWN = `d.*, a.state, coalesce(cast(a.snapshot->'context'->>'sizeMb' as numeric), 0) as size_mb`

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
  network_index: number
  name: string
  engine: EngineName
  quota_mb: number
  credentials: Buffer
}

/** What provisioning needs: the sealed credentials and the network of the project. */
export async function findDatabasePlan(db: Db, id: string): Promise<DatabasePlan | null> {
  const { rows } = await db.raw(
    `select d.id, d.project_id, p.network_index, d.name, d.engine, d.quota_mb, d.credentials
       from database d join project p on p.id = d.project_id where d.id = ?`,
    [id],
  )
  return rows[0] ?? null
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
