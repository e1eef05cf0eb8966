// `cais keys`: new keys for what is sealed, while the platform runs.
import type { Knex } from 'knex'
import type { Config } from '../config.ts'
import { rewrapDataKeys, rotateDataKey } from '../setup/key-rotation.ts'

/** Prints the new data key's number and how many values it sealed anew. */
export async function rotateKeys(db: Knex, config: Config): Promise<void> {
  const { keyId, resealed } = await rotateDataKey(db, config)
  process.stdout.write(`data key ${keyId} seals from now on; ${resealed} stored values were sealed anew\n`)
}

/** Prints what was done, and what is left to do where the master key is not a file. */
export async function rewrapKeys(db: Knex, config: Config): Promise<void> {
  const outcome = await rewrapDataKeys(db, config, config.newMasterKey)
  const where =
    config.masterKey === null
      ? `the master key is in ${config.dataDir}/master.key`
      : 'set CAIS_MASTER_KEY to the new one and restart the platform before the next `cais keys rotate`'
  process.stdout.write(`${outcome}; ${where}\n`)
}
