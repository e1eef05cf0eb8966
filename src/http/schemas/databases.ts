import { z } from 'zod'
import { DATABASE } from '../../domain/limits.ts'
import { SERVICE_NAME } from '../../domain/names.ts'
import { count, id, sample, shape, time } from './answers.ts'
import { boolean, choice, integer, object, textOr } from './fields.ts'

/** POST databases (spec 2.4, decisions 3.3). */
export const newDatabase = object({
  name: textOr(SERVICE_NAME, 'invalid_request.name', 'db'),
  engine: choice(['postgres', 'mariadb', 'sqlite']),
  quota_mb: integer(DATABASE.minQuotaMb).default(DATABASE.defaultQuotaMb),
}).meta({ examples: [{ name: 'db', engine: 'postgres', quota_mb: 1024 }] })
export type NewDatabase = z.output<typeof newDatabase>

/** PATCH database. */
export const databasePatch = object({ quota_mb: integer(DATABASE.minQuotaMb).optional() }).meta({
  examples: [{ quota_mb: 2048 }],
})
export type DatabasePatch = z.output<typeof databasePatch>

/** DELETE database; the query parameter of the same name says the same. */
export const databaseDeletion = object({ final_backup: boolean().optional() }).meta({
  examples: [{ final_backup: false }],
})
export type DatabaseDeletion = z.output<typeof databaseDeletion>

const engine = z.enum(['postgres', 'mariadb', 'sqlite'])
const status = z.enum(['provisioning', 'ready'])

/** What creation answers: exactly these six (spec 4.2). */
export const createdDatabase = shape(
  'CreatedDatabase',
  { id, name: z.string(), kind: z.literal('database'), engine, status, quota_mb: count },
  { id: sample.id, name: 'db', kind: 'database', engine: 'postgres', status: 'provisioning', quota_mb: 1024 },
)

/** What a rotation answers: exactly these four (spec 4.2). */
export const rotatedDatabase = shape(
  'RotatedDatabase',
  { id, name: z.string(), kind: z.literal('database'), engine },
  { id: sample.id, name: 'db', kind: 'database', engine: 'postgres' },
)
export type RotatedDatabaseView = z.output<typeof rotatedDatabase>

/** Every variable of spec 2.4 in clear. */
export const credentials = shape(
  'Credentials',
  { credentials: z.array(z.strictObject({ name: z.string(), value: z.string() })) },
  { credentials: [{ name: 'PGHOST', value: 'db.cais.internal' }] },
)
export type CredentialsView = z.output<typeof credentials>

export const database = shape(
  'Database',
  {
    id,
    project_id: id,
    name: z.string(),
    kind: z.literal('database'),
    engine,
    status,
    quota_mb: count,
    size_mb: count,
    read_only: z.boolean().meta({ description: 'True while it uses more than its quota.' }),
    created_at: time,
    updated_at: time,
  },
  {
    id: sample.id,
    project_id: sample.id,
    name: 'db',
    kind: 'database',
    engine: 'postgres',
    status: 'ready',
    quota_mb: 1024,
    size_mb: 8,
    read_only: false,
    created_at: sample.time,
    updated_at: sample.time,
  },
)

export type CreatedDatabaseView = z.output<typeof createdDatabase>
export type DatabaseView = z.output<typeof database>
