// Tenant databases as a container sees them: a real server, real TLS, and clients in networks of their own.
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { databaseAddress, gatewayOf, platformInterface, projectSubnet } from '../../src/domain/addresses.ts'
import type { TenantDatabase } from '../../src/drivers/contracts.ts'
import { createPostgresEngine, type PostgresEngine } from '../../src/drivers/databases/postgres.ts'
import { openAuthority, type Authority } from '../../src/drivers/router/authority.ts'
import { makeRoom, type Answer, type Room } from '../support/network-room.ts'

const run = promisify(execFile)
const project = fileURLToPath(new URL('../../', import.meta.url))
const PROJECTS = '10.231.0.0/16'
const config = { instance: 'dbtest', platformPool: '10.232.0.0/16' }
const host = 'db.dbtest.internal'
const address = databaseAddress(config.platformPool)

const shop = tenant('01shop', 0)
const blog = tenant('01blog', 1)

let dataDir: string
let authority: Authority
let engine: PostgresEngine
let shopRoom: Room
let blogRoom: Room

t.before(async () => {
  dataDir = await mkdtemp('/tmp/cais-tenants-')
  await chmod(dataDir, 0o711) // As the platform makes its own: the server's account has to get through.
  authority = await openAuthority(path.join(dataDir, 'ca'))
  engine = createPostgresEngine({ config, authority, stateDir: path.join(dataDir, 'engines', 'postgres') })
  shopRoom = await makeRoom('caisdb-a', inside(shop))
  blogRoom = await makeRoom('caisdb-b', inside(blog))
  await run('ip', ['link', 'del', platformInterface(config.instance)]).catch(() => undefined)
})

t.teardown(async () => {
  await engine.stop()
  await shopRoom.remove()
  await blogRoom.remove()
  await run('ip', ['link', 'del', platformInterface(config.instance)])
  await rm(dataDir, { recursive: true })
})

t.test('without the interface of the platform, the reason is said', async t => {
  await t.rejects(engine.ensure(), {
    code: 'unavailable',
    temporary: true,
    message: /no interface has .* 10\.232\.0\.2/,
  })
  await t.rejects(engine.ready(), { code: 'unavailable', temporary: true })
  await run('ip', ['link', 'add', platformInterface(config.instance), 'type', 'bridge'])
  await run('ip', ['addr', 'add', `${address}/32`, 'dev', platformInterface(config.instance)])
  await run('ip', ['link', 'set', platformInterface(config.instance), 'up'])
})

t.test('the engine starts, is adopted, and provisions', async t => {
  await Promise.all([engine.ensure(), engine.ensure()])
  const pid = await engine.pid()
  const another = createPostgresEngine({ config, authority, stateDir: path.join(dataDir, 'engines', 'postgres') })
  await another.ensure()
  t.equal(await another.pid(), pid, 'a platform that starts again adopts the server')

  t.strictSame(await engine.provision(shop), { sizeMb: 0 })
  t.strictSame(await engine.provision(shop), { sizeMb: 0 }, 'twice is as good as once')
  await engine.provision(blog)
  t.strictSame(await engine.list(), ['01blog', '01shop'])
  t.match(engine.variables(shop), { PGHOST: host, PGPORT: '5432', PGUSER: shop.user, PGDATABASE: shop.databaseName })
})

t.test('C-093 a service of the project connects with verify-full, from node and from psql', async t => {
  t.match(await node(shopRoom, shop, 'select ssl, version from pg_stat_ssl where pid = pg_backend_pid()'), {
    code: 0,
    stdout: /"ssl":true,"version":"TLSv1\.3"/,
  })
  t.match(await psql(shopRoom, shop, 'create table kept (n int); insert into kept values (1); select n from kept'), {
    code: 0,
    stdout: /1$/,
  })
  t.match(await psql(shopRoom, shop, 'show temp_file_limit'), { stdout: '256MB' })
})

t.test('C-093 all other ways in are refused', async t => {
  const refused = { code: 2, stderr: /no pg_hba\.conf entry/ }
  t.match(await psql(shopRoom, shop, 'select 1', { PGSSLMODE: 'disable' }), refused, 'without TLS')
  t.match(await psql(blogRoom, shop, 'select 1'), refused, 'from another project, with the right password')
  t.match(await psql(shopRoom, shop, 'select 1', { PGDATABASE: blog.databaseName }), refused, 'another database')
  t.match(await psql(shopRoom, shop, 'select 1', { PGDATABASE: 'postgres' }), refused, 'the database of the platform')
  t.match(await psql(shopRoom, shop, 'select 1', { PGUSER: 'postgres' }), refused, 'as the administrator')
  t.match(await psql(shopRoom, shop, 'select 1', { PGPASSWORD: 'wrong' }), { code: 2, stderr: /authentication failed/ })
  t.match(
    await psql(shopRoom, shop, 'select 1', { PGHOST: address }),
    { code: 2, stderr: /certificate/ },
    'another name',
  )
})

t.test('a tenant cannot lift its own limits', async t => {
  const { user, databaseName } = shop
  for (const sql of [
    `alter role ${user} set temp_file_limit = '10GB'`,
    `alter role ${user} connection limit -1`,
    `alter database ${databaseName} connection limit -1`,
    `drop database ${databaseName}`,
    'drop schema plat cascade',
    'create role other',
    'select lo_create(0)',
    `copy kept to program 'id'`,
    `select pg_read_file('/etc/passwd')`,
  ])
    t.not((await psql(shopRoom, shop, sql)).code, 0, sql)
})

t.test('data and rules survive kill -9 of the server', async t => {
  const pid = await engine.pid()
  process.kill(pid as number, 'SIGKILL')
  await engine.ensure()
  t.not(await engine.pid(), pid)
  t.match(await psql(shopRoom, shop, 'select n from kept'), { code: 0, stdout: '1' })

  await engine.stop()
  t.match(await engine.health(), { healthy: false, detail: /does not answer/ })
  await engine.ensure()
  t.strictSame(await engine.health(), { healthy: true, detail: null })
  t.match(await psql(shopRoom, shop, 'select n from kept'), { code: 0, stdout: '1' })
})

t.test('provisioning again sets the password again', async t => {
  const changed = { ...shop, password: 'another-0123456789' }
  await engine.provision(changed)
  t.match(await psql(shopRoom, shop, 'select 1'), { code: 2, stderr: /authentication failed/ })
  t.match(await psql(shopRoom, changed, 'select n from kept'), { code: 0, stdout: '1' })
  const log = await readFile(path.join(dataDir, 'engines', 'postgres', 'server', 'server.log'), 'utf8')
  t.notMatch(log, /another-0123456789|SCRAM-SHA-256|kept/, 'the log knows neither passwords nor statements')
})

t.test('a dropped database is gone, and dropping it again is success', async t => {
  for (let time = 0; time < 2; time++) await engine.drop(shop.databaseId, shop)
  t.strictSame(await engine.list(), ['01blog'])
  t.match(await psql(shopRoom, shop, 'select 1'), { code: 2, stderr: /no pg_hba\.conf entry/ })
  t.match(await psql(blogRoom, blog, 'select 1'), { code: 0 }, 'its neighbour stays')
})

function tenant(databaseId: string, networkIndex: number): TenantDatabase {
  return {
    databaseId,
    databaseName: `d_${databaseId}`,
    user: `u_${databaseId}`,
    password: `password-of-${databaseId}`,
    subnet: projectSubnet(PROJECTS, networkIndex),
    quotaMb: 64,
  }
}

function inside({ subnet }: TenantDatabase): Parameters<typeof makeRoom>[1] {
  const gateway = gatewayOf(subnet)
  return {
    address: gateway.replace(/\d+$/, last => String(Number(last) + 1)),
    gateway,
    bits: 25,
    hosts: { [host]: address },
  }
}

async function psql(room: Room, as: TenantDatabase, sql: string, env: Record<string, string> = {}): Promise<Answer> {
  const names = Object.entries(engine.variables(as)).filter(([name]) => name.startsWith('PG'))
  const trust = { PGSSLMODE: 'verify-full', PGSSLROOTCERT: authority.rootPath, PGCONNECT_TIMEOUT: '5' }
  return room.run(['psql', '-XAtqc', sql], { ...Object.fromEntries(names), ...trust, ...env })
}

async function node(room: Room, as: TenantDatabase, sql: string): Promise<Answer> {
  const url = engine.variables(as).DATABASE_URL?.replace('/etc/cais/ca.pem', authority.rootPath) ?? ''
  const program = `
    const { Client } = require('${project}node_modules/pg')
    const client = new Client({ connectionString: process.env.DATABASE_URL })
    client.connect().then(() => client.query(process.env.QUERY)).then(({ rows }) => console.log(JSON.stringify(rows)))
      .then(() => client.end())`
  return room.run([process.execPath, '-e', program], { DATABASE_URL: url, QUERY: sql })
}
