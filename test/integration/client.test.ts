// The client of the repository against the real API, and its patience against an API that has to be waited for.
import t from 'tap'
import { ApiError, CaisClient, type Clock } from '../../src/client/index.ts'
import { startApi } from '../support/api.ts'
import { makeDatabaseReady, makeReady, tarGz } from '../support/deployments.ts'
import { reportHealth } from '../../db/queries/health.ts'

/** Time that passes only by sleeping; `during` happens in each sleep. */
function stoppedClock(during: (slept: number) => Promise<void> | void = () => {}): Clock & { slept: number[] } {
  const slept: number[] = []
  const sleep = async (ms: number) => {
    slept.push(ms)
    await during(slept.length)
  }
  return { slept, sleep, now: () => slept.reduce((sum, ms) => sum + ms, 0) }
}

t.test('typed calls, pages as they are asked for, and errors with what the API said', async t => {
  const { url, client: raw } = await startApi(t)
  const client = new CaisClient({ url, token: raw.token })
  const project = await client.post('/v1/projects', { body: { name: 'Loja' } })
  const path = { project: project.id }
  for (const name of ['api', 'worker']) await client.post('/v1/projects/{project}/services', { path, body: { name } })
  const names: string[] = []
  for await (const service of client.pages('/v1/projects/{project}/services', { path, query: { limit: 1 } })) {
    names.push(service.name)
  }
  t.strictSame(names, ['web', 'api', 'worker'])
  const body = { variables: [{ name: 'A', value: '1' }] }
  t.strictSame(await client.put('/v1/projects/{project}/shared-variables', { path, body }), { updated: 1 })
  const at = { ...path, name: 'A' }
  t.equal(await client.delete('/v1/projects/{project}/shared-variables/{name}', { path: at }), null)
  const refused = await client.post('/v1/projects', { body: { name: 'loja' } }).catch((error: unknown) => error)
  t.ok(refused instanceof ApiError)
  t.match(refused, { status: 409, code: 'slug_taken', message: /já está em uso/, requestId: /^[0-9a-z]{26}$/ })
  const invalid = await client.post('/v1/projects', { body: {} as { name: string } }).catch((error: unknown) => error)
  t.match(invalid, { code: 'invalid_request', details: { fields: [{ field: 'name', problem: 'required' }] } })
})

t.test('429, 503 and broken connections are tried again, with one and the same key', async t => {
  const keys: (string | null)[] = []
  const refusal = (status: number, error: string, headers: Record<string, string>) =>
    new Response(JSON.stringify({ error, message: 'x' }), { status, headers })
  const answers = [
    () => refusal(429, 'rate_limited', { 'retry-after': '7' }),
    () => Promise.reject(new TypeError('fetch failed')),
    () => refusal(503, 'unavailable', { 'retry-after': '5' }),
    () => refusal(409, 'idempotency_in_progress', { 'retry-after': '1' }),
    () => new Response(JSON.stringify({ id: 'x' }), { status: 201 }),
    () => refusal(429, 'rate_limited', { 'retry-after': '3600' }),
  ]
  const clock = stoppedClock()
  const client = new CaisClient({
    url: 'http://cais.test',
    token: 'x',
    clock,
    fetch: async (_, init) => {
      keys.push(new Headers(init?.headers).get('idempotency-key'))
      return (await answers.shift()?.()) ?? Response.error()
    },
  })
  t.match(await client.post('/v1/projects', { body: { name: 'loja' } }), { id: 'x' })
  t.strictSame(clock.slept, [7000, 500, 5000, 1000])
  t.equal(new Set(keys).size, 1)
  t.match(keys[0], /^[A-Za-z0-9._:-]{8,128}$/)
  const hopeless = client.post('/v1/projects', { body: { name: 'loja' } }).catch((error: unknown) => error)
  t.match(await hopeless, { status: 429, retryAfterSeconds: 3600 }, 'an hour is not waited for')
  t.equal(new Set(keys).size, 2, 'another call has another key')
})

t.test('waiting polls after 2 s, then twice as long up to 30 s, until the end', async t => {
  const { url, client: raw, db } = await startApi(t, { env: { CAIS_STABILITY_MS: '0' } })
  await reportHealth(db, 'postgres', true, null)
  const { id: project } = await new CaisClient({ url, token: raw.token }).post('/v1/projects', {
    body: { name: 'Loja' },
  })
  let finish: () => Promise<void> = async () => {}
  const clock = stoppedClock(slept => (slept === 6 ? finish() : undefined))
  const client = new CaisClient({ url, token: raw.token, clock })
  const { id } = await client.upload({ project, service: 'web' }, await tarGz({ 'index.html': 'oi' }))
  finish = () => makeReady(db, id)
  const seen: string[] = []
  const at = { project, service: 'web', deployment: id }
  const ended = await client.waitForDeployment(at, { onChange: one => seen.push(one.status) })
  t.equal(ended.status, 'ready')
  t.strictSame(clock.slept, [2000, 4000, 8000, 16000, 30000, 30000])
  t.strictSame(seen, ['queued', 'ready'], 'a 304 is no change')

  clock.slept.length = 0
  const database = await client.post('/v1/projects/{project}/databases', {
    path: { project },
    body: { name: 'db', engine: 'postgres' },
  })
  finish = () => makeDatabaseReady(db, database.id)
  const wait = { firstWaitMs: 100 }
  t.equal((await client.waitForDatabase({ project, database: database.id }, wait)).status, 'ready')
  t.strictSame(clock.slept, [100, 200, 400, 800, 1600, 3200])

  clock.slept.length = 0
  finish = async () => {}
  const group = await client.post('/v1/projects/{project}/deploy', { path: { project } })
  await t.rejects(client.waitForGroup({ project, group: group.id }, { timeoutMs: 90_000 }), /not ended after 90 s/)
  t.equal(clock.now(), 90_000)
})
