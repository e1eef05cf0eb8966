// Deployments of one service over HTTP: triggers and their races, reads, rollback, quota. No world: actors are moved by hand.
import t from 'tap'
import { reportHealth } from '../../db/queries/health.ts'
import { findDeploymentPlan } from '../../db/queries/deployments.ts'
import type { StoredEnvironment } from '../../src/http/deployment-trigger.ts'
import { startApi, type Api, type Client } from '../support/api.ts'
import { form, makeDatabaseReady, makeReady, refuse, settle, statusNow } from '../support/deployments.ts'

const STABLE_AT_ONCE = { env: { CAIS_STABILITY_MS: '0' } }
const IMAGE = { type: 'image', ref: 'registry.test/app:1' }

/** A project whose `web` comes from an image; answers the path of its service. */
async function imageService({ client }: Pick<Api, 'client'>, name = 'loja'): Promise<string> {
  const { id } = await client.project(name)
  const path = `/projects/${id}/services/web`
  await client.patch(path, { source: IMAGE })
  return path
}

async function environmentOf({ db, keyring }: Api, id: string): Promise<StoredEnvironment> {
  const plan = await findDeploymentPlan(db, id)
  if (!plan) throw new Error(`no deployment ${id}`)
  return JSON.parse(keyring.open(plan.environment, id)) as StoredEnvironment
}

const put = async (client: Client, path: string, body: object) => {
  const reply = await client.put(path, body)
  if (reply.status !== 200) throw new Error(reply.text)
}

void t.test('a trigger answers 202 with the deployment, and the record follows its actor', async t => {
  const { client, db } = await startApi(t, STABLE_AT_ONCE)
  const path = await imageService({ client })
  const made = await client.post(`${path}/deployments`, {})
  t.equal(made.status, 202)
  t.match(made.headers.get('location'), new RegExp(`/deployments/${made.body.id}$`))
  t.match(made.headers.get('ratelimit'), /"deploys";r=29;t=3600/)
  t.match(made.body, {
    status: 'queued',
    trigger: 'api',
    source: { type: 'image', ref: IMAGE.ref },
    group_id: null,
    rollback_of: null,
    started_at: null,
    finished_at: null,
  })
  t.notOk('error' in made.body)
  t.equal((await client.get(path)).body.status, 'deploying')
  await settle(db)
  const one = `${path}/deployments/${made.body.id}`
  t.match((await client.get(one)).body, { status: 'building', started_at: /Z$/ })
  await makeReady(db, made.body.id)
  const done = await client.get(one)
  t.match(done.body, { status: 'ready', finished_at: /Z$/ })
  t.match((await client.get(path)).body, { status: 'running', active_deployment_id: made.body.id })
  t.same((await client.get(`${path}/deployments`)).body.items, [done.body])
  const tag = done.headers.get('etag') ?? ''
  t.equal((await client.get(one, { 'if-none-match': tag })).status, 304, 'C-150 polling a finished one is cheap')
})

void t.test(
  'C-021 C-022 no body, an empty one with any type, and {} are accepted; other types and fields are not',
  async t => {
    const { client, db } = await startApi(t)
    const path = `${await imageService({ client })}/deployments`
    const accepted = [
      () => client.post(path),
      () => client.post(path, '', { 'content-type': 'application/json' }),
      () => client.post(path, '', { 'content-type': 'text/plain' }),
      () => client.post(path, {}),
    ]
    for (const trigger of accepted) {
      const reply = await trigger()
      t.equal(reply.status, 202)
      await refuse(db, reply.body.id, 'build', 'build_oom')
    }
    t.equal((await client.post(path, 'hello', { 'content-type': 'text/plain' })).status, 415)
    t.equal((await client.post(path, { replicas: 2 })).status, 400, 'C-026')
  },
)

void t.test('C-115 a second trigger while one is open is 409; twenty at once make exactly one', async t => {
  const { client, db } = await startApi(t)
  const path = `${await imageService({ client })}/deployments`
  const replies = await Promise.all(Array.from({ length: 20 }, () => client.post(path)))
  t.equal(replies.filter(reply => reply.status === 202).length, 1)
  for (const reply of replies.filter(each => each.status !== 202)) {
    t.match({ status: reply.status, error: reply.body.error }, { status: 409, error: 'deploy_in_progress' })
    t.same(reply.body.details.services, ['web'])
  }
  t.equal((await db('deployment')).length, 1)
  t.equal((await client.get('/limits')).body.deploys_per_hour.used, 1, 'a refusal uses no quota')
})

void t.test('C-113 the same key repeats the answer even while the first runs; a new key is 409', async t => {
  const { client } = await startApi(t)
  const path = `${await imageService({ client })}/deployments`
  const first = await client.post(path, {}, { 'idempotency-key': 'deploy-1' })
  const again = await client.post(path, {}, { 'idempotency-key': 'deploy-1' })
  t.equal(again.status, 202)
  t.same(again.body, first.body)
  t.equal(again.headers.get('idempotent-replay'), 'true')
  t.equal((await client.post(path, {}, { 'idempotency-key': 'deploy-2' })).status, 409)
})

void t.test('a failed deployment says why in Portuguese, and the service that never ran is failed', async t => {
  const { client, db } = await startApi(t)
  const path = await imageService({ client })
  const { body } = await client.post(`${path}/deployments`)
  await refuse(db, body.id, 'build', 'build_timeout', { minutos: 15 })
  const shown = await client.get(`${path}/deployments/${body.id}`)
  t.match(shown.body, { status: 'failed', error: { code: 'build_timeout', message: /tempo máximo de 15 minutos/ } })
  t.equal((await client.get(path)).body.status, 'failed')
})

void t.test('C-119 a failed deployment of a running service leaves it running', async t => {
  const { client, db } = await startApi(t, STABLE_AT_ONCE)
  const path = await imageService({ client })
  const first = (await client.post(`${path}/deployments`)).body.id
  await makeReady(db, first)
  const second = (await client.post(`${path}/deployments`)).body.id
  await refuse(db, second, 'build', 'build_oom')
  t.match((await client.get(path)).body, { status: 'running', active_deployment_id: first })
})

void t.test('D-45 a service without a source is deployed when asked for, so that it can fail and say so', async t => {
  const { client, db } = await startApi(t)
  const { id } = await client.project('vazio')
  const reply = await client.post(`/projects/${id}/services/web/deployments`)
  t.equal(reply.status, 202)
  const plan = await findDeploymentPlan(db, reply.body.id)
  t.equal((plan?.settings as { source: unknown }).source, null)
})

void t.test('C-067 C-072 references that do not resolve are 422 and no deployment exists', async t => {
  const { client, db } = await startApi(t)
  const path = await imageService({ client })
  const other = await client.project('outro')
  await client.post(`/projects/${other.id}/services`, { name: 'longe', kind: 'app' })
  for (const [value, error] of [
    ['${{nope.X}}', 'unresolved_reference'],
    ['${{longe.PRIVATE_URL}}', 'unresolved_reference'],
    ['${{bad', 'invalid_reference'],
    ['${{shared.A}}', 'reference_cycle'],
  ] as const) {
    const shared = path.replace('/services/web', '/shared-variables')
    await put(client, shared, {
      variables: [
        { name: 'A', value: '${{shared.B}}' },
        { name: 'B', value: '${{shared.A}}' },
      ],
    })
    await put(client, `${path}/variables/X`, { value })
    const reply = await client.post(`${path}/deployments`)
    t.match({ status: reply.status, error: reply.body.error }, { status: 422, error })
    t.type(reply.body.details.references, Array)
  }
  t.equal((await db('deployment')).length, 0)
})

void t.test(
  'C-066 C-068 C-077 the environment is what the service refers to, its escapes, and its own PORT',
  async t => {
    const api = await startApi(t)
    const { client } = api
    const path = await imageService(api)
    await put(client, path.replace('/services/web', '/shared-variables'), {
      variables: [
        { name: 'USED', value: 'yes', sensitive: true },
        { name: 'UNUSED', value: 'no' },
      ],
    })
    await put(client, `${path}/variables`, {
      variables: [
        { name: 'A', value: '${{shared.USED}} $${{x}}' },
        { name: 'SELF', value: '${{web.PRIVATE_URL}} ${{web.PUBLIC_URL}}' },
        { name: 'PORT', value: '1' },
      ],
    })
    const { body } = await client.post(`${path}/deployments`)
    const { env } = await environmentOf(api, body.id)
    t.same(env, { A: 'yes ${{x}}', SELF: 'http://web:8080 https://loja.apps.test', PORT: '8080' })
    const { rows } = await api.db.raw(`select event::text || coalesce(asked::text, '') as text from journal`)
    t.notOk(
      rows.some((row: { text: string }) => row.text.includes('yes')),
      'no value reaches the journal',
    )
  },
)

void t.test('C-073 a provisioning database refuses; once ready its variables arrive, over verified TLS', async t => {
  const api = await startApi(t)
  const { client, db } = api
  await reportHealth(db, 'postgres', true, null)
  const path = await imageService(api)
  const project = path.split('/')[2] ?? ''
  const database = (await client.post(`/projects/${project}/databases`, { name: 'db', engine: 'postgres' })).body.id
  await put(client, `${path}/variables/DATABASE_URL`, { value: '${{db.DATABASE_URL}}' })
  const early = await client.post(`${path}/deployments`)
  t.match(early.body, { error: 'unresolved_reference', details: { reason: 'database_provisioning' } })
  t.match(early.body.message, /"db" ainda está sendo criado/)
  await makeDatabaseReady(db, database)
  const { body } = await client.post(`${path}/deployments`)
  const { env, secrets } = await environmentOf(api, body.id)
  const url = `postgres://u_${database}:`
  t.ok(env.DATABASE_URL?.startsWith(url))
  t.match(env.DATABASE_URL, /@db\.cais\.internal:5432\/d_[^?]+\?sslmode=verify-full&sslrootcert=\/etc\/cais\/ca\.pem$/)
  t.ok(secrets.length > 0, 'logs know what to hide')
})

void t.test('C-076 needs_redeploy clears when a later deployment is ready, not when it fails', async t => {
  const { client, db } = await startApi(t, STABLE_AT_ONCE)
  const path = await imageService({ client })
  const needs = async () => (await client.get(path)).body.needs_redeploy
  t.equal(await needs(), false, 'never deployed')
  await makeReady(db, (await client.post(`${path}/deployments`)).body.id)
  t.equal(await needs(), false)
  await put(client, `${path}/variables/X`, { value: '1' })
  t.equal(await needs(), true)
  await refuse(db, (await client.post(`${path}/deployments`)).body.id, 'build', 'build_oom')
  t.equal(await needs(), true)
  const open = (await client.post(`${path}/deployments`)).body.id
  await settle(db)
  await put(client, `${path}/variables/X`, { value: '2' })
  await makeReady(db, open)
  t.equal(await needs(), true, 'changed while it was on its way')
  await makeReady(db, (await client.post(`${path}/deployments`)).body.id)
  t.equal(await needs(), false)
})

void t.test('C-076 neither does a failure clear it where no deployment was ever ready', async t => {
  const { client, db } = await startApi(t, STABLE_AT_ONCE)
  const path = await imageService({ client })
  const needs = async () => (await client.get(path)).body.needs_redeploy
  const fail = async () => refuse(db, (await client.post(`${path}/deployments`)).body.id, 'build', 'build_oom')
  await put(client, `${path}/variables/X`, { value: '0' })
  await fail()
  t.equal(await needs(), false, 'nothing has changed since the trigger')
  await put(client, `${path}/variables/X`, { value: '1' })
  t.equal(await needs(), true)
  await fail()
  t.equal(await needs(), true)
  await makeReady(db, (await client.post(`${path}/deployments`)).body.id)
  t.equal(await needs(), false)
})

void t.test(
  'C-123 a rollback runs the artifact and variables of then, with the database credentials of now',
  async t => {
    const api = await startApi(t, STABLE_AT_ONCE)
    const { client, db, keyring } = api
    await reportHealth(db, 'postgres', true, null)
    const path = await imageService(api)
    const project = path.split('/')[2] ?? ''
    const database = (await client.post(`/projects/${project}/databases`, { name: 'db', engine: 'postgres' })).body.id
    await makeDatabaseReady(db, database)
    await put(client, `/projects/${project}/shared-variables`, { variables: [{ name: 'S', value: 'then' }] })
    await put(client, `${path}/variables`, {
      variables: [
        { name: 'A', value: 'then' },
        { name: 'S', value: '${{shared.S}}' },
        { name: 'PW', value: '${{db.PGPASSWORD}}' },
      ],
    })
    const first = (await client.post(`${path}/deployments`)).body.id
    await makeReady(db, first, 'sha256:then')

    await put(client, `/projects/${project}/shared-variables`, { variables: [{ name: 'S', value: 'now' }] })
    await put(client, `${path}/variables`, {
      variables: [
        { name: 'A', value: 'now' },
        { name: 'NEW', value: 'now' },
      ],
    })
    await client.patch(path, { healthcheck_path: '/now', slug: 'loja-now' })
    const rotated = { databaseName: `d_${database}`, user: `u_${database}`, password: 'rotated' }
    await db('database')
      .where({ id: database })
      .update({ credentials: keyring.seal(JSON.stringify(rotated), database) })
    const second = (await client.post(`${path}/deployments`)).body.id
    await makeReady(db, second, 'sha256:now')

    const back = await client.post(`${path}/deployments/${first}/rollback`)
    t.equal(back.status, 202)
    t.match(back.body, { trigger: 'rollback', rollback_of: first, source: { type: 'image', ref: IMAGE.ref } })
    const { env } = await environmentOf(api, back.body.id)
    t.same(env, { A: 'then', S: 'then', PW: 'rotated', PORT: '8080' })
    t.match((await findDeploymentPlan(db, back.body.id))?.settings, {
      image: 'sha256:then',
      healthcheckPath: '/',
      slug: 'loja-now',
    })
    await makeReady(db, back.body.id)

    const again = await client.post(`${path}/deployments/${back.body.id}/rollback`, {})
    t.equal(again.status, 202, 'rolling back to the version now serving is allowed')
    t.same((await environmentOf(api, again.body.id)).env, env)
    t.equal((await client.get('/limits')).body.deploys_per_hour.used, 4, 'C-124 rollbacks count')
  },
)

void t.test(
  'C-123 a rollback to a failed deployment is 409, to an unknown one or one of another service 404',
  async t => {
    const { client, db } = await startApi(t, STABLE_AT_ONCE)
    const path = await imageService({ client })
    const failed = (await client.post(`${path}/deployments`)).body.id
    await refuse(db, failed, 'build', 'build_oom')
    const reply = await client.post(`${path}/deployments/${failed}/rollback`)
    t.match({ status: reply.status, error: reply.body.error }, { status: 409, error: 'nothing_to_rollback' })
    t.equal((await client.post(`${path}/deployments/01arz3ndektsv4rrffq69g5fav/rollback`)).status, 404)
    const ready = (await client.post(`${path}/deployments`)).body.id
    await makeReady(db, ready)
    const other = await imageService({ client }, 'outra')
    t.equal((await client.get(`${other}/deployments/${ready}`)).status, 404, 'C-012')
    t.equal((await client.post(`${other}/deployments/${ready}/rollback`)).status, 404)
    t.equal((await client.post(`${path}/deployments/${ready}/rollback`, form('x'))).status, 415, 'C-023')
    await client.post(`${path}/deployments`)
    t.equal((await client.post(`${path}/deployments/${ready}/rollback`)).status, 409, 'one is open')
  },
)

void t.test('C-124 the 31st deployment of an hour is 429 with Retry-After; replays do not count', async t => {
  const { client, db, teamId } = await startApi(t)
  const path = `${await imageService({ client })}/deployments`
  await db.raw('insert into deploy_use (team_id) select ? from generate_series(1, 28)', [teamId])
  await db.raw(`insert into deploy_use (team_id, at) values (?, now() - interval '59 minutes')`, [teamId])
  const last = await client.post(path, {}, { 'idempotency-key': 'the-30th' })
  t.equal(last.status, 202)
  t.equal((await client.post(path, {}, { 'idempotency-key': 'the-30th' })).status, 202, 'a replay')
  await refuse(db, last.body.id, 'build', 'build_oom')
  const refused = await client.post(path)
  t.match({ status: refused.status, error: refused.body.error }, { status: 429, error: 'rate_limited' })
  const wait = Number(refused.headers.get('retry-after'))
  t.ok(wait > 50 && wait <= 60, `waits for the oldest use to leave the window: ${wait}`)
  t.equal((await db('deployment')).length, 1)
  await db.raw(`update deploy_use set at = at - interval '2 minutes' where at < now() - interval '50 minutes'`)
  t.equal((await client.post(path)).status, 202)
})

void t.test('C-147 pages of one visit every deployment once, newest first, while others are made', async t => {
  const { client, db } = await startApi(t)
  const path = `${await imageService({ client })}/deployments`
  const made: string[] = []
  const trigger = async () => {
    const { body } = await client.post(path)
    await refuse(db, body.id, 'build', 'build_oom')
    return body.id as string
  }
  for (let i = 0; i < 3; i++) made.unshift(await trigger())
  const seen: string[] = []
  for (let query = '?limit=1'; ;) {
    const { body } = await client.get(path + query)
    seen.push(...body.items.map((item: { id: string }) => item.id))
    if (!body.has_more) break
    await trigger()
    query = `?limit=1&cursor=${body.next_cursor}`
  }
  t.same(seen, made)
})

void t.test('C-129 statuses of deployments end and stay', async t => {
  const { client, db } = await startApi(t)
  const path = await imageService({ client })
  const { body } = await client.post(`${path}/deployments`)
  await refuse(db, body.id, 'build', 'build_oom')
  t.equal(await statusNow(db, body.id), 'failed')
  await refuse(db, body.id, 'build', 'build_timeout')
  t.match((await client.get(`${path}/deployments/${body.id}`)).body, { status: 'failed', error: { code: 'build_oom' } })
})
