// Final backups and restores from them: bodies and answers (decisions 3.11, 3.12).
import { z } from 'zod'
import { DATABASE } from '../../domain/limits.ts'
import { SERVICE_NAME } from '../../domain/names.ts'
import { count, id, sample, shape, time } from './answers.ts'
import { integer, object, textOr } from './fields.ts'

/** POST restore. Defaults: name and quota of the database that the backup is of. */
export const newRestore = object({
  name: textOr(SERVICE_NAME, 'invalid_request.name', 'db').optional(),
  quota_mb: integer(DATABASE.minQuotaMb).optional(),
}).meta({ examples: [{ name: 'db-de-ontem', quota_mb: 2048 }] })
export type NewRestore = z.output<typeof newRestore>

const status = z.enum(['running', 'ready', 'failed'])

export const backup = shape(
  'Backup',
  {
    id,
    database_id: id,
    database_name: z.string(),
    engine: z.enum(['postgres', 'mariadb', 'sqlite']),
    kind: z.literal('final'),
    status: status.meta({ description: 'While it is `failed` the data is kept and the backup is tried again.' }),
    size_mb: count.nullable().meta({ description: 'Of the compressed file; null until it is ready.' }),
    created_at: time,
    expires_at: time,
  },
  {
    id: sample.id,
    database_id: sample.id,
    database_name: 'db',
    engine: 'postgres',
    kind: 'final',
    status: 'ready',
    size_mb: 12,
    created_at: sample.time,
    expires_at: sample.time,
  },
)
export type BackupView = z.output<typeof backup>

export const restore = shape(
  'Restore',
  {
    id,
    backup_id: id,
    database_id: id.meta({ description: 'The new database; it is `provisioning` until it is filled.' }),
    status,
    created_at: time,
    finished_at: time.nullable(),
    error: z
      .strictObject({ code: z.string(), message: z.string() })
      .optional()
      .meta({ description: 'Only of failed restores.' }),
  },
  {
    id: sample.id,
    backup_id: sample.id,
    database_id: sample.id,
    status: 'running',
    created_at: sample.time,
    finished_at: null,
  },
)
export type RestoreView = z.output<typeof restore>
