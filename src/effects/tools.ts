// What every performer is given.
import type { Knex } from 'knex'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Keyring } from '../domain/sealing.ts'
import type { World } from '../drivers/contracts.ts'

export interface Tools {
  db: Knex
  keyring: Keyring
  world: World
  config: Config
  log: Logger
}
