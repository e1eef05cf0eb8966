// Access to git repositories that a person has given to the team. The operator makes them: `cais installation create`.
import { findInstallation, listInstallations, type InstallationRow } from '../../../db/queries/installations.ts'
import type { ServiceSource } from '../../../db/queries/services.ts'
import { ApiError, fieldError } from '../errors.ts'
import { listing, readPage } from '../pagination.ts'
import type { Answer, Read, Write } from '../route.ts'
import type { InstallationView } from '../schemas/installations.ts'

/** GET /git-installations: oldest first. */
export async function listOwnInstallations({ db, token, query, keyring }: Read): Promise<Answer> {
  const page = readPage(query, `git-installations:${token.team_id}`, keyring)
  const rows = await listInstallations(db, token.team_id, page.after, page.limit + 1)
  return { body: listing(rows, page, keyring, row => row.id, installationView) }
}

function installationView(row: InstallationRow): InstallationView {
  return {
    id: row.id,
    provider: row.provider,
    account: row.account,
    repositories: row.repositories,
    created_at: row.created_at.toISOString(),
  }
}

/** 400 unless a git source names an installation of the team, and a repository that it gives access to (D-33). */
export async function refuseForeignSource(
  { db, token }: Pick<Write, 'db' | 'token'>,
  source: ServiceSource | null,
): Promise<void> {
  if (source?.type !== 'git') return
  const installation = await findInstallation(db, token.team_id, source.installation_id)
  if (!installation) throw new ApiError('invalid_request.installation', { valor: source.installation_id })
  const { repo } = source
  if (repo === null || installation.repositories.some(one => one.full_name === repo)) return
  throw fieldError('invalid_request.rule', 'source.repo', 'invalid', { regra: 'um repositório desta integração git' })
}
