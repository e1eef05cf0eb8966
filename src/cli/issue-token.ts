// Tokens as an operator makes them: scopes by name, a lifetime within the bounds of D-71, the text shown once.
import type { Knex } from 'knex'
import { insertAudit } from '../../db/queries/audit.ts'
import { insertToken } from '../../db/queries/tokens.ts'
import { newId } from '../domain/ids.ts'
import { TOKEN } from '../domain/limits.ts'
import { createToken, hashToken, isScope, SCOPES, tokenPrefix, type Scope } from '../domain/tokens.ts'

export interface TokenRequest {
  teamId: string
  name: string
  scopes: readonly Scope[]
  projectIds: readonly string[] | null
  /** null = the longest usual lifetime for these scopes. */
  days: number | null
}

/** Creates a token and answers its text, which is stored nowhere. Throws a sentence when the lifetime is too long. */
export async function issueToken(db: Knex, request: TokenRequest, prefix: string): Promise<string> {
  const { teamId, name, scopes, projectIds } = request
  const days = lifetimeDays(scopes, request.days)
  const text = createToken(prefix)
  const id = newId()
  await db.transaction(async trx => {
    await insertToken(trx, {
      id,
      teamId,
      name,
      prefix: tokenPrefix(text, prefix),
      hash: hashToken(text),
      scopes,
      projectIds,
      days,
    })
    await insertAudit(trx, { teamId, tokenId: id, action: 'token.create', subjectId: id, address: 'cli' })
  })
  return text
}

/** Days a token with these scopes lives (D-71); `wanted` null = the default. */
export function lifetimeDays(scopes: readonly Scope[], wanted: number | null): number {
  const longest = scopes.includes('env:reveal') ? TOKEN.maxDaysWithReveal : TOKEN.maxDays
  if (wanted === null) return Math.min(TOKEN.defaultDays, longest)
  if (wanted >= 1 && wanted <= longest) return wanted
  const because = longest === TOKEN.maxDays ? '' : ' with the scope env:reveal'
  throw new Error(`A token lives from 1 to ${longest} days${because}.`)
}

/** `all`, or names separated by commas. Throws a sentence that names what is not a scope. */
export function parseScopes(text: string): Scope[] {
  if (text === 'all') return [...SCOPES]
  const names = [...new Set(text.split(',').map(name => name.trim()))].filter(name => name !== '')
  const unknown = names.filter(name => !isScope(name))
  if (unknown.length > 0 || names.length === 0) {
    throw new Error(`Not a scope: ${unknown.join(', ') || '(nothing)'}. The scopes are: all, ${SCOPES.join(', ')}`)
  }
  return names.filter(isScope)
}

/** `90d`, or a bare number of days. */
export function parseDays(text: string): number {
  const days = /^(\d{1,4})d?$/.exec(text)?.[1]
  if (!days) throw new Error(`"${text}" is not a lifetime. Write a number of days, such as 90d.`)
  return Number(days)
}
