// The client of the repository against the real API, and its patience against an API that has to be waited for.
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { ApiError, CaisClient, EndedBadly, type Clock, type Group } from '../../src/client/index.ts'
import { startApi } from '../support/api.ts'
import { makeDatabaseReady, makeReady, refuse, tarGz } from '../support/deployments.ts'
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

t.test('Retry-After may be a date, and 503 without one is tried again with growing waits', async t => {
  const clock = { ...stoppedClock(), now: () => Date.parse('2030-01-31T12:00:00Z') }
  const refusal = (headers: Record<string, string>) => new Response('<html>', { status: 503, headers })
  const answers = [
    refusal({ 'retry-after': 'Thu, 31 Jan 2030 12:00:09 GMT' }),
    refusal({ 'retry-after': 'soon' }),
    refusal({}),
    Response.json({ items: [] }),
  ]
  const client = new CaisClient({ url: 'http://cais.test', token: 'x', clock, fetch: async () => answers.shift()! })
  t.strictSame(await client.get('/v1/projects'), { items: [] })
  t.strictSame(clock.slept, [9000, 500, 1000])
})

/** Stands before the API, and cuts the connection instead of passing on the answer to the requests that `cut` picks. */
async function startCuttingProxy(t: Test, api: string, cut: (request: IncomingMessage) => boolean) {
  const seen: { key: unknown; status: number; replayed: boolean }[] = []
  const proxy = createServer(async (incoming, outgoing) => {
    const { method, headers, url } = incoming
    const onward = request(new URL(url ?? '', api), { method, headers }, async answer => {
      const body = await buffer(answer)
      const replayed = answer.headers['idempotent-replay'] === 'true'
      seen.push({ key: headers['idempotency-key'], status: answer.statusCode ?? 0, replayed })
      if (cut(incoming)) return void incoming.socket.destroy()
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers).end(body)
    })
    onward.end(await buffer(incoming))
  })
  await new Promise<void>(resolve => void proxy.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void proxy.close().closeAllConnections())
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, seen }
}

t.test('an answer lost after the API committed is asked for again, and nothing happens twice', async t => {
  const api = await startApi(t)
  let toCut = 0
  const { url, seen } = await startCuttingProxy(t, api.url, () => toCut-- > 0)
  const client = new CaisClient({ url, token: api.client.token, clock: stoppedClock() })
  toCut = 2
  const project = await client.post('/v1/projects', { body: { name: 'Loja' } })
  t.strictSame(
    seen.map(({ status, replayed }) => [status, replayed]),
    [
      [201, false],
      [201, true],
      [201, true],
    ],
  )
  t.equal(new Set(seen.map(({ key }) => key)).size, 1, 'one key for all attempts')
  t.strictSame(await client.list('/v1/projects'), [project], 'one project')

  toCut = 1
  const at = { project: project.id, service: 'web' }
  const { id } = await client.upload(at, await tarGz({ 'index.html': 'oi' }))
  const path = '/v1/projects/{project}/services/{service}/deployments'
  t.strictSame(
    (await client.list(path, { path: at })).map(one => one.id),
    [id],
    'a form is sent again as well',
  )

  await client.post('/v1/projects/{project}/services', { path: at, body: { name: 'api' } })
  toCut = 1
  const service = { ...at, service: 'api' }
  t.equal(await client.delete('/v1/projects/{project}/services/{service}', { path: service }), null)
  t.strictSame(
    seen.slice(-2).map(({ status }) => status),
    [204, 404],
    'gone by the attempt whose answer was lost',
  )
  const again = client.delete('/v1/projects/{project}/services/{service}', { path: service })
  await t.rejects(again, { status: 404, code: 'not_found' })
})

t.test('a deletion that was refused, and not lost, does not count as done', async t => {
  const answers = [
    new Response(null, { status: 429, headers: { 'retry-after': '1' } }),
    new Response('{}', { status: 404 }),
  ]
  const fetch = async () => answers.shift()!
  const client = new CaisClient({ url: 'http://cais.test', token: 'x', clock: stoppedClock(), fetch })
  await t.rejects(client.delete('/v1/projects/{project}', { path: { project: 'x' } }), {
    name: 'ApiError',
    status: 404,
  })
})

t.test('pages go on where they were while rows come and go, and no row is met twice (C-147)', async t => {
  const { client: raw } = await startApi(t)
  const client = raw.typed
  const path = { project: (await client.post('/v1/projects', { body: { name: 'Loja' } })).id }
  const add = (name: string) => client.post('/v1/projects/{project}/services', { path, body: { name, resources } })
  const resources = { memory_mb: 64 }
  for (const name of ['a', 'b', 'c']) await add(name)
  const names: string[] = []
  for await (const { name } of client.pages('/v1/projects/{project}/services', { path, query: { limit: 2 } })) {
    names.push(name)
    if (name === 'a') await add('d')
    if (name === 'b')
      await client.delete('/v1/projects/{project}/services/{service}', { path: { ...path, service: 'a' } })
    if (name === 'c') await add('e')
  }
  t.strictSame(names, ['web', 'a', 'b', 'c', 'd', 'e'])
  let asked = 0
  const counting = new CaisClient({
    url: raw.base.replace('/v1', ''),
    token: raw.token,
    fetch: (...args) => (asked++, fetch(...args)),
  })
  for await (const { name } of counting.pages('/v1/projects/{project}/services', { path, query: { limit: 1 } })) {
    if (name === 'b') break
  }
  t.equal(asked, 2, 'a page that nobody gets to is not asked for')
})

t.test('waiting stops where nothing more will come, and says why', async t => {
  const { client: raw, db } = await startApi(t)
  const client = raw.typed
  const project = (await client.post('/v1/projects', { body: { name: 'Loja' } })).id
  const source = { type: 'image', ref: 'app:1' } as const
  await client.patch('/v1/projects/{project}/services/{service}', {
    path: { project, service: 'web' },
    body: { source },
  })
  const path = { project, service: 'web' }
  const { id } = await client.post('/v1/projects/{project}/services/{service}/deployments', { path })
  await refuse(db, id, 'build', 'build_oom')
  const deployment = { ...path, deployment: id }
  const failed = await client.waitForDeployment(deployment).catch((error: unknown) => error)
  t.ok(failed instanceof EndedBadly)
  t.match(failed, { status: 'failed', code: 'build_oom', resource: { id } })
  t.match((failed as Error).message, new RegExp(`deployments/${id} ended failed: build_oom: O build ficou sem memória`))

  const group = await client.post('/v1/projects/{project}/deploy', { path: { project } })
  await client.post('/v1/projects/{project}/group-deployments/{group}/cancel', { path: { project, group: group.id } })
  const canceled = await client.waitForGroup({ project, group: group.id }).catch((error: unknown) => error)
  t.match(canceled, { name: 'EndedBadly', status: 'canceled', code: null, message: /ended canceled: web canceled/ })
  t.equal(((canceled as EndedBadly).resource as Group).id, group.id)
  const item = { ...path, deployment: group.items[0]?.deployment_id ?? '' }
  await t.rejects(client.waitForDeployment(item), { name: 'EndedBadly', status: 'canceled' })
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
