import t from 'tap'
import { insertActor } from '../../db/queries/actors.ts'
import { findRoute } from '../../db/queries/routes.ts'
import { newId } from '../../src/domain/ids.ts'
import { BuildQueue } from '../../src/effects/build-queue.ts'
import { collectLogs } from '../../src/effects/logs.ts'
import { startEffects } from '../../src/effects/loops.ts'
import { reconcile } from '../../src/effects/reconcile.ts'
import { freshDatabase } from '../support/postgres.ts'
import { job, SECRET, setStage, until, type Stage } from '../support/stage.ts'

const { db } = await freshDatabase(t)

async function built(stage: Stage, ref: string) {
  const deploymentId = await stage.deploy(ref)
  const about = { deploymentId, serviceId: stage.serviceId }
  const { image } = await stage.perform.build(about, job())
  await stage.place(deploymentId, 'deploying.starting', { image })
  return { ...about, image }
}

async function buildLog({ tools }: Stage, deploymentId: string): Promise<string> {
  const { rows } = await tools.db.raw('select text from build_log where deployment_id = ? order by id', [deploymentId])
  return rows.map((row: { text: string }) => row.text).join('')
}

async function runtimeLog({ tools }: Stage): Promise<string[]> {
  const { rows } = await tools.db.raw('select text from runtime_log order by id')
  return rows.map((row: { text: string }) => row.text)
}

t.test('a build gives its artifact, and writes its log anew when it is tried again', async t => {
  const stage = await setStage(t, db)
  const deploymentId = await stage.deploy(`simulated:ok`)
  const about = { deploymentId, serviceId: stage.serviceId }
  const first = await stage.perform.build(about, job())
  const again = await stage.perform.build(about, job({ attempt: 2 }))
  t.same(again, first)
  t.equal(await buildLog(stage, deploymentId), `Pulling simulated:ok\nBuilt ${first.image}\n`)
})

t.test('a build log does not show what is sensitive', async t => {
  const stage = await setStage(t, db)
  const deploymentId = await stage.deploy(`registry/${SECRET}:1`)
  await stage.perform.build({ deploymentId, serviceId: stage.serviceId }, job())
  t.match(await buildLog(stage, deploymentId), 'Pulling registry/********:1\n')
})

t.test('a build that cannot be says why in Portuguese', async t => {
  const stage = await setStage(t, db)
  const build = async (settings: object) => {
    const deploymentId = await stage.deploy('simulated:ok', { settings })
    return stage.perform.build({ deploymentId, serviceId: stage.serviceId }, job())
  }
  const refused = (motivo: RegExp) => ({ code: 'deploy_failed', temporary: false, details: { motivo } })
  await t.rejects(build({ source: null }), refused(/nenhum arquivo/))
  await t.rejects(build({ source: { type: 'upload', sha256: 'none' } }), refused(/arquivo enviado/))
  await t.rejects(build({ source: GIT }), refused(/git; mude "source.type" para "upload"/))
  await t.rejects(build({ source: { type: 'image', ref: 'simulated:build-oom' } }), { code: 'build_oom' })
})

const GIT = { type: 'git', installationId: 'i', repo: null, branch: null, rootDir: null, commit: null } as const

t.test('C-123 a rollback takes the image as it is, or makes it again from the same source', async t => {
  const stage = await setStage(t, db)
  const old = await built(stage, 'simulated:slow')
  const rollback = await stage.deploy('simulated:slow', { settings: { image: old.image } })
  const about = { deploymentId: rollback, serviceId: stage.serviceId }
  t.same(await stage.perform.build(about, job()), { image: old.image })
  t.equal(await buildLog(stage, rollback), '', 'nothing was built')

  await stage.tools.world.builder.remove(old.deploymentId)
  t.same(await stage.perform.build(about, job()), { image: old.image })
  t.match(await buildLog(stage, rollback), /não está mais guardada[^]*Built sha256:/)

  const moved = await stage.deploy('simulated:slow', { settings: { image: 'sha256:before' } })
  const refusal = { code: 'deploy_failed', details: { motivo: /"simulated:slow" hoje é outra imagem/ } }
  await t.rejects(stage.perform.build({ deploymentId: moved, serviceId: stage.serviceId }, job()), refusal)
})

t.test('T-17 a build whose references lead nowhere any more says so', async t => {
  const stage = await setStage(t, db)
  const build = async (targets: Record<string, string>) => {
    const deploymentId = await stage.deploy('simulated:ok', { settings: { targets } })
    return stage.perform.build({ deploymentId, serviceId: stage.serviceId }, job())
  }
  await t.resolves(build({ 'web.PRIVATE_URL': stage.serviceId }))
  const gone = build({ 'web.PRIVATE_URL': stage.serviceId, 'db.DATABASE_URL': newId() })
  await t.rejects(gone, { code: 'unresolved_reference', temporary: false, details: { ref: 'db.DATABASE_URL' } })
})

t.test('a team of a smaller plan than its running apps gets no more of them (spec 7.3, team_app_limit)', async t => {
  const stage = await setStage(t, db)
  const { serviceId, projectId } = stage
  const { team_id } = await db('project').where({ id: projectId }).first()
  const build = async () => stage.perform.build({ deploymentId: await stage.deploy('simulated:ok'), serviceId }, job())
  for (let i = 0; i < 10; i++) {
    await t.resolves(build(), `${i} others run`)
    const id = newId()
    const of = { project_id: projectId, team_id, name: `s${i}`, visibility: 'private', vip_index: i + 1 }
    await db('service').insert({ id, ...of })
    const snapshot = JSON.stringify({ context: { active: newId() } })
    await insertActor(db, {
      id,
      kind: 'service',
      version: 1,
      status: 'active',
      state: 'running',
      snapshot,
      subject: null,
    })
  }
  await t.rejects(build(), { code: 'team_app_limit', temporary: false })
  await db('actor')
    .where({ id: serviceId })
    .update({ snapshot: JSON.stringify({ context: { active: newId() } }) })
  await t.resolves(build(), 'one that runs is deployed anew')
})

t.test('builds wait for a place, teams take turns, and who gives up leaves the queue', async t => {
  const queue = new BuildQueue(2)
  const never = new AbortController().signal
  const order: string[] = []
  const gates: (() => void)[] = []
  const build = (name: string, signal = never) =>
    queue.run(
      name[0]!,
      async () => {
        order.push(name)
        await new Promise<void>(resolve => gates.push(resolve))
      },
      signal,
    )
  const abort = new AbortController()
  const all = [build('a1'), build('a2'), build('a3'), build('b1')]
  const given = build('c1', abort.signal)
  abort.abort(new Error('no longer wanted'))
  await t.rejects(given, { message: 'no longer wanted' })
  for (let done = 0; done < 4; done++) {
    await until(() => gates.length > done)
    gates[done]!()
  }
  await Promise.all(all)
  t.same(order, ['a1', 'a2', 'b1', 'a3'])
})

t.test('a started instance has its environment, and starting it twice is starting it once', async t => {
  const stage = await setStage(t, db)
  const { image, ...about } = await built(stage, 'simulated:ok')
  const first = await stage.perform.start({ ...about, image }, job())
  t.same(await stage.perform.start({ ...about, image }, job()), first)
  t.same(first, { address: '10.201.0.2', port: 8080 })
  const instance = stage.tools.world.instance(about.deploymentId)
  t.equal(instance?.starts, 1)
  t.match(instance?.spec.env, {
    PORT: '8080',
    TOKEN: SECRET,
    PGSSLROOTCERT: '/etc/cais/ca.pem',
    SSL_CERT_FILE: '/mine',
  })
  t.match(
    stage.tools.world.networks(),
    [{ projectId: stage.projectId }],
    'the router knew the network before the start',
  )
  t.equal(await stage.tools.world.router.probe(stage.serviceId, '/', 'web'), 503)
})

t.test('each way of not starting is told', async t => {
  const stage = await setStage(t, db)
  for (const [ref, code] of [
    ['simulated:crash', 'activate_app_crashed'],
    ['simulated:no-http-20', 'activate_no_http'],
    ['simulated:readonly', 'activate_readonly_write'],
    ['simulated:root', 'image_requires_root'],
  ] as const)
    await t.rejects(stage.perform.start(await built(stage, ref), job()), { code, temporary: false })
})

t.test('C-117 an instance that answers and exits at once crashed after its start', async t => {
  const stage = await setStage(t, db)
  const { world } = stage.tools
  const { image, ...about } = await built(stage, 'simulated:ok')
  world.faults.hold('inspect', about.deploymentId)
  const starting = stage.perform.start({ ...about, image }, job())
  starting.catch(() => {})
  await until(() => world.faults.ledger('healthy').some(entry => entry.outcome === 'done'))
  world.exit(about.deploymentId, 7)
  world.faults.release('inspect', about.deploymentId)
  await t.rejects(starting, { code: 'crashed_after_start', details: { codigo: 7 } })
})

t.test('every performer passes a temporary failure of the world on, and succeeds when it is tried again', async t => {
  const stage = await setStage(t, db)
  const { world } = stage.tools
  const temporary = { name: 'DriverError', temporary: true }
  const old = await stage.serve('simulated:ok')
  const deploymentId = await stage.deploy('simulated:slow-10')
  const about = { deploymentId, serviceId: stage.serviceId }

  world.faults.fail('build', deploymentId)
  await t.rejects(stage.perform.build(about, job()), temporary, 'build')
  const { image } = await stage.perform.build(about, job())
  await stage.place(deploymentId, 'deploying.starting', { image })

  world.faults.fail('start', deploymentId, 1, { when: 'after' })
  await t.rejects(stage.perform.start({ ...about, image }, job()), temporary, 'start')
  const started = await stage.perform.start({ ...about, image }, job())

  const switching = job()
  world.faults.fail('setRoute', stage.serviceId)
  await t.rejects(stage.perform.switchTraffic({ ...about, ...started }, switching), temporary, 'switchTraffic')
  t.equal(world.serving(stage.serviceId), old, 'nothing moved')
  t.same(await stage.perform.switchTraffic({ ...about, ...started }, switching), { previous: old })
  t.same(await stage.perform.switchTraffic({ ...about, ...started }, switching), { previous: old }, 'twice is once')
  t.equal(world.serving(stage.serviceId), deploymentId)

  world.faults.fail('probe', stage.serviceId)
  await t.rejects(stage.perform.confirm(about, job()), temporary, 'confirm')
  t.ok(Date.parse((await stage.perform.confirm(about, job())).observedAt))

  const reverting = job()
  world.faults.fail('setRoute', stage.serviceId)
  await t.rejects(stage.perform.revertTraffic(about, reverting), temporary, 'revertTraffic')
  t.equal(world.serving(stage.serviceId), deploymentId)
  t.same(await stage.perform.revertTraffic(about, reverting), { restored: old })
  t.same(await stage.perform.revertTraffic(about, reverting), { restored: old }, 'twice is once')
  t.equal(world.serving(stage.serviceId), old)

  await stage.place(deploymentId, 'failed', { image })
  world.faults.fail('remove', deploymentId)
  await t.rejects(stage.perform.cleanUp(about, job()), temporary, 'cleanUp')
  await stage.perform.cleanUp(about, job())
  await stage.perform.cleanUp(about, job())
  t.equal(await world.containers.inspect(deploymentId), null)
  t.notOk(await world.builder.has(image))

  world.exit(old)
  const restart = { serviceId: stage.serviceId, deploymentId: old }
  world.faults.fail('healthy', old)
  await t.rejects(stage.perform.restartInstance(restart, job()), temporary, 'restartInstance')
  const { address } = await stage.perform.restartInstance(restart, job())
  t.same(await stage.perform.restartInstance(restart, job()), { address })
  t.equal(world.serving(stage.serviceId), old)

  world.faults.fail('stop', old)
  const oldToo = { deploymentId: old, serviceId: stage.serviceId }
  await t.rejects(stage.perform.withdrawInstance(oldToo, job()), temporary, 'withdrawInstance')
  await stage.perform.withdrawInstance(oldToo, job())
  await stage.perform.withdrawInstance(oldToo, job())
  t.equal(world.serving(stage.serviceId), null)
  t.match(world.routes(), [{ hosts: ['loja.apps.localhost'], port: 8080, target: null }], 'its names still answer')
  t.equal(await world.containers.inspect(old), null)
})

t.test('an older generation never wins the route', async t => {
  const stage = await setStage(t, db)
  const one = await built(stage, 'simulated:ok')
  const two = await built(stage, 'simulated:slow-5')
  const older = job()
  const newer = job()
  const startedOne = await stage.perform.start(one, job())
  const startedTwo = await stage.perform.start(two, job())
  await stage.perform.switchTraffic({ ...two, ...startedTwo }, newer)
  await t.rejects(stage.perform.switchTraffic({ ...one, ...startedOne }, older), { code: 'deploy_failed' })
  t.equal(stage.tools.world.serving(stage.serviceId), two.deploymentId)
  t.match(await findRoute(stage.tools.db, stage.serviceId), {
    generation: newer.effectId,
    previous_deployment_id: null,
  })
})

t.test('a performer that was frozen before the router sets what the newer one wrote', async t => {
  const stage = await setStage(t, db)
  const { world } = stage.tools
  const one = await built(stage, 'simulated:ok')
  const two = await built(stage, 'simulated:slow-5')
  const startedOne = await stage.perform.start(one, job())
  const startedTwo = await stage.perform.start(two, job())
  world.faults.hold('setRoute', stage.serviceId)
  const frozen = stage.perform.switchTraffic({ ...one, ...startedOne }, job())
  await until(async () => (await findRoute(stage.tools.db, stage.serviceId))?.deployment_id === one.deploymentId)
  const newer = stage.perform.switchTraffic({ ...two, ...startedTwo }, job())
  await until(async () => (await findRoute(stage.tools.db, stage.serviceId))?.deployment_id === two.deploymentId)
  world.faults.release('setRoute', stage.serviceId)
  await Promise.all([frozen, newer])
  t.equal(world.serving(stage.serviceId), two.deploymentId)
  const confirming = stage.perform.confirm(one, job())
  await t.rejects(confirming, { code: 'deploy_failed' }, 'and who was overtaken is not confirmed')
})

t.test('traffic goes back to nobody when the one before no longer runs', async t => {
  const stage = await setStage(t, db)
  const old = await stage.serve('simulated:ok')
  const next = await built(stage, 'simulated:slow-5')
  const started = await stage.perform.start(next, job())
  await stage.perform.switchTraffic({ ...next, ...started }, job())
  stage.tools.world.exit(old)
  t.same(await stage.perform.revertTraffic(next, job()), { restored: null })
  t.equal(stage.tools.world.serving(stage.serviceId), null)
  const { address } = await stage.perform.restartInstance({ serviceId: stage.serviceId, deploymentId: old }, job())
  t.match(stage.tools.world.routes(), [{ target: { address } }], 'and to it again, once it is up')
})

t.test('an instance that exited before the switch or the confirmation is told as crashed', async t => {
  const stage = await setStage(t, db)
  const next = await built(stage, 'simulated:ok')
  const started = await stage.perform.start(next, job())
  await stage.perform.switchTraffic({ ...next, ...started }, job())
  stage.tools.world.exit(next.deploymentId, 137, true)
  const crashed = { code: 'crashed_after_start', details: { codigo: 137, memoria: 1 } }
  await t.rejects(stage.perform.confirm(next, job()), crashed)
  await t.rejects(stage.perform.switchTraffic({ ...next, ...started }, job()), crashed)
})

t.test('an instance is retired when nothing is in flight, and its last words are kept', async t => {
  const stage = await setStage(t, db)
  const { world } = stage.tools
  const old = await stage.serve('simulated:ok')
  const about = { deploymentId: old, serviceId: stage.serviceId }
  await stage.perform.retireInstance(about, job())
  t.equal(world.serving(stage.serviceId), old, 'what has the traffic is not retired')
  const address = world.instance(old)!.address
  await stage.serve('simulated:slow-5')
  world.say(old, `last words of ${SECRET}`)
  world.setInFlight(address, 2)
  const retiring = stage.perform.retireInstance(about, job())
  await until(async () => (await findRoute(stage.tools.db, stage.serviceId))?.previous_deployment_id === null)
  t.ok(world.instance(old), 'it waits for its requests')
  world.setInFlight(address, 0)
  await retiring
  await stage.perform.retireInstance(about, job())
  t.equal(world.instance(old), null)
  t.match(await runtimeLog(stage), ['web started, port 8080', 'last words of ********'])
})

t.test('the images of the last three ready deployments stay', async t => {
  const stage = await setStage(t, db)
  const { world } = stage.tools
  const ids: string[] = []
  for (const ms of [1, 2, 3, 4, 5]) {
    ids.push(await stage.serve(`simulated:slow-${ms}`))
    const before = ids.at(-2)
    if (before) await stage.perform.retireInstance({ deploymentId: before, serviceId: stage.serviceId }, job())
  }
  t.same(await world.builder.list(), ids.slice(-3))
})

t.test('a database is provisioned, and again', async t => {
  const stage = await setStage(t, db)
  const { keyring, world } = stage.tools
  const databaseId = newId()
  const credentials = { databaseName: 'd_1', user: 'u_1', password: SECRET }
  const { team_id } = await db('project').first('team_id').where({ id: stage.projectId })
  await db('database').insert({
    id: databaseId,
    project_id: stage.projectId,
    team_id,
    name: 'db',
    engine: 'postgres',
    quota_mb: 100,
    credentials: keyring.seal(JSON.stringify(credentials), databaseId),
  })
  world.faults.fail('provision', databaseId)
  await t.rejects(stage.perform.provisionDatabase({ databaseId }, job()), { name: 'DriverError', temporary: true })
  t.same(await stage.perform.provisionDatabase({ databaseId }, job()), { sizeMb: 8 })
  t.same(await stage.perform.provisionDatabase({ databaseId }, job()), { sizeMb: 8 })
  t.same(await world.databases.postgres!.list(), [databaseId])
  await t.rejects(stage.perform.provisionDatabase({ databaseId: 'none' }, job()), { code: 'gone' })
})

t.test('a reconciliation removes exactly what nobody owns', async t => {
  const stage = await setStage(t, db)
  const { world } = stage.tools
  const active = await stage.serve('simulated:ok')
  const open = await built(stage, 'simulated:slow-1')
  await stage.perform.start(open, job())
  const named = await built(stage, 'simulated:slow-2')
  await stage.perform.start(named, job())
  await stage.place(named.deploymentId, 'failed', { image: named.image })
  await db('effect').insert({
    key: 'k',
    actor_id: named.deploymentId,
    lane: 'l',
    name: 'cleanUp',
    params: JSON.stringify({ deploymentId: named.deploymentId, serviceId: stage.serviceId }),
  })
  const orphan = await built(stage, 'simulated:slow-3')
  await stage.perform.start(orphan, job())
  await stage.place(orphan.deploymentId, 'failed', { image: orphan.image })
  await world.containers.ensureNetwork({ projectId: 'gone', name: 'cgone-1', subnet: '10.201.9.0/25' })

  const removed = await reconcile(stage.tools)
  t.match(removed, { instances: [orphan.deploymentId], networks: ['cgone-1'], images: [orphan.deploymentId] })
  t.same(await reconcile(stage.tools), {
    instances: [],
    networks: [],
    images: [],
    databases: [],
    backups: [],
    volumes: [],
  })
  const left = (await world.containers.list()).filter(one => one.running).map(one => one.deploymentId)
  t.same(left, [active, open.deploymentId, named.deploymentId].toSorted())
  t.equal(world.serving(stage.serviceId), active)
})

t.test('the one before stays while the newer one is not settled', async t => {
  const stage = await setStage(t, db)
  const old = await stage.serve('simulated:ok')
  const next = await built(stage, 'simulated:slow-1')
  const started = await stage.perform.start(next, job())
  await stage.perform.switchTraffic({ ...next, ...started }, job())
  await stage.place(stage.serviceId, 'failed', { active: null, down: false })
  t.same((await reconcile(stage.tools)).instances, [])
  await stage.place(next.deploymentId, 'ready', { image: next.image })
  t.same((await reconcile(stage.tools)).instances, [old])
})

t.test('a revert that never happened is made up for', async t => {
  const stage = await setStage(t, db)
  const old = await stage.serve('simulated:ok')
  const next = await built(stage, 'simulated:slow-1')
  const started = await stage.perform.start(next, job())
  await stage.perform.switchTraffic({ ...next, ...started }, job())
  await stage.place(next.deploymentId, 'failed', { image: next.image })
  t.same((await reconcile(stage.tools)).instances, [next.deploymentId])
  t.equal(stage.tools.world.serving(stage.serviceId), old)
})

t.test('a reconciliation tells of an active instance that exited or is missing', async t => {
  const stage = await setStage(t, db)
  const { world } = stage.tools
  const active = await stage.serve('simulated:ok')
  world.exit(active, 3)
  await reconcile(stage.tools)
  await reconcile(stage.tools)
  t.match(await stage.mail(stage.serviceId), [
    { type: 'INSTANCE_EXITED', deploymentId: active, exitCode: 3, at: world.instance(active)!.exitsAt },
  ])
  await stage.tools.db('inbox').delete()
  await world.containers.remove(active)
  await reconcile(stage.tools)
  t.match(await stage.mail(stage.serviceId), [{ type: 'INSTANCE_EXITED', deploymentId: active, exitCode: null }])
  await stage.tools.db('inbox').delete()
  await stage.place(stage.serviceId, 'running.waiting', { active, down: true })
  await reconcile(stage.tools)
  t.same(await stage.mail(stage.serviceId), [], 'who knows is not told again')
})

t.test('one part that fails does not keep the others from being reconciled', async t => {
  const stage = await setStage(t, db)
  const orphan = await built(stage, 'simulated:ok')
  await stage.perform.start(orphan, job())
  await stage.place(orphan.deploymentId, 'failed', {})
  stage.tools.world.faults.fail('syncRoutes', '*')
  t.same((await reconcile(stage.tools)).instances, [orphan.deploymentId])
})

t.test('exits reach the open deployment and the service as they happen, and a gap reconciles', async t => {
  const stage = await setStage(t, db)
  const { world } = stage.tools
  const active = await stage.serve('simulated:ok')
  const next = await built(stage, 'simulated:slow-1')
  await stage.perform.start(next, job())
  const stop = new AbortController()
  const running = startEffects(stage.tools, stop.signal)
  await until(() => world.faults.ledger('syncRoutes').length > 0)
  const passes = world.faults.ledger('syncRoutes').length
  world.breakWatch()
  await until(() => world.faults.ledger('syncRoutes').length > passes)
  world.exit(next.deploymentId, 9)
  world.exit(active, 1)
  await until(async () => (await stage.mail(stage.serviceId)).length > 0)
  await until(async () => (await stage.mail(next.deploymentId)).length > 0)
  t.match(await stage.mail(stage.serviceId), [{ type: 'INSTANCE_EXITED', deploymentId: active, exitCode: 1 }])
  t.match(await stage.mail(next.deploymentId), [{ type: 'EXITED', exitCode: 9, outOfMemory: false }])
  stop.abort()
  await running
})

t.test('a log has each line once, masked, in order, whoever follows and however often', async t => {
  const stage = await setStage(t, db)
  const { world } = stage.tools
  const active = await stage.serve('simulated:ok')
  const expected = ['web started, port 8080']
  const say = (from: number, to: number) => {
    for (let n = from; n < to; n++) {
      world.say(active, `line ${n} ${SECRET}`)
      expected.push(`line ${n} ********`)
    }
  }
  // Followers begin and die at arbitrary moments; for a while two of them follow the same instance.
  for (let round = 0; round < 4; round++) {
    const stop = new AbortController()
    const followers = [collectLogs(stage.tools, stop.signal), collectLogs(stage.tools, stop.signal)]
    say(round * 100, round * 100 + 50)
    const enough = expected.length - 20
    await until(async () => (await runtimeLog(stage)).length >= enough)
    say(round * 100 + 50, round * 100 + 100)
    stop.abort()
    await Promise.all(followers)
  }
  const stop = new AbortController()
  const last = collectLogs(stage.tools, stop.signal)
  await until(async () => (await runtimeLog(stage)).length >= expected.length)
  stop.abort()
  await last
  const { rows } = await stage.tools.db.raw('select text from runtime_log order by stamp')
  t.same(
    rows.map((row: { text: string }) => row.text),
    expected,
  )
})

t.test('a log goes on when an instance is started again', async t => {
  const stage = await setStage(t, db)
  const { world } = stage.tools
  const active = await stage.serve('simulated:ok')
  const stop = new AbortController()
  const following = collectLogs(stage.tools, stop.signal)
  await until(async () => (await runtimeLog(stage)).length === 1)
  world.exit(active)
  await stage.perform.restartInstance({ serviceId: stage.serviceId, deploymentId: active }, job())
  await until(async () => (await runtimeLog(stage)).length === 2)
  stop.abort()
  await following
  t.same(await runtimeLog(stage), ['web started, port 8080', 'web started, port 8080'])
})

t.test('an actor of another kind is nobody’s instance', async t => {
  const stage = await setStage(t, db)
  await insertActor(stage.tools.db, {
    id: 'x',
    kind: 'database',
    version: 1,
    status: 'active',
    state: 'ready',
    snapshot: '{}',
    subject: null,
  })
  t.same(await reconcile(stage.tools), {
    instances: [],
    networks: [],
    images: [],
    databases: [],
    backups: [],
    volumes: [],
  })
})
