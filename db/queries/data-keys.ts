// Data keys, and everything that is sealed with them. Associated data is the row's id everywhere.
import type { Knex } from 'knex'
import type { Db } from '../connect.ts'

export interface DataKeyRow {
  id: number
  wrapped: Buffer
  seals: boolean
}

/** Every sealed column. A test holds this list against the schema: none may be left out of a rotation. */
export const SEALED = [
  { table: 'variable', column: 'sealed' },
  { table: 'deployment', column: 'environment' },
  { table: 'database', column: 'credentials' },
  { table: 'database', column: 'pending' },
  { table: 'deleted_database', column: 'credentials' },
  { table: 'deleted_database', column: 'pending' },
  { table: 'domain', column: 'certificate' },
  { table: 'git_installation', column: 'secret' },
] as const

export type SealedColumn = (typeof SEALED)[number]

/** Oldest first. */
export async function listDataKeys(db: Db): Promise<DataKeyRow[]> {
  const { rows } = await db.raw('select id, wrapped, seals_from <= now() as seals from data_key order by id')
  return rows
}

/** The first key of an installation; one that is there stays. */
export async function insertFirstDataKey(db: Db, wrapped: Buffer): Promise<void> {
  await db.raw('insert into data_key (id, wrapped) values (1, ?) on conflict do nothing', [wrapped])
}

/** Nobody else adds or re-wraps keys until this transaction ends; reading them goes on. */
export async function lockDataKeys(trx: Knex.Transaction): Promise<void> {
  await trx.raw('lock table data_key in share row exclusive mode')
}

/** Adds a key that seals from `sealsInMs` on; answers its id. */
export async function insertDataKey(trx: Knex.Transaction, wrapped: Buffer, sealsInMs: number): Promise<number> {
  const { rows } = await trx.raw(
    `insert into data_key (id, wrapped, seals_from)
     select max(id) + 1, ?, now() + ? * interval '1 ms' from data_key returning id`,
    [wrapped, sealsInMs],
  )
  return rows[0].id
}

export async function updateWrapping(trx: Knex.Transaction, id: number, wrapped: Buffer): Promise<void> {
  await trx.raw('update data_key set wrapped = ? where id = ?', [wrapped, id])
}

export interface SealedRow {
  id: string
  sealed: Buffer
}

/** Rows after `after`, by id, that a key older than `keyId` has sealed. The key id is in bytes 2 to 5 of the header. */
export async function listSealedBefore(
  db: Db,
  { table, column }: SealedColumn,
  keyId: number,
  after: string,
  limit: number,
): Promise<SealedRow[]> {
  const { rows } = await db.raw(
    `select id, ?? as sealed from ?? where id > ? and substring(?? from 2 for 4) < int4send(?) order by id limit ?`,
    [column, table, after, column, keyId, limit],
  )
  return rows
}

/** Replaces values that are still what was read; a writer who came meanwhile wins. Answers how many were replaced. */
export async function replaceSealed(
  db: Db,
  { table, column }: SealedColumn,
  rows: readonly { id: string; before: Buffer; after: Buffer }[],
): Promise<number> {
  const changes = rows.map(row => ({
    id: row.id,
    before: row.before.toString('hex'),
    after: row.after.toString('hex'),
  }))
  const { rowCount } = await db.raw(
    `update ?? as t set ?? = decode(c.after, 'hex')
       from jsonb_to_recordset(?::jsonb) as c (id text, before text, after text)
      where t.id = c.id and t.?? = decode(c.before, 'hex')`,
    [table, column, JSON.stringify(changes), column],
  )
  return rowCount
}
