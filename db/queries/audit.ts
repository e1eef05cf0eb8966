// Who did what with secrets and with data (D-73). Rows are only ever added.
import type { Db } from '../connect.ts'

export type AuditAction =
  | 'token.create'
  | 'token.revoke'
  | 'variables.reveal'
  | 'database.reveal'
  | 'database.rotate'
  | `${'project' | 'service' | 'volume' | 'variable' | 'database' | 'domain' | 'installation'}.delete`

export interface AuditEntry {
  teamId: string
  /** The token that was used; for what the operator does to a token, that token; else `cli`. */
  tokenId: string
  action: AuditAction
  subjectId: string
  /** Of the client; `cli` for the operator. */
  address: string
}

export async function insertAudit(db: Db, entry: AuditEntry): Promise<void> {
  await db.raw(
    `insert into audit (team_id, token_id, action, subject_id, address)
     values (:teamId, :tokenId, :action, :subjectId, :address)`,
    { ...entry },
  )
}
