// What only one of many at once may get is decided by constraints and locks, never by having looked before.
// Elsewhere, also with twenty calls: one open deployment a service (C-115), services of a plan (C-054), databases of a
// plan (C-091), one resource for a key (C-144).
import t, { type Test } from 'tap'
import { reportHealth } from '../../db/queries/health.ts'
import { startApi, type Client, type Reply } from '../support/api.ts'
import { settle } from '../support/deployments.ts'

const IMAGE = { type: 'image', ref: 'registry.test/app:1' }
const SMALL = { resources: { memory_mb: 64 } }
const MANY = 24

/** Sends them all at once and answers what came back. */
const atOnce = (send: (i: number) => Promise<Reply>, count = MANY): Promise<Reply[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => send(i)))

/** Exactly `won` have `status`; every other one has `refusal`, `error`. */
function decided(t: Test, replies: Reply[], won: number, status: number, refusal: number, error: string): void {
  const outcome = replies
    .map(reply => (reply.status === status ? 'won' : `${reply.status} ${reply.body?.error}`))
    .sort()
  const lost = Array.from({ length: replies.length - won }, () => `${refusal} ${error}`)
  t.strictSame(outcome, [...lost, ...Array.from({ length: won }, () => 'won')].sort())
}

async function serviceOf(client: Client, project: string, name: string): Promise<void> {
  const reply = await client.post(`/projects/${project}/services`, { name, source: IMAGE, ...SMALL })
  if (reply.status !== 201) throw new Error(reply.text)
}

void t.test('C-043 one name goes to one of many services and databases that ask for it', async t => {
  const { client, db } = await startApi(t)
  await reportHealth(db, 'postgres', true, null)
  const { id } = await client.project('loja')
  const replies = await atOnce(i =>
    i % 2 === 0
      ? client.post(`/projects/${id}/services`, { name: 'disputado', ...SMALL })
      : client.post(`/projects/${id}/databases`, { name: 'disputado', engine: 'postgres' }),
  )
  decided(t, replies, 1, 201, 409, 'name_taken')
  t.equal((await db('component_name').where({ name: 'disputado' })).length, 1)
})

void t.test('many services renamed to one name: one has it, the others keep theirs', async t => {
  const { client, newTeam } = await startApi(t)
  const pro = await newTeam('pro')
  const { id } = await pro.client.project('loja')
  for (let i = 0; i < 21; i++) await serviceOf(pro.client, id, `s${i}`)
  const replies = await atOnce(i => pro.client.patch(`/projects/${id}/services/s${i}`, { name: 'unico' }), 21)
  decided(t, replies, 1, 200, 409, 'name_taken')
  t.equal((await client.get(`/projects/${id}/services/unico`)).status, 404, 'not for another team')
  const { body } = await pro.client.get(`/projects/${id}/services?limit=100`)
  t.equal(body.items.filter((each: { name: string }) => each.name === 'unico').length, 1)
  t.equal(body.items.length, 22)
})

void t.test('C-044 one slug goes to one of many teams', async t => {
  const { newTeam } = await startApi(t)
  const teams = await Promise.all(Array.from({ length: MANY }, () => newTeam()))
  const projects = await Promise.all(teams.map(({ client }, i) => client.project(`time ${i}`)))
  const replies = await atOnce(i =>
    (teams[i] as { client: Client }).client.post(`/projects/${projects[i]?.id}/services`, {
      name: 'site',
      visibility: 'public',
      slug: 'disputado',
    }),
  )
  decided(t, replies, 1, 201, 409, 'slug_taken')
})

void t.test('C-044 of many projects of one name, in many teams, one has the slug', async t => {
  const { newTeam, db } = await startApi(t)
  const teams = await Promise.all(Array.from({ length: MANY }, () => newTeam()))
  const create = (name: (i: number) => string) =>
    atOnce(i => (teams[i] as { client: Client }).client.post('/projects', { name: name(i) }))
  decided(t, await create(() => 'Loja'), 1, 201, 409, 'slug_taken')
  t.strictSame([...new Set((await create(i => `Loja ${i}`)).map(reply => reply.status))], [201])
  t.equal(new Set(await db('project').pluck('network_index')).size, MANY + 1, 'each with a network of its own')
  t.equal(new Set(await db('service').pluck('vip_index')).size, MANY + 1, 'and an address')
})

void t.test('C-042 a team gets as many projects as its plan has, however many it asks for', async t => {
  const { client } = await startApi(t)
  const replies = await atOnce(i => client.post('/projects', { name: `projeto ${i}` }))
  decided(t, replies, 5, 201, 409, 'project_quota_exceeded')
  t.match((await client.get('/limits')).body, { projects: { used: 5 }, services: { used: 5 } })
})

void t.test('C-053 memory is shared out to the last MB, between creations and changes', async t => {
  const { client } = await startApi(t)
  const { id } = await client.project('loja')
  const services = `/projects/${id}/services`
  const names = ['a', 'b', 'c', 'd', 'e']
  for (const name of names) await serviceOf(client, id, name)
  // 512 + 5 × 64 of 4096 are used: three more times 1024 fit, whoever comes first, a new service or a change of an old one.
  const replies = await atOnce(i =>
    i < names.length
      ? client.patch(`${services}/${names[i]}`, { resources: { memory_mb: 64 + 1024 } })
      : client.post(services, { name: `n${i}`, resources: { memory_mb: 1024 } }),
  )
  const won = replies.filter(reply => reply.status === 200 || reply.status === 201)
  t.equal(won.length, 3)
  t.strictSame(
    [...new Set(replies.filter(reply => !won.includes(reply)).map(reply => `${reply.status} ${reply.body?.error}`))],
    ['422 quota_exceeded'],
  )
  const { body } = await client.get(`${services}?limit=100`)
  const sum = body.items.reduce(
    (total: number, each: { resources: { memory_mb: number } }) => total + each.resources.memory_mb,
    0,
  )
  t.equal(sum, 512 + 5 * 64 + 3 * 1024)
  t.match((await client.get('/limits')).body.memory_mb, { used: sum, max: 4096 })
})

void t.test('C-053 twenty ask for the memory that is left for one', async t => {
  const { client } = await startApi(t)
  const { id } = await client.project('loja')
  const replies = await atOnce(i =>
    client.post(`/projects/${id}/services`, { name: `s${i}`, resources: { memory_mb: 2048 } }),
  )
  decided(t, replies, 1, 201, 422, 'quota_exceeded')
})

void t.test('D-57 of many triggers over many services, as many go through as deploys are left', async t => {
  const env = { CAIS_LIMITS: JSON.stringify({ plans: { pro: { deploysPerHour: 7 } } }) }
  const { newTeam, db } = await startApi(t, { env })
  const { client, teamId } = await newTeam('pro')
  const { id } = await client.project('loja')
  for (let i = 0; i < 21; i++) await serviceOf(client, id, `s${i}`)
  const replies = await atOnce(i => client.post(`/projects/${id}/services/s${i}/deployments`), 21)
  decided(t, replies, 7, 202, 429, 'rate_limited')
  for (const reply of replies.filter(each => each.status === 429)) t.ok(Number(reply.headers.get('retry-after')) >= 1)
  t.equal((await db('deploy_use').where({ team_id: teamId })).length, 7)
  t.equal((await db('deployment')).length, 7)
})

void t.test('D-57 groups take all their deploys or none: no part of a group is ever left over', async t => {
  const env = { CAIS_LIMITS: JSON.stringify({ plans: { pro: { deploysPerHour: 20 } } }) }
  const { newTeam, db } = await startApi(t, { env })
  const { client, teamId } = await newTeam('pro')
  const projects: string[] = []
  for (let p = 0; p < 10; p++) {
    const { id } = await client.project(`p${p}`)
    await client.patch(`/projects/${id}/services/web`, { source: IMAGE, ...SMALL })
    for (const name of ['a', 'b']) await serviceOf(client, id, name)
    projects.push(id)
  }
  // Three deploys each: six groups fit into twenty.
  const replies = await atOnce(i => client.post(`/projects/${projects[i % 10]}/deploy`), 20)
  decided(t, replies, 6, 202, 429, 'rate_limited')
  t.equal((await db('deploy_use').where({ team_id: teamId })).length, 18)
  t.equal((await db('deployment')).length, 18)
  t.equal((await db('deployment_group')).length, 6)
})

void t.test(
  'C-133 of many groups of one project at once exactly one runs, with one open deployment a service',
  async t => {
    const { newTeam, db } = await startApi(t)
    const { client } = await newTeam('business')
    const { id } = await client.project('loja')
    await client.patch(`/projects/${id}/services/web`, { source: IMAGE, ...SMALL })
    await serviceOf(client, id, 'a')
    const replies = await atOnce(() => client.post(`/projects/${id}/deploy`), 20)
    t.strictSame([...new Set(replies.map(reply => reply.status))], [202])
    await settle(db)
    const states = await db('actor').where({ kind: 'group' }).pluck('state')
    t.equal(states.filter((state: string) => state.startsWith('running')).length, 1)
    t.equal(states.filter((state: string) => state.startsWith('superseded')).length, 19)
    t.equal((await db('actor').where({ kind: 'deployment', status: 'active' })).length, 2)
  },
)

void t.test('C-115 groups and single deployments at once: never two open deployments of one service', async t => {
  const { newTeam, db } = await startApi(t)
  const { client } = await newTeam('business')
  const { id } = await client.project('loja')
  await client.patch(`/projects/${id}/services/web`, { source: IMAGE, ...SMALL })
  const replies = await atOnce(i =>
    i % 2 === 0
      ? client.post(`/projects/${id}/services/web/deployments`)
      : client.post(`/projects/${id}/deploy`, { services: ['web'] }),
  )
  for (const reply of replies.filter(each => each.status !== 202)) {
    t.match(reply, { status: 409, body: { error: 'deploy_in_progress' } })
  }
  await settle(db)
  const open = await db('actor').where({ kind: 'deployment', status: 'active' })
  t.equal(open.length, 1)
})
