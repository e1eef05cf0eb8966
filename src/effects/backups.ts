// Final backups: files under DATA_DIR/backups, named by the id of their row. And restores from them.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { completeBackup, readBackup } from '../../db/queries/backups.ts'
import { insertNotice } from '../../db/queries/notices.ts'
import type { Performers } from '../actors/index.ts'
import { newId } from '../domain/ids.ts'
import { DATABASE } from '../domain/limits.ts'
import { DriverError } from '../drivers/contracts.ts'
import { openTenancy } from './databases.ts'
import type { Tools } from './tools.ts'

/** Folder of the backups of an installation; nobody but the platform may look into it. */
export async function backupFolder({ config }: Pick<Tools, 'config'>): Promise<string> {
  const folder = path.join(config.dataDir, 'backups')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return folder
}

export function backUpPerformer(tools: Tools): Performers['backUpDatabase'] {
  return async ({ backupId, databaseId }, { signal, alongside }) => {
    const { engine, tenant } = await openTenancy(tools, databaseId)
    const file = path.join(await backupFolder(tools), backupId)
    const { sizeBytes, sha256 } = await engine.backup(tenant, file, signal)
    alongside(trx => completeBackup(trx, { id: backupId, sizeBytes, sha256, days: DATABASE.backupDays }))
    return { sizeBytes }
  }
}

/** Fails for good with `backup_gone` and `backup_damaged`; anything else may be tried again. */
export function restorePerformer(tools: Tools): Performers['restoreDatabase'] {
  return async ({ backupId, databaseId }, { signal }) => {
    const row = await readBackup(tools.db, backupId)
    if (!row || row.sha256 === null || row.size_bytes === null)
      throw new DriverError('backup_gone', `backup ${backupId} has no file`)
    const file = path.join(await backupFolder(tools), backupId)
    const { engine, tenant } = await openTenancy(tools, databaseId)
    if ((await checksumOf(file)) !== row.sha256)
      throw new DriverError('backup_damaged', `backup ${backupId} is not what was written`)
    return engine.restore(tenant, { path: file, sizeBytes: row.size_bytes, sha256: row.sha256 }, signal)
  }
}

export function removeBackupPerformer(tools: Tools): Performers['removeBackup'] {
  return async ({ backupId }) => {
    await rm(path.join(await backupFolder(tools), backupId), { force: true })
    return { removed: true }
  }
}

export function tellTeamPerformer(tools: Tools): Performers['tellTeam'] {
  return async ({ subjectId, kind }, { alongside }) => {
    const row = await readBackup(tools.db, subjectId)
    if (!row) return
    alongside(trx =>
      insertNotice(trx, {
        id: newId(),
        teamId: row.team_id,
        projectId: row.project_id,
        subjectId,
        kind,
        details: { database: row.database_name },
      }),
    )
  }
}

async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash).catch(error => {
    if (error.code !== 'ENOENT') throw error
    throw new DriverError('backup_gone', `${file} is not there`)
  })
  return hash.digest('hex')
}
