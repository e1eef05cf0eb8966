// The audit log (D-73): what a token did with secrets and with data, written where it happens.
import { insertAudit, type AuditAction } from '../../db/queries/audit.ts'
import { isResourceName, type Resources } from './resources.ts'
import type { Read } from './route.ts'

type Call = Pick<Read, 'db' | 'token' | 'address' | 'params'> & Partial<Resources>

/** Notes who did it, from where, and to what: the last thing that the path names. */
export async function audit(call: Call, action: AuditAction): Promise<void> {
  const { db, token, address } = call
  await insertAudit(db, { teamId: token.team_id, tokenId: token.id, action, subjectId: subjectOf(call), address })
}

/** The id of the innermost resource; what has none of its own, such as a variable, is named after it. */
function subjectOf(call: Call): string {
  const words = Object.entries(call.params).map(
    ([name, text]) => (isResourceName(name) ? call[name]?.id : text) ?? text,
  )
  const resources = Object.keys(call.params).filter(isResourceName).length
  return words.slice(resources - 1).join('/')
}
