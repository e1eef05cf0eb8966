// What nobody owns on the database host and among the backups. Data is dear: only what the control database knows to be
// over is removed. What it has never heard of (a control database that was set back, or another one) is reported.
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { sortBackupIds } from '../../db/queries/backups.ts'
import { sortDatabaseIds } from '../../db/queries/databases.ts'
import type { Engine } from '../drivers/contracts.ts'
import { backupFolder } from './backups.ts'
import type { Tools } from './tools.ts'

/** Removes roles, databases and rules of deleted databases from one engine; answers their ids. */
export async function sweepEngine(tools: Tools, name: Engine): Promise<string[]> {
  const engine = tools.world.databases[name]
  if (!engine) return []
  // The world is read before its owners: a database made after this cannot be taken for an orphan.
  const present = await engine.list()
  const { owned, ended } = await sortDatabaseIds(tools.db, present)
  report(
    tools,
    name,
    present.filter(id => !owned.has(id) && !ended.has(id)),
  )
  const orphans = present.filter(id => ended.has(id))
  const separator = name === 'sqlite' ? '-' : '_'
  for (const id of orphans) await engine.drop(id, { databaseName: `d${separator}${id}`, user: `u_${id}` })
  return orphans
}

/** Removes the files of backups that are over, and drafts of them; answers their names. */
export async function sweepBackups(tools: Tools): Promise<string[]> {
  const folder = await backupFolder(tools)
  const files = await readdir(folder)
  const idOf = (file: string) => file.split('.')[0] ?? file
  const { owned, ended } = await sortBackupIds(tools.db, [...new Set(files.map(idOf))])
  report(
    tools,
    'backups',
    files.filter(file => !owned.has(idOf(file)) && !ended.has(idOf(file))),
  )
  const orphans = files.filter(file => ended.has(idOf(file)))
  for (const file of orphans) await rm(path.join(folder, file), { recursive: true, force: true })
  return orphans
}

const reported = new Set<string>()

function report({ log }: Tools, where: string, strangers: string[]): void {
  const fresh = strangers.filter(name => !reported.has(`${where} ${name}`))
  for (const name of fresh) reported.add(`${where} ${name}`)
  if (fresh.length > 0) log.warn({ where, strangers: fresh }, 'found what this control database never made; it is kept')
}
