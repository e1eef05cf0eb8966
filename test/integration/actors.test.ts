// The durable runtime against a real Postgres, with performers written for the test.
import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import { pino } from 'pino'
import t from 'tap'
import { lanes } from '../../machines/index.ts'
import { newId } from '../../src/domain/ids.ts'
import { ask, openPresence, perform, post, pump, pumpOnce, spawn, type Performers } from '../../src/actors/index.ts'
import { freshDatabase } from '../support/postgres.ts'

const log = pino({ level: 'silent' })

/** Everything asked for is done at once, with an answer that suits the machines of these tests. */
const willing = {
  ...Object.fromEntries(Object.keys(lanes).map(name => [name, () => Promise.resolve({})])),
  build: () => Promise.resolve({ image: 'sha256:1' }),
  start: () => Promise.resolve({ address: '10.0.0.2', port: 8080 }),
  switchTraffic: () => Promise.resolve({ previous: null }),
  provisionDatabase: () => Promise.resolve({ sizeMb: 7 }),
} as unknown as Performers

/** A worker of its own: presence, pump and performers, as main.ts starts them. */
async function worker(url: string, db: Knex, performers: Partial<Performers> = {}) {
  const stop = new AbortController()
  const presence = await openPresence(url, () => undefined)
  const loops = [
    pump(db, log, stop.signal),
    perform({ db, log, presence, performers: { ...willing, ...performers }, concurrency: 8 }, stop.signal),
  ]
  return async () => {
    stop.abort()
    await Promise.all(loops)
    await presence.close()
  }
}

const stateOf = async (db: Knex, id: string): Promise<string | undefined> =>
  ((await db('actor').where({ id }).first()) as { state: string } | undefined)?.state

async function until<T>(what: string, look: () => Promise<T | undefined | false>, ms = 60_000): Promise<T> {
  const deadline = Date.now() + ms
  for (;;) {
    const seen = await look()
    if (seen !== undefined && seen !== false) return seen
    if (Date.now() > deadline) throw new Error(`never came true: ${what}`)
    await delay(10)
  }
}

async function newDeployment(db: Knex, more: { groupId?: string; stabilityMs?: number } = {}) {
  const deploymentId = newId()
  const serviceId = newId()
  await db.transaction(async trx => {
    await spawn(trx, { kind: 'service', id: serviceId, input: { serviceId, projectId: 'p' } })
    await spawn(trx, {
      kind: 'deployment',
      id: deploymentId,
      subject: serviceId,
      input: {
        deploymentId,
        serviceId,
        projectId: 'p',
        groupId: more.groupId ?? null,
        revision: 1,
        waitsFor: null,
        stabilityMs: more.stabilityMs ?? 30,
      },
    })
    await ask(trx, serviceId, { type: 'DEPLOYMENT_OPENED', deploymentId })
  })
  return { deploymentId, serviceId }
}

const start = (db: Knex, to: string) =>
  db.transaction(trx => post(trx, { to, event: { type: 'START' }, source: 'test' }))

t.test('a deployment walks to ready and its service runs', async t => {
  const { db, url } = await freshDatabase(t)
  t.teardown(await worker(url, db))
  const { deploymentId, serviceId } = await newDeployment(db)
  t.equal(await stateOf(db, serviceId), 'deploying.watching')
  await start(db, deploymentId)
  await until('ready', async () => (await stateOf(db, deploymentId)) === 'ready')
  await until('running', async () => (await stateOf(db, serviceId)) === 'running.watching')
  const states = (await db('journal').where({ actor_id: deploymentId, handled: true }).orderBy('revision')) as {
    after: string
  }[]
  t.strictSame(
    states.map(row => row.after),
    [
      'queued',
      'building',
      'deploying.starting',
      'deploying.switching',
      'deploying.stabilizing',
      'deploying.confirming',
      'ready',
    ],
  )
  t.equal((await db('timer')).length, 0, 'no timer outlives its state')
  t.equal((await db('inbox')).length, 0, 'no letter is left')
})

/** Moves a deployment on to `deploying.confirming`, with the answer waiting that makes it ready. */
async function almostReady(db: Knex, deploymentId: string): Promise<void> {
  const answers = [
    ['build', { image: 'i' }],
    ['start', { address: '10.0.0.2', port: 8080 }],
    ['switchTraffic', { previous: null }],
  ] as const
  await start(db, deploymentId)
  for (const [id, output] of answers) {
    await pumpOnce(db, log)
    await letterTo(db, deploymentId, { type: `xstate.done.actor.${id}`, actorId: id, output })
  }
  await until('stable', async () => {
    await pumpOnce(db, log)
    return (await stateOf(db, deploymentId)) === 'deploying.confirming'
  })
  await letterTo(db, deploymentId, { type: 'xstate.done.actor.confirm', actorId: 'confirm', output: {} })
}

const letterTo = (db: Knex, to: string, event: object) =>
  db('inbox').insert({ actor_id: to, event: JSON.stringify(event), source: 'test' })

t.test('whoever is told something takes it in the same commit: no moment shows one without the other', async t => {
  const { db } = await freshDatabase(t)
  const { deploymentId, serviceId } = await newDeployment(db)
  await almostReady(db, deploymentId)
  await pumpOnce(db, log)
  t.equal(await stateOf(db, deploymentId), 'ready')
  t.equal(await stateOf(db, serviceId), 'running.watching')
  const last = db('journal')
    .whereIn('actor_id', [deploymentId, serviceId])
    .whereIn('after', ['ready', 'running.watching'])
  t.equal((await last.clone().distinct(db.raw('xmin::text'))).length, 1, 'one transaction wrote both')
  t.match(await last.clone().where({ actor_id: serviceId }), [{ source: `deployment:${deploymentId}` }])
  t.equal((await db('inbox')).length, 0)

  const other = await newDeployment(db)
  await db.transaction(trx => ask(trx, other.deploymentId, { type: 'CANCEL' }))
  t.equal(await stateOf(db, other.serviceId), 'idle', 'what is asked for by a request is carried too')
})

t.test('who is in other hands gets a letter, and nobody waits for it', async t => {
  const { db } = await freshDatabase(t)
  const { deploymentId, serviceId } = await newDeployment(db)
  await almostReady(db, deploymentId)
  await db.transaction(async trx => {
    await trx.raw('select 1 from actor where id = ? for update', [serviceId])
    await pumpOnce(db, log)
    t.equal(await stateOf(db, deploymentId), 'ready')
    t.match(await db('inbox').where({ actor_id: serviceId }), [{ event: { type: 'DEPLOYMENT_CLOSED' } }])
  })
  t.equal(await stateOf(db, serviceId), 'deploying.watching')
  await pumpOnce(db, log)
  t.equal(await stateOf(db, serviceId), 'running.watching')
})

t.test('who cannot be stepped or written holds up nobody, and keeps its letter', async t => {
  const { db } = await freshDatabase(t)
  const poisoned = await newDeployment(db)
  await almostReady(db, poisoned.deploymentId)
  await db.raw(`update actor set snapshot = jsonb_set(snapshot::jsonb, '{context}', 'null')::json where id = ?`, [
    poisoned.serviceId,
  ])
  const unwritable = await newDeployment(db)
  await almostReady(db, unwritable.deploymentId)
  const { revision } = (await db('actor').where({ id: unwritable.serviceId }).first()) as { revision: string }
  const stolen = { actor_id: unwritable.serviceId, revision: Number(revision) + 1, source: 'other', event: '{}' }
  await db('journal').insert({ ...stolen, after: 'idle', handled: true, asked: '[]' })
  const newer = await newDeployment(db)
  await almostReady(db, newer.deploymentId)
  await db('actor').where({ id: newer.serviceId }).update({ version: 99 })

  await pumpOnce(db, log)
  for (const { deploymentId, serviceId } of [poisoned, unwritable, newer]) {
    t.equal(await stateOf(db, deploymentId), 'ready')
    t.match(await db('inbox').where({ actor_id: serviceId }), [{ event: { type: 'DEPLOYMENT_CLOSED' } }])
  }
})

t.test('a second active deployment of one service is refused by the index', async t => {
  const { db } = await freshDatabase(t)
  const { serviceId } = await newDeployment(db)
  const input = {
    deploymentId: 'x',
    serviceId,
    projectId: 'p',
    groupId: null,
    revision: 1,
    waitsFor: null,
    stabilityMs: 1,
  }
  await t.rejects(
    db.transaction(trx => spawn(trx, { kind: 'deployment', id: newId(), subject: serviceId, input })),
    /one_active_actor/,
  )
})

t.test('cancelling aborts the build, drops its answer and cleans up after it has really stopped', async t => {
  const { db, url } = await freshDatabase(t)
  const order: string[] = []
  let building = false
  t.teardown(
    await worker(url, db, {
      build: async (_, job) => {
        building = true
        await new Promise(resolve => job.signal.addEventListener('abort', resolve))
        order.push('build stopped')
        return { image: 'late' }
      },
      cleanUp: () => {
        order.push('cleaned')
        return Promise.resolve()
      },
    }),
  )
  const { deploymentId } = await newDeployment(db)
  await start(db, deploymentId)
  await until('building', () => Promise.resolve(building))
  const answer = await db.transaction(trx => ask(trx, deploymentId, { type: 'CANCEL' }))
  t.equal(answer?.status, 'canceled')
  await until('cleaned', () => Promise.resolve(order.length === 2))
  t.strictSame(order, ['build stopped', 'cleaned'])
  t.equal(await stateOf(db, deploymentId), 'canceled')
})

t.test('what is written alongside an answer waits for its locks without holding up who cancels the work', async t => {
  const { db, url } = await freshDatabase(t)
  await db.raw('create table disputed (n int not null)')
  await db.raw('insert into disputed values (0)')
  t.teardown(
    await worker(url, db, {
      build: (_, job) => {
        job.alongside(async trx => void (await trx.raw('update disputed set n = n + 1')))
        return Promise.resolve({ image: 'i' })
      },
    }),
  )
  const { deploymentId } = await newDeployment(db)
  await db.transaction(async trx => {
    // If the two waited for each other, this one would be told first.
    await trx.raw(`set local deadlock_timeout = '10ms'`)
    await trx.raw('select 1 from disputed for update')
    await start(db, deploymentId)
    await until('the answer waits for the row', async () => {
      const { rows } = await db.raw(
        `select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like 'update disputed%'`,
      )
      return rows.length > 0
    })
    const answer = await ask(trx, deploymentId, { type: 'CANCEL' })
    t.equal(answer?.status, 'canceled')
  })
  await until(
    'cleaned up',
    async () => !(await db('effect').whereIn('state', ['ready', 'running', 'canceling']).first()),
  )
  t.equal(await stateOf(db, deploymentId), 'canceled')
  t.strictSame(await db('disputed'), [{ n: 0 }], 'nothing of the answer is kept')
})

t.test('a stale answer of an earlier invocation changes nothing', async t => {
  const { db } = await freshDatabase(t)
  const id = newId()
  await db.transaction(trx => spawn(trx, { kind: 'database', id, input: { databaseId: id } }))
  const [first] = (await db('effect')) as { id: number }[]
  await db('timer').update({ fire_at: db.fn.now() })
  await pumpOnce(db, log)
  t.equal(await stateOf(db, id), 'provisioning.waiting')
  await db('inbox').insert({
    actor_id: id,
    effect_id: first?.id,
    source: 'effect:1',
    event: JSON.stringify({ type: 'xstate.done.actor.provision', actorId: 'provision', output: { sizeMb: 1 } }),
  })
  await db('timer').update({ fire_at: db.fn.now() })
  await pumpOnce(db, log)
  await pumpOnce(db, log)
  t.equal(await stateOf(db, id), 'provisioning.working', 'the first answer did not make it ready')
  t.match(await db('journal').where({ error: 'stale answer' }), [{ handled: false }])
})

t.test('an event for a finished actor is written down and ignored', async t => {
  const { db } = await freshDatabase(t)
  const { deploymentId } = await newDeployment(db)
  await db.transaction(trx => ask(trx, deploymentId, { type: 'CANCEL' }))
  await start(db, deploymentId)
  await pumpOnce(db, log)
  t.equal(await stateOf(db, deploymentId), 'canceled')
  t.match((await db('journal').where({ actor_id: deploymentId }).orderBy('revision', 'desc').first()) as unknown, {
    handled: false,
    event: { type: 'START' },
  })
})

t.test('a stale owner writes nothing', async t => {
  const { db } = await freshDatabase(t)
  const { deploymentId } = await newDeployment(db)
  await db('actor').where({ id: deploymentId }).update({ revision: 7 })
  await db('journal').insert({
    actor_id: deploymentId,
    revision: 8,
    source: 'other',
    event: '{}',
    after: 'queued',
    handled: true,
    asked: '[]',
  })
  await t.rejects(
    db.transaction(trx => ask(trx, deploymentId, { type: 'CANCEL' })),
    /journal_pkey/,
  )
  t.equal(await stateOf(db, deploymentId), 'queued')
})

t.test('poison is tried with growing delay, then parks its actor and nobody else', async t => {
  const { db } = await freshDatabase(t)
  const { deploymentId } = await newDeployment(db)
  const other = await newDeployment(db)
  await db.raw(`update actor set snapshot = jsonb_set(snapshot::jsonb, '{context}', 'null')::json where id = ?`, [
    deploymentId,
  ])
  await start(db, deploymentId)
  await start(db, other.deploymentId)
  await until('parked', async () => {
    await db('inbox').update({ due_at: db.fn.now() })
    await pumpOnce(db, log)
    return ((await db('actor').where({ id: deploymentId }).first()) as { status: string }).status === 'parked'
  })
  t.equal(await stateOf(db, other.deploymentId), 'building')
  const mail = () => db('inbox').where({ actor_id: deploymentId })
  t.equal((await mail()).length, 1, 'its mail is kept')
  await db.transaction(trx => ask(trx, deploymentId, { type: 'CANCEL' }))
  await pumpOnce(db, log)
  t.equal((await mail()).length, 2, 'what is asked of it later waits too')
})

t.test('an actor that a newer version has stepped is left to it', async t => {
  const { db } = await freshDatabase(t)
  const { deploymentId } = await newDeployment(db)
  await db('actor').where({ id: deploymentId }).update({ version: 99 })
  await start(db, deploymentId)
  t.equal(await pumpOnce(db, log), 0)
  await t.rejects(
    db.transaction(trx => ask(trx, deploymentId, { type: 'CANCEL' })),
    /version 99/,
  )
  t.equal((await db('inbox').where({ actor_id: deploymentId })).length, 1)
})

t.test('a temporary failure is tried again, another one is the answer', async t => {
  const { db, url } = await freshDatabase(t)
  let tries = 0
  const failure = (temporary: boolean, code: string) =>
    Object.assign(new Error(code), { name: 'DriverError', code, temporary, details: { a: 1 } })
  t.teardown(
    await worker(url, db, {
      build: () => (++tries < 3 ? Promise.reject(failure(true, 'unavailable')) : Promise.resolve({ image: 'i' })),
      start: () => Promise.reject(failure(false, 'activate_no_http')),
    }),
  )
  const { deploymentId, serviceId } = await newDeployment(db)
  await start(db, deploymentId)
  await until('failed', async () => (await stateOf(db, deploymentId)) === 'failed')
  t.equal(tries, 3)
  const { snapshot } = (await db('actor').where({ id: deploymentId }).first()) as { snapshot: { context: unknown } }
  t.match(snapshot.context, { error: { code: 'activate_no_http', details: { a: 1 } } })
  await until('service failed', async () => (await stateOf(db, serviceId)) === 'failed')
})

t.test('work of a dead worker is taken over at once, and its late answer is fenced', async t => {
  const { db, url } = await freshDatabase(t)
  const dead = await openPresence(url, () => undefined)
  const { deploymentId } = await newDeployment(db)
  await start(db, deploymentId)
  await pumpOnce(db, log)
  await db('effect').update({
    state: 'running',
    lease: '00000000-0000-0000-0000-000000000001',
    owner: dead.number(),
    attempts: 1,
    leased_until: db.raw(`now() + interval '1 hour'`),
  })
  await dead.close()
  t.teardown(await worker(url, db))
  await until('ready', async () => (await stateOf(db, deploymentId)) === 'ready')
})

t.test('a group runs its layers, four at once, and two workers share the work without doubling it', async t => {
  const { db, url } = await freshDatabase(t)
  let now = 0
  let most = 0
  let builds = 0
  const build: Performers['build'] = async () => {
    now += 1
    builds += 1
    most = Math.max(most, now)
    await delay(30)
    now -= 1
    return { image: 'i' }
  }
  t.teardown(await worker(url, db, { build }))
  t.teardown(await worker(url, db, { build }))
  const groupId = newId()
  const members: Awaited<ReturnType<typeof newDeployment>>[] = []
  for (let i = 0; i < 6; i += 1) members.push(await newDeployment(db, { groupId }))
  const last = await newDeployment(db, { groupId })
  const items = [...members, last].map((member, i) => ({
    ...member,
    serviceName: `s${i}`,
    layer: i < 6 ? 0 : 1,
    dependsOn: i < 6 ? [] : [members[0]?.serviceId],
    status: 'queued',
    reason: null,
  }))
  await db.transaction(trx => spawn(trx, { kind: 'group', id: groupId, input: { groupId, projectId: 'p', items } }))
  await until('group ready', async () => (await stateOf(db, groupId)) === 'ready')
  t.ok(most <= 4, `at most four at once, saw ${most}`)
  t.equal(builds, 7)
  const first = (id: string, after: string) =>
    db('journal').where({ actor_id: id, after }).min('at as at').first() as unknown as Promise<{ at: Date }>
  const begun = (await first(last.deploymentId, 'building')).at
  for (const member of members)
    t.ok((await first(member.deploymentId, 'ready')).at <= begun, 'layer 1 waits for layer 0')
})
