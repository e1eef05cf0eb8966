// Backups and restores as the API shows them (decisions 3.11, 3.12).
import type { BackupRow, RestoreRow } from '../../db/queries/backups.ts'
import { statusOf } from '../actors/index.ts'
import type { BackupView, RestoreView } from './schemas/backups.ts'

const MIB = 1024 * 1024

const WHY_RESTORES_FAIL: Readonly<Record<string, string>> = {
  backup_damaged: 'O arquivo do backup está danificado e não pode ser restaurado.',
  backup_gone: 'O arquivo do backup não existe mais.',
  database_deleted: 'O novo banco de dados foi excluído antes do fim da restauração.',
}
const OTHERWISE = 'A restauração falhou e o novo banco de dados foi removido. Tente de novo.'

export function backupView(row: BackupRow): BackupView {
  return {
    id: row.id,
    database_id: row.database_id,
    database_name: row.database_name,
    engine: row.engine,
    kind: 'final',
    status: statusOf(row.state) as BackupView['status'],
    size_mb: row.size_bytes === null ? null : Math.ceil(row.size_bytes / MIB),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  }
}

export function restoreView(row: RestoreRow): RestoreView {
  const status = statusOf(row.state) as RestoreView['status']
  const code = row.error?.code ?? 'restore_failed'
  return {
    id: row.id,
    backup_id: row.backup_id,
    database_id: row.database_id,
    status,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    ...(status === 'failed' ? { error: { code, message: WHY_RESTORES_FAIL[code] ?? OTHERWISE } } : {}),
  }
}
