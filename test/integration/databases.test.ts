// Databases over HTTP: creation within the plan and the health of the engine, and reading them (C-090, C-091).
import t from 'tap'
import { reportHealth } from '../../db/queries/health.ts'
import { readActor } from '../../db/queries/actors.ts'
import { findDatabase } from '../../db/queries/databases.ts'
import { makeDatabaseReady } from '../support/deployments.ts'
import { startApi } from '../support/api.ts'

void t.test('C-090 a new database is provisioning at once, answers six fields, and is read in full', async t => {
  const { client, db, keyring } = await startApi(t)
  await reportHealth(db, 'postgres', true, null)
  const project = await client.project('loja')
  const made = await client.post(`/projects/${project.id}/databases`, { name: 'db', engine: 'postgres', quota_mb: 128 })
  t.equal(made.status, 201)
  const { id } = made.body
  t.same(made.body, { id, name: 'db', kind: 'database', engine: 'postgres', status: 'provisioning', quota_mb: 128 })
  t.equal(made.headers.get('location'), `/v1/projects/${project.id}/databases/${id}`)

  const shown = await client.get(`/projects/${project.id}/databases/db`)
  t.match(shown.body, { id, project_id: project.id, status: 'provisioning', size_mb: 0, read_only: false })
  t.notMatch(shown.text, /password|credentials/i, 'credentials are not shown')

  const row = await findDatabase(db, project.id, id)
  const credentials = JSON.parse(keyring.open(row?.credentials ?? Buffer.alloc(0), id))
  t.match(credentials, { databaseName: `d_${id}`, user: `u_${id}`, password: /^[A-Za-z0-9]{43}$/ })
  const { rows } = await db.raw(`select name, params from effect where actor_id = ?`, [id])
  t.same(rows, [{ name: 'provisionDatabase', params: { databaseId: id } }], 'the actor owes the provisioning')

  await makeDatabaseReady(db, id)
  t.equal((await client.get(`/projects/${project.id}/databases/${id}`)).body.status, 'ready')
  t.equal((await readActor(db, id))?.state, 'ready.writable.resting')
})

void t.test('C-090 unknown fields, other engines and bad names are 400 and create nothing', async t => {
  const { client, db } = await startApi(t)
  await reportHealth(db, 'postgres', true, null)
  const project = await client.project('loja')
  const good = { name: 'db', engine: 'postgres' }
  for (const body of [
    { ...good, replicas: 2 },
    { ...good, engine: 'oracle' },
    { ...good, name: 'DB' },
    { ...good, name: 'db\n' },
    { ...good, quota_mb: 63 },
    { ...good, quota_mb: '128' },
    { engine: 'postgres' },
    { ...good, status: 'ready' },
  ]) {
    const reply = await client.post(`/projects/${project.id}/databases`, body)
    t.match({ status: reply.status, error: reply.body.error }, { status: 400, error: 'invalid_request' })
  }
  t.same((await client.get(`/projects/${project.id}/databases`)).body.items, [])
})

void t.test(
  'C-091 an engine that is unwell, or not looked at, is 503 with Retry-After, and the name stays free',
  async t => {
    const { client, db } = await startApi(t)
    const project = await client.project('loja')
    const create = () => client.post(`/projects/${project.id}/databases`, { name: 'db', engine: 'postgres' })
    const refused = async () => {
      const reply = await create()
      t.match({ status: reply.status, error: reply.body.error }, { status: 503, error: 'unavailable' })
      t.match(reply.headers.get('retry-after'), /^[1-9]\d*$/)
    }
    await refused()
    await reportHealth(db, 'postgres', false, 'down')
    await refused()
    await reportHealth(db, 'postgres', true, null)
    await db.raw(`update part_health set checked_at = now() - interval '31 seconds'`)
    await refused()
    await reportHealth(db, 'postgres', true, null)
    t.equal((await create()).status, 201)
  },
)

void t.test('C-091 twenty creations at once make the three that hobby allows, the others are 422', async t => {
  const { client, db } = await startApi(t)
  await reportHealth(db, 'postgres', true, null)
  const project = await client.project('loja')
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      client.post(`/projects/${project.id}/databases`, { name: `db${i}`, engine: 'postgres' }),
    ),
  )
  t.equal(replies.filter(reply => reply.status === 201).length, 3)
  const refused = replies.filter(reply => reply.status !== 201)
  t.ok(refused.every(reply => reply.status === 422 && reply.body.error === 'quota_exceeded'))
  t.match((await client.get('/limits')).body.databases, { used: 3, max: 3 })
  const tooLarge = await client.post(`/projects/${project.id}/databases`, {
    name: 'x',
    engine: 'sqlite',
    quota_mb: 10241,
  })
  t.equal(tooLarge.status, 422)
})

void t.test('C-043 a database named as a service is 409, and a service named as a database too', async t => {
  const { client, db } = await startApi(t)
  await reportHealth(db, 'postgres', true, null)
  const project = await client.project('loja')
  const taken = await client.post(`/projects/${project.id}/databases`, { name: 'web', engine: 'postgres' })
  t.match({ status: taken.status, error: taken.body.error }, { status: 409, error: 'name_taken' })
  await client.post(`/projects/${project.id}/databases`, { name: 'db', engine: 'postgres' })
  const service = await client.post(`/projects/${project.id}/services`, { name: 'db', kind: 'app' })
  t.match({ status: service.status, error: service.body.error }, { status: 409, error: 'name_taken' })
})

void t.test('D-30 an app is not found under databases, nor a database of another project', async t => {
  const { client, db } = await startApi(t)
  await reportHealth(db, 'postgres', true, null)
  const [one, two] = [await client.project('one'), await client.project('two')]
  const made = await client.post(`/projects/${one.id}/databases`, { name: 'db', engine: 'postgres' })
  t.equal((await client.get(`/projects/${one.id}/databases/web`)).status, 404)
  t.equal((await client.get(`/projects/${two.id}/databases/${made.body.id}`)).status, 404)
  t.equal((await client.get(`/projects/${one.id}/services/${made.body.id}`)).status, 404)
})

void t.test('C-147 pages of one visit every database once', async t => {
  const { client, db } = await startApi(t)
  await reportHealth(db, 'postgres', true, null)
  const project = await client.project('loja')
  const names: string[] = []
  for (const name of ['c', 'a', 'b'])
    await client.post(`/projects/${project.id}/databases`, { name, engine: 'postgres' })
  for (let query = '?limit=1'; ;) {
    const { body } = await client.get(`/projects/${project.id}/databases${query}`)
    names.push(...body.items.map((item: { name: string }) => item.name))
    if (!body.has_more) break
    query = `?limit=1&cursor=${body.next_cursor}`
  }
  t.same(names, ['c', 'a', 'b'], 'oldest first')
})
