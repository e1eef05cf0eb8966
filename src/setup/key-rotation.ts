// New keys for an installation that goes on running. Both ways can be broken off anywhere and run again.
import { randomBytes } from 'node:crypto'
import { open, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import {
  insertDataKey,
  listDataKeys,
  listSealedBefore,
  lockDataKeys,
  replaceSealed,
  SEALED,
  updateWrapping,
  type SealedColumn,
} from '../../db/queries/data-keys.ts'
import { createDataKey, rewrapDataKey, type Keyring } from '../domain/sealing.ts'
import {
  finishRewrapWithin,
  KEY_KNOWN_AFTER_MS,
  masterKeyFile,
  nextMasterKeyFile,
  openWithAny,
  withMasterKeyFiles,
  type KeyConfig,
} from './keyring.ts'

const BATCH = 200
const LOOK_EVERY_MS = 100

export interface Rotation {
  keyId: number
  /** Sealed values that now have the new key. */
  resealed: number
}

/**
 * Makes a new data key, waits until running platforms know it, and seals everything stored with it. Old keys stay, since
 * answers already given (cursors) and backups of the control database need them. `knownAfterMs`: how long running platforms
 * may take to look for keys.
 */
export async function rotateDataKey(db: Knex, config: KeyConfig, knownAfterMs = KEY_KNOWN_AFTER_MS): Promise<Rotation> {
  const keyId = await db.transaction(async trx => {
    await lockDataKeys(trx)
    const { masterKey } = await openWithAny(config, await listDataKeys(trx))
    return insertDataKey(trx, createDataKey(masterKey), knownAfterMs)
  })
  const keyring = await untilItSeals(db, config, keyId)
  const everybodySeals = sleep(knownAfterMs)
  let resealed = await resealAll(db, keyring, keyId)
  // Whoever had not looked again since the new key seals may have sealed with the old one meanwhile.
  await everybodySeals
  resealed += await resealAll(db, keyring, keyId)
  return { keyId, resealed }
}

// Until a whole pass finds nothing: a writer may have begun before.
async function resealAll(db: Knex, keyring: Keyring, keyId: number): Promise<number> {
  let resealed = 0
  for (let found = true; found;) {
    found = false
    for (const column of SEALED) {
      const pass = await resealColumn(db, keyring, keyId, column)
      resealed += pass.replaced
      found ||= pass.seen > 0
    }
  }
  return resealed
}

async function untilItSeals(db: Knex, config: KeyConfig, keyId: number): Promise<Keyring> {
  for (;;) {
    const rows = await listDataKeys(db)
    // One that was made even later, by another rotation, must not seal here: `keyId` is what this one is about.
    const upToMine = rows.filter(row => row.id <= keyId)
    if (upToMine.at(-1)?.seals) return (await openWithAny(config, upToMine)).keyring
    await sleep(LOOK_EVERY_MS)
  }
}

async function resealColumn(db: Knex, keyring: Keyring, keyId: number, column: SealedColumn) {
  let [seen, replaced] = [0, 0]
  let after = ''
  for (;;) {
    const rows = await listSealedBefore(db, column, keyId, after, BATCH)
    const last = rows.at(-1)
    if (!last) return { seen, replaced }
    seen += rows.length
    const changes = rows.map(({ id, sealed }) => ({
      id,
      before: sealed,
      after: keyring.seal(keyring.open(sealed, id), id),
    }))
    replaced += await replaceSealed(db, column, changes)
    after = last.id
  }
}

export type Rewrapping = 'rewrapped' | 'finished an earlier one' | 'done already'

/**
 * Wraps every data key by another master key, in one transaction. `next` null = a new one is made. Where the master key is
 * a file, the next one waits beside it, and takes its place once the keys are wrapped by it: at every moment one of the two
 * files opens them. Throws when the master key comes from the environment and `next` is null: nobody would know it.
 */
export async function rewrapDataKeys(db: Knex, config: KeyConfig, next: string | null): Promise<Rewrapping> {
  const isFile = config.masterKey === null
  if (!isFile && next === null) {
    throw new Error('CAIS_MASTER_KEY is set: give the next one in CAIS_NEW_MASTER_KEY (openssl rand -hex 32).')
  }
  const wanted = next ?? randomBytes(32).toString('hex')
  return withMasterKeyFiles(db, async () => {
    if (!isFile) return (await rewrapAll(db, config, wanted)) ? 'rewrapped' : 'done already'
    if (await finishRewrapWithin(db, config)) return 'finished an earlier one'
    await writeDurably(nextMasterKeyFile(config), `${wanted}\n`)
    await rewrapAll(db, config, wanted)
    await rename(nextMasterKeyFile(config), masterKeyFile(config))
    return 'rewrapped'
  })
}

// False when the keys are wrapped by the wanted one already.
async function rewrapAll(db: Knex, config: KeyConfig, wanted: string): Promise<boolean> {
  return db.transaction(async trx => {
    await lockDataKeys(trx)
    const rows = await listDataKeys(trx)
    if (await opens({ ...config, masterKey: wanted }, rows)) return false
    const { masterKey } = await openWithAny(config, rows)
    for (const row of rows) await updateWrapping(trx, row.id, rewrapDataKey(masterKey, wanted, row))
    return true
  })
}

async function opens(config: KeyConfig, rows: Awaited<ReturnType<typeof listDataKeys>>): Promise<boolean> {
  return openWithAny(config, rows).then(
    () => true,
    () => false,
  )
}

// Whole or not at all, and on the disk before any data key needs it.
async function writeDurably(file: string, text: string): Promise<void> {
  const draft = `${file}.draft`
  await writeFile(draft, text, { mode: 0o600, flush: true })
  await rename(draft, file)
  const folder = await open(path.dirname(file))
  await folder.sync().finally(() => folder.close())
}
