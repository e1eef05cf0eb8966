// Everything that the document says an operation answers, answered: each operation, status and error code of
// /openapi.json is provoked, and every answer is held to the document (C-151).
import t, { type Test } from 'tap'
import { connect } from '../../db/connect.ts'
import { IDEMPOTENCY } from '../../src/domain/limits.ts'
import { openApiText } from '../../src/http/documentation.ts'
import { sendRaw, startApi, type Api, type Client, type Reply } from '../support/api.ts'
import { linesOf, openContract, responseOf, codeOf, type Document, type Line } from '../support/contract.ts'
import { form, statusNow, tarGz } from '../support/deployments.ts'
import { until } from '../support/platform.ts'
import { startWorker } from '../support/worker.ts'

const document = JSON.parse(openApiText()) as Document
const contract = openContract(document)
const lines = linesOf(document, '/v1/', ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'])
const NOBODY = '01kapvsxq2hm6c8v5z3n9d4wtf'

const nameOf = (line: Line) => `${line.method} ${line.path}`

/** `POST /v1/projects 409 slug_taken`; without a code where the document lists none. */
function declared(): string[] {
  return lines.flatMap(line =>
    Object.entries(line.operation.responses).flatMap(([status, listed]) => {
      const { content } = responseOf(document, listed)
      const schema = content?.['application/json']?.schema as {
        allOf?: { properties?: { error: { enum: string[] } } }[]
      }
      const codes = schema?.allOf?.[1]?.properties?.error.enum ?? ['']
      return codes.map(code => `${nameOf(line)} ${status} ${code}`.trim())
    }),
  )
}

const seen = new Set<string>()

/** Writes down what was answered; throws when the document does not allow it. */
function note(method: string, path: string, reply: { status: number; headers: Headers; text: string }): void {
  const body: unknown = reply.text === '' ? null : JSON.parse(reply.text)
  const line = contract.lineFor(method, path)
  const complaint = line && contract.complaint(line, { status: reply.status, headers: reply.headers, body })
  if (!line || complaint) throw new Error(`${method} ${path} answered ${reply.status} ${reply.text}: ${complaint}`)
  seen.add(`${nameOf(line)} ${reply.status} ${codeOf(body)}`.trim())
}

interface Asked {
  headers?: Record<string, string>
  body?: string
}

/** What curl would do. */
async function ask(url: string, token: string, method: string, path: string, { headers, body }: Asked = {}) {
  const sent = { authorization: `Bearer ${token}`, ...headers }
  const response = await fetch(url + path, { method, headers: sent, ...(body === undefined ? {} : { body }) })
  const reply = { status: response.status, headers: response.headers, text: await response.text() }
  note(method, path, reply)
  return reply
}

/** Headers alone, of a body that never comes, and whatever is in them. */
async function askByHand({ port, client }: Api, method: string, path: string, header: string): Promise<void> {
  const fixed = `Authorization: Bearer ${client.token}\r\nContent-Type: application/json\r\nConnection: close`
  const answer = await sendRaw(port, `${method} ${path} HTTP/1.1\r\n${fixed}\r\n${header}\r\n\r\n`)
  const [head = '', text = ''] = answer.split('\r\n\r\n')
  const [first = '', ...rest] = head.split('\r\n')
  const headers = new Headers(rest.map(each => each.split(/: (.*)/).slice(0, 2) as [string, string]))
  note(method, path, { status: Number(first.split(' ')[1]), headers, text: method === 'HEAD' ? '' : text })
}

/** The generated client, with everything that it is answered written down. */
function noting(client: Client) {
  const send = async (method: string, path: string, body?: unknown, expected?: string): Promise<Reply> => {
    const reply = await client.send(method, path, body)
    note(method, `/v1${path}`.split('?')[0] ?? '', reply)
    const answered = `${reply.status} ${reply.body?.error ?? ''}`.trim()
    if (expected !== undefined && answered !== expected) throw new Error(`${method} ${path}: ${answered} ${reply.text}`)
    return reply
  }
  return send
}
type Send = ReturnType<typeof noting>

/** The body that the document gives as an example. */
function example({ operation }: Line): Asked {
  const json = operation.requestBody?.content['application/json']
  return json ? { body: JSON.stringify(json.example), headers: { 'content-type': 'application/json' } } : {}
}

const IMAGE = { source: { type: 'image', ref: 'simulated:ok' } }

/** One of everything, as names of path parameters. */
async function furnish(api: Api, send: Send): Promise<Record<string, string>> {
  const { db } = api
  const project = (await send('POST', '/projects', { name: 'Loja' }, '201')).body.id as string
  const at = `/projects/${project}`
  const create = async (path: string, body?: object) => (await send('POST', at + path, body)).body.id as string
  const ready = async (id: string) => until(`${id} is ready`, async () => (await statusNow(db, id)) === 'ready', 60_000)
  await send('PATCH', `${at}/services/web`, IMAGE, '200')
  const service = await create('/services', { name: 'api', ...IMAGE, resources: { memory_mb: 64 } })
  await send('PUT', `${at}/services/api/volume`, { mount_path: '/app/dados', size_gb: 1 }, '201')
  await send('PUT', `${at}/services/api/volume`, { mount_path: '/app/dados', size_gb: 2 }, '200')
  const variables = [{ name: 'API_URL', value: 'x', sensitive: true }]
  await send('PUT', `${at}/shared-variables`, { variables }, '200')
  await send('PUT', `${at}/services/api/variables`, { variables }, '200')
  await send('PUT', `${at}/services/api/variables/OTHER`, { value: 'x' }, '200')
  const database = await create('/databases', { name: 'db', engine: 'postgres' })
  await ready(database)
  await ready(await create('/databases', { name: 'old', engine: 'postgres' }))
  await send('DELETE', `${at}/databases/old`, undefined, '204')
  const backup = (await send('GET', `${at}/backups`)).body.items[0].id as string
  await ready(backup)
  const { id: restore, database_id } = (await send('POST', `${at}/backups/${backup}/restore`, { name: 'back' }, '202'))
    .body
  await ready(restore)
  await ready(database_id)
  const domain = await create('/services/web/domains', { hostname: 'loja.example.com' })
  const deployment = (await send('POST', `${at}/services/api/deployments`, {}, '202')).body.id as string
  await ready(deployment)
  const group = (await send('POST', `${at}/deploy`, {}, '202')).body.id as string
  await ready(group)
  return { project, service, database, backup, restore, domain, deployment, group, name: 'API_URL' }
}

/** The path of a line with these in it; domains and deployments are where `furnish` put them. */
function pathOf(line: Line, ids: Record<string, string>): string {
  const service = line.path.includes('{domain}') ? 'web' : ids.service
  return line.path.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'service' ? service : ids[name]) ?? '')
}

/** What every operation of a kind answers, in the order of D-15. */
async function meetGenericRefusals(api: Api, ids: Record<string, string>): Promise<void> {
  const { url, client, newClient } = api
  const weak = await newClient({ scopes: [] })
  const restricted = await newClient({ projectIds: [ids.project ?? ''] })
  for (const line of lines) {
    const path = pathOf(line, ids)
    const good = example(line)
    const send = async (token: string, more: Asked = {}) =>
      ask(url, token, line.method, path, { ...good, ...more, headers: { ...good.headers, ...more.headers } })
    const declares = (status: number) => String(status) in line.operation.responses
    await ask(url, '', line.method, path)
    await askByHand(api, line.method, path, `X-Much: ${'x'.repeat(20_000)}`)
    if (line.method === 'GET' || line.method === 'HEAD' || line.method === 'OPTIONS') await send(client.token)
    if (declares(304)) await send(client.token, { headers: { 'if-none-match': '*' } })
    if (declares(404)) await ask(url, client.token, line.method, pathOf(line, { ...ids, project: NOBODY }), good)
    if (declares(403)) await send(line.operation['x-scope'] === null ? restricted.token : weak.token)
    if (declares(415)) await send(client.token, { body: 'x', headers: { 'content-type': 'text/plain' } })
    if (declares(413)) await askByHand(api, line.method, path, 'Content-Length: 99999999')
    if (declares(412)) await send(client.token, { headers: { 'if-match': '"nothing"' } })
  }
}

/** A key whose first request still runs, and one of another request. */
async function meetUsedKeys({ url, db, client }: Api, ids: Record<string, string>): Promise<void> {
  const waiting = IDEMPOTENCY.waitForFirstMs
  // Ten seconds by the decisions; a test need not wait for them.
  Object.assign(IDEMPOTENCY, { waitForFirstMs: 20 })
  const { token } = (await client.get('/me')).body
  const of = { token_id: token.id, fingerprint: 'x' }
  await db('idempotency').insert({ ...of, key: 'of-another-request', status: 200, body: '{}' })
  const first = await db.transaction()
  await first('idempotency').insert({ ...of, key: 'of-one-that-runs', status: 0 })
  for (const line of lines.filter(one => one.method === 'POST' && '422' in one.operation.responses)) {
    for (const key of ['of-another-request', 'of-one-that-runs']) {
      const asked = example(line)
      const headers = { ...asked.headers, 'idempotency-key': key }
      await ask(url, client.token, 'POST', pathOf(line, ids), { ...asked, headers })
    }
  }
  await first.rollback()
  Object.assign(IDEMPOTENCY, { waitForFirstMs: waiting })
}

/** Quotas, a fault of ours, and a control database that is away. */
async function meetFailures(t: Test, api: Api, ids: Record<string, string>): Promise<void> {
  const { db, client } = api
  const none = { max: 0, windowMs: 60_000 }
  const some = { max: 1_000_000, windowMs: 60_000 }
  const away = connect('postgres://cais:x@127.0.0.1:1/nowhere')
  t.teardown(() => away.destroy())
  const fault = () => {
    throw new Error('a fault of ours')
  }
  const broken = new Proxy(db, { get: fault, apply: fault })
  const quotas = { token: none, address: some, failedAuthentication: some }
  for (const options of [{ db, quotas }, { db: away }, { db: broken }]) {
    const { url } = await startApi(t, options)
    for (const line of lines) await ask(url, client.token, line.method, pathOf(line, ids), example(line))
  }
}

/** The refusals that are an operation's own, and the successes that are left. */
async function meetOwnAnswers(api: Api, faults: Faults, send: Send, ids: Record<string, string>): Promise<void> {
  const { db, newTeam } = api
  const at = `/projects/${ids.project}`
  const ready = async (id: string) => until(`${id} is ready`, async () => (await statusNow(db, id)) === 'ready', 60_000)
  const beyond = { resources: { memory_mb: 1_000_000 } }

  await send('PATCH', at, { name: 'Loja da Ana' }, '200')
  await send('POST', '/projects', { name: 'Loja' }, '409 slug_taken')
  const poor = noting((await newTeam()).client)
  for (let i = 0; i < 5; i++) await poor('POST', '/projects', { name: `Pobre ${i}` }, '201')
  await poor('POST', '/projects', { name: 'Pobre 5' }, '409 project_quota_exceeded')
  const full = noting((await newTeam()).client)
  const { id: fullProject } = (await full('POST', '/projects', { name: 'Cheia' }, '201')).body
  await full('PATCH', `/projects/${fullProject}/services/web`, { resources: { memory_mb: 4096 } }, '200')
  await full('POST', '/projects', { name: 'Cheia 2' }, '422 quota_exceeded')
  await full('DELETE', `/projects/${fullProject}`, undefined, '204')
  await send('DELETE', at, undefined, '409 project_not_empty')

  await send('POST', `${at}/services`, { name: 'web' }, '409 name_taken')
  await send('POST', `${at}/services`, { name: 'site', visibility: 'public', slug: 'loja' }, '409 slug_taken')
  await send('POST', `${at}/services`, { name: 'large', ...beyond }, '422 quota_exceeded')
  await send('PATCH', `${at}/services/api`, { name: 'web' }, '409 name_taken')
  await send('PATCH', `${at}/services/api`, { visibility: 'public', slug: 'loja' }, '409 slug_taken')
  await send('PATCH', `${at}/services/api`, beyond, '422 quota_exceeded')
  await send('DELETE', `${at}/services/api`, undefined, '409 volume_attached')
  await send('PUT', `${at}/services/api/volume`, { mount_path: '/app/x', size_gb: 50 }, '422 quota_exceeded')
  const lowered = { variables: [{ name: 'API_URL', value: 'x', sensitive: false }] }
  await send('PUT', `${at}/shared-variables`, lowered, '409 sensitive_lowered')
  await send('PUT', `${at}/services/api/variables`, lowered, '409 sensitive_lowered')
  const one = { value: 'x', sensitive: false }
  await send('PUT', `${at}/services/api/variables/API_URL`, one, '409 sensitive_lowered')

  await meetDatabases(send, ids, faults)
  await meetDomains(send, at)
  await meetReferences(send, at, ready)
  await meetOpenDeployments(api, send, at, faults)

  for (const path of [
    '/shared-variables/API_URL',
    '/services/api/variables/OTHER',
    '/services/api/volume',
    '/services/api',
  ])
    await send('DELETE', at + path, undefined, '204')
}

type Faults = Awaited<ReturnType<typeof startWorker>>['world']['faults']

async function meetDatabases(send: Send, ids: Record<string, string>, faults: Faults): Promise<void> {
  const at = `/projects/${ids.project}`
  const { quota_mb } = { quota_mb: 1_000_000 }
  await send('POST', `${at}/databases`, { name: 'db', engine: 'postgres' }, '409 name_taken')
  await send('POST', `${at}/databases`, { name: 'large', engine: 'postgres', quota_mb }, '422 quota_exceeded')
  await send('PATCH', `${at}/databases/db`, { quota_mb }, '422 quota_exceeded')
  await send('PATCH', `${at}/databases/db`, { quota_mb: 2048 }, '200')
  await send('POST', `${at}/databases/db/credentials`, undefined, '200')
  await send('POST', `${at}/databases/db/rotate`, undefined, '200')
  await send('POST', `${at}/backups/${ids.backup}/restore`, { name: 'db' }, '409 name_taken')
  await send('POST', `${at}/backups/${ids.backup}/restore`, { name: 'x', quota_mb }, '422 quota_exceeded')

  faults.hold('provision', '*')
  await send('POST', `${at}/databases`, { name: 'slow', engine: 'postgres' }, '201')
  await send('POST', `${at}/databases/slow/credentials`, undefined, '409 database_not_ready')
  await send('POST', `${at}/databases/slow/rotate`, undefined, '409 database_not_ready')
  faults.release('provision', '*')
  faults.hold('backup', '*')
  await send('DELETE', `${at}/databases/back`, undefined, '204')
  const [backup] = (await send('GET', `${at}/backups`, undefined, '200')).body.items
  if (backup.status !== 'running') throw new Error(`the backup is ${backup.status}`)
  await send('POST', `${at}/backups/${backup.id}/restore`, {}, '409 database_not_ready')
  faults.release('backup', '*')
}

async function meetDomains(send: Send, at: string): Promise<void> {
  const hostname = 'www.loja.example.com'
  const { id } = (await send('POST', `${at}/services/web/domains`, { hostname }, '201')).body
  await send('POST', `${at}/services/web/domains`, { hostname }, '409 domain_taken')
  await send('POST', `${at}/services/web/domains/${id}/verify`, undefined, '200')
  await send('POST', `${at}/services/web/domains/${id}/verify`, undefined, '422 rate_limited')
  await send('DELETE', `${at}/services/web/domains/${id}`, undefined, '204')
}

/** What a value may be that no trigger accepts. */
const BAD_VALUES: [value: string, code: string][] = [
  ['${{nope.X}}', 'unresolved_reference'],
  ['${{bad', 'invalid_reference'],
  ['${{shared.ROUND}}', 'reference_cycle'],
  ['${{shared.L0}}', 'reference_too_deep'],
  ['${{shared.LARGE}}!', 'value_too_large'],
]

async function meetReferences(send: Send, at: string, ready: (id: string) => Promise<unknown>): Promise<void> {
  const chain = Array.from({ length: 17 }, (_, i) => ({ name: `L${i}`, value: `\${{shared.L${i + 1}}}` }))
  const shared = [
    ...chain,
    { name: 'L17', value: 'end' },
    { name: 'ROUND', value: '${{shared.ROUND}}' },
    { name: 'LARGE', value: 'x'.repeat(64 * 1024) },
  ]
  await send('PUT', `${at}/shared-variables`, { variables: shared }, '200')
  for (const [value, code] of BAD_VALUES) {
    await send('PUT', `${at}/services/web/variables/BAD`, { value }, '200')
    await send('POST', `${at}/services/web/deployments`, {}, `422 ${code}`)
    await send('POST', `${at}/deploy`, {}, `422 ${code}`)
  }
  // A version whose database is another one by now, with longer addresses, and then none at all.
  const engines = ['sqlite', 'postgres'] as const
  const urls: number[] = []
  for (const engine of engines) {
    await ready((await send('POST', `${at}/databases`, { name: 'gone', engine }, '201')).body.id)
    const { credentials } = (await send('POST', `${at}/databases/gone/credentials`, undefined, '200')).body
    urls.push(credentials.find((each: { name: string }) => each.name === 'DATABASE_URL').value.length)
    await send('DELETE', `${at}/databases/gone`, { final_backup: false }, '204')
  }
  const [shorter, longer] = (urls[0] ?? 0) < (urls[1] ?? 0) ? engines : [...engines].reverse()
  const value = `${'x'.repeat(64 * 1024 - Math.min(...urls))}\${{gone.DATABASE_URL}}`
  await ready((await send('POST', `${at}/databases`, { name: 'gone', engine: shorter }, '201')).body.id)
  await send('PUT', `${at}/services/web/variables/BAD`, { value }, '200')
  const { id } = (await send('POST', `${at}/services/web/deployments`, {}, '202')).body
  await ready(id)
  await send('DELETE', `${at}/databases/gone`, { final_backup: false }, '204')
  const rollback = `${at}/services/web/deployments/${id}/rollback`
  await send('POST', rollback, undefined, '422 unresolved_reference')
  await ready((await send('POST', `${at}/databases`, { name: 'gone', engine: longer }, '201')).body.id)
  await send('POST', rollback, undefined, '422 value_too_large')
  await send('DELETE', `${at}/services/web/variables/BAD`, undefined, '204')
}

async function meetOpenDeployments({ db }: Api, send: Send, at: string, faults: Faults): Promise<void> {
  const ended = (id: string) =>
    until(`${id} has ended`, async () => !['queued', 'building', 'deploying'].includes(await statusNow(db, id)), 60_000)
  const service = `${at}/services/api`
  const [ready] = (await send('GET', `${service}/deployments`, undefined, '200')).body.items
  faults.hold('build', '*')
  const { id } = (await send('POST', `${service}/deployments`, {}, '202')).body
  const busy = '409 deploy_in_progress'
  await send('POST', `${service}/deployments`, {}, busy)
  await send('POST', `${service}/deployments`, form(await tarGz({ 'index.html': 'oi' })), '400 invalid_request')
  await send('POST', `${service}/deployments/${ready.id}/rollback`, undefined, busy)
  await send('POST', `${service}/deployments/${id}/rollback`, undefined, '409 nothing_to_rollback')
  await send('POST', `${at}/deploy`, { services: ['api'] }, busy)
  await send('DELETE', `${service}/volume`, undefined, busy)
  faults.release('build', '*')
  await ended(id)
  const rolled = (await send('POST', `${service}/deployments/${id}/rollback`, undefined, '202')).body
  await ended(rolled.id)

  await send('POST', `${at}/services`, { name: 'spare', ...IMAGE, resources: { memory_mb: 64 } }, '201')
  faults.hold('build', '*')
  const group = (await send('POST', `${at}/deploy`, { services: ['spare'] }, '202')).body
  await send('DELETE', `${at}/services/spare`, undefined, busy)
  await send('POST', `${at}/group-deployments/${group.id}/cancel`, undefined, '200')
  faults.release('build', '*')
}

t.test('each operation, status and error code of the document is answered, and no other (C-151)', async t => {
  const api = await startApi(t, { env: { CAIS_STABILITY_MS: '0', CAIS_RUNTIME: 'simulated' } })
  const { world } = await startWorker(t, api, { seesEngines: true })
  const send = noting(api.client)
  const ids = await furnish(api, send)
  await meetGenericRefusals(api, ids)
  await meetUsedKeys(api, ids)
  await meetOwnAnswers(api, world.faults, send, ids)
  await meetFailures(t, api, ids)
  const unseen = declared().filter(name => !seen.has(name))
  t.strictSame(unseen, [], 'what nobody has seen is not in the document')
  t.equal(seen.size, declared().length)
  t.comment(`${seen.size} answers of ${lines.length} operations`)
})
