import t from 'tap'
import type { Knex } from 'knex'
import { newId } from '../../src/domain/ids.ts'
import { startApi, type Api } from '../support/api.ts'

async function startWithProject(t: Parameters<typeof startApi>[0]) {
  const api = await startApi(t)
  const project = await api.client.project('loja')
  return { ...api, project, services: `/projects/${project.id}/services` }
}

/** A deployment that was triggered at the present revision of its service and is in this state. */
async function recordDeployment(db: Knex, serviceId: string, state: string): Promise<string> {
  const id = newId()
  await db.raw(
    `insert into deployment (id, project_id, service_id, team_id, trigger, source, service_revision, settings, environment)
     select :id, project_id, id, team_id, 'api', '{}', revision, '{}', '' from service where id = :serviceId`,
    { id, serviceId },
  )
  await db.raw(
    `insert into actor (id, kind, version, status, state, snapshot, revision)
     values (:id, 'deployment', 1, 'done', :state, '{"context":{}}', 0)`,
    { id, state },
  )
  return id
}

async function needsRedeploy(api: Api, path: string): Promise<boolean> {
  return (await api.client.get(path)).body.needs_redeploy
}

t.test('a service is created with its defaults, private and without a URL (C-045, C-057)', async t => {
  const { client, services, project } = await startWithProject(t)
  const created = await client.post(services, { name: 'api', kind: 'app' })
  t.equal(created.status, 201)
  t.equal(created.headers.get('location'), `/v1${services}/${created.body.id}`)
  t.match(created.body, { project_id: project.id, visibility: 'private', slug: null, status: 'idle' })
  t.match(created.body.resources, { memory_mb: 512, cpus: 0.5 })
  t.notOk('public_url' in created.body)
  t.strictSame((await client.get(`${services}/api`)).body, created.body)
  t.strictSame((await client.get(`${services}/${created.body.id}`)).body, created.body)
  t.match((await client.get('/limits')).body, { services: { used: 2 }, memory_mb: { used: 1024, max: 4096 } })
})

t.test('names follow their pattern and are used once per project (C-043, C-044)', async t => {
  const { client, services } = await startWithProject(t)
  for (const name of ['A', '1a', 'a_b', '-a', 'a'.repeat(32), '', 'a\n']) {
    const reply = await client.post(services, { name })
    t.match(reply, { status: 400, body: { error: 'invalid_request', message: /^O nome ".*" não é válido/ } })
  }
  t.equal((await client.post(services, { name: 'a'.repeat(31) })).status, 201)
  const taken = await client.post(services, { name: 'web' })
  t.match(taken, { status: 409, body: { error: 'name_taken', message: /chamado "web" neste projeto/ } })
})

t.test('a slug belongs to public services, once on the platform (C-045, C-046)', async t => {
  const { client, services, newTeam } = await startWithProject(t)
  const refusals: [object, RegExp][] = [
    [{ name: 'a', visibility: 'public' }, /precisa de um "slug"/],
    [{ name: 'a', slug: 'a' }, /não pode ter "slug"/],
    [{ name: 'a', visibility: 'private', slug: 'a' }, /não pode ter "slug"/],
    [{ name: 'a', visibility: 'public', slug: 'a--b' }, /"slug" deve ser/],
    [{ name: 'a', visibility: 'public', slug: 'A' }, /"slug" deve ser/],
  ]
  for (const [body, message] of refusals) {
    t.match(await client.post(services, body), { status: 400, body: { message } }, JSON.stringify(body))
  }
  const other = await newTeam()
  const { id } = await other.client.project('outra')
  for (const slug of ['loja', 'admin']) {
    const reply = await other.client.post(`/projects/${id}/services`, { name: 'a', visibility: 'public', slug })
    t.match(reply, { status: 409, body: { error: 'slug_taken', message: new RegExp(`"${slug}"`) } })
  }
})

t.test('PATCH by name and by id is the same, and visibility moves with its slug (C-047, C-048, C-059)', async t => {
  const { client, services } = await startWithProject(t)
  const web = (await client.get(`${services}/web`)).body
  const byName = await client.patch(`${services}/web`, { start_command: 'node .' })
  t.match(byName, { status: 200, body: { id: web.id, start_command: 'node .' } })
  const byId = await client.patch(`${services}/${web.id}`, { start_command: null })
  t.match(byId, { status: 200, body: { id: web.id, start_command: null } })
  const hidden = await client.patch(`${services}/web`, { visibility: 'private' })
  t.match(hidden, { status: 200, body: { visibility: 'private', slug: null } })
  t.notOk('public_url' in hidden.body)
  t.match(await client.patch(`${services}/web`, { slug: 'x' }), { status: 400, body: { message: /privado/ } })
  t.match(await client.patch(`${services}/web`, { visibility: 'public' }), { status: 400, body: { message: /slug/ } })
  const shown = await client.patch(`${services}/web`, { visibility: 'public', slug: 'vitrine' })
  t.match(shown, { status: 200, body: { public_url: 'https://vitrine.apps.test' } })
  t.equal((await client.patch(`${services}/web`, { slug: null })).status, 400)
  const { body: other } = await client.post(services, { name: 'b', visibility: 'public', slug: 'loja' })
  t.equal(other.slug, 'loja', 'the slug that web left is free')
})

t.test('PATCH merges one level, null brings defaults back, {} changes nothing (C-049, D-36)', async t => {
  const { client, services } = await startWithProject(t)
  const path = `${services}/web`
  const before = (await client.get(path)).body
  t.strictSame((await client.patch(path, {})).body, before)
  await client.patch(path, { resources: { memory_mb: 1024 }, build: { builder: 'node', user: '1000' }, port: 3000 })
  const after = await client.patch(path, { resources: { cpus: 0.75 }, build: { user: null } })
  t.match(after.body, {
    resources: { memory_mb: 1024, cpus: 0.75 },
    build: { builder: 'node', user: null },
    port: 3000,
  })
  const reset = await client.patch(path, { resources: null, build: null, port: null })
  t.match(reset.body, { resources: { memory_mb: 512, cpus: 0.5 }, build: { builder: 'auto', user: null }, port: 8080 })
  t.equal((await client.patch(path, { visibility: null })).status, 400)
  t.equal((await client.patch(path, { name: null })).status, 400)
})

t.test('every field keeps to its rule (C-050, C-051, C-052, C-055, C-058, C-127)', async t => {
  const { client, services } = await startWithProject(t)
  const path = `${services}/web`
  const good: object[] = [
    { start_command: 'x'.repeat(1024), build_command: '✓'.repeat(1024) },
    { build: { user: '1000' } },
    { build: { user: '1000:1000' } },
    { port: 1 },
    { healthcheck_path: '/healthz?deep=1' },
    { source: { type: 'image', ref: 'nginx:1.27' } },
    { source: { ref: `ghcr.io/team/app:v1@sha256:${'0'.repeat(64)}` } },
    { source: { type: 'upload' } },
    { source: null },
    { resources: { cpus: 0.1, memory_mb: 64 } },
  ]
  for (const body of good) t.equal((await client.patch(path, body)).status, 200, JSON.stringify(body).slice(0, 60))
  const bad: object[] = [
    { start_command: 'x'.repeat(1025) },
    { build_command: 'x'.repeat(1025) },
    { start_command: 'a\0b' },
    ...['0', 'root', '0:0', '00', '-1', '', '1000:', '1000:root'].map(user => ({ build: { user } })),
    ...['npm', '', 1].map(builder => ({ build: { builder } })),
    ...[0, 65536, '80', 80.5, true].map(port => ({ port })),
    ...['', 'health', '//x', '/a#b', '/a b', `/${'a'.repeat(256)}`].map(healthcheck_path => ({ healthcheck_path })),
    ...['', 'a b', '-x', 'UPPER'].map(ref => ({ source: { type: 'image', ref } })),
    { source: { type: 'image' } },
    { source: { type: 'upload', ref: 'nginx' } },
    { source: { type: 'ftp' } },
    { source: { ref: 'nginx' } },
    { source: { type: 'git' } },
    { source: { type: 'git', installation_id: 'nobody' } },
    { source: { type: 'git', installation_id: 'nobody', root_dir: '../up' } },
    { source: { type: 'git', installation_id: 'x', watch_paths: Array(51).fill('a') } },
    { auto_deploy: true },
    ...[63, 0, 512.5, '512'].map(memory_mb => ({ resources: { memory_mb } })),
    ...[0.05, 0.12, 0, -1, '1'].map(cpus => ({ resources: { cpus } })),
  ]
  const kept = (await client.get(path)).body
  for (const body of bad) {
    const reply = await client.patch(path, body)
    t.match(
      reply,
      { status: 400, body: { error: 'invalid_request', message: String } },
      JSON.stringify(body).slice(0, 60),
    )
  }
  t.strictSame((await client.get(path)).body, kept)
  for (const kind of ['worker', 'cron', 'database']) {
    t.equal((await client.post(services, { name: 'x', kind })).status, 400, kind)
  }
})

t.test('hostile text is stored as it is or refused, and breaks nothing (C-033)', async t => {
  const { client, services } = await startWithProject(t)
  const hostile = [
    "'; drop table service; --",
    '$(reboot) `id`',
    '{{7*7}} ${7*7}',
    'a\r\nX-Evil: 1',
    '\u202e\u2028',
    '%s%n',
  ]
  for (const text of hostile) {
    const reply = await client.patch(`${services}/web`, { start_command: text, build_command: text })
    t.match(reply, { status: 200, body: { start_command: text, build_command: text } })
    for (const body of [
      { name: text },
      { slug: text },
      { healthcheck_path: text },
      { source: { type: 'image', ref: text } },
    ]) {
      t.equal((await client.patch(`${services}/web`, body)).status, 400)
    }
    t.equal((await client.get(`${services}/${encodeURIComponent(text)}`)).status, 404)
  }
})

t.test('a plan holds ten services and 4096 MB, also when many ask at once (C-053, C-054, T-21)', async t => {
  const { client, services } = await startWithProject(t)
  const small = { resources: { memory_mb: 64 } }
  for (let i = 2; i <= 9; i++) t.equal((await client.post(services, { name: `s${i}`, ...small })).status, 201)
  const tooMuch = await client.patch(`${services}/s2`, { resources: { memory_mb: 4096 } })
  t.match(tooMuch, {
    status: 422,
    body: { error: 'quota_exceeded', message: /memória em MB/, details: { resource: 'memory_mb' } },
  })
  t.match(await client.patch(`${services}/s2`, { resources: { cpus: 2.05 } }), {
    status: 422,
    body: { error: 'quota_exceeded' },
  })
  const racing = Array.from({ length: 20 }, (_, i) => client.post(services, { name: `r${i}`, ...small }))
  const statuses = (await Promise.all(racing)).map(reply => reply.status)
  t.equal(statuses.filter(status => status === 201).length, 1)
  t.equal(statuses.filter(status => status === 422).length, 19)
  const eleventh = await client.post(services, { name: 'onze', ...small })
  t.match(eleventh, {
    status: 422,
    body: { error: 'quota_exceeded', message: 'O limite do plano foi atingido: serviços (10 de 10).' },
  })
  t.match((await client.get('/limits')).body, { services: { used: 10 }, memory_mb: { used: 512 + 9 * 64 } })
})

t.test('the ninth service with default memory is one too many (C-053, T-21)', async t => {
  const { client, services } = await startWithProject(t)
  for (let i = 2; i <= 8; i++) t.equal((await client.post(services, { name: `s${i}` })).status, 201)
  t.match(await client.post(services, { name: 's9' }), { status: 422, body: { error: 'quota_exceeded' } })
})

t.test('a service is found within its project only (C-004, C-012)', async t => {
  const { client, services, newTeam } = await startWithProject(t)
  const elsewhere = await client.project('outra')
  const { id } = (await client.get(`${services}/web`)).body
  const unknown = await client.get(`${services}/${newId()}`)
  t.equal(unknown.status, 404)
  const stranger = await newTeam()
  for (const reply of [
    await client.get(`/projects/${elsewhere.id}/services/${id}`),
    await stranger.client.get(`${services}/${id}`),
    await stranger.client.patch(`${services}/${id}`, 'not json'),
    await client.get(`${services}/${id.toUpperCase()}`),
  ]) {
    t.strictSame([reply.status, reply.text], [404, unknown.text])
  }
})

t.test('a change asks for a redeploy until one is ready, and only of what was deployed (C-076, D-59)', async t => {
  const api = await startWithProject(t)
  const { client, db, services } = api
  const path = `${services}/web`
  const { id } = (await client.get(path)).body
  await client.patch(path, { port: 3000 })
  t.equal(await needsRedeploy(api, path), false, 'never deployed')
  await recordDeployment(db, id, 'failed')
  t.equal(await needsRedeploy(api, path), false, 'nothing has changed since the last trigger')
  await client.patch(path, { port: 3001 })
  t.equal(await needsRedeploy(api, path), true)
  await client.patch(path, { port: 3001 })
  await recordDeployment(db, id, 'ready')
  t.equal(await needsRedeploy(api, path), false)
  await client.patch(path, { start_command: 'node .' })
  await recordDeployment(db, id, 'failed')
  t.equal(await needsRedeploy(api, path), true, 'a failed deployment does not clear it')
  await recordDeployment(db, id, 'ready')
  t.equal(await needsRedeploy(api, path), false)
})

t.test('renaming a service or moving its port marks whoever refers to it (D-37, D-59)', async t => {
  const api = await startWithProject(t)
  const { client, db, services, project } = api
  const paths: Record<string, string> = {}
  for (const name of ['api', 'direct', 'through', 'stranger']) {
    const { id } = (await client.post(services, { name, resources: { memory_mb: 64 } })).body
    paths[name] = `${services}/${id}`
  }
  await client.put(`${paths.direct}/variables/API`, { value: '${{api.PRIVATE_URL}}/v1' })
  await client.put(`/projects/${project.id}/shared-variables`, { variables: [{ name: 'API', value: '${{api.PORT}}' }] })
  await client.put(`${paths.through}/variables/API`, { value: '${{shared.API}}' })
  await client.put(`${paths.stranger}/variables/API`, { value: '$${{api.PORT}}' })
  for (const path of Object.values(paths)) await recordDeployment(db, path.split('/').at(-1) ?? '', 'ready')
  const marked = async () => {
    const states = Object.entries(paths).map(async ([name, path]) => ((await needsRedeploy(api, path)) ? name : ''))
    return (await Promise.all(states)).filter(name => name !== '')
  }
  t.strictSame(await marked(), [])
  await client.patch(paths.api ?? '', { healthcheck_path: '/ok' })
  t.strictSame(await marked(), ['api'])
  await client.patch(paths.api ?? '', { port: 9000 })
  t.strictSame(await marked(), ['api', 'direct', 'through'])
  for (const path of Object.values(paths)) await recordDeployment(db, path.split('/').at(-1) ?? '', 'ready')
  t.match(await client.patch(paths.api ?? '', { name: 'backend' }), { status: 200, body: { name: 'backend' } })
  t.strictSame(await marked(), ['api', 'direct', 'through'])
  t.equal((await client.get(`${services}/api`)).status, 404)
  t.match(await client.patch(paths.api ?? '', { name: 'web' }), { status: 409, body: { error: 'name_taken' } })
})

t.test('a team beyond its plan may make things smaller, and nothing larger (D-35)', async t => {
  const { db, newTeam } = await startApi(t)
  const { client, teamId } = await newTeam('pro')
  const services = `/projects/${(await client.project('loja')).id}/services`
  const web = `${services}/web`
  const large = { memory_mb: 8192, cpus: 4 }
  t.equal((await client.patch(web, { resources: large })).status, 200)
  t.equal((await client.put(`${web}/volume`, { mount_path: '/app/a', size_gb: 50 })).status, 201)
  await db('team').where({ id: teamId }).update({ plan: 'hobby' })
  for (const resources of [{ memory_mb: 6000 }, { cpus: 3 }, { memory_mb: 5000, cpus: 2.5 }]) {
    t.match(await client.patch(web, { resources }), { status: 200, body: { resources } })
  }
  for (const resources of [{ memory_mb: 5001 }, { cpus: 2.55 }]) {
    const refused = await client.patch(web, { resources })
    t.match(refused, { status: 422, body: { error: 'quota_exceeded' } }, JSON.stringify(resources))
  }
  t.equal((await client.put(`${web}/volume`, { mount_path: '/app/b', size_gb: 50 })).status, 200)
  t.equal((await client.post(services, { name: 'api' })).status, 422)
})
