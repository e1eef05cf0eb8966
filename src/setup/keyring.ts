// The master key of an installation and the data keys that it wraps.
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Knex } from 'knex'
import type { Config } from '../config.ts'
import { createDataKey, openKeyring, type Keyring } from '../domain/sealing.ts'

/**
 * Opens the keyring; the first start makes the master key (DATA_DIR/master.key, 0600, unless CAIS_MASTER_KEY is set) and
 * the first data key. Throws when the master key is not the one that wrapped the stored keys.
 */
export async function ensureKeyring(db: Knex, config: Pick<Config, 'dataDir' | 'masterKey'>): Promise<Keyring> {
  const masterKey = config.masterKey ?? (await ensureMasterKey(path.join(config.dataDir, 'master.key')))
  await db.raw('insert into data_key (id, wrapped) values (1, ?) on conflict do nothing', [createDataKey(masterKey)])
  const { rows } = await db.raw('select id, wrapped from data_key order by id')
  return openKeyring(masterKey, rows)
}

async function ensureMasterKey(file: string): Promise<string> {
  try {
    await writeFile(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return (await readFile(file, 'utf8')).trim()
}
