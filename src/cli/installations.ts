// Git installations from the operator's side. The secret comes on stdin, never in the arguments, which every process sees.
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { Knex } from 'knex'
import { insertAudit } from '../../db/queries/audit.ts'
import { deleteInstallation, insertInstallation, listAllInstallations } from '../../db/queries/installations.ts'
import { findTeam } from '../../db/queries/tokens.ts'
import type { Config } from '../config.ts'
import { authOf, baseUrl, isProvider, PROVIDERS, repositories } from '../domain/git-access.ts'
import { newId } from '../domain/ids.ts'
import { ensureKeyring } from '../setup/keyring.ts'
import { table } from './table.ts'

export interface InstallationOptions {
  team: string
  provider: string
  account: string
  repositories: string
  url?: string
  knownHosts?: string
  public?: boolean
}

/** Creates an installation and prints its id. `stdin` holds the token or the private key, unless it is public. */
export async function createInstallation(
  db: Knex,
  config: Config,
  options: InstallationOptions,
  stdin: NodeJS.ReadableStream = process.stdin,
): Promise<void> {
  if (!isProvider(options.provider))
    throw new Error(`"${options.provider}" is not a provider. The providers are: ${PROVIDERS.join(', ')}`)
  const account = options.account.trim()
  if (account === '') throw new Error('An installation needs an account: the user, group or organisation there.')
  const url = baseUrl(options.provider, options.url ?? null)
  const given = repositories(options.repositories)
  const secret = options.public ? '' : (await text(stdin)).replace(/\r\n/g, '\n').trim()
  if (!options.public && secret === '') throw new Error('Give the token or the private key on stdin, or say --public.')
  const auth = authOf(url, secret)
  const knownHosts = options.knownHosts === undefined ? null : await readFile(options.knownHosts, 'utf8')
  if (auth === 'ssh_key' && knownHosts === null)
    throw new Error('An ssh installation needs --known-hosts: the file that says who the server is (ssh-keyscan).')
  const team = await findTeam(db, options.team)
  if (!team) throw new Error(`There is no team "${options.team}".`)
  const id = newId()
  const keyring = await ensureKeyring(db, config)
  const made = await insertInstallation(db, {
    id,
    team_id: team.id,
    provider: options.provider,
    account,
    base_url: url,
    auth,
    secret: auth === 'none' ? null : keyring.seal(`${secret}${auth === 'ssh_key' ? '\n' : ''}`, id),
    known_hosts: knownHosts,
    repositories: given,
  })
  if (!made) throw new Error(`The team has an installation for ${account} at ${url} already.`)
  process.stdout.write(`${made.id}\n`)
}

export async function printInstallations(db: Knex, team: string | null): Promise<void> {
  const rows = (await listAllInstallations(db, team)).map(one => [
    one.id,
    one.team,
    one.provider,
    one.account,
    one.base_url,
    one.auth,
    one.repositories.map(repository => `${repository.full_name}:${repository.default_branch}`).join(','),
    String(one.services),
  ])
  process.stdout.write(table(['ID', 'TEAM', 'PROVIDER', 'ACCOUNT', 'URL', 'AUTH', 'REPOSITORIES', 'SERVICES'], rows))
}

/** Removes an installation that no service names any more. */
export async function removeInstallation(db: Knex, id: string): Promise<void> {
  const all = await listAllInstallations(db, null)
  const found = all.find(one => one.id === id)
  if (!found) throw new Error(`There is no installation with the id ${id}.`)
  await db.transaction(async trx => {
    if (!(await deleteInstallation(trx, id)))
      throw new Error(`Services are still deployed from it (${found.services}). Change their source first.`)
    const teamId = found.team_id
    await insertAudit(trx, { teamId, tokenId: 'cli', action: 'installation.delete', subjectId: id, address: 'cli' })
  })
  process.stdout.write(`removed ${id}\n`)
}
