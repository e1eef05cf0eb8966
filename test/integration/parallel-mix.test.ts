// Everything at once: two teams create, change, deploy and delete in their projects, many calls in flight, and many of them
// refused or failing. Which of them win is anybody's guess; what is counted afterwards is what is there.
//   CAIS_MIX_SEED=1234 npx tap run test/integration/parallel-mix.test.ts     (the calls; not their interleaving)
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { newId } from '../../src/domain/ids.ts'
import { issueToken } from '../support/api.ts'
import { Client, type Reply } from '../support/client.ts'
import { until } from '../support/stage.ts'
import { startSimulated, type SimulatedPlatform } from '../support/simulated-platform.ts'

const seed = Number(process.env.CAIS_MIX_SEED ?? (Date.now() ^ (Math.random() * 2 ** 31)) & 0x7fffffff)
const CALLS = 300
const IN_FLIGHT = 24

interface Play {
  client: Client
  /** Of this team. */
  projects: string[]
}
type Call = (play: Play) => Promise<Reply>

const name = fc.constantFrom('web', 'a', 'b', 'c')
const databaseName = fc.constantFrom('db', 'a')
const project = fc.nat(1)
const at = ({ projects }: Play, i: number) => `/projects/${projects[i]}`
const inService = <T>(more: fc.Arbitrary<T>, call: (client: Client, path: string, more: T) => Promise<Reply>) =>
  fc.tuple(project, name, more).map(([p, s, m]): Call => {
    return play => call(play.client, `${at(play, p)}/services/${s}`, m)
  })
const inProject = <T>(more: fc.Arbitrary<T>, call: (client: Client, path: string, more: T) => Promise<Reply>) =>
  fc.tuple(project, more).map(
    ([p, m]): Call =>
      play =>
        call(play.client, at(play, p), m),
  )

const nothing = fc.constant(null)
const memory = fc.constantFrom(64, 512, 2048)
const image = fc.constantFrom('simulated:ok', 'simulated:crash', 'simulated:build-oom')
const value = fc.constantFrom('1', '2', '${{db.DATABASE_URL}}', '${{a.PORT}}', '${{shared.S}}')

const calls: fc.Arbitrary<Call>[] = [
  inProject(fc.record({ name, memory, image }), (client, path, made) =>
    client.post(`${path}/services`, {
      name: made.name,
      source: { type: 'image', ref: made.image },
      resources: { memory_mb: made.memory },
    }),
  ),
  inService(memory, (client, path, memory_mb) => client.patch(path, { resources: { memory_mb } })),
  inService(fc.record({ name }), (client, path, body) => client.patch(path, body)),
  inService(nothing, (client, path) => client.delete(path)),
  inService(fc.integer({ min: 1, max: 12 }), (client, path, size_gb) =>
    client.put(`${path}/volume`, { mount_path: '/app/data', size_gb }),
  ),
  inService(nothing, (client, path) => client.delete(`${path}/volume`)),
  inService(value, (client, path, value) => client.put(`${path}/variables/V`, { value })),
  inProject(value, (client, path, value) =>
    client.put(`${path}/shared-variables`, { variables: [{ name: 'S', value }] }),
  ),
  inService(nothing, (client, path) => client.post(`${path}/deployments`)),
  inProject(nothing, (client, path) => client.post(`${path}/deploy`)),
  inProject(databaseName, (client, path, name) => client.post(`${path}/databases`, { name, engine: 'postgres' })),
  inProject(fc.tuple(databaseName, fc.boolean()), (client, path, [name, final_backup]) =>
    client.delete(`${path}/databases/${name}`, { final_backup }),
  ),
  inProject(databaseName, (client, path, name) => client.post(`${path}/databases/${name}/rotate`)),
  inProject(nothing, restoreNewest),
  // Names that both teams want, in projects that are put away as soon as they are there.
  fc.constantFrom('disputado', 'outro').map(
    (name): Call =>
      play =>
        comeAndGo(play.client, name),
  ),
]

async function restoreNewest(client: Client, path: string): Promise<Reply> {
  const backups = await client.get(`${path}/backups`)
  const [newest] = backups.status === 200 ? backups.body.items : []
  return newest ? client.post(`${path}/backups/${newest.id}/restore`, { name: 'a' }) : backups
}

async function comeAndGo(client: Client, name: string): Promise<Reply> {
  const made = await client.post('/projects', { name })
  if (made.status !== 201) return made
  const path = `/projects/${made.body.id}`
  const [, gone] = await Promise.all([
    client.put(`${path}/services/web/volume`, { mount_path: '/app/data', size_gb: 1 }),
    client.delete(path),
  ])
  return gone
}

/** The second team is on the same plan as the first. */
async function twoTeams({ client, db }: SimulatedPlatform): Promise<Play[]> {
  const teamId = newId()
  await db('team').insert({ id: teamId, name: 'outra', plan: 'hobby' })
  const other = new Client(client.base, await issueToken(db, { teamId }))
  const play = async (of: Client, names: string[]): Promise<Play> => {
    const projects: string[] = []
    for (const each of names) projects.push((await of.project(each)).id)
    return { client: of, projects }
  }
  return [await play(client, ['um', 'dois']), await play(other, ['tres', 'quatro'])]
}

/** What is there, by its lists. */
async function countOf(client: Client): Promise<Record<string, number>> {
  const list = async (path: string) => (await client.get(`${path}?limit=100`)).body.items
  const counted = { projects: 0, services: 0, memory_mb: 0, volumes_gb: 0, databases: 0 }
  for (const { id } of await list('/projects')) {
    counted.projects++
    for (const service of await list(`/projects/${id}/services`)) {
      counted.services++
      counted.memory_mb += service.resources.memory_mb
    }
    for (const volume of await list(`/projects/${id}/volumes`)) counted.volumes_gb += volume.size_gb
    counted.databases += (await list(`/projects/${id}/databases`)).length
  }
  return counted
}

async function agree(t: Test, client: Client, when: string): Promise<void> {
  const limits = (await client.get('/limits')).body as Record<string, { used: number; max: number }>
  for (const [resource, count] of Object.entries(await countOf(client))) {
    t.equal(limits[resource]?.used, count, `${resource} ${when}`)
    t.ok(count <= (limits[resource]?.max ?? 0), `${resource} within the plan`)
  }
}

/** Deletes all that a team has. */
async function emptied({ client }: Play): Promise<void> {
  const projects: { id: string }[] = (await client.get('/projects?limit=100')).body.items
  await Promise.all(projects.map(({ id }) => removed(client, `/projects/${id}`)))
}

async function removed(client: Client, path: string): Promise<void> {
  for (const { id } of (await client.get(`${path}/databases?limit=100`)).body.items) {
    await client.delete(`${path}/databases/${id}`, { final_backup: false })
  }
  for (const { service_id } of (await client.get(`${path}/volumes?limit=100`)).body.items) {
    await until(async () => (await client.delete(`${path}/services/${service_id}/volume`)).status !== 409)
  }
  await client.delete(path)
}

void t.test(`C-149 limits count what is there, whatever happened at once, seed ${seed}`, async t => {
  const platform = await startSimulated(t)
  const teams = await twoTeams(platform)
  const history = fc.sample(fc.tuple(fc.nat(1), fc.oneof(...calls)), { seed, numRuns: CALLS })
  const statuses: number[] = []
  const next = history.values()
  const worker = async () => {
    for (const [team, call] of next) statuses.push((await call(teams[team] as Play)).status)
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))

  t.strictSame(
    statuses.filter(status => status >= 500),
    [],
    'nothing of it is a fault of the platform',
  )
  t.ok(statuses.filter(status => status < 300).length > 50, 'much of it went through')
  t.ok(statuses.filter(status => status >= 400).length > 50, 'and much was refused')
  for (const { client } of teams) await agree(t, client, 'after the mix')

  await Promise.all(teams.map(emptied))
  for (const { client } of teams) {
    await agree(t, client, 'after everything is deleted')
    t.equal((await client.get('/limits')).body.services.used, 0)
  }
  t.strictSame(await platform.db('component_name'), [], 'no name is left behind')
})
