// Final backups, and restores of them into new databases.
import { findRestore, insertRestore, listBackups } from '../../../db/queries/backups.ts'
import { spawn, statusOf } from '../../actors/index.ts'
import { newId } from '../../domain/ids.ts'
import { backupView, restoreView } from '../backup-views.ts'
import { createDatabaseIn, refuseBelowUse } from '../database-creation.ts'
import { ApiError } from '../errors.ts'
import { listing, readPage } from '../pagination.ts'
import type { Answer, Read, Write } from '../route.ts'
import type { NewRestore } from '../schemas/backups.ts'

/** GET /projects/{p}/backups: newest first. */
export async function listBackupsOfProject({ db, project, query, keyring }: Read<'project'>): Promise<Answer> {
  const page = readPage(query, `backups:${project.id}`, keyring)
  const rows = await listBackups(db, project.id, page.after, page.limit + 1)
  return { body: listing(rows, page, keyring, row => row.id, backupView) }
}

/** GET /projects/{p}/backups/{b} */
export async function showBackup({ backup }: Read<'project' | 'backup'>): Promise<Answer> {
  return { body: backupView(backup) }
}

/** POST /projects/{p}/backups/{b}/restore: a new database, `provisioning` until it is filled. */
export async function restoreBackup(call: Write<'project' | 'backup', NewRestore>): Promise<Answer> {
  const { db, project, backup, body } = call
  const quotaMb = body.quota_mb ?? backup.quota_mb
  if (statusOf(backup.state) !== 'ready') throw new ApiError('database_not_ready.backup')
  refuseBelowUse(quotaMb, backup.used_mb)
  const id = newId()
  const name = body.name ?? backup.database_name
  const databaseId = await createDatabaseIn(call, { name, engine: backup.engine, quotaMb, restoreId: id })
  const of = { projectId: project.id, teamId: project.team_id, backupId: backup.id, databaseId }
  await insertRestore(db, { id, ...of })
  await spawn(db, { kind: 'restore', id, input: { restoreId: id, backupId: backup.id, databaseId } })
  const row = await findRestore(db, project.id, id)
  if (!row) throw new Error(`the restore ${id} that was just made is not there`)
  return { status: 202, body: restoreView(row), location: `/v1/projects/${project.id}/restores/${id}` }
}

/** GET /projects/{p}/restores/{r} */
export async function showRestore({ restore }: Read<'project' | 'restore'>): Promise<Answer> {
  return { body: restoreView(restore) }
}
