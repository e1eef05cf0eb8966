// Build and runtime logs over HTTP (D-47, C-126). Lines are written as the workers write them, already masked.
import t from 'tap'
import { pino } from 'pino'
import { createMasker } from '../../src/domain/masking.ts'
import { openBuildLog } from '../../src/effects/build-log.ts'
import type { Tools } from '../../src/effects/tools.ts'
import { appendBuildLog, appendRuntimeLines, lastRuntimeStamp } from '../../db/queries/logs.ts'
import { startApi, type Api } from '../support/api.ts'

async function deployed({ client }: Api) {
  const { id: project } = await client.project('loja')
  const path = `/projects/${project}/services/web`
  await client.patch(path, { source: { type: 'image', ref: 'registry.test/app:1' } })
  const deployment = (await client.post(`${path}/deployments`)).body.id as string
  const service = (await client.get(path)).body.id as string
  return { path, service, deployment }
}

const stamp = (msAgo: number) => new Date(Date.now() - msAgo).toISOString().replace('Z', '000000Z')

void t.test('the build log is its lines in order, never cached, and its newest 1 MiB when it is long', async t => {
  const api = await startApi(t)
  const { path, deployment } = await deployed(api)
  const url = `${path}/deployments/${deployment}/logs`
  t.same((await api.client.get(url)).body, { text: '', truncated: false, next_since: null })
  await appendBuildLog(api.db, deployment, 'one\ntwo\n')
  await appendBuildLog(api.db, deployment, 'três\n')
  const reply = await api.client.get(url)
  t.same(reply.body, { text: 'one\ntwo\ntrês\n', truncated: false, next_since: null })
  t.equal(reply.headers.get('cache-control'), 'no-store')
  t.equal(reply.headers.get('etag'), null)
  for (let i = 0; i < 9; i++) await appendBuildLog(api.db, deployment, `${'x'.repeat(128 * 1024 - 1)}\n`)
  const long = (await api.client.get(url)).body
  t.equal(long.truncated, true)
  t.equal(long.text.length, 8 * 128 * 1024)
})

void t.test('C-126 runtime logs are the last ten minutes, or what came after `since`', async t => {
  const api = await startApi(t)
  const { path, service, deployment } = await deployed(api)
  const read = async (since?: string) =>
    (await api.client.get(`${path}/logs${since === undefined ? '' : `?since=${encodeURIComponent(since)}`}`)).body
  const lines = [
    { stamp: stamp(11 * 60_000), text: 'old' },
    { stamp: stamp(5000), text: 'one' },
    { stamp: stamp(4000), text: 'two' },
  ]
  await appendRuntimeLines(api.db, service, deployment, lines)
  await appendRuntimeLines(api.db, service, deployment, lines)
  t.equal(await lastRuntimeStamp(api.db, deployment), lines[2]?.stamp)
  const first = await read()
  t.match(first, { text: 'one\ntwo\n', truncated: false })
  t.equal((await read(first.next_since)).text, '', 'nothing came after')
  await appendRuntimeLines(api.db, service, deployment, [{ stamp: stamp(0), text: 'three' }])
  t.equal((await read(first.next_since)).text, 'three\n')
  t.equal((await read('2020-01-31T12:00:00+02:00')).text, 'old\none\ntwo\nthree\n')
  const future = await read('2999-01-01T00:00:00Z')
  t.same(future, { text: '', truncated: false, next_since: '2999-01-01T00:00:00.000000Z' })
})

void t.test(
  'D-47 of a build that writes much at once the newest is shown; no line is cut through a secret',
  async t => {
    const api = await startApi(t)
    const { path, deployment } = await deployed(api)
    const secret = 'correct-horse-battery'
    const masker = createMasker([secret])
    const tools = { db: api.db, log: pino({ level: 'silent' }) } as Tools
    const log = await openBuildLog(tools, deployment, line => masker.mask(line), new AbortController().signal)
    // One batch, larger than all that is shown.
    for (let i = 0; i < 3000; i++) log.write(`${i} ${'x'.repeat(1000)}`)
    log.write(`${'y'.repeat(128 * 1024 - 10)}${secret}${'y'.repeat(400 * 1024)}`)
    log.write('the end')
    await log.close()
    const { body } = await api.client.get(`${path}/deployments/${deployment}/logs`)
    t.equal(body.truncated, true)
    t.ok(body.text.length > 900 * 1024 && body.text.length <= 1024 * 1024, `${body.text.length} bytes`)
    t.match(body.text, /\n2999 x+\ny+\*{8}y\S? …\nthe end\n$/)
    t.notMatch(body.text, /correct/)
  },
)

void t.test('C-126 any offset is an instant; one that leads out of the calendar is the first or the last', async t => {
  const api = await startApi(t)
  const { path, service, deployment } = await deployed(api)
  await appendRuntimeLines(api.db, service, deployment, [{ stamp: stamp(1000), text: 'now' }])
  for (const [since, text, next] of [
    ['2020-01-01T00:00:00-23:59', 'now\n', null],
    ['2020-01-01T00:00:00+16:00', 'now\n', null],
    ['2020-01-01t00:00:00.123456789z', 'now\n', null],
    ['0000-01-01T00:00:00Z', 'now\n', null],
    ['0001-01-01T00:00:00+23:59', 'now\n', null],
    ['2999-12-31T23:00:00.5-01:00', '', '3000-01-01T00:00:00.500000Z'],
    ['9999-12-31T23:59:59-23:59', '', '9999-12-31T23:59:59.000000Z'],
  ] as const) {
    const { status, body } = await api.client.get(`${path}/logs?since=${encodeURIComponent(since)}`)
    t.same([status, body.text], [200, text], since)
    if (next !== null) t.equal(body.next_since, next, since)
  }
})

void t.test('C-126 a bad `since` is 400', async t => {
  const api = await startApi(t)
  const { path } = await deployed(api)
  for (const since of [
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01 00:00:00Z',
    '',
    'abc',
    '2026-02-30T00:00:00Z',
    '2026-01-01',
    '2026-01-01T25:00:00Z',
    '1',
    '2026-01-01T00:00:00',
  ]) {
    const reply = await api.client.get(`${path}/logs?since=${encodeURIComponent(since)}`)
    t.match({ status: reply.status, error: reply.body.error }, { status: 400, error: 'invalid_request' }, since)
  }
})

void t.test('D-47 more than 1 MiB of runtime log is cut to the newest', async t => {
  const api = await startApi(t)
  const { path, service, deployment } = await deployed(api)
  const lines = Array.from({ length: 300 }, (_, i) => ({ stamp: stamp(60_000 - i), text: `${i} ${'x'.repeat(8000)}` }))
  await appendRuntimeLines(api.db, service, deployment, lines)
  const { body } = await api.client.get(`${path}/logs`)
  t.equal(body.truncated, true)
  t.ok(body.text.length <= 1024 * 1024)
  t.match(body.text, /\n299 x+\n$/)
})

void t.test('logs need their scope, and are those of the service in the path', async t => {
  const api = await startApi(t)
  const { path, deployment } = await deployed(api)
  const reader = await api.newClient({ scopes: ['projects:read'] })
  for (const url of [`${path}/logs`, `${path}/deployments/${deployment}/logs`]) {
    t.equal((await reader.get(url)).status, 403)
    const stranger = (await api.newTeam()).client
    t.equal((await stranger.get(url)).status, 404)
  }
})
