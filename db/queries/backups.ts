// Final backups and restores: rows say of what and what came of it, their actors say where they stand.
import type { Db } from '../connect.ts'
import type { EngineName } from './databases.ts'

export interface BackupRow {
  id: string
  project_id: string
  team_id: string
  database_id: string
  database_name: string
  engine: EngineName
  quota_mb: number
  /** What the database held when it was last measured. */
  used_mb: number
  /** Of the file; null until it is verified. */
  size_bytes: number | null
  sha256: string | null
  created_at: Date
  expires_at: Date
  /** Of the actor: `running…`, `ready` or `failed…`. */
  state: string
}

/** What is on its way out is not shown any more. */
const SHOWN = `from backup b join actor a on a.id = b.id
  where b.project_id = :projectId and split_part(a.state, '.', 1) in ('running', 'ready', 'failed')`

export async function insertBackup(
  db: Db,
  backup: Pick<
    BackupRow,
    'id' | 'project_id' | 'team_id' | 'database_id' | 'database_name' | 'engine' | 'quota_mb' | 'used_mb'
  > & {
    days: number
  },
): Promise<void> {
  await db.raw(
    `insert into backup (id, project_id, team_id, database_id, database_name, engine, quota_mb, used_mb, expires_at)
     values (:id, :project_id, :team_id, :database_id, :database_name, :engine, :quota_mb, :used_mb,
             now() + :days * interval '1 day')`,
    backup,
  )
}

export async function findBackup(db: Db, projectId: string, id: string): Promise<BackupRow | null> {
  const { rows } = await db.raw(`select b.*, a.state ${SHOWN} and b.id = :id`, { projectId, id })
  return rows[0] ?? null
}

/** Newest first, those before `after` (an id; null = from the newest). */
export async function listBackups(
  db: Db,
  projectId: string,
  after: string | null,
  limit: number,
): Promise<BackupRow[]> {
  const { rows } = await db.raw(
    `select b.*, a.state ${SHOWN} and (cast(:after as text) is null or b.id < :after) order by b.id desc limit :limit`,
    { projectId, after, limit },
  )
  return rows
}

/** The row of a backup, wherever it stands; for the work on it. */
export async function readBackup(db: Db, id: string): Promise<Omit<BackupRow, 'state'> | null> {
  const { rows } = await db.raw('select * from backup where id = ?', [id])
  return rows[0] ?? null
}

/** The file is written and verified; from now on it is kept for `days`. */
export async function completeBackup(
  db: Db,
  file: { id: string; sizeBytes: number; sha256: string; days: number },
): Promise<void> {
  await db.raw(
    `update backup set size_bytes = :sizeBytes, sha256 = :sha256, expires_at = now() + :days * interval '1 day' where id = :id`,
    file,
  )
}

/** Of these ids, those of backups whose file must be there or may be there any moment (`owned`), and those that are over. */
export async function sortBackupIds(db: Db, ids: string[]): Promise<{ owned: Set<string>; ended: Set<string> }> {
  const { rows } = await db.raw(
    `select b.id, a.status = 'done' as ended from backup b join actor a on a.id = b.id where b.id = any(:ids)`,
    { ids },
  )
  const of = (ended: boolean) =>
    new Set<string>(rows.filter((row: { ended: boolean }) => row.ended === ended).map((row: { id: string }) => row.id))
  return { owned: of(false), ended: of(true) }
}

export interface RestoreRow {
  id: string
  project_id: string
  backup_id: string
  database_id: string
  created_at: Date
  finished_at: Date | null
  /** Of the actor: `running…`, `ready` or `failed`. */
  state: string
  error: { code: string } | null
}

export async function insertRestore(
  db: Db,
  restore: { id: string; projectId: string; teamId: string; backupId: string; databaseId: string },
): Promise<void> {
  await db.raw(
    `insert into restore (id, project_id, team_id, backup_id, database_id)
     values (:id, :projectId, :teamId, :backupId, :databaseId)`,
    restore,
  )
}

export async function findRestore(db: Db, projectId: string, id: string): Promise<RestoreRow | null> {
  const { rows } = await db.raw(
    `select r.*, a.state, a.finished_at, a.snapshot->'context'->'error' as error
       from restore r join actor a on a.id = r.id where r.project_id = :projectId and r.id = :id`,
    { projectId, id },
  )
  return rows[0] ?? null
}
