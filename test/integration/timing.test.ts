// What belongs to others takes as long to be refused as what does not exist (D-16, C-005): over pairs of requests, in
// random order, on several routes. The statements themselves are compared in http.test.ts.
import { randomInt } from 'node:crypto'
import { Agent, request } from 'node:http'
import t from 'tap'
import { newId } from '../../src/domain/ids.ts'
import { startApi, type Client } from '../support/api.ts'

/** Pairs of one look, over all routes. */
const PAIRS = 2000
const WARM_UP_PAIRS = 200
/**
 * A difference is a suspicion when chance makes it once in a thousand looks, and, of medians, when it is large enough to
 * be of use. Looks have pairs of their own: chance makes the same suspicion in all of them once in a billion runs.
 */
const LOOKS = 3
const DEVIATE_LIMIT = 3.3
const SHARE_LIMIT = 0.05

interface Pair {
  foreign: number
  unknown: number
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
t.teardown(() => agent.destroy())

/** Milliseconds until the whole answer is there; throws unless it is 404. */
async function timeOf(client: Client, method: string, path: string): Promise<number> {
  const url = new URL(client.base + path)
  const body = method === 'GET' ? undefined : '{}'
  const headers = { authorization: `Bearer ${client.token}`, ...(body ? { 'content-type': 'application/json' } : {}) }
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const sent = request(url, { method, agent, headers }, response => {
      response.resume()
      response.once('end', () => {
        const ms = performance.now() - startedAt
        if (response.statusCode === 404) resolve(ms)
        else reject(new Error(`${method} ${path}: ${response.statusCode}`))
      })
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/** One pair: which of the two comes first is chance, so that what changes with time changes both. */
async function pairOf(foreign: () => Promise<number>, unknown: () => Promise<number>): Promise<Pair> {
  if (randomInt(2) === 0) return { foreign: await foreign(), unknown: await unknown() }
  const second = await unknown()
  return { foreign: await foreign(), unknown: second }
}

const at = (values: number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

/**
 * Wilcoxon's signed-rank test over the differences of the pairs, as a normal deviate: pauses of the machine, however
 * long, count by their rank only.
 */
function signedRank(pairs: Pair[]): number {
  const differences = pairs.map(pair => pair.foreign - pair.unknown).filter(difference => difference !== 0)
  const ranked = differences.sort((a, b) => Math.abs(a) - Math.abs(b))
  const sum = ranked.reduce((total, difference, i) => total + Math.sign(difference) * (i + 1), 0)
  const n = ranked.length
  return sum / Math.sqrt((n * (n + 1) * (2 * n + 1)) / 6)
}

/** How many standard errors apart the shares above one common bound are: for the tail, where medians do not look. */
function tailDeviate(pairs: Pair[], share: number): number {
  const bound = at(
    pairs.flatMap(pair => [pair.foreign, pair.unknown]),
    share,
  )
  // Only pairs of which one is beyond the bound say anything (McNemar).
  const foreign = pairs.filter(pair => pair.foreign > bound && pair.unknown <= bound).length
  const unknown = pairs.filter(pair => pair.unknown > bound && pair.foreign <= bound).length
  return foreign + unknown === 0 ? 0 : (foreign - unknown) / Math.sqrt(foreign + unknown)
}

interface Verdict {
  /** 1 or -1: foreign or random ids take longer; 0: no more than by chance. */
  median: number
  p95: number
  text: string
}

function judge(pairs: Pair[]): Verdict {
  const [foreign, unknown] = [pairs.map(pair => pair.foreign), pairs.map(pair => pair.unknown)]
  const medians = [at(foreign, 0.5), at(unknown, 0.5)] as const
  const share = Math.abs(medians[0] - medians[1]) / Math.max(...medians)
  const [rank, tail] = [signedRank(pairs), tailDeviate(pairs, 0.95)]
  const [m0, m1, p0, p1] = [...medians, at(foreign, 0.95), at(unknown, 0.95)].map(ms => ms.toFixed(3))
  return {
    median: Math.abs(rank) > DEVIATE_LIMIT && share > SHARE_LIMIT ? Math.sign(rank) : 0,
    p95: Math.abs(tail) > DEVIATE_LIMIT ? Math.sign(tail) : 0,
    text: `median ${m0} and ${m1} ms (${rank.toFixed(1)}), p95 ${p0} and ${p1} ms (${tail.toFixed(1)})`,
  }
}

/** The suspicions of one look: over all pairs, where the tail is full enough to be judged, and route by route. */
function suspicionsOf(look: Map<string, Pair[]>): Map<string, string> {
  const all = judge([...look.values()].flat())
  const found: [number, string, string][] = [
    [all.median, 'median over all', all.text],
    [all.p95, 'p95 over all', all.text],
    ...[...look].map(([name, pairs]): [number, string, string] => {
      const { median, text } = judge(pairs)
      return [median, `median of ${name}`, text]
    }),
  ]
  return new Map(found.filter(([sign]) => sign !== 0).map(([sign, what, text]) => [`${what}, ${sign}`, text]))
}

t.test('the median and the p95 of foreign ids are those of random ids (C-005)', { timeout: 600_000 }, async t => {
  const { client, newTeam, db } = await startApi(t)
  const own = (await client.project('minha')).id
  const stranger = (await newTeam()).client
  const project = (await stranger.project('alheia')).id
  const service = (await stranger.get(`/projects/${project}/services/web`)).body.id as string
  const services = `/projects/${project}/services/web`
  await stranger.patch(services, { source: { type: 'image', ref: 'registry.test/app:1' } })
  const deployment = (await stranger.post(`${services}/deployments`)).body.id as string
  const group = newId()
  const { team_id } = await db('project').where({ id: project }).first()
  await db('deployment_group').insert({ id: group, project_id: project, team_id })
  // Each with the foreign id, and how the path is made of an id.
  const routes: [method: string, foreign: string, path: (id: string) => string][] = [
    ['GET', project, id => `/projects/${id}`],
    ['GET', service, id => `/projects/${own}/services/${id}`],
    ['GET', deployment, id => `/projects/${own}/services/web/deployments/${id}`],
    ['GET', group, id => `/projects/${own}/group-deployments/${id}`],
    ['PATCH', service, id => `/projects/${own}/services/${id}`],
    ['POST', project, id => `/projects/${id}/services/web/deployments`],
    ['POST', service, id => `/projects/${own}/services/${id}/deployments`],
    ['DELETE', project, id => `/projects/${id}`],
  ]
  const look = async (pairs: number) => {
    const seen = new Map<string, Pair[]>()
    for (let i = 0; i < pairs / routes.length; i++) {
      for (const [method, foreign, path] of routes) {
        const [known, random] = [path(foreign), path(newId())]
        const pair = await pairOf(
          () => timeOf(client, method, known),
          () => timeOf(client, method, random),
        )
        const name = `${method} ${path('{id}').replace(own, '{own}')}`
        seen.set(name, [...(seen.get(name) ?? []), pair])
      }
    }
    return seen
  }
  await look(WARM_UP_PAIRS)
  let suspicions: Map<string, string> | null = null
  for (let i = 0; i < LOOKS && suspicions?.size !== 0; i++) {
    const seen = await look(PAIRS)
    t.comment(judge([...seen.values()].flat()).text)
    const found = suspicionsOf(seen)
    for (const [what, text] of found) t.comment(`${what}: ${text}`)
    const before: Map<string, string> = suspicions ?? found
    suspicions = new Map([...found].filter(([what]) => before.has(what)))
  }
  t.strictSame([...(suspicions ?? [])], [], 'what is suspected in every look')
})
