// A PostgreSQL database that may not grow (recipe and what was tried against it: design/dataplane.md §6). An event trigger
// refuses commands that create or alter, statement triggers refuse INSERT and UPDATE; DELETE, TRUNCATE and DROP go on. What
// makes it firm: the tenant owns neither the event trigger nor the functions, and the former forbids to touch the latter.
import type pg from 'pg'

const DROPS = [
  'TABLE',
  'INDEX',
  'SCHEMA',
  'VIEW',
  'MATERIALIZED VIEW',
  'SEQUENCE',
  'FUNCTION',
  'PROCEDURE',
  'TYPE',
  'OWNED',
].map(kind => `'DROP ${kind}'`)

const FUNCTIONS = [
  `create or replace function plat.block_dml() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
   begin
     raise exception 'database is read-only: storage quota exceeded' using errcode = '53100';
   end $$`,
  `create or replace function plat.block_ddl() returns event_trigger language plpgsql as $$
   begin
     if session_user::text = 'postgres' or tg_tag in (${DROPS.join(', ')}) then return; end if;
     raise exception 'database is read-only: storage quota exceeded (% refused)', tg_tag using errcode = '53100';
   end $$`,
  // What each table had lost when it was last rewritten.
  `create table if not exists plat.compacted (relation oid primary key, changes bigint not null)`,
]

/** Tables of the tenant, with whether ours is among their triggers. */
const TABLES = `
  select c.oid::regclass::text as name, exists (
           select 1 from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'zz_plat_quota' and t.tgenabled = 'A'
              and t.tgfoid = to_regproc('plat.block_dml')) as guarded
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind in ('r', 'p') and c.relpersistence <> 't'
     and n.nspname not in ('pg_catalog', 'information_schema', 'plat')`

/** True while growing is refused. `client` is the superuser in the tenant's database, as in all of this file. */
export async function isGuarded(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `select 1 from pg_event_trigger where evtname = 'plat_quota' and evtenabled = 'A'`,
  )
  return rowCount === 1
}

/** From the commit of this on, no table can be made that would escape the triggers. */
export async function refuseNewTables(client: pg.Client): Promise<void> {
  await client.query('begin')
  for (const sql of FUNCTIONS) await client.query(sql)
  if (!(await isGuarded(client))) {
    await client.query('drop event trigger if exists plat_quota')
    await client.query('create event trigger plat_quota on ddl_command_start execute function plat.block_ddl()')
    await client.query('alter event trigger plat_quota enable always')
  }
  await client.query('commit')
}

/** Tables that can still grow. */
export async function unguardedTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query(TABLES)
  return rows.filter(row => !row.guarded).map(row => row.name)
}

/** Refuses growth of these tables. The tenant's sessions must be gone: they may hold locks. */
export async function guardTables(client: pg.Client, tables: string[]): Promise<void> {
  await client.query(`set lock_timeout = '3s'`)
  for (const table of tables) {
    await client.query('begin')
    // A tenant may have a trigger of this name.
    await client.query(`drop trigger if exists zz_plat_quota on ${table}`)
    await client.query(
      `create trigger zz_plat_quota before insert or update on ${table} for each statement execute function plat.block_dml()`,
    )
    await client.query(`alter table ${table} enable always trigger zz_plat_quota`)
    await client.query('commit')
  }
}

/** Everything may grow again; nothing of the guard stays behind, which a dump would carry away. */
export async function liftGuard(client: pg.Client): Promise<void> {
  await client.query('drop event trigger if exists plat_quota')
  const { rows } = await client.query(
    `select tgrelid::regclass::text as name from pg_trigger
      where not tgisinternal and tgname = 'zz_plat_quota' and tgfoid = to_regproc('plat.block_dml')`,
  )
  for (const { name } of rows) await client.query(`drop trigger if exists zz_plat_quota on ${name}`)
  for (const thing of ['function plat.block_dml()', 'function plat.block_ddl()', 'table plat.compacted'])
    await client.query(`drop ${thing.replace(' ', ' if exists ')}`)
}

/**
 * Gives back what deletes have freed: PostgreSQL keeps it inside the tables otherwise. Each table is rewritten once per
 * change; one that is in use is left for the next time.
 */
export async function compact(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select s.relid, s.relid::regclass::text as name, s.n_tup_del + s.n_tup_upd as changes
       from pg_stat_user_tables s left join plat.compacted c on c.relation = s.relid
      where s.schemaname <> 'plat' and pg_total_relation_size(s.relid) > 1048576
        and s.n_tup_del + s.n_tup_upd <> coalesce(c.changes, -1)`,
  )
  await client.query(`set lock_timeout = '2s'`)
  for (const { relid, name, changes } of rows) {
    const rewritten = await client.query(`vacuum full ${name}`).then(
      () => true,
      (error: { code?: string }) => {
        if (error.code === LOCK_NOT_AVAILABLE || error.code === UNDEFINED_TABLE) return false
        throw error
      },
    )
    if (rewritten)
      await client.query(
        `insert into plat.compacted values ($1, $2) on conflict (relation) do update set changes = excluded.changes`,
        [relid, changes],
      )
  }
}

const LOCK_NOT_AVAILABLE = '55P03'
const UNDEFINED_TABLE = '42P01'
