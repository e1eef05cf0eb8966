// Who may reach which tenant database from where: one file per database, so that a restart knows them all without asking
// anybody. pg_hba.conf is always rendered whole from them (PostgreSQL 15 cannot include other files there).
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { replaceFile } from '../router/atomic-file.ts'

/** Lower case, digits and underscores: nothing that needs care in SQL or in pg_hba.conf. */
export const TENANT_NAME = /^[a-z][a-z0-9_]{0,62}$/

const ruleSchema = z.object({
  databaseId: z.string().regex(/^[0-9a-z]+$/),
  databaseName: z.string().regex(TENANT_NAME),
  user: z.string().regex(TENANT_NAME),
  subnet: z.string().regex(/^\d+\.\d+\.\d+\.\d+\/\d+$/),
})

export type AccessRule = z.infer<typeof ruleSchema>

/** The rules in `folder`, by database id. A file that cannot be understood stops everything: it must not open a door. */
export async function readRules(folder: string): Promise<AccessRule[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const files = (await readdir(folder)).filter(name => name.endsWith('.json')).sort()
  return Promise.all(
    files.map(async name => ruleSchema.parse(JSON.parse(await readFile(path.join(folder, name), 'utf8')))),
  )
}

export async function writeRule(folder: string, rule: AccessRule): Promise<void> {
  await replaceFile(path.join(folder, `${rule.databaseId}.json`), JSON.stringify(ruleSchema.parse(rule)), 0o600)
}

export async function removeRule(folder: string, databaseId: string): Promise<void> {
  await rm(path.join(folder, `${databaseId}.json`), { force: true })
}

/**
 * pg_hba.conf: the administrator through the local socket, each tenant over TLS from its project's network. Nobody else. The
 * platform itself logs in as the tenant, with its password, to restore: through the socket, whose folder only it may enter.
 */
export function renderAccess(rules: AccessRule[]): string {
  const lines = rules.flatMap(({ databaseName, user, subnet }) => [
    `hostssl "${databaseName}" "${user}" ${subnet} scram-sha-256`,
    `local "${databaseName}" "${user}" scram-sha-256`,
  ])
  return ['# Rendered by the platform from its rules; changes made here are lost.', ADMINISTRATOR, ...lines, ''].join(
    '\n',
  )
}

const ADMINISTRATOR = 'local all "postgres" peer map=administrator'

/** pg_ident.conf: which accounts of the machine are the administrator. */
export function renderAdministrators(accounts: string[]): string {
  return [...new Set(accounts)].map(name => `administrator "${name}" "postgres"\n`).join('')
}
