// The operator's own figures, from CAIS_LIMITS to the answers of the API (decisions 6).
import t from 'tap'
import { readConfig } from '../../src/config.ts'
import { requestQuotas } from '../../src/http/rate-limit.ts'
import { Client, startApi } from '../support/api.ts'
import { stopClock } from '../support/clock.ts'

const CAIS_LIMITS = JSON.stringify({
  plans: { hobby: { projects: 2, cpusPerService: 1, databaseQuotaMb: 100 }, pro: { services: 3, deploysPerHour: 1 } },
  requests: { windowSeconds: 1, perToken: 7, perAddress: 12, failedAuthenticationsPerAddress: 2 },
})

void t.test('plans have the figures of the installation', async t => {
  const api = await startApi(t, { env: { CAIS_LIMITS } })
  t.match((await api.client.get('/limits')).body, { projects: { max: 2 }, services: { max: 10 } })
  await api.client.project('um')
  const { id } = await api.client.project('dois')
  const third = await api.client.post('/projects', { name: 'três' })
  t.match(third, { status: 409, body: { error: 'project_quota_exceeded', message: /2/ } })
  const web = `/projects/${id}/services/web`
  const strong = await api.client.patch(web, { resources: { cpus: 1.5 } })
  t.match(strong, { status: 422, body: { error: 'quota_exceeded', details: { max: 1 } } })

  const pro = await api.newTeam('pro')
  const project = await pro.client.project('loja')
  const services = `/projects/${project.id}/services`
  const replies = [await pro.client.post(services, { name: 'a' }), await pro.client.post(services, { name: 'b' })]
  t.strictSame(
    replies.map(reply => reply.status),
    [201, 201],
  )
  t.match(await pro.client.post(services, { name: 'c' }), { status: 422, body: { details: { max: 3 } } })
  const source = { source: { type: 'image', ref: 'registry.test/app:1' } }
  for (const name of ['a', 'b']) t.equal((await pro.client.patch(`${services}/${name}`, source)).status, 200)
  const deployed = await pro.client.post(`${services}/a/deployments`)
  t.equal(deployed.status, 202, deployed.text)
  t.match(deployed.headers.get('ratelimit-policy'), '"deploys";q=1;w=3600')
  t.match(await pro.client.post(`${services}/b/deployments`), { status: 429, body: { error: 'rate_limited' } })
})

void t.test('C-148 a burst above the quota: 429 with Retry-After and RateLimit; after that wait: 200', async t => {
  const quotas = requestQuotas(readConfig({ CAIS_LIMITS }).limits.requests)
  const { client, newClient, url } = await startApi(t, { quotas })
  const clock = stopClock(t)
  const burst = await Promise.all(Array.from({ length: 20 }, () => client.get('/me')))
  t.equal(burst.filter(reply => reply.status === 200).length, 7)
  const refused = burst.filter(reply => reply.status === 429)
  t.equal(refused.length, 13)
  for (const reply of refused) {
    t.equal(reply.body.error, 'rate_limited')
    t.equal(reply.headers.get('ratelimit-policy'), '"token";q=7;w=1')
    t.equal(reply.headers.get('ratelimit'), '"token";r=0;t=1')
  }
  const wait = Number(refused.at(-1)?.headers.get('retry-after'))
  t.equal(wait, 1)
  clock.pass(wait * 1000)
  t.equal((await client.get('/me')).status, 200)

  const other = await newClient()
  const both = await Promise.all([...Array(10).keys()].map(i => (i % 2 ? client : other).get('/me')))
  const third = await Promise.all(Array.from({ length: 7 }, async () => (await newClient()).get('/me')))
  t.ok(
    [...both, ...third].some(reply => reply.status === 429),
    'one address has a quota over all its tokens',
  )
  const strangers = await Promise.all([1, 2, 3].map(() => new Client(`${url}/v1`, 'x').get('/me')))
  t.strictSame(strangers.map(reply => reply.status).sort(), [401, 401, 429])
  t.ok(Number(strangers.find(reply => reply.status === 429)?.headers.get('retry-after')) >= 1)
})
