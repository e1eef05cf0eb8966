// kill -9 at every commit point: each story is told once undisturbed, which lists the transitions and effects that it goes
// through; then once for each of them, dying there, starting again, and ending as if nothing had happened.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Knex } from 'knex'
import t, { type Test } from 'tap'
import { machines } from '../../machines/index.ts'
import { createSimulatedWorld, type SimulatedWorld } from '../../src/drivers/simulated/world.ts'
import {
  GENEROUS_LIMITS,
  PatientClient,
  startCompiledPlatform,
  until,
  type RunningPlatform,
} from '../support/platform.ts'
import { form, tarGz } from '../support/deployments.ts'
import { freshDatabase } from '../support/postgres.ts'

interface Stage {
  client: PatientClient
  world: SimulatedWorld
  db: Knex
  /** Sends a request until somebody answers it, with one idempotency key: once, whatever dies meanwhile. */
  once(method: string, at: string, body?: unknown): Promise<Record<string, unknown>>
  /** Deletes, however often that has to be asked for. Answers the status: the answer to the first try may be lost. */
  remove(at: string): Promise<number>
}

interface Story {
  name: string
  tell(stage: Stage): Promise<Record<string, unknown>>
}

const TERMINAL = ['ready', 'failed', 'blocked', 'canceled', 'superseded']

async function project(stage: Stage) {
  const { id: p } = await stage.once('POST', '/projects', { name: 'Loja' })
  const at = `/projects/${String(p)}`
  const web = (await stage.once('GET', `${at}/services/web`)) as { id: string }
  return { at, web }
}

const setImage = (stage: Stage, at: string, service: string, ref: string) =>
  stage.once('PATCH', `${at}/services/${service}`, { source: { type: 'image', ref } })

async function deploy(stage: Stage, at: string, service: string, what: object = {}) {
  const { id } = await stage.once('POST', `${at}/services/${service}/deployments`, what)
  return until(`deployment ${String(id)} ends`, async () => {
    const answer = await stage.client.try('GET', `${at}/services/${service}/deployments/${String(id)}`)
    return answer?.status === 200 && TERMINAL.includes(String(answer.body['status'])) && answer.body
  })
}

const serviceStatus = (stage: Stage, at: string, service: string) =>
  until(`service ${service} settles`, async () => {
    const answer = await stage.client.try('GET', `${at}/services/${service}`)
    return answer?.status === 200 && answer.body['status'] !== 'deploying' && String(answer.body['status'])
  })

/** The newest deployment's instance exits once it has the traffic and before it is ready. */
async function exitWhileStabilizing(stage: Stage, good: Record<string, unknown>): Promise<void> {
  const id = await until('a deployment stabilizes', async () => {
    const row = (await stage.db('actor').where({ kind: 'deployment', state: 'deploying.stabilizing' }).first()) as
      { id: string } | undefined
    return row && row.id !== good['id'] && row.id
  })
  stage.world.exit(id, 3)
}

const stories: Story[] = [
  {
    name: 'a group with a database in two layers, then a version that replaces one',
    tell: async stage => {
      const { at, web } = await project(stage)
      await stage.once('POST', `${at}/services`, { name: 'api', kind: 'app' })
      const archive = form(await tarGz({ 'index.html': 'hello' }))
      const [sent] = await Promise.all([deploy(stage, at, 'web', archive), database(stage, at)])
      await setImage(stage, at, 'api', 'simulated:ok')
      const put = (service: string, name: string, value: string) =>
        stage.once('PUT', `${at}/services/${service}/variables/${name}`, { value })
      await put('web', 'API', '${{api.PRIVATE_URL}}')
      await put('api', 'DATABASE_URL', '${{db.DATABASE_URL}}')
      const { id: g } = await stage.once('POST', `${at}/deploy`, {})
      const group = await until('the group ends', async () => {
        const answer = await stage.client.try('GET', `${at}/group-deployments/${String(g)}`)
        return answer?.status === 200 && answer.body['status'] !== 'running' && answer.body
      })
      const second = await deploy(stage, at, 'web')
      return {
        sent: sent['status'],
        group: group['status'],
        items: (group['items'] as { status: string; layer: number }[])
          .map(item => `${item.layer} ${item.status}`)
          .sort(),
        second: second['status'],
        web: await serviceStatus(stage, at, 'web'),
        serves: stage.world.serving(web.id) === second['id'],
      }
    },
  },
  {
    name: 'a version that crashes at its start and one that crashes inside the stability window leave the old one serving',
    tell: async stage => {
      const { at, web } = await project(stage)
      await setImage(stage, at, 'web', 'simulated:ok')
      const good = await deploy(stage, at, 'web')
      await setImage(stage, at, 'web', 'simulated:crash')
      const crashed = await deploy(stage, at, 'web')
      await setImage(stage, at, 'web', 'simulated:ok')
      const [later] = await Promise.all([deploy(stage, at, 'web'), exitWhileStabilizing(stage, good)])
      return {
        good: good['status'],
        crashed: (crashed['error'] as { code: string }).code,
        later: (later['error'] as { code: string }).code,
        web: await serviceStatus(stage, at, 'web'),
        serves: stage.world.serving(web.id) === good['id'],
      }
    },
  },
  {
    name: 'a cancelled group stops its build, and the instance of an earlier version is started again after a crash',
    tell: async stage => {
      const { at, web } = await project(stage)
      await setImage(stage, at, 'web', 'simulated:ok')
      const good = await deploy(stage, at, 'web')
      await setImage(stage, at, 'web', 'simulated:build-slow-60000')
      const { id: g } = await stage.once('POST', `${at}/deploy`, {})
      await until('it builds', async () => {
        const answer = await stage.client.try('GET', `${at}/group-deployments/${String(g)}`)
        return (answer?.body['items'] as { status: string }[] | undefined)?.[0]?.status === 'building'
      })
      const cancelled = await stage.once('POST', `${at}/group-deployments/${String(g)}/cancel`)
      await serviceStatus(stage, at, 'web')
      stage.world.exit(String(good['id']))
      await until('started again', async () => (await stage.world.containers.inspect(String(good['id'])))?.running)
      return {
        cancelled: cancelled['status'],
        item: (cancelled['items'] as { status: string }[])[0]?.status,
        web: await serviceStatus(stage, at, 'web'),
        serves: await until('it serves', () => Promise.resolve(stage.world.serving(web.id) === good['id'])),
      }
    },
  },
  {
    name: 'a rotation leaves exactly one credential that opens the database',
    tell: async stage => {
      const { at } = await project(stage)
      const id = await database(stage, at)
      const before = await secretOf(stage, at, id)
      const rotated = await stage.once('POST', `${at}/databases/${id}/rotate`)
      const after = await secretOf(stage, at, id)
      return {
        rotated: Object.keys(rotated).sort(),
        old: opens(stage, id, before),
        new: opens(stage, id, after),
        pending: (await stage.db('database').whereNotNull('pending')).length,
      }
    },
  },
  {
    name: 'a deleted database is backed up once, its data goes, and a restore brings it back',
    tell: async stage => {
      const { at } = await project(stage)
      const id = await database(stage, at)
      stage.world.databases.postgres.database(id)?.insert(await secretOf(stage, at, id), 'one', 'two')
      const deleted = await stage.remove(`${at}/databases/${id}`)
      const backup = await until('the backup is ready', async () => {
        const items = (await stage.client.try('GET', `${at}/backups`))?.body['items'] as
          Record<string, string>[] | undefined
        return items?.[0]?.['status'] === 'ready' && items
      })
      await until('its data is gone', () => Promise.resolve(stage.world.databases.postgres.database(id) === null))
      const begun = await stage.once('POST', `${at}/backups/${backup[0]?.['id']}/restore`)
      const again = String(begun['database_id'])
      await until('it is ready', async () => {
        const answer = await stage.client.try('GET', `${at}/databases/${again}`)
        return answer?.body['status'] === 'ready'
      })
      const rows = stage.world.databases.postgres.database(again)?.rows(await secretOf(stage, at, again))
      return {
        deleted: [204, 404].includes(deleted),
        backups: backup.length,
        rows,
        databases: (await stage.world.databases.postgres.list()).length,
        owed: (await stage.db('deleted_database')).length,
      }
    },
  },
  {
    name: 'a volume goes from one version to the next, back from a failed one, and away with its service',
    tell: async stage => {
      const { at, web } = await project(stage)
      await setImage(stage, at, 'web', 'simulated:ok')
      const { id } = await stage.once('PUT', `${at}/services/web/volume`, { mount_path: '/app/data', size_gb: 1 })
      const first = await deploy(stage, at, 'web')
      stage.world.volumes.write(String(id), 'one', 5)
      await setImage(stage, at, 'web', 'simulated:crash')
      const crashed = await deploy(stage, at, 'web')
      await serviceStatus(stage, at, 'web')
      const old = stage.world.serving(web.id) === first['id']
      await setImage(stage, at, 'web', 'simulated:ok')
      const second = await deploy(stage, at, 'web')
      await serviceStatus(stage, at, 'web')
      const kept = stage.world.volumes.read(String(id))?.lines
      await stage.remove(`${at}/services/web/volume`)
      const idle = await serviceStatus(stage, at, 'web')
      await stage.remove(`${at}/services/web`)
      await settle(stage)
      return {
        first: first['status'],
        crashed: (crashed['error'] as { code: string }).code,
        old,
        second: second['status'],
        kept,
        idle,
        left: await stage.world.volumes.list(),
        doubles: stage.world.faults.ledger('start').filter(entry => entry.outcome === 'two_on_volume').length,
        routes: stage.world.routes().length,
      }
    },
  },
]

/** The id of a database that is ready. */
async function database(stage: Stage, at: string): Promise<string> {
  const { id } = await stage.once('POST', `${at}/databases`, { name: 'db', engine: 'postgres' })
  await until('database ready', async () => {
    const answer = await stage.client.try('GET', `${at}/databases/${String(id)}`)
    return answer?.body['status'] === 'ready'
  })
  return String(id)
}

async function secretOf(stage: Stage, at: string, id: string): Promise<string> {
  const { credentials } = await stage.once('POST', `${at}/databases/${id}/credentials`)
  return (credentials as { name: string; value: string }[]).find(each => each.name === 'PGPASSWORD')?.value ?? ''
}

function opens(stage: Stage, id: string, secret: string): boolean {
  try {
    return stage.world.databases.postgres.database(id)?.rows(secret) !== undefined
  } catch {
    return false // Refused, as a client would be.
  }
}

/** Tells a story on a fresh installation; with a failpoint the platform dies there once and is started again. */
async function tell(test: Test, story: Story, failpoint: string | null) {
  const { db, url } = await freshDatabase(test)
  const dataDir = await mkdtemp(path.join(tmpdir(), 'cais-crash-'))
  const env = {
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    CAIS_RUNTIME: 'simulated',
    CAIS_STABILITY_MS: '500',
    CAIS_LIMITS: GENEROUS_LIMITS,
  }
  const client = new PatientClient(dataDir)
  let deaths = 0
  let current: RunningPlatform | null = null
  let over = false
  const keepRunning = async () => {
    for (let first = true; !over; first = false) {
      current = await startCompiledPlatform({ ...env, ...(first && failpoint ? { CAIS_FAILPOINT: failpoint } : {}) })
      if (current) {
        client.url = current.url
        if (over) await current.kill()
        await current.ended
      }
      if (!over) deaths += 1
    }
  }
  const running = keepRunning()
  let n = 0
  const made: string[] = []
  const removed: string[] = []
  const stage: Stage = {
    client,
    db,
    world: createSimulatedWorld({ config: { dataDir } }),
    once: async (method, at, body) => {
      const key = `story-${(n += 1)}-abcdefgh`
      const answer = await until(`${method} ${at}`, async () => {
        const got = client.url ? await client.try(method, at, body, method === 'POST' ? key : undefined) : null
        return got && got.status < 500 && got
      })
      if (answer.status >= 400) throw new Error(`${method} ${at}: ${answer.status} ${JSON.stringify(answer.body)}`)
      if (method === 'POST' && typeof answer.body['id'] === 'string') made.push(pathOf(at, answer.body['id']))
      return answer.body
    },
    remove: async at => {
      removed.push(at)
      return until(`${at} is gone`, async () => {
        const answer = await client.try('DELETE', at)
        return (answer?.status === 204 || answer?.status === 404) && answer.status
      })
    },
  }
  try {
    const end = await story.tell(stage)
    await settle(stage)
    // The last point of a story is passed after its end.
    if (failpoint) await until(`the platform dies at ${failpoint}`, () => Promise.resolve(deaths > 0))
    await settle(stage)
    const kept = made.filter(path => !removed.some(gone => path.startsWith(gone)))
    const lost: string[] = []
    for (const path of kept) {
      const answer = await until(`GET ${path}`, async () => {
        const got = await client.try('GET', path)
        return got && got.status < 500 && got
      })
      if (answer.status !== 200 || answer.body['id'] !== path.split('/').at(-1)) lost.push(path)
    }
    const instances = (await stage.world.containers.list()).map(instance => instance.deploymentId).sort()
    return { end, deaths, db, instances, kept, lost }
  } finally {
    over = true
    await (current as RunningPlatform | null)?.kill()
    await running
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Where to read what a request made, or what it was about. */
function pathOf(at: string, id: string): string {
  if (at.endsWith(`/${id}`) || at.includes(`/${id}/`)) return at.slice(0, at.indexOf(id) + id.length)
  const [, project, last] = /^(\/projects\/[^/]+)?.*?\/([^/]+)$/.exec(at) ?? []
  if (last === 'deploy') return `${project}/group-deployments/${id}`
  if (last === 'restore') return `${project}/restores/${id}`
  return `${at}/${id}`
}

/** Nothing is owed any more. */
async function settle({ db }: Stage): Promise<void> {
  await until('no effect is open and no letter waits', async () => {
    const open = (await db('effect').whereIn('state', ['ready', 'running', 'canceling'])).length
    return open === 0 && (await db('inbox')).length === 0
  })
}

/** Goals I2, I3, I4, I8, I10 and a journal without gaps or doubles. */
async function checkInvariants(
  test: Test,
  { db, instances, kept, lost }: { db: Knex; instances: string[]; kept: string[]; lost: string[] },
): Promise<void> {
  test.ok(kept.length > 0)
  test.strictSame(lost, [], 'every acknowledged id still exists')
  const journal = (await db('journal').orderBy(['actor_id', 'revision'])) as {
    actor_id: string
    revision: number
    before: string | null
    after: string
    error: string | null
  }[]
  const last = new Map<string, { revision: number; after: string }>()
  for (const row of journal) {
    const before = last.get(row.actor_id)
    if (before && (row.revision !== before.revision + 1 || row.before !== before.after))
      test.fail('the journal has a gap', row)
    if (!before && row.revision !== 0) test.fail('the journal does not begin at the beginning', row)
    last.set(row.actor_id, row)
  }
  const actors = (await db('actor')) as {
    id: string
    kind: string
    status: string
    state: string
    revision: number
    snapshot: { context: { active?: string } }
  }[]
  for (const actor of actors) {
    test.match(
      last.get(actor.id),
      { revision: actor.revision, after: actor.state },
      `${actor.kind} is where its journal says`,
    )
    test.not(actor.status, 'parked')
  }
  const services = actors.filter(actor => actor.kind === 'service')
  const serving = services
    .map(actor => actor.snapshot.context.active)
    .filter(Boolean)
    .sort()
  test.strictSame(instances, serving, 'the instances are those of the active deployments, and no others')
  test.strictSame(await db('effect').where({ state: 'dead' }), [], 'no effect was given up')
  const open = actors.filter(actor => ['deployment', 'group'].includes(actor.kind) && actor.status === 'active')
  test.strictSame(open, [], 'every deployment and every group ended')
}

async function pointsOf(db: Knex): Promise<string[]> {
  const { rows: steps } = await db.raw(
    `select distinct a.kind, j.before, j.after from journal j join actor a on a.id = j.actor_id
      where j.handled and j.before is not null and j.before <> j.after order by 1, 2, 3`,
  )
  const { rows: effects } = await db.raw(`select distinct name from effect order by 1`)
  return [
    ...(steps as { kind: string; before: string; after: string }[]).flatMap(step =>
      ['before-commit', 'after-commit'].map(where => `${step.kind}:${step.before}->${step.after}@${where}`),
    ),
    ...(effects as { name: string }[]).flatMap(({ name }) =>
      ['before-act', 'after-act', 'after-answer'].map(where => `${name}@${where}`),
    ),
  ]
}

/** For a look at a few points: CAIS_CRASH_POINTS='retire|revert' npx tap run test/crash/kill.test.ts */
const only = process.env.CAIS_CRASH_POINTS ? new RegExp(process.env.CAIS_CRASH_POINTS) : null
const visited = new Set<string>()
const tried = new Set<string>()

for (const story of stories) {
  t.test(story.name, { timeout: 1_800_000 }, async t => {
    const calm = await tell(t, story, null)
    t.equal(calm.deaths, 0)
    await checkInvariants(t, calm)
    const points = await pointsOf(calm.db)
    for (const { after } of (await calm.db('journal').select('after')) as { after: string }[]) visited.add(after)
    const fresh = points.filter(point => !tried.has(point) && (!only || only.test(point)))
    for (const point of fresh) tried.add(point)
    t.jobs = 2
    for (const point of fresh) {
      t.test(`C-152 killed at ${point}`, { buffered: true, timeout: 300_000 }, async t => {
        const disturbed = await tell(t, story, point)
        t.equal(disturbed.deaths, 1, 'the platform died there')
        t.strictSame(disturbed.end, calm.end, 'the end is the same')
        await checkInvariants(t, disturbed)
      })
    }
  })
}

t.test('the stories go through every state of the deployment machine that work is done in', async t => {
  const machine = machines.deployment as unknown as {
    idMap: Map<string, { type: string; key: string; path: string[] }>
  }
  const working = [...machine.idMap.values()]
    .filter(node => node.type === 'atomic' && node.path.length > 0)
    .map(node => node.path.join('.'))
  t.strictSame(
    working.filter(state => !visited.has(state)),
    [],
  )
})
