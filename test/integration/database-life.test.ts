// The whole life of a database over HTTP, on the real runtime and the simulated engines (C-090 to C-099).
import { readdir, truncate } from 'node:fs/promises'
import path from 'node:path'
import type { Knex } from 'knex'
import t, { type Test } from 'tap'
import { post } from '../../src/actors/index.ts'
import { newId } from '../../src/domain/ids.ts'
import type { Engine } from '../../src/drivers/contracts.ts'
import type { SimulatedDatabase } from '../../src/drivers/simulated/databases.ts'
import { startSimulated, type SimulatedPlatform } from '../support/simulated-platform.ts'
import { until } from '../support/platform.ts'

const ENGINES: Engine[] = ['postgres', 'mariadb', 'sqlite']
const SECRET = { postgres: 'PGPASSWORD', mariadb: 'MYSQL_PASSWORD', sqlite: 'LIBSQL_AUTH_TOKEN' }
const NAMES = {
  postgres: ['DATABASE_URL', 'PGHOST', 'PGPORT', 'PGUSER', 'PGPASSWORD', 'PGDATABASE'],
  mariadb: ['DATABASE_URL', 'MYSQL_HOST', 'MYSQL_PORT', 'MYSQL_USER', 'MYSQL_PASSWORD', 'MYSQL_DATABASE'],
  sqlite: ['LIBSQL_URL', 'LIBSQL_AUTH_TOKEN', 'DATABASE_URL'],
}

interface Stage extends SimulatedPlatform {
  /** Path of the project. */
  at: string
  project: string
}

async function openStage(t: Test, env: Record<string, string> = {}): Promise<Stage> {
  const platform = await startSimulated(t, { CAIS_MEASURE_MS: '100', ...env })
  const { id } = await platform.client.project('Loja')
  return { ...platform, at: `/projects/${id}`, project: id }
}

/** A database that is ready. */
async function make({ client, at }: Stage, engine: Engine = 'postgres', name = 'db', quotaMb = 64): Promise<string> {
  const made = await client.post(`${at}/databases`, { name, engine, quota_mb: quotaMb })
  if (made.status !== 201) throw new Error(`${made.status} ${made.text}`)
  await until('the database is ready', async () => (await shown({ client, at }, made.body.id)).status === 'ready')
  return made.body.id
}

const shown = async ({ client, at }: Pick<Stage, 'client' | 'at'>, id: string) =>
  (await client.get(`${at}/databases/${id}`)).body

function inWorld({ world }: Stage, engine: Engine, id: string): SimulatedDatabase {
  const database = world.databases[engine].database(id)
  if (!database) throw new Error(`there is no ${engine} database ${id}`)
  return database
}

async function variables({ client, at }: Stage, id: string): Promise<Record<string, string>> {
  const { body } = await client.post(`${at}/databases/${id}/credentials`)
  return Object.fromEntries(body.credentials.map((each: { name: string; value: string }) => [each.name, each.value]))
}

/** The only backup of the project, once it is in one of these states. */
const backupIn = ({ client, at }: Stage, ...states: string[]) =>
  until(`the backup is ${states.join(' or ')}`, async () => {
    const { body } = await client.get(`${at}/backups`)
    return states.includes(body.items[0]?.status) && body.items[0]
  })

const restoreEnd = ({ client }: Stage, location: string | null) =>
  until('the restore ends', async () => {
    const { body } = await client.get(location?.replace('/v1', '') ?? '')
    return body.status !== 'running' && body
  })

const gone = (stage: Stage, engine: Engine, id: string) =>
  until('its data is gone', async () => stage.world.databases[engine].database(id) === null)

const notices = async (db: Knex) => (await db('notice').orderBy('id')).map((row: { kind: string }) => row.kind)

for (const engine of ENGINES) {
  t.test(`C-090 C-092 C-014 a ${engine} database becomes ready and shows its variables to those who may`, async t => {
    const stage = await openStage(t)
    const { client, at, db } = stage
    const id = await make(stage, engine)
    const reply = await client.post(`${at}/databases/db/credentials`, undefined, { 'idempotency-key': 'credentials-1' })
    t.equal(reply.status, 200)
    t.equal(reply.headers.get('cache-control'), 'no-store')
    t.same(Object.keys(reply.body), ['credentials'])
    t.same(
      reply.body.credentials.map((each: { name: string }) => each.name),
      NAMES[engine],
    )
    const values = await variables(stage, id)
    if (engine === 'sqlite') t.equal(values.DATABASE_URL, values.LIBSQL_URL)
    t.same(inWorld(stage, engine, id).rows(values[SECRET[engine]] ?? ''), [], 'they open it')
    t.same(await db('idempotency').where({ key: 'credentials-1' }), [], 'nothing of it is kept')
    const audit = await db('audit').where({ action: 'database.reveal' })
    t.equal(audit.length, 2)
    t.match(audit[0], { subject_id: id, address: /127\.0\.0\.1/ })
  })

  t.test(
    `C-094 a ${engine} database above its quota is read-only until data is deleted; the team is told once`,
    async t => {
      const stage = await openStage(t)
      const { db } = stage
      const id = await make(stage, engine)
      const secret = (await variables(stage, id))[SECRET[engine]] ?? ''
      const database = inWorld(stage, engine, id)
      database.insert(secret, 'kept')
      database.setSizeMb(65)
      const over = await until('it is read-only', async () => {
        const now = await shown(stage, id)
        return now.read_only && now
      })
      t.match(over, { status: 'ready', size_mb: 65, quota_mb: 64 })
      t.throws(() => database.insert(secret, 'more'), /read-only/)
      t.same(database.rows(secret), ['kept'])
      database.delete(secret, 'kept')
      const measured = stage.world.faults.ledger('setReadOnly').length
      await until('it was measured again', async () => stage.world.faults.ledger('setReadOnly').length > measured + 1)
      t.same(await notices(db), ['database.read_only'], 'one notice, however often it is measured')
      t.match((await db('notice').first()).details, { name: 'db', size_mb: 65, quota_mb: 64 })

      database.setSizeMb(64)
      await until('it is writable', async () => !(await shown(stage, id)).read_only)
      database.insert(secret, 'more')
      t.same(await notices(db), ['database.read_only', 'database.writable'])
    },
  )

  t.test(
    `C-096 rotating a ${engine} database: the old secret is refused before the answer, dependents want a redeploy`,
    async t => {
      const stage = await openStage(t)
      const { client, at, world } = stage
      const id = await make(stage, engine)
      await client.patch(`${at}/services/web`, { source: { type: 'image', ref: 'simulated:ok' } })
      await client.put(`${at}/services/web/variables/URL`, { value: '${{db.DATABASE_URL}}' })
      await client.post(`${at}/services/web/deployments`, {})
      const service = async () => (await client.get(`${at}/services/web`)).body
      await until('it runs', async () => (await service()).status === 'running')
      const before = await variables(stage, id)

      world.faults.hold('rotate', id)
      const answer = client.post(`${at}/databases/db/rotate`, undefined, { 'idempotency-key': 'rotate-once' })
      await until(
        'the rotation is under way',
        async () => (await stage.db('database').where({ id }).first()).pending !== null,
      )
      const early = await Promise.race([answer, new Promise(resolve => setTimeout(resolve, 200, 'nothing yet'))])
      t.equal(early, 'nothing yet')
      world.faults.release('rotate', id)
      const reply = await answer
      t.strictSame([reply.status, reply.body], [200, { id, name: 'db', kind: 'database', engine }])

      const after = await variables(stage, id)
      const database = inWorld(stage, engine, id)
      t.throws(() => database.rows(before[SECRET[engine]] ?? ''))
      t.same(database.rows(after[SECRET[engine]] ?? ''), [])
      if (engine === 'sqlite') t.equal(after.LIBSQL_URL, before.LIBSQL_URL)
      else t.not(after.DATABASE_URL, before.DATABASE_URL)
      const rest = (values: Record<string, string>) => ({ ...values, DATABASE_URL: '', [SECRET[engine]]: '' })
      t.same(rest(after), rest(before), 'nothing but the secret changes')
      t.equal((await service()).needs_redeploy, true)

      const again = await client.post(`${at}/databases/db/rotate`, undefined, { 'idempotency-key': 'rotate-once' })
      t.equal(again.headers.get('idempotent-replay'), 'true')
      t.same(await variables(stage, id), after, 'a replay rotates nothing')
    },
  )

  t.test(`C-097 C-098 C-099 a deleted ${engine} database is gone at once, backed up, and can be restored`, async t => {
    const stage = await openStage(t)
    const { client, at, db, config } = stage
    const id = await make(stage, engine)
    const secret = (await variables(stage, id))[SECRET[engine]] ?? ''
    inWorld(stage, engine, id).insert(secret, 'one', 'two')
    stage.world.faults.hold('suspend', id)
    t.equal((await client.delete(`${at}/databases/db`)).status, 204)
    t.equal((await client.get(`${at}/databases/${id}`)).status, 404)
    t.equal((await client.delete(`${at}/databases/${id}`)).status, 404)
    t.match((await client.get('/limits')).body.databases, { used: 0 })
    t.match((await client.get(`${at}/backups`)).body.items, [
      { database_id: id, database_name: 'db', engine, kind: 'final', status: 'running', size_mb: null },
    ])
    const another = await make(stage, engine, 'db')
    stage.world.faults.release('suspend', id)
    const backup = await backupIn(stage, 'ready')
    t.match(backup, { size_mb: 1, created_at: String, expires_at: String })
    const days = (Date.parse(backup.expires_at) - Date.parse(backup.created_at)) / 86_400_000
    t.ok(days > 29.9 && days < 30.1)
    t.same((await client.get(`${at}/backups/${backup.id}`)).body, backup)
    await gone(stage, engine, id)
    t.same(await db('deleted_database'), [])

    const taken = await client.post(`${at}/backups/${backup.id}/restore`)
    t.match(taken, { status: 409, body: { error: 'name_taken' } })
    const small = await client.post(`${at}/backups/${backup.id}/restore`, { name: 'small', quota_mb: 64 })
    t.equal(small.status, 202)
    const started = await client.post(`${at}/backups/${backup.id}/restore`, { name: 'again' })
    t.equal(started.status, 202)
    t.match(started.body, { backup_id: backup.id, status: 'running', finished_at: null })
    t.notOk('error' in started.body)
    const ended = await restoreEnd(stage, started.headers.get('location'))
    t.match(ended, { id: started.body.id, status: 'ready', finished_at: String })
    const restored = await shown(stage, started.body.database_id)
    t.match(restored, { name: 'again', engine, quota_mb: 64, status: 'ready' }, 'ready in the same moment')
    const opened = (await variables(stage, restored.id))[SECRET[engine]] ?? ''
    t.not(opened, secret)
    t.same(inWorld(stage, engine, restored.id).rows(opened), ['one', 'two'])
    t.same(inWorld(stage, engine, another).rows((await variables(stage, another))[SECRET[engine]] ?? ''), [])
    t.same(await readdir(path.join(config.dataDir, 'backups')), [backup.id])
  })
}

t.test('C-097 without a final backup there is none, and what says neither yes nor no is 400', async t => {
  const stage = await openStage(t)
  const { client, at } = stage
  const id = await make(stage)
  t.equal((await client.delete(`${at}/databases/db`, { final_backup: 'no' })).status, 400)
  t.equal((await client.delete(`${at}/databases/db?final_backup=no`)).status, 400)
  t.equal((await client.delete(`${at}/databases/db?final_backup=no`, { final_backup: true })).status, 400, 'D-06')
  t.equal((await shown(stage, id)).status, 'ready')
  t.equal((await client.delete(`${at}/databases/db`, { final_backup: false })).status, 204)
  await gone(stage, 'postgres', id)
  const other = await make(stage)
  t.equal((await client.delete(`${at}/databases/db?final_backup=false`)).status, 204)
  await gone(stage, 'postgres', other)
  t.same((await client.get(`${at}/backups`)).body.items, [])
})

t.test(
  'C-095 a quota below what is in use, or beyond the plan, is 422; a larger one makes it writable at once',
  async t => {
    const stage = await openStage(t, { CAIS_MEASURE_MS: '60000' })
    const { client, at, db } = stage
    const id = await make(stage, 'postgres', 'db', 100)
    inWorld(stage, 'postgres', id).setSizeMb(120)
    await post(db, { to: id, event: { type: 'MEASURE' }, source: 'test' })
    await until('it is read-only', async () => (await shown(stage, id)).read_only)
    const below = await client.patch(`${at}/databases/db`, { quota_mb: 119 })
    t.match(below, { status: 422, body: { error: 'quota_exceeded', details: { used: 120 } } })
    t.match(await client.patch(`${at}/databases/db`, { quota_mb: 10_241 }), { status: 422 })
    t.match(await client.patch(`${at}/databases/db`, { quota_mb: 63 }), { status: 400 })
    t.match(await client.patch(`${at}/databases/db`, { status: 'ready' }), { status: 400 })
    t.match(await client.patch(`${at}/databases/db`, {}), { status: 200, body: { quota_mb: 100, read_only: true } })
    const raised = await client.patch(`${at}/databases/db`, { quota_mb: 120 })
    t.match(raised, { status: 200, body: { quota_mb: 120, size_mb: 120 } })
    await until('it is writable', async () => !(await shown(stage, id)).read_only)
  },
)

t.test(
  'what is still being created has no credentials and cannot be rotated: 409; deleted, it leaves no backup',
  async t => {
    const stage = await openStage(t)
    const { client, at, world } = stage
    world.faults.hold('provision', '*')
    const { id } = (await client.post(`${at}/databases`, { name: 'db', engine: 'postgres' })).body
    for (const verb of ['rotate', 'credentials'])
      t.match(await client.post(`${at}/databases/db/${verb}`), { status: 409, body: { error: 'database_not_ready' } })
    t.equal((await client.delete(`${at}/databases/db`)).status, 204)
    world.faults.release('provision', '*')
    await gone(stage, 'postgres', id)
    await until('nothing is owed', async () => (await stage.db('actor').where({ id }).first()).status === 'done')
    t.same((await client.get(`${at}/backups`)).body.items, [])
    t.same(await world.databases.postgres.list(), [])
  },
)

t.test('a backup that fails keeps the data, says so to client and team, and is tried again', async t => {
  const stage = await openStage(t)
  const { client, at, world, db } = stage
  const id = await make(stage)
  world.faults.fail('backup', id, 1, { code: 'backup_failed', temporary: false })
  await client.delete(`${at}/databases/db`)
  const failed = await backupIn(stage, 'failed')
  t.ok(world.databases.postgres.database(id)?.suspended, 'the data is there, and nobody gets in')
  t.match(await client.post(`${at}/backups/${failed.id}/restore`), {
    status: 409,
    body: { error: 'database_not_ready' },
  })
  await until('the team is told', async () => (await notices(db)).includes('backup.failed'))
  await post(db, { to: failed.id, event: { type: 'RETRY' }, source: 'test' })
  await backupIn(stage, 'ready')
  await gone(stage, 'postgres', id)
})

t.test('faults of the engine are waited out at every step, and nothing half made is left', async t => {
  const stage = await openStage(t)
  const { client, at, world, db } = stage
  for (const verb of ['provision', 'suspend', 'backup', 'dropDatabase', 'restore', 'rotate'] as const) {
    world.faults.fail(verb, '*')
    world.faults.fail(verb, '*', 1, { when: 'after' })
  }
  const id = await make(stage)
  const before = await variables(stage, id)
  t.equal((await client.post(`${at}/databases/db/rotate`)).status, 200)
  const after = await variables(stage, id)
  t.throws(() => inWorld(stage, 'postgres', id).rows(before.PGPASSWORD ?? ''))
  inWorld(stage, 'postgres', id).insert(after.PGPASSWORD ?? '', 'row')
  await client.delete(`${at}/databases/db`)
  const backup = await backupIn(stage, 'ready')
  await gone(stage, 'postgres', id)
  const { body, headers } = await client.post(`${at}/backups/${backup.id}/restore`)
  t.match(await restoreEnd(stage, headers.get('location')), { status: 'ready' })
  await until('ready', async () => (await shown(stage, body.database_id)).status === 'ready')
  const secret = (await variables(stage, body.database_id)).PGPASSWORD ?? ''
  t.same(inWorld(stage, 'postgres', body.database_id).rows(secret), ['row'])
  t.same(await world.databases.postgres.list(), [body.database_id])
  t.same(await db('database').whereNotNull('pending'), [])
})

t.test('a damaged backup cannot be restored: the restore says why, and the half-made database is gone', async t => {
  const stage = await openStage(t)
  const { client, at, config, world } = stage
  const id = await make(stage)
  await client.delete(`${at}/databases/db`)
  const backup = await backupIn(stage, 'ready')
  await gone(stage, 'postgres', id)
  await truncate(path.join(config.dataDir, 'backups', backup.id), 5)
  const { body, headers } = await client.post(`${at}/backups/${backup.id}/restore`)
  const ended = await restoreEnd(stage, headers.get('location'))
  t.match(ended, { status: 'failed', error: { code: 'backup_damaged', message: /danificado/ } })
  await until('hidden', async () => (await client.get(`${at}/databases/${body.database_id}`)).status === 404)
  await until('dropped', async () => (await world.databases.postgres.list()).length === 0)
  t.equal((await client.post(`${at}/databases`, { name: 'db', engine: 'postgres' })).status, 201, 'the name is free')
})

t.test('a database that is deleted while it is restored ends the restore', async t => {
  const stage = await openStage(t)
  const { client, at, world } = stage
  const id = await make(stage)
  await client.delete(`${at}/databases/db`)
  const backup = await backupIn(stage, 'ready')
  await gone(stage, 'postgres', id)
  world.faults.hold('restore', '*')
  const { headers } = await client.post(`${at}/backups/${backup.id}/restore`)
  await until(
    'it is being filled',
    async () => (await stage.db('actor').where({ state: 'running.filling' })).length === 1,
  )
  t.equal((await client.delete(`${at}/databases/db`)).status, 204)
  t.match(await restoreEnd(stage, headers.get('location')), { status: 'failed', error: { code: 'database_deleted' } })
  world.faults.release('restore', '*')
  await until('dropped', async () => (await world.databases.postgres.list()).length === 0)
})

t.test('after 30 days a backup is not found any more, and its file is removed', async t => {
  const stage = await openStage(t)
  const { client, at, db, config } = stage
  await make(stage)
  await client.delete(`${at}/databases/db`)
  const backup = await backupIn(stage, 'ready')
  const timer = await db('timer').where({ actor_id: backup.id }).first()
  const days = (timer.fire_at.getTime() - Date.now()) / 86_400_000
  t.ok(days > 29.9 && days < 30.1, `${days} days`)
  await db('timer').where({ actor_id: backup.id }).update({ fire_at: db.fn.now() })
  await until('it is gone', async () => (await client.get(`${at}/backups/${backup.id}`)).status === 404)
  t.same((await client.get(`${at}/backups`)).body.items, [])
  await until('its file is gone', async () => (await readdir(path.join(config.dataDir, 'backups'))).length === 0)
})

t.test('the sweep removes what a deleted database left, and reports what it never heard of', async t => {
  const stage = await openStage(t)
  const { client, at, world } = stage
  const engine = world.databases.postgres
  const kept = await make(stage)
  const id = await make(stage, 'postgres', 'other')
  const { tenant } = inWorld(stage, 'postgres', id)
  await client.delete(`${at}/databases/other?final_backup=false`)
  await gone(stage, 'postgres', id)
  await until('its actor ended', async () => (await stage.db('actor').where({ id }).first()).status === 'done')
  const stranger = newId()
  await engine.provision(tenant)
  await engine.provision({ ...tenant, databaseId: stranger })
  const { reconcile } = await import('../../src/effects/reconcile.ts')
  const log = { info: () => {}, error: t.fail, warn: (what: object) => void warnings.push(what) }
  const warnings: object[] = []
  const removed = await reconcile({ ...stage, keyring: null, log } as never)
  t.same(removed.databases, [id])
  t.same((await engine.list()).sort(), [kept, stranger].sort())
  t.match(warnings, [{ where: 'postgres', strangers: [stranger] }])
})
