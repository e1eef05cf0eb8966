// What teams are told without having asked.
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
