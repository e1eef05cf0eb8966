// The whole life of a tenant's database on a real server: rotation, quota, backup, restore, end.
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, truncate } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import t from 'tap'
import { databaseAddress, platformInterface } from '../../src/domain/addresses.ts'
import type { BackupFile, TenantDatabase } from '../../src/drivers/contracts.ts'
import { createPostgresEngine, type PostgresEngine } from '../../src/drivers/databases/postgres.ts'
import { openAuthority } from '../../src/drivers/router/authority.ts'

const run = promisify(execFile)
const config = { instance: 'dblife', platformPool: '10.236.0.0/16' }
const address = databaseAddress(config.platformPool)
const never = new AbortController().signal
/** Of rows; engines.test.ts does it with 100 and more. */
const MEGABYTES = 24
const READ_ONLY = /read-only: storage quota exceeded/

let dataDir: string
let ca: string
let engine: PostgresEngine
const open: pg.Client[] = []

t.before(async () => {
  dataDir = await mkdtemp('/tmp/cais-life-')
  await chmod(dataDir, 0o711)
  const link = platformInterface(config.instance)
  await run('ip', ['link', 'del', link]).catch(() => undefined)
  await run('ip', ['link', 'add', link, 'type', 'bridge'])
  await run('ip', ['addr', 'add', `${address}/32`, 'dev', link])
  await run('ip', ['link', 'set', link, 'up'])
  const authority = await openAuthority(path.join(dataDir, 'ca'))
  ca = authority.rootPem
  engine = createPostgresEngine({ config, authority, stateDir: path.join(dataDir, 'engines', 'postgres') })
  await engine.ensure()
})

t.afterEach(async () => {
  for (const client of open.splice(0)) await client.end().catch(() => undefined)
})

t.teardown(async () => {
  await engine.stop()
  await run('ip', ['link', 'del', platformInterface(config.instance)])
  await rm(dataDir, { recursive: true })
})

function tenant(databaseId: string): TenantDatabase {
  const names = { databaseName: `d_${databaseId}`, user: `u_${databaseId}`, password: `password-of-${databaseId}` }
  // From the machine itself, so that a test can be the client.
  return { databaseId, ...names, subnet: `${address}/32`, quotaMb: 64 }
}

async function connect(as: TenantDatabase): Promise<pg.Client> {
  const { databaseName: database, user, password } = as
  const ssl = { ca, servername: 'db.dblife.internal' }
  const client = new pg.Client({ host: address, port: 5432, database, user, password, ssl })
  client.on('error', () => undefined) // Being thrown out is what some tests are about.
  await client.connect()
  open.push(client)
  return client
}

async function fill(client: pg.Client, megabytes: number): Promise<void> {
  // md5 does not compress, so a row takes what it says.
  await client.query(
    `insert into load (body) select (select string_agg(md5(random()::text), '') from generate_series(1, 32 + n * 0))
       from generate_series(1, $1::int * 1024) n`,
    [megabytes],
  )
}

t.test('a rotation makes the new secret valid and the old one useless, on open connections too', async t => {
  const shop = tenant('01rotate')
  await engine.provision(shop)
  const before = await connect(shop)
  const next = { ...shop, password: 'another-secret-0123456789' }
  await engine.rotate(next)
  await t.rejects(before.query('select 1'), 'the open connection is gone')
  await t.rejects(connect(shop), { code: '28P01' })
  t.same((await (await connect(next)).query('select 1 as one')).rows, [{ one: 1 }])
  await engine.rotate(next)
  await connect(next)
  const log = await readFile(path.join(dataDir, 'engines', 'postgres', 'server', 'server.log'), 'utf8')
  t.notMatch(log, /another-secret|SCRAM-SHA-256/)
})

t.test('a database over its quota: what grows is refused and cannot be brought back by its tenant', async t => {
  const shop = tenant('01quota')
  const { user, databaseName } = shop
  await engine.provision(shop)
  const client = await connect(shop)
  await client.query(`
    create schema other; create table load (id bigserial primary key, body text);
    create table other.parts (id int, at date) partition by range (at);
    create table other.parts_1 partition of other.parts for values from ('2020-01-01') to ('2030-01-01');
    create view seen as select * from load; create unlogged table quick (n int); create materialized view counted as select count(*) from load;
    create procedure sneak() language plpgsql security definer as $$ begin insert into load (body) values ('x'); end $$;
    create function zz() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger zz_plat_quota before insert on quick for each row execute function zz();
    create table changed (n int); insert into changed values (1)`)
  await fill(client, 20)
  const full = (await engine.measure(shop)).sizeMb
  t.ok(full >= 20, `${full} MB`)

  await engine.setReadOnly(shop, true)
  await t.rejects(client.query('select 1'), 'sessions from before are ended')
  const again = await connect(shop)
  await engine.setReadOnly(shop, true)
  t.same((await again.query('select count(*)::int as n from load')).rows, [{ n: 20 * 1024 }], 'twice ends no session')
  await again.query('create temp table mine (n int)').then(
    () => t.fail('temporary tables are refused'),
    error => t.match(error, { code: '53100', message: READ_ONLY }),
  )
  for (const attempt of [
    `insert into load (body) values ('x')`,
    `update changed set n = 2`,
    `insert into seen (body) values ('x')`,
    `insert into quick values (1)`,
    `insert into other.parts values (1, '2025-01-01')`,
    `insert into other.parts_1 values (1, '2025-01-01')`,
    `call sneak()`,
    `merge into changed using (values (1)) v (n) on false when not matched then insert values (v.n)`,
    `create table bigger (n int)`,
    `create table bigger as select 1`,
    `select 1 as one into bigger`,
    `do $$ begin execute 'create table bigger (n int)'; end $$`,
    `refresh materialized view counted`,
    `create index on load (body)`,
    `alter table load disable trigger zz_plat_quota`,
    `alter table load disable trigger all`,
    `drop trigger zz_plat_quota on load`,
    `alter trigger zz_plat_quota on load rename to gone`,
    `drop event trigger plat_quota`,
    `alter event trigger plat_quota disable`,
    `drop function plat.block_dml() cascade`,
    `drop function plat.block_ddl() cascade`,
    `drop schema plat cascade`,
    `create or replace function plat.block_dml() returns trigger language plpgsql as $$ begin return null; end $$`,
    `set session_replication_role = replica`,
    `set event_triggers = off`,
    `set role postgres`,
    `grant pg_write_all_data to ${user}`,
    `alter database ${databaseName} connection limit 100`,
    `alter table load rename to loaded`,
    `create extension hstore`,
    `select lo_from_bytea(0, 'x')`,
  ])
    await t.rejects(again.query(attempt), attempt)
  for (const sql of [
    `set default_transaction_read_only = off`,
    `alter role ${user} set default_transaction_read_only = off`,
    `begin read write`,
    `commit`,
  ])
    await again.query(sql).catch(() => again.query('rollback'))
  const fresh = await connect(shop)
  await t.rejects(fresh.query(`insert into load (body) values ('x')`), { code: '53100', message: READ_ONLY })
  t.same((await fresh.query('select n from changed')).rows, [{ n: 1 }])

  // Deleting works, and gives back what it freed.
  await fresh.query('delete from load where id > 1024')
  await fresh.query('drop table quick')
  await fresh.query('truncate other.parts')
  let sizeMb = full
  for (let look = 0; look < 600 && sizeMb > 5; look++) {
    await new Promise(resolve => setTimeout(resolve, 100))
    sizeMb = (await engine.measure(shop)).sizeMb
  }
  t.ok(sizeMb <= 5, `${sizeMb} MB of ${full} are left after deleting`)
  await engine.setReadOnly(shop, false)
  await fresh.query(`insert into load (body) values ('x')`)
  await fresh.query('create table bigger (n int)')
  await engine.setReadOnly(shop, false)
})

const CONTENT = `select
  (select md5(string_agg(id || ':' || body, '|' order by id)) from load) as rows,
  (select count(*)::int from load) as count,
  (select string_agg(indexdef, ';' order by indexname) from pg_indexes where schemaname in ('public', 'other')) as indexes,
  (select string_agg(sequencename || '=' || last_value, ';' order by sequencename) from pg_sequences) as sequences,
  (select string_agg(conname, ';' order by conname) from pg_constraint where connamespace = 'public'::regnamespace) as constraints,
  (select string_agg(tgname, ';' order by tgname) from pg_trigger where not tgisinternal) as triggers,
  (select txt from other.notes) as note`

t.test(
  'a suspended database lets nobody in, is backed up whole, and comes back the same',
  { timeout: 240_000 },
  async t => {
    const shop = tenant('01backup')
    await engine.provision(shop)
    const client = await connect(shop)
    await client.query(`
    create extension pgcrypto; create schema other; create table other.notes (txt text); insert into other.notes values ('olá; -- ''é''');
    create type size as enum ('p', 'g'); create table load (id bigserial primary key, body text, s size default 'p');
    create function plus(a int) returns int language sql immutable as 'select a + 1';
    create index load_prefix on load (left(body, 8)); create index load_plus on load (plus(id::int));
    create function touched() returns trigger language plpgsql as $$ begin return new; end $$;
    create trigger touched before update on load for each row execute function touched();
    create view seen as select id from load; select setval('load_id_seq', 5000)`)
    await fill(client, MEGABYTES)
    const content = (await client.query(CONTENT)).rows[0]
    t.ok((await engine.measure(shop)).sizeMb >= MEGABYTES)
    // Over its quota when it is deleted: nothing of that may end up in the dump.
    await engine.setReadOnly(shop, true)
    const reader = await connect(shop)

    await engine.suspend(shop)
    await t.rejects(reader.query('select 1'))
    await t.rejects(connect(shop))
    await engine.suspend(shop)
    const file = path.join(dataDir, 'backup')
    const backup = await engine.backup(shop, file, never)
    const again = await engine.backup(shop, file, never)
    const { stdout } = await run('sha256sum', [file])
    t.equal(stdout.split(' ')[0], again.sha256)
    t.ok(backup.sizeBytes > (MEGABYTES / 4) * 1e6, `${backup.sizeBytes} bytes`)

    await engine.drop(shop.databaseId, shop)
    const second = tenant('01restore')
    await engine.provision(second)
    await engine.restore(second, again, never)
    const { sizeMb } = await engine.restore(second, again, never)
    t.ok(sizeMb >= MEGABYTES, 'a repeat starts from an empty database')
    const restored = await connect(second)
    t.same((await restored.query(CONTENT)).rows[0], content)
    t.same((await restored.query('show temp_file_limit')).rows, [{ temp_file_limit: '256MB' }])
    const owners = await restored.query(
      `select distinct tableowner from pg_tables where schemaname in ('public', 'other')`,
    )
    t.same(owners.rows, [{ tableowner: second.user }])
    await restored.query(`insert into load (body) values ('new')`)
    await engine.drop(second.databaseId, second)

    t.test('a damaged dump is refused and leaves nothing of itself', async t => {
      const third = tenant('01damaged')
      await engine.provision(third)
      await truncate(file, Math.floor(backup.sizeBytes / 2))
      await t.rejects(engine.restore(third, again, never), { name: 'DriverError', code: 'backup_damaged' })
      // Damage that the checksum does not show is met by pg_restore itself.
      const sha256 = (await run('sha256sum', [file])).stdout.split(' ')[0] ?? ''
      const damaged: BackupFile = { ...again, sha256 }
      await t.rejects(engine.restore(third, damaged, never), { name: 'DriverError', code: 'restore_failed' })
      const empty = await connect(third)
      t.same((await empty.query(`select count(*)::int as n from pg_tables where schemaname = 'public'`)).rows, [
        { n: 0 },
      ])
      await engine.drop(third.databaseId, third)
    })
  },
)

t.test('a backup that cannot be written says so and leaves no file', async t => {
  const shop = tenant('01full')
  await engine.provision(shop)
  await engine.suspend(shop)
  await t.rejects(engine.backup(shop, path.join(dataDir, 'nowhere', 'file'), never), {
    code: 'backup_failed',
    temporary: false,
  })
  await engine.drop(shop.databaseId, shop)
})

t.test('an engine that is away is a temporary fault at every step', async t => {
  const shop = tenant('01away')
  await engine.provision(shop)
  await engine.stop()
  const away = { code: 'unavailable', temporary: true }
  await t.rejects(engine.rotate(shop), away)
  await t.rejects(engine.measure(shop), away)
  await t.rejects(engine.setReadOnly(shop, true), away)
  await t.rejects(engine.suspend(shop), away)
  await t.rejects(engine.backup(shop, path.join(dataDir, 'b'), never), away)
  await t.rejects(engine.drop(shop.databaseId, shop), away)
  await engine.ensure()
  await connect(shop)
  await engine.drop(shop.databaseId, shop)
})

t.test('what is dropped leaves no role, no database and no rule', async t => {
  for (const id of ['01rotate', '01quota']) await engine.drop(id, tenant(id))
  t.same(await engine.list(), [])
  const rules = await readFile(path.join(dataDir, 'engines', 'postgres', 'server', 'pg_hba.conf'), 'utf8')
  t.notMatch(rules, /u_01/)
})
