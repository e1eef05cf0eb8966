// Custom domains over HTTP, with a worker on the simulated world whose DNS says what the test writes into it (C-140 to C-142).
import t from 'tap'
import { readActor } from '../../db/queries/actors.ts'
import { reconcile } from '../../src/effects/reconcile.ts'
import { startApi, type Api, type Client, type Reply } from '../support/api.ts'
import { until } from '../support/stage.ts'
import { startWorker } from '../support/worker.ts'
import type { SimulatedWorld } from '../../src/drivers/simulated/world.ts'

interface Domain {
  id: string
  hostname: string
  status: string
  dns: { type: string; name: string; value: string; ttl: number }[]
  verification: { type: string; name: string; value: string }
}

const WEB = (project: { id: string }) => `/projects/${project.id}/services/web/domains`

async function add(client: Client, project: { id: string }, hostname: string): Promise<Domain> {
  const reply = await client.post(WEB(project), { hostname })
  if (reply.status !== 201) throw new Error(`${hostname}: ${reply.status} ${reply.text}`)
  return reply.body
}

/** Does in the zone what the domain asks for. */
function obey(world: SimulatedWorld, domain: Domain): void {
  world.names.setRecord('TXT', domain.verification.name, ['v=spf1 -all', domain.verification.value])
  for (const { type, name, value } of domain.dns)
    world.names.setRecord(type === 'CNAME' ? 'CNAME' : 'ADDRESS', name, [value])
}

/** The minute between two checks has passed. */
const rest = (api: Api, id: string) =>
  api.db.raw(`update domain set asked_at = asked_at - interval '60 seconds' where id = ?`, [id])

const brief = (reply: Reply) => [reply.status, reply.body?.error ?? reply.body?.status]

void t.test(
  'C-141 creation tells what to write into the zone; verify before it is there is 200, after it active',
  async t => {
    const api = await startApi(t)
    const { world } = await startWorker(t, api)
    const project = await api.client.project('loja')
    const made = await api.client.post(WEB(project), { hostname: 'Loja.Example.COM' })
    t.equal(made.status, 201)
    const domain = made.body
    t.match(domain, {
      id: /^[0-7][0-9a-z]{25}$/,
      hostname: 'loja.example.com',
      status: 'pending',
      dns: [{ type: 'CNAME', name: 'loja.example.com', value: 'loja.apps.test', ttl: 300 }],
      verification: { type: 'TXT', name: '_web-verify.loja.example.com', value: /^cais-verify=\S{32}$/ },
      last_checked_at: null,
      last_error: null,
      verified_at: null,
    })
    const at = `${WEB(project)}/${domain.id}`
    t.equal(
      made.headers.get('location'),
      `/v1/projects/${project.id}/services/${domain.service_id}/domains/${domain.id}`,
    )
    t.strictSame((await api.client.get(at)).body, domain)

    const early = await api.client.post(`${at}/verify`)
    t.match(early, { status: 200, body: { status: 'pending', last_error: { code: 'txt_missing' }, verified_at: null } })
    t.match(early.body.last_checked_at, /Z$/)

    world.names.setRecord('TXT', domain.verification.name, [domain.verification.value])
    await rest(api, domain.id)
    t.match((await api.client.post(`${at}/verify`)).body, {
      status: 'pending',
      last_error: { code: 'routing_missing' },
    })

    obey(world, domain)
    await rest(api, domain.id)
    const active = await api.client.post(`${at}/verify`)
    t.match(active, { status: 200, body: { status: 'active', last_error: null, verified_at: /Z$/ } })
    t.strictSame(world.certified(), ['loja.example.com'])
    t.strictSame((await api.client.get(WEB(project))).body.items, [active.body])
    const again = await api.client.post(`${at}/verify`)
    t.strictSame([again.status, again.body], [200, active.body], 'active: unchanged, and no check')
    const { rows } = await api.db.raw('select certificate from domain')
    t.notMatch(rows[0].certificate.toString(), /certificate/, 'sealed')
  },
)

void t.test('C-140 a private service takes none (400); a host is taken once on the platform (409)', async t => {
  const api = await startApi(t)
  const project = await api.client.project('loja')
  await api.client.post(`/projects/${project.id}/services`, { name: 'api' })
  const refused = await api.client.post(`/projects/${project.id}/services/api/domains`, { hostname: 'a.example.com' })
  t.strictSame(brief(refused), [400, 'invalid_request'])
  t.match(refused.body.message, /privado/)

  await add(api.client, project, 'a.example.com')
  const twice = await api.client.post(WEB(project), { hostname: 'A.example.com' })
  t.match(twice, {
    status: 409,
    body: { error: 'domain_taken', message: 'O domínio "a.example.com" já está cadastrado.' },
  })
  const other = (await api.newTeam()).client
  const theirs = await other.project('outra')
  t.strictSame(brief(await other.post(WEB(theirs), { hostname: 'a.example.com' })), [409, 'domain_taken'])

  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      i % 2 === 0
        ? api.client.post(WEB(project), { hostname: 'race.example.com' })
        : other.post(WEB(theirs), { hostname: 'RACE.example.com' }),
    ),
  )
  t.strictSame(replies.map(reply => reply.status).sort(), [201, ...Array<number>(19).fill(409)])
})

void t.test('C-140 host names are kept in ASCII and lower case; what is none is 400', async t => {
  const api = await startApi(t)
  const project = await api.client.project('loja')
  t.equal((await add(api.client, project, 'Maçã.example.com')).hostname, 'xn--ma-tiap.example.com')
  const bad = ['localhost', '10.0.0.1', '*.example.com', 'loja.apps.test', 'apps.test', 'a b.com', 'https://a.com', '']
  for (const hostname of [...bad, 'a..com', '-a.com', 'a.com:80', 'x'.repeat(64) + '.com', '[::1]', 7, null]) {
    t.strictSame(brief(await api.client.post(WEB(project), { hostname })), [400, 'invalid_request'], String(hostname))
  }
  t.strictSame(brief(await api.client.post(WEB(project), { hostname: 'b.com', ttl: 1 })), [400, 'invalid_request'])
  for (const [hostname, type] of [
    ['example.com', 'A'],
    ['loja.com.br', 'A'],
    ['www.loja.com.br', 'CNAME'],
  ] as const)
    t.equal((await add(api.client, project, hostname)).dns[0]?.type, type, hostname)
})

void t.test(
  'C-142 a second verification within a minute is 422 with the wait, of twenty at once one is done',
  async t => {
    const api = await startApi(t)
    const { world } = await startWorker(t, api)
    const project = await api.client.project('loja')
    const domain = await add(api.client, project, 'loja.example.com')
    const verify = () => api.client.post(`${WEB(project)}/${domain.id}/verify`)
    const startedAt = Date.now()
    t.strictSame(brief(await verify()), [200, 'pending'])
    const soon = await verify()
    t.strictSame(brief(soon), [422, 'rate_limited'])
    const seconds = soon.body.details.retry_after_seconds
    const spent = Math.ceil((Date.now() - startedAt) / 1000)
    t.ok(seconds >= 60 - spent && seconds <= 60, `${seconds}, ${spent} s after the first`)
    t.equal(soon.headers.get('retry-after'), String(seconds))
    await rest(api, domain.id)
    const replies = await Promise.all(Array.from({ length: 20 }, verify))
    t.strictSame(replies.map(reply => reply.status).sort(), [200, ...Array<number>(19).fill(422)])
    t.equal(world.faults.ledger('issueCertificate').length, 0)
  },
)

void t.test('a repeat of verify with the same key is answered by what the first one ended with', async t => {
  const api = await startApi(t)
  const { world } = await startWorker(t, api)
  const project = await api.client.project('loja')
  const domain = await add(api.client, project, 'example.com')
  obey(world, domain)
  const verify = () => api.client.post(`${WEB(project)}/${domain.id}/verify`, {}, { 'idempotency-key': 'verify-1' })
  const first = await verify()
  t.strictSame(brief(first), [200, 'active'])
  const second = await verify()
  t.strictSame([second.headers.get('idempotent-replay'), second.body], ['true', first.body])
})

void t.test('a certificate that is refused leaves the domain failed, and verify tries again', async t => {
  const api = await startApi(t)
  const { world } = await startWorker(t, api)
  const project = await api.client.project('loja')
  const domain = await add(api.client, project, 'loja.example.com')
  obey(world, domain)
  world.faults.fail('issueCertificate', domain.hostname, 1, { code: 'certificate_refused', temporary: false })
  const verify = () => api.client.post(`${WEB(project)}/${domain.id}/verify`)
  t.match((await verify()).body, { status: 'failed', last_error: { code: 'certificate_refused' }, verified_at: /Z$/ })
  await rest(api, domain.id)
  t.match((await verify()).body, { status: 'active', last_error: null })
})

void t.test('name servers that do not answer are told; a host that takes long is told as issuing', async t => {
  const api = await startApi(t)
  const { world } = await startWorker(t, api)
  const project = await api.client.project('loja')
  const domain = await add(api.client, project, 'loja.example.com')
  const verify = () => api.client.post(`${WEB(project)}/${domain.id}/verify`)
  world.faults.fail('lookUp', domain.hostname, 1, { code: 'dns_unavailable', temporary: false })
  t.match((await verify()).body, { status: 'pending', last_error: { code: 'dns_unavailable' } })
  obey(world, domain)
  world.faults.hold('issueCertificate', domain.hostname)
  await rest(api, domain.id)
  const slow = await verify()
  t.strictSame(brief(slow), [200, 'issuing'])
  world.faults.release('issueCertificate', domain.hostname)
  await until(async () => (await api.client.get(`${WEB(project)}/${domain.id}`)).body.status === 'active')
})

void t.test(
  'C-059 a service with a domain cannot turn private; once it is deleted, its host is free for anybody',
  async t => {
    const api = await startApi(t)
    const tools = await startWorker(t, api)
    const { client } = api
    const project = await client.project('loja')
    const domain = await add(client, project, 'loja.example.com')
    obey(tools.world, domain)
    t.strictSame(brief(await client.post(`${WEB(project)}/${domain.id}/verify`)), [200, 'active'])

    // As if an instance served: its route has the custom host too.
    await api
      .db('route')
      .insert({ service_id: (await client.get(`${WEB(project)}/${domain.id}`)).body.service_id, generation: 0 })
    await reconcile(tools)
    t.strictSame(tools.world.routes()[0]?.hosts, ['loja.apps.test', 'loja.example.com'])

    const web = `/projects/${project.id}/services/web`
    const refused = await client.patch(web, { visibility: 'private' })
    t.strictSame(brief(refused), [400, 'invalid_request'])
    t.equal((await client.delete(`${WEB(project)}/${domain.id}`)).status, 204)
    t.equal((await client.get(`${WEB(project)}/${domain.id}`)).status, 404)
    t.equal((await client.delete(`${WEB(project)}/${domain.id}`)).status, 404)
    await until(() => tools.world.certified().length === 0)
    await until(() => tools.world.routes()[0]?.hosts.length === 1)
    await until(async () => (await readActor(api.db, domain.id))?.state === 'removed')

    const other = (await api.newTeam()).client
    await add(other, await other.project('outra'), 'loja.example.com')
    t.strictSame(brief(await client.patch(web, { visibility: 'private' })), [200, 'idle'])
  },
)

void t.test('a domain that nobody verified for seven days is gone, and its host free', async t => {
  const api = await startApi(t)
  await startWorker(t, api)
  const project = await api.client.project('loja')
  const domain = await add(api.client, project, 'loja.example.com')
  const { rows } = await api.db.raw(
    `select extract(epoch from fire_at - now()) / 86400 as days from timer where actor_id = ?`,
    [domain.id],
  )
  t.match(Number(rows[0].days).toFixed(2), '7.00')
  await api.db.raw('update timer set fire_at = now() where actor_id = ?', [domain.id])
  await until(async () => (await api.client.get(`${WEB(project)}/${domain.id}`)).status === 404)
  await until(async () => (await readActor(api.db, domain.id))?.state === 'released')
  await add(api.client, project, 'loja.example.com')
})
