// One suite for all engines of the database host, real servers and real clients: what a tenant may do, what nobody may.
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import type { Engine, TenantDatabase } from '../../src/drivers/contracts.ts'
import { createLibsqlEngine } from '../../src/drivers/databases/libsql.ts'
import { createMariadbEngine } from '../../src/drivers/databases/mariadb.ts'
import { createPostgresEngine } from '../../src/drivers/databases/postgres.ts'
import { connectDocker } from '../../src/drivers/docker/engine.ts'
import {
  accepted,
  openPremises,
  openSession,
  statements,
  withNewSecret,
  type LiveEngine,
  type Premises,
} from '../support/database-rooms.ts'
import type { Answer } from '../support/network-room.ts'

const run = promisify(execFile)

interface Dialect {
  engine: Engine
  /** Addresses 10.<number> and 10.<number + 1> are this test's. */
  number: number
  create(premises: Premises): LiveEngine
  /** The first one is used everywhere, the others connect once. */
  drivers: string[]
  /** Drivers that keep a session open. */
  sessions: string[]
  /** Text of a driver's error. */
  says: { wrongSecret: RegExp; elsewhere: RegExp; full: RegExp; closed: RegExp }
  /** Makes the table `goods` with this many rows of 1 KiB and an index. */
  fill(rows: number): string[]
  /** One row; equal for equal content of `goods`. */
  checksum: string
  /** Things around tables that a backup has to keep; `proof` answers one row that needs them all. */
  extras: { make: string[]; proof: string }
  /** What a tenant might try against its quota. */
  attempts: string[]
  /** What reaches for `other`'s data. */
  trespass(other: TenantDatabase): string[]
  /** A client without TLS, and one of the command line with it. */
  plain(variables: Record<string, string>): { command: string[]; env: Record<string, string>; refusal: RegExp }
  commandLine(variables: Record<string, string>, ca: string): { command: string[]; env: Record<string, string> }
  /** Ends the server without warning. */
  kill(engine: LiveEngine, tenant: TenantDatabase): Promise<void>
}

const mariadb: Dialect = {
  engine: 'mariadb',
  number: 234,
  create: ({ config, authority, dataDir }) =>
    createMariadbEngine({ config, authority, stateDir: path.join(dataDir, 'engines') }),
  drivers: ['mariadb'],
  sessions: ['mariadb'],
  says: {
    wrongSecret: /ER_ACCESS_DENIED_ERROR/,
    elsewhere: /ER_ACCESS_DENIED_ERROR|ER_HOST_NOT_PRIVILEGED/,
    full: /ER_TABLEACCESS_DENIED_ERROR|ER_DBACCESS_DENIED_ERROR|ER_PROCACCESS_DENIED_ERROR/,
    closed: /ER_CONNECTION_KILLED|closed|ER_SOCKET|ECONNRESET|ER_ACCESS_DENIED/i,
  },
  fill: rows => [
    'create table if not exists goods (id int auto_increment primary key, name varchar(64), body blob, key (name))',
    `insert into goods (name, body) select concat('name ', seq), random_bytes(1024) from seq_1_to_${rows}`,
  ],
  checksum: `select count(*) as n, sum(id) as ids, bit_xor(crc32(concat(id, name, hex(body)))) as body from goods`,
  extras: {
    make: [
      `create table log (line text charset utf8mb4)`,
      `insert into log values ('ação 🚢 DEFINER=\`root\`@\`localhost\`\nsecond line')`,
      `create trigger noted after delete on goods for each row insert into log values (old.name)`,
      `create view named as select name from goods where id < 10`,
      `create procedure twice(n int) select n * 2 as d`,
      `create sequence numbers start with 41`,
      `select nextval(numbers)`,
    ],
    proof: `select (select count(*) from named) as v, (select count(*) from log) as l, (select md5(min(line)) from log) as t,
      (select nextval(numbers) > 41) as s`,
  },
  attempts: [
    `insert into goods (name) values ('more')`,
    `update goods set name = repeat('x', 60)`,
    'create table more (n int)',
    'create temporary table more (n int)',
    'alter table goods add column more blob',
    'create index more on goods (body(100))',
    'replace into goods (id, name) values (1, 2)',
    'grant all on *.* to current_user()',
    'set global read_only = 0',
    'set session enforce_storage_engine = null',
    'truncate mysql.user',
    'optimize table goods',
  ],
  trespass: other => [
    `select * from ${other.databaseName}.goods`,
    `use ${other.databaseName}`,
    `drop database ${other.databaseName}`,
    'select * from mysql.user',
    'select * from cais.tenant',
    `create user other identified by 'x'`,
    `load data infile '/etc/passwd' into table goods`,
    `select 1 into outfile '/tmp/cais-written'`,
    `select load_file('/etc/passwd') is null or (select 1 from cais.tenant)`,
    `set global max_connections = 1`,
    'shutdown',
  ],
  plain: v => ({
    command: ['mariadb', '--no-defaults', '--skip-ssl', ...account(v), '-e', 'select 1'],
    env: { MYSQL_PWD: v.MYSQL_PASSWORD ?? '' },
    refusal: /ERROR (3159|1045)/,
  }),
  commandLine: (v, ca) => ({
    command: [
      'mariadb',
      '--no-defaults',
      `--ssl-ca=${ca}`,
      '--ssl-verify-server-cert',
      ...account(v),
      '-NBe',
      'select 40 + 2',
    ],
    env: { MYSQL_PWD: v.MYSQL_PASSWORD ?? '' },
  }),
  kill: async engine => {
    const pid = await (engine as ReturnType<typeof createMariadbEngine>).pid()
    process.kill(pid as number, 'SIGKILL')
  },
}

function account(v: Record<string, string>): string[] {
  return [`-h${v.MYSQL_HOST}`, `-u${v.MYSQL_USER}`, v.MYSQL_DATABASE ?? '']
}

const postgres: Dialect = {
  engine: 'postgres',
  number: 238,
  create: ({ config, authority, dataDir }) =>
    createPostgresEngine({ config, authority, stateDir: path.join(dataDir, 'engines') }) as unknown as LiveEngine,
  drivers: ['pg'],
  sessions: ['pg'],
  says: {
    wrongSecret: /28P01/,
    elsewhere: /28000/,
    full: /53100/,
    closed: /57P01|terminat|closed|connection error|ECONNRESET/i,
  },
  fill: rows => [
    'create extension if not exists pgcrypto',
    'create table if not exists goods (id serial primary key, name text, body bytea)',
    'create index if not exists goods_name on goods (name)',
    `insert into goods (name, body) select 'name ' || n, gen_random_bytes(1024) from generate_series(1, ${rows}) n`,
  ],
  checksum: `select count(*)::int as n, sum(id)::int as ids, md5(string_agg(md5(id || name || encode(body, 'hex')), '' order by id)) as body from goods`,
  extras: {
    make: [
      'create table log (line text)',
      `insert into log values (E'ação 🚢\\nsecond line')`,
      `create function note() returns trigger language plpgsql as $$ begin insert into log values (old.name); return old; end $$`,
      'create trigger noted after delete on goods for each row execute function note()',
      'create view named as select name from goods where id < 10',
      'create sequence numbers start with 41',
      `select nextval('numbers')`,
    ],
    proof: `select (select count(*) from named) as v, (select count(*) from log) as l, (select md5(min(line)) from log) as t,
      nextval('numbers') > 41 as s`,
  },
  attempts: [
    `insert into goods (name) values ('more')`,
    `update goods set name = repeat('x', 60)`,
    'create table more (n int)',
    'create temporary table more (n int)',
    'alter table goods disable trigger all',
    'select lo_create(0)',
  ],
  trespass: other => [
    `select * from ${other.databaseName}.public.goods`,
    `drop database ${other.databaseName}`,
    'select * from pg_authid',
    `select pg_read_file('/etc/passwd')`,
    `copy goods from program 'id'`,
  ],
  plain: v => ({
    command: ['psql', '-XAtqc', 'select 1'],
    env: { ...v, PGSSLMODE: 'disable', PGCONNECT_TIMEOUT: '5' },
    refusal: /no pg_hba\.conf entry/,
  }),
  commandLine: (v, ca) => ({
    command: ['psql', '-XAtqc', 'select 40 + 2'],
    env: { ...v, PGSSLMODE: 'verify-full', PGSSLROOTCERT: ca, PGCONNECT_TIMEOUT: '5' },
  }),
  kill: async engine => {
    const pid = await (engine as unknown as ReturnType<typeof createPostgresEngine>).pid()
    process.kill(pid as number, 'SIGKILL')
  },
}

const libsql: Dialect = {
  engine: 'sqlite',
  number: 236,
  create: ({ config, authority, dataDir }) =>
    createLibsqlEngine({ docker: connectDocker(null), config, authority, stateDir: path.join(dataDir, 'engines') }),
  drivers: ['libsql', 'libsqlSocket'],
  sessions: ['libsqlSocket', 'libsql'],
  says: {
    wrongSecret: /401|Unauthorized|JWT_INVALID/i,
    elsewhere: /ECONNRESET|socket disconnected|fetch failed|closed/i,
    full: /SQLITE_FULL/,
    closed: /401|Unauthorized|JWT_INVALID|closed|ECONNRESET|WEBSOCKET|fetch failed/i,
  },
  fill: rows => [
    'create table if not exists goods (id integer primary key autoincrement, name text, body blob)',
    'create index if not exists goods_name on goods (name)',
    `with recursive seq (n) as (select 1 union all select n + 1 from seq where n < ${rows})
     insert into goods (name, body) select 'name ' || n, randomblob(1024) from seq`,
  ],
  checksum: `select count(*) as n, sum(id) as ids, sum(unicode(substr(hex(body), 1 + id % 2000, 1)) * (id % 997)) as body,
    (select hex(body) from goods order by id desc limit 1) as one from goods`,
  extras: {
    make: [
      'create table log (line text)',
      `insert into log values ('ação 🚢 it''s' || char(10) || 'COMMIT; second line')`,
      'create trigger noted after delete on goods begin insert into log values (old.name); end',
      'create view named as select name from goods where id < 10',
    ],
    proof: `select (select count(*) from named) as v, (select count(*) from log) as l, (select hex(line) from log limit 1) as t,
      (select seq from sqlite_sequence where name = 'goods') as s,
      (select count(*) from sqlite_master where type in ('index', 'trigger', 'view')) as m`,
  },
  attempts: [
    `insert into goods (name, body) values ('more', randomblob(20000))`,
    'update goods set body = randomblob(4000)',
    'create table more as select * from goods',
    'pragma max_page_count = 1000000',
    'vacuum',
    `attach '/data/other' as other`,
  ],
  trespass: other => [
    `attach '/data/db/dbs/${other.databaseName}/data' as other`,
    `select * from other.goods`,
    `select iif(readfile('/etc/passwd') is null, abs(-9223372036854775807 - 1), 'seen')`,
    `select 1 / 0 from goods where load_extension('/inbox/x')`,
    `select 1 where writefile('/sqld', 'x') is null and (select raise(abort, 'refused'))`,
  ],
  plain: v => {
    const at = new URL(v.LIBSQL_URL ?? '')
    const program = `fetch('http://${at.host}/v2/pipeline', { method: 'POST', headers: { authorization: 'Bearer ' + process.env.T } })
      .then(r => console.log(r.status), e => { console.error(e.cause?.code); process.exit(1) })`
    return { command: [process.execPath, '-e', program], env: { T: v.LIBSQL_AUTH_TOKEN ?? '' }, refusal: /./ }
  },
  commandLine: (v, ca) => {
    const body = JSON.stringify({ requests: [{ type: 'execute', stmt: { sql: 'select 40 + 2' } }] })
    const url = `${(v.LIBSQL_URL ?? '').replace('libsql:', 'https:')}/v2/pipeline`
    const curl = `curl -sS --fail --cacert "$CA" -H "Authorization: Bearer $T" -d "$BODY" ${url}`
    return { command: ['sh', '-c', curl], env: { CA: ca, T: v.LIBSQL_AUTH_TOKEN ?? '', BODY: body } }
  },
  kill: async (engine, tenant) => {
    const pid = await (engine as ReturnType<typeof createLibsqlEngine>).pid(tenant.databaseId)
    process.kill(pid as number, 'SIGKILL')
  },
}

function withAuthority({ DATABASE_URL = '' }: Record<string, string>, ca: string): Record<string, string> {
  return { DATABASE_URL: DATABASE_URL.replace('/etc/cais/ca.pem', ca) }
}

const CHOSEN = process.env['CAIS_TEST_ENGINE']
// They share nothing but the machine: the slowest beside the other two.
t.jobs = 2
for (const dialect of [libsql, postgres, mariadb]) {
  if (CHOSEN && CHOSEN !== dialect.engine) continue
  void t.test(dialect.engine, { buffered: true }, t => conform(t, dialect))
}

async function conform(t: Test, d: Dialect): Promise<void> {
  const instance = `en${d.engine}`.slice(0, 8)
  const premises = await openPremises(instance, d.engine, d.number, ['01shop', '01blog', '01copy'])
  const { rooms, authority, dataDir } = premises
  const engine = d.create(premises)
  t.teardown(async () => {
    for (const id of ['01shop', '01blog', '01copy']) await engine.drop(id, await premises.tenant(id, 'shop'))
    await engine.stop()
    await premises.leave()
  })
  let shop = await premises.tenant('01shop', 'shop')
  const blog = await premises.tenant('01blog', 'blog')
  const [driver = ''] = d.drivers
  const signal = new AbortController().signal
  // Tests stand outside of containers, where the file of the authority is another.
  const trusted = (tenant: TenantDatabase): Record<string, string> => ({
    ...engine.variables(tenant),
    ...withAuthority(engine.variables(tenant), authority.rootPath),
    NODE_EXTRA_CA_CERTS: authority.rootPath,
  })
  const as = (tenant: TenantDatabase, list: string[], room = rooms.shop, by = driver): Promise<Answer> =>
    statements(room, by, trusted(tenant), list)
  const rowsOf = (answer: Answer): unknown => (answer.code === 0 ? JSON.parse(answer.stdout) : answer)

  await t.test('it starts, and provisions as often as it is asked', async t => {
    await Promise.all([engine.ensure(), engine.ensure()])
    await engine.ensure()
    t.strictSame(await engine.health(), { healthy: true, detail: null })
    t.strictSame(await engine.provision(shop), { sizeMb: 0 })
    t.strictSame(await engine.provision(shop), { sizeMb: 0 })
    await engine.provision(blog)
    t.strictSame(await engine.list(), ['01blog', '01shop'])
  })

  await t.test('a service of the project connects with the variables as they are', async t => {
    for (const by of d.drivers)
      t.match(await as(shop, ['select 42 as n'], rooms.shop, by), { code: 0, stdout: /42/ }, by)
    const { command, env } = d.commandLine(engine.variables(shop), authority.rootPath)
    t.match(await rooms.shop.run(command, env), { code: 0, stdout: /42/ }, command[0] ?? '')
    t.match(await as(shop, d.fill(10)), { code: 0 })
    t.match(await as(blog, d.fill(5), rooms.blog), { code: 0 })
  })

  await t.test('all other ways in are refused', async t => {
    const plain = d.plain(engine.variables(shop))
    t.match(await rooms.shop.run(plain.command, plain.env), { code: /[^0]/, stderr: plain.refusal }, 'without TLS')
    t.match(await as(shop, ['select 1'], rooms.blog), { code: 1, stderr: d.says.elsewhere }, 'from another project')
    const forged = { ...shop, password: (await withNewSecret(d.engine, shop)).password }
    t.match(await as(forged, ['select 1']), { code: 1, stderr: d.says.wrongSecret }, 'with another secret')
    const untrusting = await statements(rooms.shop, driver, engine.variables(shop), ['select 1'])
    t.match(
      untrusting,
      { code: 1, stderr: /certificate|SELF_SIGNED|ENOENT/i },
      'a client that does not know our authority',
    )
  })

  await t.test('a tenant reaches nothing but its own', async t => {
    t.strictSame(await accepted(rooms.shop, driver, trusted(shop), d.trespass(blog)), [])
    t.match(await as(blog, ['select count(*) as n from goods'], rooms.blog), { stdout: /"n":"?5\b/ })
  })

  await t.test('a full database refuses to grow, and deletes give space back', async t => {
    t.match(await as(shop, d.fill(12_000)), { code: 0 })
    const { sizeMb } = await engine.measure(shop)
    t.ok(sizeMb > shop.quotaMb, `${sizeMb} MB of ${shop.quotaMb}`)
    const { ended } = await openSession(rooms.shop, d.sessions[0] ?? '', trusted(shop), path.join(dataDir, 'opened'))
    await engine.setReadOnly(shop, true)
    t.match(await ended, { stderr: d.says.closed }, 'sessions from before begin anew')
    await engine.setReadOnly(shop, true)
    await engine.provision(shop) // A repeat does not lift it.
    t.strictSame(await accepted(rooms.shop, driver, trusted(shop), d.attempts), [])
    t.match(await as(shop, d.fill(2000).slice(-1)), { code: 1, stderr: d.says.full })
    t.match(await as(shop, ['delete from goods where id > 10', 'select count(*) as n from goods']), {
      stdout: /"n":"?10\b/,
    })
    const after = await engine.measure(shop)
    t.ok(after.sizeMb < 2, `${after.sizeMb} MB after the deletes`)
    await engine.setReadOnly(shop, false)
    t.match(await as(shop, d.fill(10)), { code: 0 })
  })

  await t.test('rotation refuses the old secret at once, on open sessions too', async t => {
    for (const by of d.sessions) {
      const { ended } = await openSession(rooms.shop, by, trusted(shop), path.join(dataDir, 'opened'))
      const renewed = await withNewSecret(d.engine, shop)
      await engine.rotate(renewed)
      t.match(await as(shop, ['select 1']), { code: 1, stderr: d.says.wrongSecret })
      t.match(await ended, { stderr: d.says.closed }, `an open session of ${by}`)
      shop = renewed
      t.match(await as(shop, ['select 1 as n']), { code: 0 })
    }
    await engine.rotate(shop)
    t.match(await as(shop, ['select 1 as n']), { code: 0 }, 'twice is as good as once')
  })

  await t.test('data survives kill -9 of the server', async t => {
    const before = rowsOf(await as(shop, [d.checksum]))
    await d.kill(engine, shop)
    await engine.ensure()
    t.strictSame(rowsOf(await as(shop, [d.checksum])), before)
    t.match(await as(shop, ['select 1'], rooms.blog), { code: 1, stderr: d.says.elsewhere }, 'and so do the rules')
    const refused = { ...shop, password: (await withNewSecret(d.engine, shop)).password }
    t.match(await as(refused, ['select 1']), { code: 1, stderr: d.says.wrongSecret })
  })

  await t.test('a backup of 100 MB is restored with the same content', async t => {
    const big = { ...shop, quotaMb: 300 }
    await engine.provision(big)
    await engine.setReadOnly(big, false)
    t.match(await as(big, d.extras.make), { code: 0 })
    const file = path.join(dataDir, 'backup', '01shop')
    await mkdir(path.dirname(file), { mode: 0o700 })
    const copy = { ...(await premises.tenant('01copy', 'shop')), quotaMb: 300 }
    await engine.provision(copy)
    await engine.suspend(big)
    await engine.restore(copy, await engine.backup(big, file, signal), signal)
    t.match(await as(copy, ['select count(*) as n from goods']), { stdout: /"n":"?20\b/ }, 'the few rows of before')

    await engine.provision(big)
    for (let time = 0; time < 4; time++) t.match(await as(big, d.fill(25_000)), { code: 0 })
    const content = rowsOf(await as(big, [d.checksum]))
    await engine.suspend(big)
    const backup = await engine.backup(big, file, signal)
    t.equal(backup.path, file)
    t.equal((await stat(file)).mode & 0o777, 0o600)
    t.match(backup, { sizeBytes: (await stat(file)).size, sha256: /^[0-9a-f]{64}$/ })
    t.ok(backup.sizeBytes > 50e6)

    // Over what the restore of before has left, down to tables of the same names.
    const { sizeMb } = await engine.restore(copy, backup, signal)
    t.ok(sizeMb >= 100, `${sizeMb} MB`)
    t.strictSame(rowsOf(await as(copy, [d.checksum])), content)
    await engine.provision(big)
    const proof = rowsOf(await as(big, [d.extras.proof]))
    t.strictSame(rowsOf(await as(copy, [d.extras.proof])), proof, 'views, triggers, sequences and texts too')
    t.match(await as(copy, ['delete from goods where id = 1', 'select count(*) as n from log']), {
      stdout: /"n":"?2\b/,
    })

    await writeFile(file, (await readFile(file)).fill(0, 1000, 1100))
    await t.rejects(engine.restore(copy, backup, signal), { code: 'backup_damaged' })
    t.strictSame(await readdir(path.dirname(file)), ['01shop'], 'nothing half done is left beside it')
  })

  await t.test('a suspended database lets nobody in and keeps its data', async t => {
    const { ended } = await openSession(rooms.blog, d.sessions[0] ?? '', trusted(blog), path.join(dataDir, 'opened'))
    await engine.suspend(blog)
    t.match(await ended, { stderr: d.says.closed })
    t.match(await as(blog, ['select 1'], rooms.blog), { code: 1, stdout: /^$/, stderr: /./ })
    await engine.provision(blog)
    t.match(await as(blog, ['select count(*) as n from goods'], rooms.blog), { stdout: /"n":"?5\b/ })
  })

  await t.test('a dropped database is gone, and dropping it again is success', async t => {
    for (let time = 0; time < 2; time++) await engine.drop(shop.databaseId, shop)
    t.strictSame(await engine.list(), ['01blog', '01copy'])
    t.match(await as(shop, ['select 1']), { code: 1, stdout: /^$/, stderr: /./ }, 'nobody answers for it')
    t.match(
      await as(blog, ['select count(*) as n from goods'], rooms.blog),
      { stdout: /"n":"?5\b/ },
      'its neighbour stays',
    )
    const { stdout } = await run('grep', ['-rlF', '01shop', path.join(dataDir, 'engines'), '--include=*.json']).catch(
      () => ({ stdout: '' }),
    )
    t.equal(stdout, '', 'no file of ours knows it any more')
    for (const id of ['01blog', '01copy']) await engine.drop(id, await premises.tenant(id, 'blog'))
    t.strictSame(await engine.list(), [])
  })
}
