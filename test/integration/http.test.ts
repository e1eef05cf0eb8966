// What is the same for every route: authentication, bodies, methods, keys, quotas, tags, and how failures look.
import type { Knex } from 'knex'
import t from 'tap'
import { connect } from '../../db/connect.ts'
import { reportHealth } from '../../db/queries/health.ts'
import { newId } from '../../src/domain/ids.ts'
import { createToken } from '../../src/domain/tokens.ts'
import { read } from '../../src/http/route.ts'
import { routes } from '../../src/http/routes.ts'
import { Client, sendRaw, startApi, type Api, type Reply } from '../support/api.ts'
import { stopClock } from '../support/clock.ts'

/** Headers that may differ between answers that must not be told apart. */
function shownHeaders(reply: Reply) {
  const headers = Object.fromEntries(reply.headers)
  for (const name of ['request-id', 'date', 'ratelimit', 'connection', 'keep-alive']) delete headers[name]
  return headers
}

async function ids(api: Api, table: string): Promise<number> {
  const { rows } = await api.db.raw(`select count(*) as n from ${table}`)
  return Number(rows[0].n)
}

t.test('every failed authentication is the same 401 (C-001, C-002, C-003)', async t => {
  const api = await startApi(t)
  const expired = await api.newClient()
  const revoked = await api.newClient()
  await api.db.raw(`update token set expires_at = now() - interval '1 second' where hash = sha256(?)`, [expired.token])
  t.equal((await revoked.get('/me')).status, 200)
  await api.db.raw(`update token set revoked_at = now() where hash = sha256(?)`, [revoked.token])
  const good = api.client.token
  const lastDigit = good.endsWith('0') ? '1' : '0'
  const headers: Record<string, Record<string, string>> = {
    none: { authorization: '' },
    'another scheme': { authorization: `Basic ${good}` },
    'empty token': { authorization: 'Bearer ' },
    unknown: { authorization: `Bearer ${createToken()}` },
    'wrong checksum': { authorization: `Bearer ${good.slice(0, -1)}${lastDigit}` },
    expired: { authorization: `Bearer ${expired.token}` },
    revoked: { authorization: `Bearer ${revoked.token}` },
    cookie: { authorization: '', cookie: `token=${good}` },
  }
  const first = await api.client.get('/me', headers.none)
  t.match(first, { status: 401, body: { error: 'unauthorized' } })
  t.equal(first.headers.get('www-authenticate'), 'Bearer realm="api"')
  for (const [name, given] of Object.entries(headers)) {
    const reply = await api.client.get('/me', given)
    t.strictSame([reply.status, reply.text, shownHeaders(reply)], [401, first.text, shownHeaders(first)], name)
  }
  for (const path of [`/me?token=${good}`, `/me?access_token=${good}`, '/nothing', '', '//me']) {
    t.equal((await api.client.get(path, headers.none)).text, first.text, path)
  }
  t.equal((await api.client.get('/nothing')).status, 404)
  t.equal((await api.client.get('/me', { authorization: `bEaReR ${good}` })).status, 200, 'the scheme has no case')
})

/** A resource of every kind, made by this client. */
async function belongings(db: Knex, client: Client, name: string): Promise<Record<string, string>> {
  const project = (await client.project(name)).id
  const services = `/projects/${project}/services`
  const image = { source: { type: 'image', ref: 'simulated:ok' } }
  const service = (await client.post(services, { name: 'api', ...image })).body.id
  const database = (await client.post(`/projects/${project}/databases`, { name: 'db', engine: 'postgres' })).body.id
  const deployment = (await client.post(`${services}/api/deployments`, {})).body.id
  const group = (await client.post(`/projects/${project}/deploy`, { services: ['web'] })).body.id
  const domain = await domainOf(db, project, service)
  return { project, service, database, deployment, group, domain, ...(await backupOf(db, project)) }
}

/** A domain as the rows that a path is looked up in. */
async function domainOf(db: Knex, projectId: string, serviceId: string): Promise<string> {
  const id = newId()
  const { team_id } = await db('project').where({ id: projectId }).first()
  const owner = { project_id: projectId, team_id, service_id: serviceId }
  await db('domain').insert({ ...owner, id, hostname: `${id}.example.com`, proof: 'cais-verify=x' })
  await db('actor').insert({
    ...{ id, kind: 'domain', version: 1, status: 'active', state: 'pending', revision: 0 },
    snapshot: '{"context":{}}',
  })
  return id
}

/** A backup and a restore of it, as the rows that a path is looked up in. */
async function backupOf(db: Knex, projectId: string): Promise<{ backup: string; restore: string }> {
  const ids = { backup: newId(), restore: newId() }
  const { team_id } = await db('project').where({ id: projectId }).first()
  const owner = { project_id: projectId, team_id, database_id: newId() }
  const of = { database_name: 'db', engine: 'postgres', quota_mb: 64, used_mb: 1, expires_at: db.raw('now()') }
  await db('backup').insert({ ...owner, ...of, id: ids.backup })
  await db('restore').insert({ ...owner, id: ids.restore, backup_id: ids.backup })
  const actor = { version: 1, status: 'active', state: 'ready', snapshot: '{"context":{}}', revision: 0 }
  for (const kind of ['backup', 'restore'] as const) await db('actor').insert({ ...actor, kind, id: ids[kind] })
  return ids
}

t.test('what belongs to others is looked for exactly as what does not exist (C-005)', async t => {
  const api = await startApi(t)
  await reportHealth(api.db, 'postgres', true, null)
  const own = await belongings(api.db, api.client, 'minha')
  const foreign = await belongings(api.db, (await api.newTeam()).client, 'alheia')
  const statements: string[] = []
  api.db.on('query', ({ sql }: { sql: string }) => statements.push(sql))
  const statementsOf = async (method: string, path: string) => {
    statements.length = 0
    t.equal((await api.client.send(method, path)).status, 404, `${method} ${path}`)
    // Once a minute, whatever is asked for.
    return statements.filter(sql => !sql.includes('update token set last_used_at'))
  }
  for (const { method, path } of routes) {
    const names = [...path.matchAll(/:(\w+)/g)].map(match => match[1] ?? '').filter(name => name !== 'name')
    for (const [i, name] of names.entries()) {
      const fill = (id: (name: string) => string) => path.replace(/:(\w+)/g, (_, name: string) => id(name))
      // Everything before it is the caller's own; it and what follows are not.
      const isOwn = (other: string) => names.slice(0, i).includes(other)
      const others = fill(other => (isOwn(other) ? own : foreign)[other] ?? 'NAME')
      const nothing = fill(other => (isOwn(other) ? (own[other] ?? '') : newId()))
      const looked = await statementsOf(method, others)
      t.equal(looked.length, i + 2, 'the token, and each resource up to it')
      t.strictSame(looked, await statementsOf(method, nothing), `${method} ${path}, from ${name} on`)
    }
  }
})

t.test('GET /me works with any single scope and shows exactly the scopes of the token (C-011)', async t => {
  const api = await startApi(t)
  const client = await api.newClient({ scopes: ['logs:read'] })
  const me = await client.get('/me')
  t.strictSame(me.body.token.scopes, ['logs:read'])
  t.equal(me.body.token.prefix, client.token.slice(0, me.body.token.prefix.length))
  t.notMatch(me.text, client.token)
  t.match(me.body.team, { id: api.teamId, plan: 'hobby' })
  const again = await client.get('/me')
  t.match(again.body.token.last_used_at, /:00\.000Z$/)
})

t.test('limits are those of section 8 (C-155)', async t => {
  const { client } = await startApi(t)
  const { body } = await client.get('/limits')
  t.strictSame(body, {
    plan: 'hobby',
    services: { used: 0, max: 10 },
    memory_mb: { used: 0, max: 4096 },
    volumes_gb: { used: 0, max: 20 },
    databases: { used: 0, max: 3 },
    deploys_per_hour: { used: 0, max: 30 },
    projects: { used: 0, max: 5 },
  })
})

t.test('a body that is not JSON by name or by nature is refused (C-020, C-024, C-028)', async t => {
  const api = await startApi(t)
  const { client } = api
  const json = { 'content-type': 'application/json' }
  const form = new FormData()
  form.set('name', 'x')
  const unsupported: [string, unknown, Record<string, string>][] = [
    ['text', '{"name":"x"}', { 'content-type': 'text/plain' }],
    ['no type', new TextEncoder().encode('{"name":"x"}'), {}],
    ['multipart', form, {}],
    ['another charset', '{"name":"x"}', { 'content-type': 'application/json; charset=latin1' }],
    ['an encoding', '{"name":"x"}', { ...json, 'content-encoding': 'identity' }],
  ]
  for (const [name, body, headers] of unsupported) {
    t.match(
      await client.post('/projects', body, headers),
      { status: 415, body: { error: 'unsupported_media_type' } },
      name,
    )
  }
  const deep = `{"name":${'['.repeat(16)}${']'.repeat(16)}}`
  const malformed = ['{', '[]', 'null', '"x"', '', ' ', '{"name":"a","name":"b"}', '\ufeff{"name":"x"}', deep]
  for (const body of [...malformed, new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])]) {
    const reply = await client.post('/projects', body, json)
    t.match(reply, { status: 400, body: { error: 'invalid_request' } }, String(body).slice(0, 40))
  }
  const large = await client.post('/projects', { name: 'x'.repeat(1024 * 1024) })
  t.match(large, { status: 413, body: { error: 'payload_too_large', message: /limite de 1 MiB/ } })
  const chunked = await sendRaw(
    api.port,
    `POST /v1/projects HTTP/1.1\r\nAuthorization: Bearer ${client.token}\r\nContent-Type: application/json\r\n` +
      `Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n` +
      `${'80000\r\n' + 'x'.repeat(0x80000) + '\r\n'}`.repeat(3) +
      '0\r\n\r\n',
  )
  t.match(chunked, /^HTTP\/1.1 413 /)
  t.equal(
    (await client.post('/projects', '{"name":"ok"}', { 'content-type': 'Application/JSON;charset=UTF-8' })).status,
    201,
  )
  t.equal(await ids(api, 'project'), 1)
})

t.test('fields that nobody knows, or that stand elsewhere, are refused by name (C-025, C-026, C-027)', async t => {
  const { client } = await startApi(t)
  const { id } = await client.project('loja')
  const service = `/projects/${id}/services/web`
  const json = { 'content-type': 'application/json' }
  for (const field of ['replicas', 'dry_run', 'ports', 'schedule', 'status', 'id', 'public_url', 'kind', '__proto__']) {
    const reply = await client.patch(service, `{"${field}":1}`, json)
    t.match(reply, { status: 400, body: { message: `O campo "${field}" não é reconhecido.` } }, field)
    t.match(reply.body.details.fields, [{ field }], field)
  }
  const misplaced = await client.patch(service, { memory_mb: 1024 })
  t.equal(misplaced.body.message, 'O campo "memory_mb" deve ficar dentro de "resources".')
  t.strictSame(misplaced.body.details.fields, [{ field: 'memory_mb', problem: 'misplaced' }])
  const nested = await client.patch(service, { resources: { disk: 1 }, 'x"\n': 1 })
  t.match(nested.body.details.fields, [
    { field: 'resources.disk', problem: 'unknown' },
    { field: 'x"', problem: 'unknown' },
  ])
  const missing = await client.post('/projects', {})
  t.equal(missing.body.message, 'O campo "name" é obrigatório.')
})

t.test('methods and paths that do not exist (C-029, C-031, C-032)', async t => {
  const { client } = await startApi(t)
  const { id } = await client.project('loja')
  const wrong = await client.delete('/me')
  t.match(wrong, {
    status: 405,
    body: { error: 'method_not_allowed', message: 'Este endereço não aceita o método DELETE.' },
  })
  t.equal(wrong.headers.get('allow'), 'GET, HEAD, OPTIONS')
  const options = await client.send('OPTIONS', '/projects')
  t.match(options, { status: 204, text: '' })
  t.equal(options.headers.get('allow'), 'GET, HEAD, OPTIONS, POST')
  const get = await client.get(`/projects/${id}`)
  const head = await client.send('HEAD', `/projects/${id}`)
  t.strictSame([head.status, head.text, shownHeaders(head)], [200, '', shownHeaders(get)])
  t.equal([...get.headers.keys()].filter(name => name.startsWith('access-control')).length, 0)
  t.match(await client.send('PROPFIND', '/me'), { status: 405, body: { error: 'method_not_allowed' } })
  for (const path of ['/ME', '/me/', '/projects/', `/Projects/${id}`]) {
    for (const method of ['GET', 'PUT', 'OPTIONS']) {
      t.match(await client.send(method, path), { status: 404, body: { error: 'not_found' } }, `${method} ${path}`)
    }
  }
  const variable = `/projects/${id}/services/web/variables/%zz`
  t.equal((await client.delete(variable)).status, 404)
  t.match(await client.put(variable, { value: 'x' }), { status: 400, body: { error: 'invalid_request' } })
  const upper = id.toUpperCase()
  for (const path of ['%zz', '%00', '..%2f', 'x'.repeat(8192), '/', `/${id}`, upper, `${id}/`, `${id}%00`, newId()]) {
    for (const suffix of ['', '/services', '/services/%00', '/services/%zz']) {
      const reply = await client.get(`/projects/${path}${suffix}`)
      t.match(reply, { status: 404, body: { error: 'not_found' } }, (path + suffix).slice(0, 40))
    }
  }
})

t.test('every answer says who it is and every error is in Portuguese (C-030)', async t => {
  const { client, url } = await startApi(t)
  const reply = await client.get('/nothing', { 'request-id': 'mine' })
  t.match(reply.headers.get('request-id'), /^[0-9a-hjkmnp-tv-z]{26}$/)
  t.equal(reply.headers.get('content-language'), 'pt-BR')
  t.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8')
  t.equal(reply.headers.get('x-content-type-options'), 'nosniff')
  t.strictSame(reply.body, { error: 'not_found', message: 'Recurso não encontrado.' })
  for (const path of ['/healthz', '/readyz']) t.equal((await fetch(url + path)).status, 200, path)
  t.equal((await fetch(`${url}/nothing`)).status, 404)
})

t.test('a 503 that is answered looks like one that is thrown (D-20, D-24)', async t => {
  const body = { error: 'unavailable', message: 'Tente de novo.' }
  const { client } = await startApi(t, { routes: [read('/broken', null, async () => ({ status: 503, body }))] })
  const reply = await client.get('/broken')
  t.match(reply, { status: 503, body })
  const shown = ['retry-after', 'content-language', 'cache-control', 'etag'].map(name => reply.headers.get(name))
  t.strictSame(shown, ['5', 'pt-BR', 'no-store', null])
})

t.test('what the HTTP parser refuses is answered in the same shape (D-25)', async t => {
  const { port } = await startApi(t)
  const tooLong = `GET /v1/me HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`
  for (const request of ['NONSENSE\r\n\r\n', 'GET /v1/me HTTP/1.1\r\nbad header\r\n\r\n', tooLong]) {
    const answer = await sendRaw(port, request)
    t.match(answer, /^HTTP\/1.1 400 Bad Request\r\n/)
    t.match(JSON.parse(answer.split('\r\n\r\n')[1] ?? ''), { error: 'invalid_request', message: String })
  }
  const withoutHost = await sendRaw(port, 'GET /v1/me HTTP/1.1\r\nConnection: close\r\n\r\n')
  t.match(withoutHost, /^HTTP\/1.1 401 /)
})

t.test('a client that waits to be asked for its body is refused before it sends (D-24)', async t => {
  const { port, client } = await startApi(t)
  const head = (size: number) =>
    `POST /v1/projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.token}\r\nExpect: 100-continue\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${size}\r\nConnection: close\r\n\r\n`
  t.match(await sendRaw(port, head(2_000_000)), /^HTTP\/1.1 413 /)
  t.match(await sendRaw(port, `${head(15)}{"name":"loja"}`), /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 /)
})

t.test('a repeated key repeats the answer and makes nothing new (C-143, C-144, C-145)', async t => {
  const api = await startApi(t)
  const { client } = api
  for (const key of ['7chars.', 'x'.repeat(129), 'with a space']) {
    const reply = await client.post('/projects', { name: 'x' }, { 'idempotency-key': key })
    t.match(reply, { status: 400, body: { error: 'invalid_request', message: /Idempotency-Key/ } }, key)
  }
  const key = { 'idempotency-key': 'A1._:-xx' }
  const first = await client.post('/projects', { name: 'loja' }, key)
  t.equal(first.status, 201)
  t.equal(first.headers.get('idempotent-replay'), null)
  const again = await client.post('/projects', '{ "name" : "loja" }', { ...key, 'content-type': 'application/json' })
  t.strictSame([again.status, again.text], [201, first.text])
  t.equal(again.headers.get('idempotent-replay'), 'true')
  t.equal(again.headers.get('location'), first.headers.get('location'))
  t.not(again.headers.get('request-id'), first.headers.get('request-id'))
  t.match(await client.post('/projects', { name: 'outra' }, key), {
    status: 422,
    body: { error: 'idempotency_conflict' },
  })
  const elsewhere = await client.post(`/projects/${first.body.id}/services`, { name: 'loja' }, key)
  t.match(elsewhere, { status: 422, body: { error: 'idempotency_conflict' } })
  const other = await api.newClient()
  t.match(await other.post('/projects', { name: 'outra' }, key), { status: 201 }, 'keys live per token')
  t.equal(await ids(api, 'project'), 2)
})

t.test('fifty calls with one key at once make one project (C-144)', async t => {
  const api = await startApi(t)
  const key = { 'idempotency-key': 'x'.repeat(128) }
  const replies = await Promise.all(
    Array.from({ length: 50 }, () => api.client.post('/projects', { name: 'loja' }, key)),
  )
  t.strictSame([...new Set(replies.map(reply => `${reply.status} ${reply.text}`))].length, 1)
  t.equal(replies.filter(reply => reply.headers.get('idempotent-replay') === null).length, 1)
  t.equal(await ids(api, 'project'), 1)
})

t.test('a refusal leaves its key free, and a key is fresh again after a day (C-145, C-146)', async t => {
  const api = await startApi(t)
  const { client } = api
  const key = { 'idempotency-key': 'chave-um' }
  t.equal((await client.post('/projects', { name: 'www' }, key)).status, 409)
  t.equal((await client.post('/projects', { name: 'um' }, key)).status, 201)
  await api.db.raw(`update idempotency set created_at = now() - interval '24 hours 1 minute'`)
  const later = await client.post('/projects', { name: 'dois' }, key)
  t.equal(later.status, 201)
  t.equal(later.headers.get('idempotent-replay'), null)
})

t.test('a tag that still matches saves the body, and one that does not stops a change (C-150, D-08)', async t => {
  const { client } = await startApi(t)
  const { id } = await client.project('loja')
  const path = `/projects/${id}/services/web`
  const first = await client.get(path)
  const etag = first.headers.get('etag') ?? ''
  t.match(etag, /^W\/".+"$/)
  t.equal(first.headers.get('cache-control'), 'private, no-cache')
  const same = await client.get(path, { 'if-none-match': etag })
  t.match(same, { status: 304, text: '' })
  t.equal(same.headers.get('etag'), etag)
  const free = same.headers.get('ratelimit')
  t.equal((await client.get(path, { 'if-none-match': etag })).headers.get('ratelimit'), free, 'a 304 costs nothing')
  t.equal((await client.get(path, { 'if-none-match': etag, authorization: '' })).status, 401)
  t.equal((await client.patch(path, { port: 3000 }, { 'if-match': etag })).status, 200)
  const stale = await client.patch(path, { port: 4000 }, { 'if-match': etag })
  t.match(stale, { status: 412, body: { error: 'precondition_failed' } })
  t.equal((await client.get(path, { 'if-none-match': etag })).body.port, 3000)
})

t.test('beyond the request quota: 429 with the wait, and the state of the quota on every answer (C-148)', async t => {
  const quotas = {
    token: { max: 5, windowMs: 1000 },
    address: { max: 1_000_000, windowMs: 60_000 },
    failedAuthentication: { max: 3, windowMs: 60_000 },
  }
  const { client, url } = await startApi(t, { quotas })
  const clock = stopClock(t)
  const first = await client.get('/me')
  t.equal(first.headers.get('ratelimit-policy'), '"token";q=5;w=1')
  t.match(first.headers.get('ratelimit'), /^"token";r=4;t=1$/)
  let refused = first
  for (let i = 0; i < 5; i++) refused = await client.get('/me')
  t.match(refused, { status: 429, body: { error: 'rate_limited', message: /Aguarde 1 segundos/ } })
  t.equal(refused.headers.get('retry-after'), '1')
  t.match(refused.headers.get('ratelimit'), /r=0/)
  const nobody = new Client(`${url}/v1`, 'x')
  const statuses = []
  for (let i = 0; i < 4; i++) statuses.push((await nobody.get('/me')).status)
  t.strictSame(statuses, [401, 401, 401, 429])
  clock.pass(999)
  t.equal((await client.get('/me')).status, 429, 'not before the wait is over')
  clock.pass(1)
  t.equal((await client.get('/me')).status, 200)
})

t.test('without the control database: 503, and 200 again when it is back (C-153)', async t => {
  const nowhere = connect('postgres://nobody@127.0.0.1:1/nothing', { max: 2 })
  t.teardown(() => nowhere.destroy())
  const { client } = await startApi(t, { db: nowhere })
  const reply = await client.get('/me')
  t.match(reply, { status: 503, body: { error: 'unavailable', message: /temporariamente indisponível/ } })
  t.equal(reply.headers.get('retry-after'), '5')

  const api = await startApi(t)
  await api.client.get('/me')
  await api.db.raw(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  const deadline = Date.now() + 60_000
  let after = await api.client.get('/me')
  while (after.status === 503 && Date.now() < deadline) after = await api.client.get('/me')
  t.equal(after.status, 200)
})
