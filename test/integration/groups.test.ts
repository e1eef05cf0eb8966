// Group deployments over HTTP: layers, refusals, superseding, canceling. Deployments are moved on by hand, as a worker would.
import t from 'tap'
import { reportHealth } from '../../db/queries/health.ts'
import { startApi, type Api, type Client, type Reply } from '../support/api.ts'
import { makeDatabaseReady, makeDeploying, makeReady, refuse, settle, statusNow } from '../support/deployments.ts'
import { until } from '../support/platform.ts'

const STABLE_AT_ONCE = { env: { CAIS_STABILITY_MS: '0' } }
const IMAGE = { type: 'image', ref: 'registry.test/app:1' }

interface Item {
  service_id: string
  service_name: string
  deployment_id: string
  status: string
  layer: number
  reason?: string
}

/** `web` → `api` → `core`, all from images; each refers to the one after it. */
async function chain({ client }: Api): Promise<string> {
  const { id } = await client.project('chain')
  await client.patch(`/projects/${id}/services/web`, { source: IMAGE })
  for (const name of ['api', 'core'])
    await client.post(`/projects/${id}/services`, { name, kind: 'app', source: IMAGE })
  await refer(client, id, 'web', 'api')
  await refer(client, id, 'api', 'core')
  return id
}

async function refer(client: Client, project: string, from: string, to: string): Promise<void> {
  const value = `\${{${to}.PRIVATE_URL}}`
  const reply = await client.put(`/projects/${project}/services/${from}/variables/UP`, { value })
  if (reply.status !== 200) throw new Error(reply.text)
}

/** A project of services without references, each from an image; `web` among them. */
async function flat({ client }: Api, names: string[]): Promise<string> {
  const { id } = await client.project('flat')
  await client.patch(`/projects/${id}/services/web`, { source: IMAGE, resources: { memory_mb: 64 } })
  for (const name of names) {
    await client.post(`/projects/${id}/services`, { name, kind: 'app', source: IMAGE, resources: { memory_mb: 64 } })
  }
  return id
}

const deploy = (client: Client, project: string, body?: unknown): Promise<Reply> =>
  client.post(`/projects/${project}/deploy`, body)

const groupOf = async (client: Client, project: string, id: string) =>
  (await client.get(`/projects/${project}/group-deployments/${id}`)).body

const item = (group: { items: Item[] }, name: string): Item => {
  const found = group.items.find(each => each.service_name === name)
  if (!found) throw new Error(`no item ${name}`)
  return found
}

const statuses = (group: { items: Item[] }) =>
  Object.fromEntries(group.items.map(each => [each.service_name, each.status]))

void t.test('C-130 layers follow references and each starts when the one before it is ready', async t => {
  const api = await startApi(t, STABLE_AT_ONCE)
  const { client, db } = api
  const project = await chain(api)
  const reply = await deploy(client, project)
  t.equal(reply.status, 202)
  t.equal(reply.headers.get('location'), `/v1/projects/${project}/group-deployments/${reply.body.id}`)
  t.match(reply.headers.get('ratelimit'), /"deploys";r=27;/)
  t.match(reply.body, { project_id: project, status: 'running', finished_at: null })
  t.same(
    reply.body.items.map((each: Item) => [each.service_name, each.layer, each.status]),
    [
      ['core', 0, 'queued'],
      ['api', 1, 'queued'],
      ['web', 2, 'queued'],
    ],
  )
  for (const [name, waiting] of [
    ['core', ['api', 'web']],
    ['api', ['web']],
    ['web', []],
  ] as const) {
    await settle(db)
    const now = await groupOf(client, project, reply.body.id)
    t.equal(item(now, name).status, 'building')
    for (const later of waiting) t.equal(item(now, later).status, 'queued', `${later} has not started`)
    await makeReady(db, item(now, name).deployment_id)
  }
  const done = await groupOf(client, project, reply.body.id)
  t.match(done, { status: 'ready', finished_at: /Z$/ })
  t.same(statuses(done), { core: 'ready', api: 'ready', web: 'ready' })
  const service = await client.get(`/projects/${project}/services/web`)
  t.match(service.body, { status: 'running', needs_redeploy: false })
})

void t.test('C-130 at most four of a layer run at once', async t => {
  const api = await startApi(t, STABLE_AT_ONCE)
  const { client, db } = api
  const project = await flat(api, ['a', 'b', 'c', 'd', 'e'])
  const { body } = await deploy(client, project)
  await settle(db)
  const count = async () =>
    Object.values(statuses(await groupOf(client, project, body.id))).filter(status => status === 'building').length
  t.equal(await count(), 4)
  const running = (await groupOf(client, project, body.id)).items.find((each: Item) => each.status === 'building')
  await makeReady(db, running.deployment_id)
  t.equal(await count(), 4, 'the next one took the place')
})

void t.test('C-131 a failure blocks its dependents and the layers after it; the group fails and says who', async t => {
  const api = await startApi(t, STABLE_AT_ONCE)
  const { client, db } = api
  const project = await chain(api)
  await client.post(`/projects/${project}/services`, { name: 'aside', kind: 'app', source: IMAGE })
  await client.put(`/projects/${project}/services/aside/variables/UP`, { value: '${{shared.X}}' })
  await client.put(`/projects/${project}/shared-variables`, { variables: [{ name: 'X', value: 'x' }] })
  const { body } = await deploy(client, project)
  await settle(db)
  await makeReady(db, item(body, 'aside').deployment_id)
  await refuse(db, item(body, 'core').deployment_id, 'build', 'build_oom')
  const failed = await groupOf(client, project, body.id)
  t.equal(failed.status, 'failed')
  t.match(failed.error, { code: 'deploy_failed', message: /core/ })
  t.match(item(failed, 'api'), { status: 'blocked', reason: 'dependency_failed' })
  t.match(item(failed, 'web'), { status: 'blocked', reason: 'dependency_failed' })
  t.match(item(failed, 'aside'), { status: 'ready' })
  t.notOk('reason' in item(failed, 'core'))
  const shown = await client.get(`/projects/${project}/services/core/deployments/${item(failed, 'core').deployment_id}`)
  t.match(shown.body, {
    status: 'failed',
    trigger: 'group',
    group_id: body.id,
    error: { code: 'build_oom', message: /memória/ },
  })
  t.match((await client.get(`/projects/${project}/services/web`)).body.status, 'idle')
})

void t.test(
  'C-132 a service with nothing to deploy is skipped, and all skipped is ready; named, its item fails',
  async t => {
    const { client, db } = await startApi(t)
    const { id: project } = await client.project('empty')
    const skipped = await deploy(client, project)
    t.equal(skipped.status, 202)
    t.equal(skipped.body.status, 'ready')
    t.match(skipped.body.items[0], { deployment_id: null, status: 'skipped', reason: 'never_uploaded', layer: 0 })
    t.equal((await client.get('/limits')).body.deploys_per_hour.used, 0, 'a skipped item uses no quota')

    const named = await deploy(client, project, { services: ['web'] })
    t.match(named.body.items[0], { service_name: 'web', status: 'queued' })
    await refuse(db, named.body.items[0].deployment_id, 'build', 'deploy_failed', { motivo: 'nada foi enviado' })
    const failed = await groupOf(client, project, named.body.id)
    t.match(failed, { status: 'failed', items: [{ status: 'failed' }] })
  },
)

void t.test('C-133 a second group supersedes the first: its open items end canceled and one group runs', async t => {
  const api = await startApi(t)
  const { client, db } = api
  const project = await chain(api)
  const first = (await deploy(client, project)).body
  await settle(db)
  const second = await deploy(client, project)
  t.equal(second.status, 202)
  const old = await groupOf(client, project, first.id)
  t.equal(old.status, 'superseded')
  for (const each of old.items) t.match(each, { status: 'canceled', reason: 'superseded' })
  await settle(db)
  t.equal(item(await groupOf(client, project, second.body.id), 'core').status, 'building')
  t.equal((await client.get(`/projects/${project}/services/core`)).body.status, 'deploying')
})

void t.test('C-133 group triggers at once: all are accepted and exactly one group is running', async t => {
  const api = await startApi(t)
  const { client, db } = api
  const { teamId } = api
  await db('team').where({ id: teamId }).update({ plan: 'business' })
  const project = await flat(api, ['a'])
  const replies = await Promise.all(Array.from({ length: 10 }, () => deploy(client, project)))
  t.same(
    replies.map(reply => reply.status),
    replies.map(() => 202),
  )
  await settle(db)
  const groups = await Promise.all(replies.map(reply => groupOf(client, project, reply.body.id)))
  t.equal(groups.filter(group => group.status === 'running').length, 1)
  t.equal(groups.filter(group => group.status === 'superseded').length, 9)
  const open = await db('actor').where({ kind: 'deployment', status: 'active' })
  t.equal(open.length, 2, 'one open deployment per service')
})

void t.test(
  'C-139 an item already deploying finishes; the new group waits for it, also through a third group',
  async t => {
    const api = await startApi(t, STABLE_AT_ONCE)
    const { client, db } = api
    const project = await flat(api, [])
    const first = item((await deploy(client, project)).body, 'web').deployment_id
    await settle(db)
    await makeDeploying(db, first)
    const second = await deploy(client, project)
    const third = await deploy(client, project)
    t.equal(third.status, 202)
    await settle(db)
    t.equal(await statusNow(db, first), 'deploying', 'it was not canceled')
    t.equal(await statusNow(db, item(second.body, 'web').deployment_id), 'canceled')
    t.equal(item(await groupOf(client, project, third.body.id), 'web').status, 'queued', 'it waits')
    const alone = await client.post(`/projects/${project}/services/web/deployments`)
    t.match({ status: alone.status, error: alone.body.error }, { status: 409, error: 'deploy_in_progress' })

    await makeReady(db, first)
    const next = item(third.body, 'web').deployment_id
    t.equal(await statusNow(db, next), 'building', 'it was let go')

    await makeDeploying(db, next)
    const fourth = await deploy(client, project)
    t.equal(fourth.status, 202, 'the one that waited is waited for in its turn')
    await makeReady(db, next)
    const last = item(fourth.body, 'web').deployment_id
    await makeReady(db, last)
    t.match(await groupOf(client, project, fourth.body.id), { status: 'ready' })
    t.match((await client.get(`/projects/${project}/services/web`)).body, {
      status: 'running',
      active_deployment_id: last,
    })
  },
)

void t.test(
  'C-139 an item whose predecessor ends at the very moment of the trigger is let go all the same',
  async t => {
    const api = await startApi(t, STABLE_AT_ONCE)
    const { client, db } = api
    const project = await flat(api, [])
    const first = item((await deploy(client, project)).body, 'web').deployment_id
    await settle(db)
    await makeDeploying(db, first)
    await deploy(client, project)
    // The third trigger has seen the first deployment at work, and is held up where it asks to be told of its end.
    const third = await db.transaction(async trx => {
      await trx('actor').where({ id: first }).forUpdate()
      const asked = deploy(client, project)
      await until('the trigger waits', async () => {
        const { rows } = await db.raw(
          `select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%from actor%'`,
        )
        return rows.length > 0
      })
      await trx('actor').where({ id: first }).update({ status: 'done', state: 'ready' })
      return { asked }
    })
    const { status, body } = await third.asked
    t.equal(status, 202)
    await settle(db)
    t.equal(await statusNow(db, item(body, 'web').deployment_id), 'building')
  },
)

void t.test('C-134 canceling cancels what is open, and again changes nothing', async t => {
  const api = await startApi(t)
  const { client, db } = api
  const project = await chain(api)
  const { body } = await deploy(client, project)
  await settle(db)
  const path = `/projects/${project}/group-deployments/${body.id}/cancel`
  const canceled = await client.post(path)
  t.match({ status: canceled.status, group: canceled.body.status }, { status: 200, group: 'canceled' })
  await settle(db)
  const after = await groupOf(client, project, body.id)
  for (const each of after.items) t.match(each, { status: 'canceled', reason: 'canceled' })
  const again = await client.post(path)
  t.equal(again.status, 200)
  t.same(again.body, after)
  t.equal((await client.get(`/projects/${project}/services/web`)).body.status, 'idle')
})

void t.test('C-135 a cycle, a missing and a provisioning reference are 422 with details and leave nothing', async t => {
  const api = await startApi(t)
  const { client, db } = api
  const project = await chain(api)
  const nothingExists = async () => {
    t.equal((await db('deployment_group')).length, 0)
    t.equal((await db('deployment')).length, 0)
    t.equal((await client.get('/limits')).body.deploys_per_hour.used, 0)
  }
  await refer(client, project, 'core', 'web')
  const cycle = await deploy(client, project)
  t.match({ status: cycle.status, error: cycle.body.error }, { status: 422, error: 'reference_cycle' })
  t.same(cycle.body.details.references, ['api.PRIVATE_URL', 'core.PRIVATE_URL', 'web.PRIVATE_URL'])
  await nothingExists()

  await refer(client, project, 'core', 'nobody')
  const missing = await deploy(client, project)
  t.match({ status: missing.status, error: missing.body.error }, { status: 422, error: 'unresolved_reference' })
  t.same(missing.body.details.references, ['nobody.PRIVATE_URL'])
  await nothingExists()

  const { id: empty } = await client.project('empty')
  await refer(client, empty, 'web', 'nobody')
  const skipped = await deploy(client, empty)
  t.equal(skipped.status, 422, 'also where nothing would be deployed')
  t.same(skipped.body.details.references, ['nobody.PRIVATE_URL'])
  await nothingExists()

  await reportHealth(db, 'postgres', true, null)
  const database = await client.post(`/projects/${project}/databases`, { name: 'db', engine: 'postgres' })
  await client.put(`/projects/${project}/services/core/variables/UP`, { value: '${{db.DATABASE_URL}}' })
  const early = await deploy(client, project)
  t.match(early.body, { error: 'unresolved_reference', details: { reason: 'database_provisioning' } })
  await nothingExists()
  await makeDatabaseReady(db, database.body.id)
  t.equal((await deploy(client, project)).status, 202, 'C-073 once it is ready')
})

void t.test('C-136 a subset deploys those alone; empty, too many, unknown and database names are 400', async t => {
  const api = await startApi(t)
  const { client, db } = api
  const project = await chain(api)
  await reportHealth(db, 'postgres', true, null)
  await client.post(`/projects/${project}/databases`, { name: 'db', engine: 'postgres' })
  for (const services of [[], ['nobody'], ['db'], Array.from({ length: 101 }, () => 'web'), 'web', [7]]) {
    const reply = await deploy(client, project, { services })
    t.match({ status: reply.status, error: reply.body.error }, { status: 400, error: 'invalid_request' })
  }
  t.equal((await deploy(client, project, { services: ['web'], dry_run: true })).status, 400)
  const apiId = (await client.get(`/projects/${project}/services/api`)).body.id
  const reply = await deploy(client, project, { services: ['web', apiId, 'web'] })
  t.same(
    reply.body.items.map((each: Item) => [each.service_name, each.layer]),
    [
      ['api', 0],
      ['web', 1],
    ],
    'duplicates count once, and what lies outside is assumed up',
  )
})

void t.test('C-137 a group that needs more deploys than are left is 429 and leaves nothing', async t => {
  const api = await startApi(t)
  const { client, db, teamId } = api
  const project = await flat(api, ['a'])
  await db.raw('insert into deploy_use (team_id) select ? from generate_series(1, 29)', [teamId])
  const refused = await deploy(client, project)
  t.match({ status: refused.status, error: refused.body.error }, { status: 429, error: 'rate_limited' })
  t.match(refused.headers.get('retry-after'), /^3(600|59\d)$/)
  t.equal((await db('deployment_group')).length, 0)
  t.equal((await db('deployment')).length, 0)
  t.equal((await deploy(client, project, { services: ['web'] })).status, 202, 'one is left')
})

void t.test('D-56 an open deployment outside the group refuses it, and the running group goes on', async t => {
  const api = await startApi(t)
  const { client } = api
  const project = await flat(api, ['a', 'b'])
  const running = await deploy(client, project, { services: ['a'] })
  await client.post(`/projects/${project}/services/b/deployments`)
  const refused = await deploy(client, project)
  t.match({ status: refused.status, error: refused.body.error }, { status: 409, error: 'deploy_in_progress' })
  t.same(refused.body.details.services, ['b'])
  t.equal((await groupOf(client, project, running.body.id)).status, 'running')
})

void t.test('C-012 C-029 a group of another project is 404, and groups are not listed', async t => {
  const api = await startApi(t)
  const { client } = api
  const project = await flat(api, [])
  const other = await client.project('other')
  const { body } = await deploy(client, project)
  t.equal((await client.get(`/projects/${other.id}/group-deployments/${body.id}`)).status, 404)
  t.equal((await client.post(`/projects/${other.id}/group-deployments/${body.id}/cancel`)).status, 404)
  t.equal((await client.get(`/projects/${project}/group-deployments`)).status, 404)
})

void t.test('C-144 the same key triggers one group, also fifty times at once', async t => {
  const api = await startApi(t)
  const { client, db } = api
  const project = await flat(api, [])
  const replies = await Promise.all(
    Array.from({ length: 50 }, () =>
      client.post(`/projects/${project}/deploy`, {}, { 'idempotency-key': 'same-key-1' }),
    ),
  )
  t.same([...new Set(replies.map(reply => reply.status))], [202])
  t.equal(new Set(replies.map(reply => reply.text)).size, 1)
  t.equal(replies.filter(reply => reply.headers.get('idempotent-replay') === 'true').length, 49)
  t.equal((await db('deployment_group')).length, 1)
})
