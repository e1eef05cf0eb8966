// Random requests made from /openapi.json: no answer is 5xx, and each is one that the document allows.
//   CAIS_FUZZ_SEED=1234 CAIS_FUZZ_ROUTE='POST /v1/projects' npx tap run test/integration/fuzz.test.ts
//   npm run fuzz -- --requests 200000
import fc from 'fast-check'
import type { Knex } from 'knex'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { reportHealth } from '../../db/queries/health.ts'
import { openPresence, perform, pump } from '../../src/actors/index.ts'
import { createSimulatedWorld } from '../../src/drivers/simulated/world.ts'
import { createPerformers } from '../../src/effects/handlers.ts'
import { startApi, type Api, type Client } from '../support/api.ts'
import { openContract, type Contract, type Document, type Line } from '../support/contract.ts'
import { statusNow, tarGz } from '../support/deployments.ts'
import { until } from '../support/platform.ts'
import { requestsFor, type Ask } from '../support/requests.ts'

const seed = Number(process.env.CAIS_FUZZ_SEED ?? (Date.now() ^ (Math.random() * 2 ** 31)) & 0x7fffffff)
const only = process.env.CAIS_FUZZ_ROUTE ?? null
const total = process.env.CAIS_FUZZ_REQUESTS === undefined ? null : Number(process.env.CAIS_FUZZ_REQUESTS)
const PER_ROUTE = 200
/** Worlds of their own, side by side. A route is asked one request after the other, so that its seed replays it. */
const LANES = 3
const ENGINES = ['postgres', 'mariadb', 'sqlite']

/** What exists in one team, by the names of path parameters. */
interface World {
  client: Client
  known: Record<string, string[]>
}

t.test(
  `random requests, seed ${seed} (CAIS_FUZZ_SEED replays it)`,
  { timeout: total ? 86_400_000 : 300_000 },
  async t => {
    const archive = await tarGz({ 'index.html': 'oi' })
    const open = async (lane: number) => {
      const env = { CAIS_STABILITY_MS: '0', CAIS_RUNTIME: 'simulated', DATA_DIR: t.testdir({}) + String(lane) }
      const api = await startApi(t, { env })
      await startWorker(t, api)
      return api
    }
    const apis = await Promise.all(Array.from({ length: LANES }, (_, lane) => open(lane)))
    const document = (await (await fetch(`${apis[0]?.url}/openapi.json`)).json()) as Document
    const contract = openContract(document)
    const lines = contract.lines
      .filter(line => only === null || nameOf(line) === only)
      .sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))
    const numRuns = total === null ? PER_ROUTE : Math.ceil(total / lines.length)
    const statuses: Record<string, number> = {}
    let answered = 0
    const failures: string[] = []
    await Promise.all(
      apis.map(async (api, lane) => {
        const world = await furnish(api)
        for (const line of lines.filter((_, i) => i % LANES === lane)) {
          const startedAt = performance.now()
          const asked = await askRandomly({ api, world, line, contract, document, archive, numRuns, failures })
          if (process.env.CAIS_FUZZ_TIMES) console.error(nameOf(line), Math.round(performance.now() - startedAt), asked)
          for (const [status, count] of Object.entries(asked)) statuses[status] = (statuses[status] ?? 0) + count
        }
      }),
    )
    for (const count of Object.values(statuses)) answered += count
    t.comment(`${answered} requests to ${lines.length} routes: ${JSON.stringify(statuses)}`)
    t.ok(answered >= numRuns * lines.length, `${answered} requests`)
    t.strictSame(failures, [], 'every answer is in the document')
  },
)

const nameOf = (line: Line) => `${line.method} ${line.path}`

interface Run {
  api: Api
  world: World
  line: Line
  contract: Contract
  document: Document
  archive: Buffer
  numRuns: number
  failures: string[]
}

async function askRandomly({ api, world, line, contract, document, archive, numRuns, failures }: Run) {
  const statuses: Record<number, number> = {}
  let asked = 0
  const property = fc.asyncProperty(requestsFor(line, document), async ask => {
    if (asked++ % 50 === 0) await seeEnginesWell(api.db)
    const { response, body, sent } = await send(world, line, ask, archive)
    statuses[response.status] = (statuses[response.status] ?? 0) + 1
    const complaint =
      response.status >= 500
        ? `${response.status} ${JSON.stringify(body)}`
        : contract.complaint(line, { status: response.status, headers: response.headers, body })
    if (complaint) throw new Error(`${sent}\n${complaint}`)
    if (response.status === 202 && ask.carry) await carryOut(api.db)
    if (line.method === 'DELETE' && response.ok) await restock(api, world, line)
  })
  const result = await fc.check(property, { seed: seed ^ hash(nameOf(line)), numRuns })
  if (result.failed) {
    if (process.env.CAIS_FUZZ_TIMES) console.error(String(result.errorInstance))
    const replay = `CAIS_FUZZ_SEED=${seed} CAIS_FUZZ_ROUTE='${nameOf(line)}'`
    failures.push(`${replay}\n${String(result.errorInstance)}\n${JSON.stringify(result.counterexample)}`.slice(0, 3000))
  }
  return statuses
}

async function send({ client, known }: World, line: Line, ask: Ask, archive: Buffer) {
  const path = line.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const place = ask.places[name] ?? { known: 0 }
    const choices = known[name] ?? []
    return 'text' in place ? place.text : (choices[place.known % Math.max(1, choices.length)] ?? UNKNOWN)
  })
  const query = new URLSearchParams(ask.query).toString()
  const headers: Record<string, string> = { authorization: `Bearer ${client.token}`, ...ask.headers }
  const init: RequestInit & { headers: Record<string, string> } = { method: line.method, headers, redirect: 'manual' }
  const { content } = ask
  if (content.kind === 'json') {
    init.body = JSON.stringify(content.value) ?? 'undefined'
    headers['content-type'] = 'application/json'
  } else if (content.kind === 'raw') {
    init.body = Buffer.from(content.text)
    if (content.type !== '') headers['content-type'] = content.type
  } else if (content.kind === 'form') {
    const form = new FormData()
    for (const { name, good } of content.parts)
      form.append(name, new Blob([good ? new Uint8Array(archive) : 'text']), 'f')
    init.body = form
  }
  const url = `${client.base.replace(/\/v1$/, '')}${path}${query ? `?${query}` : ''}`
  const response = await fetch(url, init)
  const text = await response.text()
  const isJson = text !== '' && response.headers.get('content-type')?.startsWith('application/json')
  const body: unknown = text === '' ? null : isJson ? JSON.parse(text) : text
  return { response, body, sent: `${line.method} ${path.slice(0, 300)}?${query}` }
}

const UNKNOWN = '01kapvsxq2hm6c8v5z3n9d4wtf'
const IMAGE = { source: { type: 'image', ref: 'simulated:ok' } }
let made = 0

/** A team with one of everything. */
async function furnish(api: Api): Promise<World> {
  await seeEnginesWell(api.db)
  const { client } = await api.newTeam('business')
  const project = await client.project(`Loja ${made++}`)
  const at = `/projects/${project.id}`
  const make = async (path: string, body?: object): Promise<string> => (await client.post(at + path, body)).body.id
  await client.patch(`${at}/services/web`, IMAGE)
  const service = await make('/services', { name: 'api', ...IMAGE })
  await client.put(`${at}/services/api/volume`, { mount_path: '/app/dados', size_gb: 1 })
  await saveVariables(client, at)
  const old = await make('/databases', { name: 'old', engine: 'postgres' })
  const database = await make('/databases', { name: 'db', engine: 'postgres' })
  for (const id of [old, database]) await waitFor(api.db, id, 'ready')
  await client.delete(`${at}/databases/${old}`)
  const backup = (await client.get(`${at}/backups`)).body.items[0].id as string
  await waitFor(api.db, backup, 'ready')
  const restore = await make(`/backups/${backup}/restore`, { name: 'back' })
  const domain = await make('/services/web/domains', { hostname: `www.loja${made}.example.com` })
  const deployment = await make('/services/web/deployments')
  await waitFor(api.db, deployment, 'ready')
  const group = await make('/deploy')
  await waitFor(api.db, group, 'ready')
  const one = { project: [project.id], deployment: [deployment], group: [group], name: ['API_URL', 'OTHER'] }
  const more = { service: ['web', service, 'api'], database: ['db', database], backup: [backup], restore: [restore] }
  return { client, known: { ...one, ...more, domain: [domain] } }
}

/** What was deleted is there again, or another one like it. */
async function restock(api: Api, world: World, line: Line): Promise<void> {
  const { client, known } = world
  const at = `/projects/${known.project?.[0]}`
  if (line.path.endsWith('{name}')) return saveVariables(client, at)
  if (line.path.endsWith('/volume')) {
    return void (await client.put(`${at}/services/api/volume`, { mount_path: '/app/dados', size_gb: 1 }))
  }
  if (line.path.endsWith('{domain}')) {
    const added = await client.post(`${at}/services/web/domains`, { hostname: `www.loja${made++}.example.com` })
    known.domain = [String(added.body?.id ?? UNKNOWN)]
    return
  }
  const [, noun] = /\/(services|databases)\/\{\w+\}$/.exec(line.path) ?? []
  if (!noun) return void Object.assign(world, await furnish(api))
  const body = { name: `n${made++}`, ...(noun === 'services' ? {} : { engine: 'postgres' }) }
  const { id } = (await client.post(`${at}/${noun}`, body)).body
  known[noun.slice(0, -1)] = [id, body.name]
}

async function saveVariables(client: Client, at: string): Promise<void> {
  await client.put(`${at}/shared-variables`, { variables: [{ name: 'API_URL', value: '${{api.PRIVATE_URL}}' }] })
  await client.put(`${at}/services/web/variables`, { variables: [{ name: 'API_URL', value: '${{shared.API_URL}}' }] })
}

async function waitFor(db: Knex, id: string, status: string): Promise<void> {
  await until(`${id} is ${status}`, async () => (await statusNow(db, id)) === status)
}

/** Every deployment ends before the next request. */
async function carryOut(db: Knex): Promise<void> {
  const open = db('actor').where({ kind: 'deployment', status: 'active' })
  await until('all deployments have ended', async () => (await open.clone().first('id')) === undefined)
}

/** Pumps and performs on a simulated world, as a worker of the platform does. */
async function startWorker(t: Test, { db, databaseUrl, keyring, config }: Api): Promise<void> {
  const log = pino({ level: process.env.CAIS_LOG_LEVEL ?? 'silent' })
  const stopping = new AbortController()
  const presence = await openPresence(databaseUrl, () => {})
  const world = createSimulatedWorld({ config, provisionMs: 0 })
  const performers = createPerformers({ db, keyring, world, config, log })
  const loops = Promise.all([
    pump(db, log, stopping.signal),
    perform({ db, log, presence, performers, concurrency: 8 }, stopping.signal),
  ])
  t.teardown(async () => {
    stopping.abort()
    await loops
    await presence.close()
  })
}

async function seeEnginesWell(db: Knex): Promise<void> {
  for (const engine of ENGINES) await reportHealth(db, engine, true, null)
}

function hash(text: string): number {
  return [...text].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, 7) & 0x7fffffff
}
