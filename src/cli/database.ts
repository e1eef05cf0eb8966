// The control database for one command: the one that runs, or started for as long as the command takes.
import type { Knex } from 'knex'
import { connect } from '../../db/connect.ts'
import { migrate } from '../../db/migrate.ts'
import { readConfig } from '../config.ts'
import { ensureControlDatabase, stopControlDatabase } from '../setup/control-database.ts'

/** Runs `work` on the migrated control database; `ran` names the migrations that this call applied. */
export async function withDatabase(work: (db: Knex, ran: string[]) => Promise<void>): Promise<void> {
  const config = readConfig()
  const { url, started } = await ensureControlDatabase(config)
  const db = connect(url, { max: 2, name: 'cais-cli' })
  try {
    await work(db, await migrate(db))
  } finally {
    await db.destroy()
    if (started) await stopControlDatabase(config)
  }
}
