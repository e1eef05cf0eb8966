// Random requests made from /openapi.json: no answer is 5xx, and each is one that the document allows.
//   CAIS_FUZZ_SEED=1234 CAIS_FUZZ_ROUTE='POST /v1/projects' npx tap run test/integration/fuzz.test.ts
//   npm run fuzz -- --requests 200000
import fc from 'fast-check'
import type { Knex } from 'knex'
import t from 'tap'
import { startApi, type Api, type Client } from '../support/api.ts'
import { openContract, type Contract, type Document, type Line } from '../support/contract.ts'
import { statusNow, tarGz } from '../support/deployments.ts'
import { until } from '../support/platform.ts'
import { requestsFor, type Ask } from '../support/requests.ts'
import { startWorker } from '../support/worker.ts'

const seed = Number(process.env.CAIS_FUZZ_SEED ?? (Date.now() ^ (Math.random() * 2 ** 31)) & 0x7fffffff)
const only = process.env.CAIS_FUZZ_ROUTE ?? null
const total = process.env.CAIS_FUZZ_REQUESTS === undefined ? null : Number(process.env.CAIS_FUZZ_REQUESTS)
const PER_ROUTE = 200
/** APIs side by side. A route is asked one request after the other, so that its seed replays it. */
const LANES = 3
/** What no machine is too slow for. */
const LONGEST_WORK_MS = 120_000

/** What exists in one team, by the names of path parameters; and what is there for one route alone. */
interface World {
  client: Client
  known: Record<string, string[]>
  special: Record<string, Record<string, string[]>>
}

t.test(
  `random requests, seed ${seed} (CAIS_FUZZ_SEED replays it)`,
  { timeout: total ? 86_400_000 : 900_000 },
  async t => {
    const archive = await tarGz({ 'index.html': 'oi' })
    const open = async (lane: number) => {
      const env = { CAIS_STABILITY_MS: '0', CAIS_RUNTIME: 'simulated', DATA_DIR: t.testdir({}) + String(lane) }
      const api = await startApi(t, { env })
      await startWorker(t, api, { dataDir: api.config.dataDir, seesEngines: true })
      return api
    }
    const apis = await Promise.all(Array.from({ length: LANES }, (_, lane) => open(lane)))
    const document = (await (await fetch(`${apis[0]?.url}/openapi.json`)).json()) as Document
    const contract = openContract(document)
    const lines = contract.lines.filter(line => only === null || nameOf(line) === only)
    const numRuns = total === null ? PER_ROUTE : Math.ceil(total / lines.length)
    const statuses: Record<string, number> = {}
    const failures: string[] = []
    const asks = { all: 0, wrong: 0 }
    await Promise.all(
      apis.map(async (api, lane) => {
        for (const line of lines.filter((_, i) => i % LANES === lane)) {
          const startedAt = performance.now()
          const asked = await askRandomly({ api, line, contract, document, archive, numRuns, failures, asks })
          if (process.env.CAIS_FUZZ_TIMES) console.error(nameOf(line), Math.round(performance.now() - startedAt), asked)
          for (const [status, count] of Object.entries(asked)) statuses[status] = (statuses[status] ?? 0) + count
          const good = Object.keys(asked).some(status => status.startsWith('2'))
          if (!good) failures.push(`no request to ${nameOf(line)} succeeded: ${JSON.stringify(asked)}`)
        }
      }),
    )
    const answered = Object.values(statuses).reduce((sum, count) => sum + count, 0)
    t.comment(`${answered} requests to ${lines.length} routes: ${JSON.stringify(statuses)}`)
    t.strictSame(failures, [], 'every answer is in the document')
    t.ok(answered >= numRuns * lines.length, `${answered} requests`)
    const share = asks.wrong / asks.all
    // Of a single route's two hundred it may be any share.
    t.ok(only !== null || (share > 0.45 && share < 0.55), `${Math.round(share * 100)} % of them wrong on purpose`)
  },
)

const nameOf = (line: Line) => `${line.method} ${line.path}`

interface Run {
  api: Api
  line: Line
  contract: Contract
  document: Document
  archive: Buffer
  numRuns: number
  failures: string[]
  /** Counted here. */
  asks: { all: number; wrong: number }
}

// A world of its own for each route: what fails is replayed by the seed and the route alone.
async function askRandomly({ api, line, contract, document, archive, numRuns, failures, asks }: Run) {
  const world = await furnish(api, line)
  const statuses: Record<number, number> = {}
  const property = fc.asyncProperty(requestsFor(line, document), async ask => {
    asks.all++
    if (ask.wrong) asks.wrong++
    const method = ask.method ?? line.method
    const { answered, sent, path } = await send(world, line, method, ask, archive)
    statuses[answered.status] = (statuses[answered.status] ?? 0) + 1
    const complaint =
      answered.status >= 500
        ? `${answered.status} ${JSON.stringify(answered.body)}`
        : contract.complaintAbout(method, path, answered)
    if (complaint) throw new Error(`${sent}\n${complaint}`)
    if (answered.status === 202 && ask.carry) await carryOut(api.db)
    if (method === 'DELETE' && answered.status === 204) await restock(world, line)
  })
  const result = await fc.check(property, { seed: seed ^ hash(nameOf(line)), numRuns })
  if (result.failed) {
    if (process.env.CAIS_FUZZ_TIMES) console.error(String(result.errorInstance))
    const replay = `CAIS_FUZZ_SEED=${seed} CAIS_FUZZ_ROUTE='${nameOf(line)}'`
    failures.push(`${replay}\n${String(result.errorInstance)}\n${JSON.stringify(result.counterexample)}`.slice(0, 3000))
  }
  return statuses
}

async function send({ client, known, special }: World, line: Line, method: string, ask: Ask, archive: Buffer) {
  const path = line.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const place = ask.places[name] ?? { known: 0 }
    const choices = special[nameOf(line)]?.[name] ?? ownersOf(line, name, known)
    return 'text' in place ? place.text : (choices[place.known % Math.max(1, choices.length)] ?? UNKNOWN)
  })
  const query = new URLSearchParams(ask.query).toString()
  const headers: Record<string, string> = { authorization: `Bearer ${client.token}`, ...ask.headers }
  const init: RequestInit & { headers: Record<string, string> } = { method, headers, redirect: 'manual' }
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
  if (method === 'HEAD') delete init.body
  const url = new URL(`${client.base.replace(/\/v1$/, '')}${path}${query ? `?${query}` : ''}`)
  const response = await fetch(url, init)
  const text = await response.text()
  const isJson = text !== '' && response.headers.get('content-type')?.startsWith('application/json')
  const body: unknown = text === '' ? null : isJson ? JSON.parse(text) : text
  const answered = { status: response.status, headers: response.headers, body }
  return { answered, path: url.pathname, sent: `${method} ${path.slice(0, 300)}?${query}` }
}

/** What a service has of its own is looked for where it is. */
function ownersOf(line: Line, name: string, known: World['known']): string[] {
  const isBelow = name === 'service' && /\{(deployment|domain|name)\}/.test(line.path)
  return (isBelow ? known.web : known[name]) ?? []
}

const UNKNOWN = '01kapvsxq2hm6c8v5z3n9d4wtf'
const IMAGE = { source: { type: 'image', ref: 'simulated:ok' } }
let made = 0

/** A team with a project, and one of everything that the route is about. */
async function furnish(api: Api, line: Line): Promise<World> {
  const { client } = await api.newTeam('business')
  const project = await client.project(`Loja ${made++}`)
  const at = `/projects/${project.id}`
  const make = async (path: string, body?: object): Promise<string> => (await client.post(at + path, body)).body.id
  const web = (await client.patch(`${at}/services/web`, IMAGE)).body.id as string
  const service = await make('/services', { name: 'api', ...IMAGE })
  const spare = await make('/services', { name: 'spare' })
  await client.put(`${at}/services/api/volume`, { mount_path: '/app/dados', size_gb: 1 })
  await saveVariables(client, at)
  const known: World['known'] = {
    project: [project.id],
    web: [web, 'web'],
    service: [web, service, 'web', 'api'],
    name: ['API_URL', 'OTHER'],
  }
  if (/database|backup|restore/.test(line.path)) Object.assign(known, await furnishDatabases(api, client, at))
  if (/deploy|logs|services$|\{service\}$/.test(line.path)) Object.assign(known, await deployOnce(api, client, at))
  if (/domain|services$|\{service\}$/.test(line.path)) {
    known.domain = [await make('/services/web/domains', { hostname: `www.loja${made}.example.com` })]
  }
  const empty = (await client.project(`Vazia ${made++}`)).id
  const withVolume = { service: [service, 'api', 'web'] }
  const special = {
    'DELETE /v1/projects/{project}': { project: [empty, project.id] },
    'DELETE /v1/projects/{project}/services/{service}': { service: [spare, 'web'] },
    'GET /v1/projects/{project}/services/{service}/volume': withVolume,
    'PUT /v1/projects/{project}/services/{service}/volume': withVolume,
    'DELETE /v1/projects/{project}/services/{service}/volume': withVolume,
  }
  return { client, known, special }
}

/** A database, the backup of another that is gone, and a restore of that. */
async function furnishDatabases({ db }: Api, client: Client, at: string): Promise<World['known']> {
  const create = async (name: string): Promise<string> => {
    const { id } = (await client.post(`${at}/databases`, { name, engine: 'postgres' })).body
    await waitFor(db, id, 'ready')
    return id
  }
  const database = await create('db')
  await client.delete(`${at}/databases/${await create('old')}`)
  const backup = (await client.get(`${at}/backups`)).body.items[0].id as string
  await waitFor(db, backup, 'ready')
  const restore = (await client.post(`${at}/backups/${backup}/restore`, { name: 'back' })).body.id as string
  return { database: [database, 'db'], backup: [backup], restore: [restore] }
}

/** A deployment of `web`, and a group of everything. */
async function deployOnce({ db }: Api, client: Client, at: string): Promise<World['known']> {
  const deployment = (await client.post(`${at}/services/web/deployments`)).body.id as string
  await waitFor(db, deployment, 'ready')
  const group = (await client.post(`${at}/deploy`)).body.id as string
  await waitFor(db, group, 'ready')
  return { deployment: [deployment], group: [group] }
}

/** What was deleted is there again, or another one like it. */
async function restock({ client, known, special }: World, line: Line): Promise<void> {
  const at = `/projects/${known.project?.[0]}`
  const name = `n${made++}`
  const create = async (path: string, body: object) => String((await client.post(at + path, body)).body?.id ?? UNKNOWN)
  if (line.path.endsWith('{name}')) await saveVariables(client, at)
  else if (line.path.endsWith('/volume')) {
    await client.put(`${at}/services/api/volume`, { mount_path: '/app/dados', size_gb: 1 })
  } else if (line.path.endsWith('{domain}')) {
    known.domain = [await create('/services/web/domains', { hostname: `www.${name}.example.com` })]
  } else if (line.path.endsWith('{database}')) {
    known.database = [await create('/databases', { name, engine: 'postgres' }), name]
  } else if (line.path.endsWith('{service}')) {
    special[nameOf(line)] = { service: [await create('/services', { name }), 'web'] }
  } else special[nameOf(line)] = { project: [(await client.project(name)).id, known.project?.[0] ?? ''] }
}

async function saveVariables(client: Client, at: string): Promise<void> {
  await client.put(`${at}/shared-variables`, { variables: [{ name: 'API_URL', value: '${{api.PRIVATE_URL}}' }] })
  await client.put(`${at}/services/web/variables`, { variables: [{ name: 'API_URL', value: '${{shared.API_URL}}' }] })
}

async function waitFor(db: Knex, id: string, status: string): Promise<void> {
  await until(`${id} is ${status}`, async () => (await statusNow(db, id)) === status, LONGEST_WORK_MS)
}

/** Every deployment ends before the next request. */
async function carryOut(db: Knex): Promise<void> {
  const open = db('actor').where({ kind: 'deployment', status: 'active' })
  await until('all deployments have ended', async () => (await open.clone().first('id')) === undefined, LONGEST_WORK_MS)
}

function hash(text: string): number {
  return [...text].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, 7) & 0x7fffffff
}
