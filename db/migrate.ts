// Runs migrations/*.sql forward, in order, each in its own transaction; several processes may start at once.
import { readFile, readdir } from 'node:fs/promises'
import type { Knex } from 'knex'

const folder = new URL('./migrations/', import.meta.url)
/** Any number, the same for all: one process migrates, the others wait for it. */
const MIGRATION_LOCK = 4_203_171

/** Brings the control database to the present schema; answers the names of what it ran. */
export async function migrate(db: Knex): Promise<string[]> {
  const files = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort()
  const ran: string[] = []
  await db
    .raw('create table if not exists migration (name text primary key, at timestamptz not null default now())')
    .catch(ignoreDuplicate)
  for (const name of files) {
    await db.transaction(async trx => {
      await trx.raw('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK])
      const { rows } = await trx.raw('select 1 from migration where name = ?', [name])
      if (rows.length > 0) return
      // Straight to pg: knex.raw would read every ? in the SQL as a binding.
      const sql = await readFile(new URL(name, folder), 'utf8')
      await trx.raw(sql.replaceAll('?', '\\?'))
      await trx.raw('insert into migration (name) values (?)', [name])
      ran.push(name)
    })
  }
  return ran
}

/** True when every migration of this version has run. */
export async function isMigrated(db: Knex): Promise<boolean> {
  const files = (await readdir(folder)).filter(name => name.endsWith('.sql'))
  const { rows } = await db.raw('select name from migration where name = any(?)', [files])
  return rows.length === files.length
}

// Two processes creating the table at once: `if not exists` still races on the catalogue's unique index.
function ignoreDuplicate(error: NodeJS.ErrnoException): void {
  if (error.code !== '23505' && error.code !== '42P07') throw error
}
