// The first start of an installation: a team `demo`, and a token for it in DATA_DIR/token.
import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Knex } from 'knex'
import { findToken } from '../../db/queries/teams.ts'
import { findTeam, insertTeam } from '../../db/queries/tokens.ts'
import { issueToken } from '../cli/issue-token.ts'
import type { Config } from '../config.ts'
import { newId } from '../domain/ids.ts'
import { hashToken, isTokenText, SCOPES } from '../domain/tokens.ts'

export const FIRST_TEAM = 'demo'

type PlaceOfToken = Pick<Config, 'dataDir' | 'tokenPrefix'>

/**
 * Creates what is missing; a token in the file that no longer works (expired, revoked, of another prefix) is replaced by a
 * new one.
 */
export async function ensureFirstTeam(db: Knex, { dataDir, tokenPrefix }: PlaceOfToken): Promise<void> {
  const file = path.join(dataDir, 'token')
  const present = (await readFile(file, 'utf8').catch(ignoreAbsent))?.trim() ?? ''
  if (isTokenText(present, tokenPrefix) && (await findToken(db, hashToken(present)))) return
  await insertTeam(db, { id: newId(), name: FIRST_TEAM, plan: 'hobby' })
  const team = await findTeam(db, FIRST_TEAM)
  if (!team) throw new Error(`The team ${FIRST_TEAM} was removed while this started`)
  const request = { teamId: team.id, name: 'first', scopes: SCOPES, projectIds: null, days: null }
  const text = await issueToken(db, request, tokenPrefix)
  await writeFile(`${file}.new`, `${text}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

function ignoreAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
