// What teams are told without having asked, and what is kept about who did what (D-73).
import type { Db } from '../connect.ts'

export type NoticeKind = 'database.read_only' | 'database.writable' | 'backup.failed'

export async function insertNotice(
  db: Db,
  notice: { id: string; teamId: string; projectId: string; subjectId: string; kind: NoticeKind; details: object },
): Promise<void> {
  await db.raw(
    `insert into notice (id, team_id, project_id, subject_id, kind, details)
     values (:id, :teamId, :projectId, :subjectId, :kind, :details)`,
    { ...notice, details: JSON.stringify(notice.details) },
  )
}

export async function insertAudit(
  db: Db,
  entry: { teamId: string; tokenId: string; action: string; subjectId: string; address: string },
): Promise<void> {
  await db.raw(
    `insert into audit (team_id, token_id, action, subject_id, address)
     values (:teamId, :tokenId, :action, :subjectId, :address)`,
    entry,
  )
}
