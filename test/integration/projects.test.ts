import t from 'tap'
import { isId } from '../../src/domain/ids.ts'
import { startApi } from '../support/api.ts'

t.test('a new project has exactly one service, web, public, with the slug of the project (C-040)', async t => {
  const { client } = await startApi(t)
  const created = await client.post('/projects', { name: '  Minha  Loja é Ótima! ' })
  t.equal(created.status, 201)
  t.ok(isId(created.body.id))
  t.equal(created.headers.get('location'), `/v1/projects/${created.body.id}`)
  t.match(created.body, { name: 'Minha  Loja é Ótima!', slug: 'minha-loja-e-otima' })
  t.match(created.body.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const services = await client.get(`/projects/${created.body.id}/services`)
  t.equal(services.body.items.length, 1)
  t.strictSame([services.body.next_cursor, services.body.has_more], [null, false])
  t.match(services.body.items[0], {
    name: 'web',
    kind: 'app',
    visibility: 'public',
    slug: 'minha-loja-e-otima',
    public_url: 'https://minha-loja-e-otima.apps.test',
    port: 8080,
    source: null,
    build: { builder: 'auto', user: null },
    healthcheck_path: '/',
    resources: { memory_mb: 512, cpus: 0.5 },
    auto_deploy: false,
    status: 'idle',
    needs_redeploy: false,
    depends_on: [],
    active_deployment_id: null,
  })
  t.strictSame((await client.get(`/projects/${created.body.id}`)).body, created.body)
})

t.test('a slug is taken once on the whole platform, and reserved words always are (C-041, D-31)', async t => {
  const { client, newTeam } = await startApi(t)
  await client.project('Loja Nova')
  for (const name of ['Loja Nova', 'lôja---nova', 'api', 'WWW']) {
    const refused = await client.post('/projects', { name })
    t.match(refused, { status: 409, body: { error: 'slug_taken', message: /^O endereço ".+" já está em uso/ } }, name)
  }
  const other = await newTeam()
  t.match(await other.client.post('/projects', { name: 'loja nova' }), { status: 409, body: { error: 'slug_taken' } })
  t.equal((await client.get('/projects')).body.items.length, 1)
})

t.test('names that yield no slug or hold control characters are refused', async t => {
  const { client } = await startApi(t)
  for (const name of ['', '   ', '!!!', 'a\nb', 'a\u0000', 'x'.repeat(65), 7, null, ['a']]) {
    t.match(
      await client.post('/projects', { name }),
      { status: 400, body: { error: 'invalid_request' } },
      JSON.stringify(name),
    )
  }
})

t.test('the sixth project of a hobby team is one too many, also when ten are asked for at once (C-042)', async t => {
  const { client } = await startApi(t)
  const names = Array.from({ length: 10 }, (_, i) => `projeto ${i}`)
  const replies = await Promise.all(names.map(name => client.post('/projects', { name })))
  t.equal(replies.filter(reply => reply.status === 201).length, 5)
  const refused = replies.find(reply => reply.status !== 201)
  t.match(refused, { status: 409, body: { error: 'project_quota_exceeded', message: /limite de 5 projetos/ } })
  t.match((await client.get('/limits')).body, { projects: { used: 5, max: 5 }, services: { used: 5, max: 10 } })
})

t.test('every project has a network number and every service an address number of its own', async t => {
  const { client, db } = await startApi(t)
  await Promise.all(['um', 'dois', 'tres', 'quatro'].map(name => client.project(name)))
  const { rows: networks } = await db.raw('select network_index as n from project order by 1')
  const { rows: addresses } = await db.raw('select vip_index as n from service order by 1')
  t.strictSame(
    networks.map((row: { n: number }) => row.n),
    [0, 1, 2, 3],
  )
  t.strictSame(
    addresses.map((row: { n: number }) => row.n),
    [0, 1, 2, 3],
  )
})

t.test('a restricted token sees only its projects and creates none (C-006, C-007)', async t => {
  const { client, newClient } = await startApi(t)
  const mine = await client.project('meu')
  const other = await client.project('outro')
  const restricted = await newClient({ projectIds: [mine.id] })
  t.strictSame(
    (await restricted.get('/projects')).body.items.map((p: { id: string }) => p.id),
    [mine.id],
  )
  t.equal((await restricted.get(`/projects/${other.id}`)).status, 404)
  t.equal((await restricted.patch(`/projects/${other.id}`, { name: 'x' })).status, 404)
  t.match(await restricted.post('/projects', { name: 'novo' }), { status: 403, body: { error: 'forbidden' } })
  t.match(await restricted.post('/projects', 'not json'), { status: 403 }, 'before the body is looked at (C-010)')
})

t.test('renaming a project keeps its slug', async t => {
  const { client } = await startApi(t)
  const { id } = await client.project('antes')
  const renamed = await client.patch(`/projects/${id}`, { name: 'Depois' })
  t.match(renamed, { status: 200, body: { name: 'Depois', slug: 'antes' } })
  t.strictSame((await client.patch(`/projects/${id}`, {})).body, renamed.body)
  t.equal((await client.patch(`/projects/${id}`, { slug: 'x' })).status, 400)
})

t.test('pages of one visit every project once while others are created (C-147)', async t => {
  const { newTeam } = await startApi(t)
  const { client } = await newTeam('pro')
  const created = []
  for (const name of ['um', 'dois', 'tres']) created.push((await client.project(name)).id)
  const seen = []
  let cursor = ''
  for (;;) {
    const page = await client.get(`/projects?limit=1${cursor && `&cursor=${cursor}`}`)
    t.equal(page.body.items.length, 1)
    seen.push(page.body.items[0].id)
    if (seen.length === 1) created.push((await client.project('quatro')).id)
    if (!page.body.has_more) break
    cursor = page.body.next_cursor
  }
  t.strictSame(seen, created)
  const tampered = cursor.slice(0, -2) + (cursor.endsWith('AA') ? 'BB' : 'AA')
  for (const query of [
    `cursor=${tampered}`,
    'cursor=',
    'limit=0',
    'limit=101',
    'limit=1.5',
    'limit=x',
    'limit=1&limit=2',
  ]) {
    t.match(await client.get(`/projects?${query}`), { status: 400, body: { error: 'invalid_request' } }, query)
  }
  t.equal(
    (await client.get(`/projects/${created[0]}/services?cursor=${cursor}`)).status,
    400,
    'a cursor of another list',
  )
})
