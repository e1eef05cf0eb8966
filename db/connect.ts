// The pool and the transaction. Everything else in this folder takes a connection as its first argument.
import knexModule, { type Knex } from 'knex'
import pg from 'pg'

/** A pool or a transaction: what every query function takes first. */
export type Db = Knex | Knex.Transaction

// bigint columns (revisions, effect ids) stay below 2^53 for longer than any installation lives.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)

/** Takes what the pool has to say of itself. */
export interface PoolLog {
  warn(message: string): void
}

/**
 * Opens a pool on a control database. `max` is the number of connections. Every error reaches whoever asked; what knex
 * would print besides goes to `log`, or nowhere.
 */
export function connect(databaseUrl: string, options: { max?: number; name?: string; log?: PoolLog } = {}): Knex {
  const say = (message: string) => options.log?.warn(message)
  return knexModule({
    client: 'pg',
    connection: { connectionString: databaseUrl, application_name: options.name ?? 'cais', keepAlive: true },
    pool: { min: 0, max: options.max ?? 12 },
    acquireConnectionTimeout: 10_000,
    log: { warn: say, error: say, deprecate: say },
  })
}
