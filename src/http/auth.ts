// Token → team, its plan, and scopes (D-10, D-11, D-70 to D-72). Every failed authentication is the same 401.
import { findToken, touchToken, type TokenRow } from '../../db/queries/teams.ts'
import type { Config } from '../config.ts'
import { isPlanName, type Plan } from '../domain/limits.ts'
import { hashToken, isTokenText, type Scope } from '../domain/tokens.ts'
import { ApiError } from './errors.ts'
import type { Parts } from './route.ts'

const BEARER = /^bearer +(\S+) *$/i
const MINUTE_MS = 60_000

/** The live token of an `Authorization` header, or null. A malformed one, or one of another prefix, costs no read. */
export async function authenticate(
  { db, config }: Pick<Parts, 'db' | 'config'>,
  header: string | undefined,
): Promise<TokenRow | null> {
  const text = BEARER.exec(header ?? '')?.[1]
  if (text === undefined || !isTokenText(text, config.tokenPrefix)) return null
  const token = await findToken(db, hashToken(text))
  if (token && usedBeforeThisMinute(token)) await touchToken(db, token.id)
  return token
}

/** 403 when the token lacks the scope; ask only about what belongs to the caller. */
export function requireScope(token: TokenRow, scope: Scope | null): void {
  if (scope === null || token.scopes.includes(scope)) return
  throw new ApiError('forbidden.scope', { escopo: scope })
}

/** The plan of the caller's team, with the figures of this installation. */
export function planOf(token: TokenRow, { limits }: Pick<Config, 'limits'>): Plan {
  if (!isPlanName(token.plan)) throw new Error(`The team ${token.team_id} has the unknown plan ${token.plan}`)
  return limits.plans[token.plan]
}

function usedBeforeThisMinute(token: TokenRow): boolean {
  if (!token.last_used_at) return true
  return Math.floor(token.last_used_at.getTime() / MINUTE_MS) < Math.floor(Date.now() / MINUTE_MS)
}
