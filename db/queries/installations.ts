// Access to git repositories, per team. Secrets are sealed about the id.
import type { Db } from '../connect.ts'

export type GitProvider = 'github' | 'gitlab' | 'generic'
export type GitAuth = 'none' | 'token' | 'ssh_key'

export interface Repository {
  full_name: string
  default_branch: string
}

export interface InstallationRow {
  id: string
  team_id: string
  provider: GitProvider
  account: string
  base_url: string
  auth: GitAuth
  secret: Buffer | null
  known_hosts: string | null
  repositories: Repository[]
  created_at: Date
}

/** Null when the team has one of this account there already. */
export async function insertInstallation(
  db: Db,
  installation: Omit<InstallationRow, 'created_at'>,
): Promise<InstallationRow | null> {
  const { rows } = await db.raw(
    `insert into git_installation (id, team_id, provider, account, base_url, auth, secret, known_hosts, repositories)
     values (:id, :team_id, :provider, :account, :base_url, :auth, :secret, :known_hosts, :repositories)
     on conflict do nothing returning *`,
    { ...installation, repositories: JSON.stringify(installation.repositories) },
  )
  return rows[0] ?? null
}

export async function findInstallation(db: Db, teamId: string, id: string): Promise<InstallationRow | null> {
  const { rows } = await db.raw('select * from git_installation where team_id = :teamId and id = :id', { teamId, id })
  return rows[0] ?? null
}

/** Oldest first, those after `after` (an id; null = from the oldest). */
export async function listInstallations(
  db: Db,
  teamId: string,
  after: string | null,
  limit: number,
): Promise<InstallationRow[]> {
  const { rows } = await db.raw(
    `select * from git_installation where team_id = :teamId and (cast(:after as text) is null or id > :after)
      order by id limit :limit`,
    { teamId, after, limit },
  )
  return rows
}

/** For the operator: of one team (its name), or of all. */
export async function listAllInstallations(
  db: Db,
  team: string | null,
): Promise<(InstallationRow & { team: string; services: number })[]> {
  const { rows } = await db.raw(
    `select i.*, t.name as team,
            (select count(*) from service s where s.team_id = i.team_id and s.source->>'installation_id' = i.id) as services
       from git_installation i join team t on t.id = i.team_id
      where cast(:team as text) is null or t.name = :team order by i.id`,
    { team },
  )
  return rows
}

/** False when there is none, or a service still names it. */
export async function deleteInstallation(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db.raw(
    `delete from git_installation i where i.id = ?
        and not exists (select 1 from service s where s.team_id = i.team_id and s.source->>'installation_id' = i.id)`,
    [id],
  )
  return (rowCount ?? 0) > 0
}
