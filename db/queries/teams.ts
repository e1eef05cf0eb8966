// Teams and their tokens, and how much of its plan a team uses.
import type { Db } from '../connect.ts'

export interface TokenRow {
  id: string
  team_id: string
  name: string
  prefix: string
  scopes: string[]
  /** null = every project of the team. */
  project_ids: string[] | null
  created_at: Date
  expires_at: Date
  last_used_at: Date | null
  team_name: string
  plan: string
}

/** The live token with this SHA-256, and its team; an expired or revoked one is as unknown as any other. */
export async function findToken(db: Db, hash: Buffer): Promise<TokenRow | null> {
  const { rows } = await db.raw(
    `select k.id, k.team_id, k.name, k.prefix, k.scopes, k.project_ids, k.created_at, k.expires_at, k.last_used_at,
            t.name as team_name, t.plan
       from token k join team t on t.id = k.team_id
      where k.hash = ? and k.revoked_at is null and k.expires_at > now()`,
    [hash],
  )
  return rows[0] ?? null
}

/** Remembers that a token was used, to the minute (D-71). */
export async function touchToken(db: Db, id: string): Promise<void> {
  await db.raw(
    `update token set last_used_at = date_trunc('minute', now())
      where id = ? and (last_used_at is null or last_used_at < date_trunc('minute', now()))`,
    [id],
  )
}

export interface Usage {
  projects: number
  services: number
  memory_mb: number
  volumes_gb: number
  databases: number
  deploys: number
}

/** What the whole team uses now; `windowMs` is that of the deploy quota. */
export async function usageOf(db: Db, teamId: string, windowMs: number): Promise<Usage> {
  const { rows } = await db.raw(
    `select (select count(*) from project where team_id = :teamId) as projects,
            (select count(*) from service where team_id = :teamId) as services,
            (select coalesce(sum(memory_mb), 0) from service where team_id = :teamId) as memory_mb,
            (select coalesce(sum(size_gb), 0)::int from volume where team_id = :teamId) as volumes_gb,
            (select count(*) from database where team_id = :teamId) as databases,
            (select count(*) from deploy_use
              where team_id = :teamId and at > now() - make_interval(secs => :windowMs / 1000.0)) as deploys`,
    { teamId, windowMs },
  )
  return rows[0]
}
