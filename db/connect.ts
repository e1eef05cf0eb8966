// The pool and the transaction. Everything else in this folder takes a connection as its first argument.
import knexModule, { type Knex } from 'knex'
import pg from 'pg'

/** A pool or a transaction: what every query function takes first. */
export type Db = Knex | Knex.Transaction

// bigint columns (revisions, effect ids) stay below 2^53 for longer than any installation lives.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)

/** Opens a pool on a control database. `max` is the number of connections. */
export function connect(databaseUrl: string, options: { max?: number; name?: string } = {}): Knex {
  return knexModule({
    client: 'pg',
    connection: { connectionString: databaseUrl, application_name: options.name ?? 'cais', keepAlive: true },
    pool: { min: 0, max: options.max ?? 12 },
    acquireConnectionTimeout: 10_000,
  })
}
