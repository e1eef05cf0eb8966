// Teams and tokens from the operator's side. Tokens are printed once, alone on stdout, so that `$(…)` takes them.
import { text } from 'node:stream/consumers'
import type { Knex } from 'knex'
import { insertAudit } from '../../db/queries/audit.ts'
import {
  findTeam,
  insertTeam,
  listTeams,
  listTokens,
  projectsOfTeam,
  revokeToken,
  tokenIdOf,
} from '../../db/queries/tokens.ts'
import { newId } from '../domain/ids.ts'
import { isPlanName, PLANS } from '../domain/limits.ts'
import { hashToken, isTokenText } from '../domain/tokens.ts'
import { issueToken, parseDays, parseScopes } from './issue-token.ts'
import { table } from './table.ts'

/** Creates a team and prints its id. Throws a sentence when the plan is unknown or the name taken. */
export async function createTeam(db: Knex, options: { name: string; plan: string }): Promise<void> {
  const name = options.name.trim()
  if (name === '') throw new Error('A team needs a name.')
  if (!isPlanName(options.plan)) {
    throw new Error(`"${options.plan}" is not a plan. The plans are: ${Object.keys(PLANS).join(', ')}`)
  }
  const team = await insertTeam(db, { id: newId(), name, plan: options.plan })
  if (!team) throw new Error(`There is a team "${name}" already.`)
  process.stdout.write(`${team.id}\n`)
}

export async function printTeams(db: Knex): Promise<void> {
  const rows = (await listTeams(db)).map(team => [
    team.id,
    team.name,
    team.plan,
    String(team.projects),
    String(team.tokens),
    team.created_at.toISOString(),
  ])
  process.stdout.write(table(['ID', 'NAME', 'PLAN', 'PROJECTS', 'TOKENS', 'CREATED'], rows))
}

export interface TokenOptions {
  team: string
  scopes: string
  projects?: string
  expires?: string
  name: string
}

/** Creates a token; stdout is its text and nothing else. */
export async function createTokenFor(db: Knex, options: TokenOptions, prefix: string): Promise<void> {
  const scopes = parseScopes(options.scopes)
  const days = options.expires === undefined ? null : parseDays(options.expires)
  const team = await findTeam(db, options.team)
  if (!team) throw new Error(`There is no team "${options.team}". Create it: cais team create --name ${options.team}`)
  const projectIds = options.projects === undefined ? null : await ownProjects(db, team.id, options.projects)
  const token = await issueToken(db, { teamId: team.id, name: options.name, scopes, projectIds, days }, prefix)
  process.stdout.write(`${token}\n`)
}

async function ownProjects(db: Knex, teamId: string, list: string): Promise<string[]> {
  const wanted = [...new Set(list.split(',').map(id => id.trim()))].filter(id => id !== '')
  const own = await projectsOfTeam(db, teamId, wanted)
  const foreign = wanted.filter(id => !own.includes(id))
  if (foreign.length > 0 || wanted.length === 0) {
    throw new Error(`Not a project of this team: ${foreign.join(', ') || '(nothing)'}`)
  }
  return wanted
}

export async function printTokens(db: Knex, team: string | null): Promise<void> {
  const rows = (await listTokens(db, team)).map(token => [
    token.id,
    token.team,
    token.name,
    `${token.prefix}…`,
    token.revoked_at ? 'revoked' : token.expires_at < new Date() ? 'expired' : 'live',
    token.expires_at.toISOString().slice(0, 10),
    token.last_used_at?.toISOString().slice(0, 16) ?? 'never',
    token.project_ids?.join(',') ?? 'all projects',
    token.scopes.join(','),
  ])
  process.stdout.write(table(['ID', 'TEAM', 'NAME', 'TOKEN', 'STATE', 'EXPIRES', 'USED', 'PROJECTS', 'SCOPES'], rows))
}

/** Revokes by id; null reads the token itself from stdin, never from the arguments, which every process can see. */
export async function revoke(db: Knex, id: string | null, prefix: string): Promise<void> {
  const tokenId = id ?? (await idOfTokenOnStdin(db))
  if (isTokenText(tokenId, prefix))
    throw new Error('Give the id, or the token on stdin: arguments are visible to every process.')
  await db.transaction(async trx => {
    const teamId = await revokeToken(trx, tokenId)
    if (teamId === null) throw new Error(`There is no live token with the id ${tokenId}.`)
    await insertAudit(trx, { teamId, tokenId, action: 'token.revoke', subjectId: tokenId, address: 'cli' })
  })
  process.stdout.write(`revoked ${tokenId}\n`)
}

async function idOfTokenOnStdin(db: Knex): Promise<string> {
  const token = (await text(process.stdin)).trim()
  const id = await tokenIdOf(db, hashToken(token))
  if (!id) throw new Error('What stdin holds is not a token of this installation.')
  return id
}
