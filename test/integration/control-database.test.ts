import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import t from 'tap'
import { ensureControlDatabase, stopControlDatabase } from '../../src/setup/control-database.ts'
import { freshDatabase } from '../support/postgres.ts'

const quick = { fsync: 'off' }

t.test('two that start at once end up with the same server', async t => {
  const dataDir = await mkdtemp('/tmp/cais-control-')
  const place = { dataDir, databaseUrl: null }
  t.teardown(async () => {
    await stopControlDatabase(place)
    await rm(dataDir, { recursive: true })
  })
  const [a, b] = await Promise.all([ensureControlDatabase(place, quick), ensureControlDatabase(place, quick)])
  t.equal(a.url, b.url)

  const again = await ensureControlDatabase(place, quick)
  t.strictSame(again, { url: a.url, started: false }, 'a running server is adopted')

  await write(a.url)
  await stopControlDatabase(place)
  const restarted = await ensureControlDatabase(place, quick)
  t.strictSame(restarted, { url: a.url, started: true }, 'the address stays the same')
  t.equal(await read(restarted.url), 1, 'what was written is still there')

  const pid = Number((await readFile(path.join(dataDir, 'control', 'data', 'postmaster.pid'), 'utf8')).split('\n')[0])
  process.kill(pid, 'SIGKILL')
  t.equal((await ensureControlDatabase(place, quick)).url, a.url, 'a server that was killed is started again')
  t.equal(await read(a.url), 1)

  t.equal((await stat(path.join(dataDir, 'control.password'))).mode & 0o777, 0o600)
})

t.test('a database given by its address is used as it is', async t => {
  const place = { dataDir: '/nonexistent', databaseUrl: 'postgres://somewhere/else' }
  t.strictSame(await ensureControlDatabase(place), { url: 'postgres://somewhere/else', started: false })
})

t.test('each test has a migrated database of its own', async t => {
  const [a, b] = await Promise.all([freshDatabase(t), freshDatabase(t)])
  t.not(a.url, b.url)
  const { rows } = await a.db.raw('select count(*)::int as n from migration')
  t.ok(rows[0].n > 0)
})

async function write(url: string): Promise<void> {
  await query(url, 'create table kept as select 1 as n')
}

async function read(url: string): Promise<unknown> {
  return (await query(url, 'select n from kept')).rows[0]?.n
}

async function query(url: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client.query(sql).finally(() => client.end())
}
