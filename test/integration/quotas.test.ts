// Quotas of the operator on one connection after another: what answers say of them (D-21), and large uploads at a time
// (decisions 6). Counting requests is in http.test.ts and operator-limits.test.ts.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import t, { type Test } from 'tap'
import { startApi, type Api, type Client } from '../support/api.ts'
import { until } from '../support/platform.ts'

const LARGE = 16 * 1024 * 1024
const FORM = 'multipart/form-data; boundary=x'
const HEAD = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.tgz"\r\n\r\n'
const TAIL = '\r\n--x--\r\n'

type Outcome = 'asked' | { status: number; wait: number; text: string }

/** An upload that is announced: the server has asked for it (`asked`), or has answered without. */
class Upload {
  readonly #request: ClientRequest
  readonly outcome: Promise<Outcome>

  constructor(api: Api, client: Client, path: string, size = LARGE) {
    const authorization = `Bearer ${client.token}`
    this.#request = request(`${api.url}/v1${path}/deployments`, {
      method: 'POST',
      agent: false,
      headers: { authorization, 'content-type': FORM, 'content-length': size, expect: '100-continue' },
    })
    this.#request.on('error', () => {})
    const asked = once(this.#request, 'continue').then((): Outcome => 'asked')
    this.outcome = Promise.race([asked, this.#answer()])
    this.#request.flushHeaders()
  }

  async #answer(): Promise<{ status: number; wait: number; text: string }> {
    const [response] = (await once(this.#request, 'response')) as [IncomingMessage]
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk as Buffer)
    const wait = Number(response.headers['retry-after'] ?? 0)
    return { status: response.statusCode ?? 0, wait, text: Buffer.concat(chunks).toString() }
  }

  /** Sends a file that is no archive, as large as was announced. */
  async finish(): Promise<number> {
    const answered = once(this.#request, 'response')
    this.#request.write(HEAD)
    this.#request.write(Buffer.alloc(LARGE - HEAD.length - TAIL.length))
    this.#request.end(TAIL)
    const [response] = (await answered) as [IncomingMessage]
    response.resume()
    return response.statusCode ?? 0
  }

  leave(): void {
    this.#request.destroy()
  }
}

async function start(t: Test, env: Record<string, string> = {}): Promise<{ api: Api; path: string }> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'cais-quotas-'))
  t.teardown(() => rm(dataDir, { recursive: true, force: true }))
  const api = await startApi(t, { env: { DATA_DIR: dataDir, ...env } })
  return { api, path: await webOf(api.client) }
}

const webOf = async (client: Client) => `/projects/${(await client.project(`loja ${client.token}`)).id}/services/web`

t.test('four large uploads of a team at a time; the fifth is 429 until one of them is over', async t => {
  const { api, path } = await start(t)
  const upload = () => new Upload(api, api.client, path)
  const four = Array.from({ length: 4 }, upload)
  for (const one of four) t.equal(await one.outcome, 'asked')

  const fifth = await upload().outcome
  t.match(fifth, { status: 429, text: /"error":"rate_limited","message":"Muitas requisições em pouco tempo\./ })
  t.ok((fifth as { wait: number }).wait >= 1, 'Retry-After')
  const tooLarge = await new Upload(api, api.client, path, 600_000_000).outcome
  t.match(tooLarge, { status: 413 }, 'what will never be accepted is not asked to wait')
  const small = new Upload(api, api.client, path, LARGE - 1)
  t.equal(await small.outcome, 'asked', 'a small one is not counted')
  const another = (await api.newTeam()).client
  const stranger = new Upload(api, another, await webOf(another))
  t.equal(await stranger.outcome, 'asked', 'each team has its own')

  t.equal(await four[0]?.finish(), 400, 'a file that is no archive')
  const next = upload()
  t.equal(await next.outcome, 'asked', 'one is over')
  t.match(await upload().outcome, { status: 429 })

  four[1]?.leave()
  const last = await until('the place of a client that went away is free', async () => {
    const one = upload()
    return (await one.outcome) === 'asked' ? one : null
  })
  for (const one of [...four, small, stranger, next, last]) one.leave()
})

t.test('the operator says how many large uploads there are at a time', async t => {
  const { api, path } = await start(t, { CAIS_LIMITS: JSON.stringify({ requests: { uploadsAtOncePerTeam: 1 } }) })
  const [first, second] = [new Upload(api, api.client, path), new Upload(api, api.client, path)]
  const outcomes = [await first.outcome, await second.outcome]
  t.equal(outcomes.filter(outcome => outcome === 'asked').length, 1)
  t.match(
    outcomes.find(outcome => outcome !== 'asked'),
    { status: 429 },
  )
  first.leave()
  second.leave()
})

t.test('every answer of a trigger says what is left of the deploy quota (D-21)', async t => {
  const { api, path } = await start(t)
  const { client, db } = api
  await client.patch(path, { source: { type: 'image', ref: 'registry.test/app:1' } })
  const deployments = `${path}/deployments`
  const group = `${path.slice(0, path.indexOf('/services'))}/deploy`
  const key = { 'idempotency-key': 'the-first-one' }
  const left = async (reply: { status: number; headers: Headers }, status: number) => {
    t.equal(reply.status, status)
    t.equal(reply.headers.get('ratelimit-policy'), '"token";q=1000000;w=60, "deploys";q=30;w=3600')
    return Number(/, "deploys";r=(\d+);t=\d+$/.exec(reply.headers.get('ratelimit') ?? '')?.[1])
  }
  const first = await client.post(deployments, {}, key)
  t.equal(await left(first, 202), 29)
  t.equal(await left(await client.post(deployments, {}, key), 202), 29, 'a replay takes nothing')
  t.equal(await left(await client.post(deployments), 409), 29)
  t.equal(await left(await client.post(deployments, { no: 1 }), 400), 29)
  t.equal(await left(await client.post(group), 409), 29)
  t.equal(await left(await client.post(`${deployments}/${first.body.id}/rollback`), 409), 29)
  await db.raw('insert into deploy_use (team_id) select ? from generate_series(1, 29)', [api.teamId])
  await db('actor').where({ id: first.body.id }).update({ status: 'done', state: 'failed' })
  const refused = await client.post(deployments)
  t.equal(await left(refused, 429), 0)
  const [, seconds] = /, "deploys";r=0;t=(\d+)$/.exec(refused.headers.get('ratelimit') ?? '') ?? []
  t.ok(Math.abs(Number(seconds) - Number(refused.headers.get('retry-after'))) <= 1, 'both speak of the same moment')
  const foreign = await client.post(`/projects/${first.body.id}/deploy`)
  t.equal(foreign.headers.get('ratelimit-policy'), '"token";q=1000000;w=60', 'nothing is told where there is nothing')
})
