// The master key of an installation and the data keys that it wraps.
import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Knex } from 'knex'
import { insertFirstDataKey, listDataKeys, type DataKeyRow } from '../../db/queries/data-keys.ts'
import type { Config } from '../config.ts'
import { createDataKey, openKeyring, type Keyring } from '../domain/sealing.ts'

/** Any number, the same for all. */
const MASTER_KEY_FILES_LOCK = 7_215_338

export type KeyConfig = Pick<Config, 'dataDir' | 'masterKey'>

/** How often a running platform looks for new data keys. */
export const REFRESH_EVERY_MS = 1000
/** From the birth of a data key until it seals: every platform has looked for it several times by then. */
export const KEY_KNOWN_AFTER_MS = 5 * REFRESH_EVERY_MS

/**
 * Opens the keyring; the first start makes the master key (DATA_DIR/master.key, 0600, unless CAIS_MASTER_KEY is set) and
 * the first data key. Throws when the master key is not the one that wrapped the stored keys. `refresh` reads the stored
 * keys again: whoever keeps the keyring calls it every REFRESH_EVERY_MS.
 */
export async function ensureKeyring(db: Knex, config: KeyConfig): Promise<Keyring> {
  if (config.masterKey === null) await ensureMasterKey(masterKeyFile(config))
  await insertFirstDataKey(db, createDataKey(config.masterKey ?? (await readKey(masterKeyFile(config)))))
  await finishRewrap(db, config)
  let known = await listDataKeys(db)
  let open = (await openWithAny(config, known)).keyring

  async function refresh(): Promise<void> {
    const now = await listDataKeys(db)
    if (signature(now) === signature(known)) return
    open = (await openWithAny(config, now)).keyring
    known = now
  }
  return {
    seal: (text, about) => open.seal(text, about),
    sealAlike: (text, about) => open.sealAlike(text, about),
    open: (sealed, about) => open.open(sealed, about),
    refresh,
  }
}

/** The keys of now, with the master key that opens them. */
export async function openWithAny(
  config: KeyConfig,
  rows: readonly DataKeyRow[],
): Promise<{ keyring: Keyring; masterKey: string }> {
  const faults: unknown[] = []
  for (const masterKey of await masterKeys(config)) {
    try {
      return { keyring: openKeyring(masterKey, rows), masterKey }
    } catch (error) {
      faults.push(error)
    }
  }
  throw faults[0]
}

export const masterKeyFile = (config: KeyConfig): string => path.join(config.dataDir, 'master.key')

/** Where the next master key waits while data keys are being re-wrapped. */
export const nextMasterKeyFile = (config: KeyConfig): string => `${masterKeyFile(config)}.new`

/** Puts the next master key in its place when the stored keys are wrapped by it already: a re-wrapping died before. */
export async function finishRewrap(db: Knex, config: KeyConfig): Promise<boolean> {
  return withMasterKeyFiles(db, () => finishRewrapWithin(db, config))
}

/** Nobody else moves the files of this installation's master keys while `work` runs. */
export async function withMasterKeyFiles<T>(db: Knex, work: () => Promise<T>): Promise<T> {
  return db.transaction(async guard => {
    await guard.raw('select pg_advisory_xact_lock(?)', [MASTER_KEY_FILES_LOCK])
    return work()
  })
}

/** The same, for who has the files already. */
export async function finishRewrapWithin(db: Knex, config: KeyConfig): Promise<boolean> {
  if (config.masterKey !== null) return false
  const [present, next] = await masterKeys(config)
  if (next === undefined) return false
  const { masterKey } = await openWithAny(config, await listDataKeys(db))
  if (masterKey === present) return false
  await rename(nextMasterKeyFile(config), masterKeyFile(config))
  return true
}

// The present one, and the next one where a re-wrapping is under way.
async function masterKeys(config: KeyConfig): Promise<string[]> {
  if (config.masterKey !== null) return [config.masterKey]
  const next = await readKey(nextMasterKeyFile(config)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  const present = await readKey(masterKeyFile(config))
  return next === null ? [present] : [present, next]
}

async function ensureMasterKey(file: string): Promise<void> {
  try {
    await writeFile(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

const readKey = async (file: string): Promise<string> => (await readFile(file, 'utf8')).trim()

const signature = (rows: readonly DataKeyRow[]): string => rows.map(row => `${row.id}:${row.seals}`).join()
