// What the operator does with teams and tokens; requests read them through teams.ts.
import type { Db } from '../connect.ts'

export interface TeamRow {
  id: string
  name: string
  plan: string
  created_at: Date
}

export interface NewToken {
  id: string
  teamId: string
  name: string
  prefix: string
  hash: Buffer
  scopes: readonly string[]
  /** null = every project of the team. */
  projectIds: readonly string[] | null
  days: number
}

/** Creates a team; null when the name is taken. */
export async function insertTeam(db: Db, team: { id: string; name: string; plan: string }): Promise<TeamRow | null> {
  const { rows } = await db.raw(
    `insert into team (id, name, plan) values (:id, :name, :plan)
     on conflict (name) do nothing
     returning *`,
    team,
  )
  return rows[0] ?? null
}

export async function findTeam(db: Db, name: string): Promise<TeamRow | null> {
  const { rows } = await db.raw('select * from team where name = ?', [name])
  return rows[0] ?? null
}

/** Teams with what they own and how many tokens still work. */
export async function listTeams(db: Db): Promise<(TeamRow & { projects: number; tokens: number })[]> {
  const { rows } = await db.raw(
    `select t.*,
            (select count(*) from project p where p.team_id = t.id) as projects,
            (select count(*) from token k where k.team_id = t.id and k.revoked_at is null and k.expires_at > now()) as tokens
       from team t
      order by t.name`,
  )
  return rows
}

/** Stores a token; the expiry is computed by the database's clock. */
export async function insertToken(db: Db, token: NewToken): Promise<void> {
  await db.raw(
    `insert into token (id, team_id, name, prefix, hash, scopes, project_ids, expires_at)
     values (:id, :teamId, :name, :prefix, :hash, :scopes, :projectIds, now() + make_interval(days => :days))`,
    { ...token, scopes: [...token.scopes], projectIds: token.projectIds && [...token.projectIds] },
  )
}

/** Those of the ids that are projects of the team. */
export async function projectsOfTeam(db: Db, teamId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await db.raw('select id from project where team_id = ? and id = any(?)', [teamId, [...ids]])
  return rows.map((row: { id: string }) => row.id)
}

export interface ListedToken {
  id: string
  team: string
  name: string
  prefix: string
  scopes: string[]
  project_ids: string[] | null
  expires_at: Date
  revoked_at: Date | null
  last_used_at: Date | null
}

export async function listTokens(db: Db, team: string | null): Promise<ListedToken[]> {
  const { rows } = await db.raw(
    `select k.id, t.name as team, k.name, k.prefix, k.scopes, k.project_ids, k.expires_at, k.revoked_at, k.last_used_at
       from token k join team t on t.id = k.team_id
      where :team::text is null or t.name = :team
      order by t.name, k.created_at`,
    { team },
  )
  return rows
}

/** Revokes by id; answers the team whose it is, null when it was not live any more. */
export async function revokeToken(db: Db, id: string): Promise<string | null> {
  const { rows } = await db.raw(
    'update token set revoked_at = now() where id = ? and revoked_at is null returning team_id',
    [id],
  )
  return rows[0]?.team_id ?? null
}

/** Id of the token with this SHA-256, revoked or not. */
export async function tokenIdOf(db: Db, hash: Buffer): Promise<string | null> {
  const { rows } = await db.raw('select id from token where hash = ?', [hash])
  return rows[0]?.id ?? null
}
