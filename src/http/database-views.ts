// Databases as the API shows them (decisions 3.3). Credentials stop before this file.
import type { DatabaseRow } from '../../db/queries/databases.ts'
import { statusOf } from '../actors/index.ts'
import type { CreatedDatabaseView, DatabaseView, RotatedDatabaseView } from './schemas/databases.ts'

/** What creation answers: exactly these six (spec 4.2). */
export function newDatabaseView(row: DatabaseRow): CreatedDatabaseView {
  return {
    id: row.id,
    name: row.name,
    kind: 'database',
    engine: row.engine as DatabaseView['engine'],
    status: statusOf(row.state) as DatabaseView['status'],
    quota_mb: row.quota_mb,
  }
}

/** What a rotation answers: exactly these four (spec 4.2). */
export function rotatedDatabaseView({ id, name, engine }: DatabaseRow): RotatedDatabaseView {
  return { id, name, kind: 'database', engine }
}

export function databaseView(row: DatabaseRow): DatabaseView {
  return {
    id: row.id,
    project_id: row.project_id,
    name: row.name,
    kind: 'database',
    engine: row.engine as DatabaseView['engine'],
    status: statusOf(row.state) as DatabaseView['status'],
    quota_mb: row.quota_mb,
    size_mb: Math.ceil(row.size_mb),
    read_only: row.read_only,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
