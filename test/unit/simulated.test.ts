import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { BuildJob, Instance, InstanceSpec, LogLine } from '../../src/drivers/contracts.ts'
import { behaviourOf } from '../../src/drivers/simulated/behaviour.ts'
import { createSimulatedWorld, type SimulatedWorld } from '../../src/drivers/simulated/world.ts'

const never = new AbortController().signal
const network = { projectId: 'p1', name: 'cabc-00000001', subnet: '10.201.0.0/25' }
const probe = { port: 8080, path: '/', host: 'a', timeoutMs: 2000 }

function job(deploymentId: string, ref: string): BuildJob {
  return {
    deploymentId,
    serviceId: 's1',
    source: { type: 'image', ref },
    builder: 'auto',
    rootDir: null,
    buildCommand: null,
    startCommand: null,
    user: null,
    limits: { memoryMb: 512, timeoutMs: 60_000 },
  }
}

function spec(deploymentId: string, image: string): InstanceSpec {
  return {
    deploymentId,
    serviceId: 's1',
    projectId: 'p1',
    serviceName: 'web',
    network,
    image,
    user: null,
    startCommand: null,
    env: { PORT: '8080' },
    memoryMb: 256,
    cpus: 0.5,
  }
}

async function started(world: SimulatedWorld, deploymentId: string, ref: string): Promise<Instance> {
  await world.containers.ensureNetwork(network)
  const { image } = await world.builder.build(job(deploymentId, ref), () => {}, never)
  return world.containers.start(spec(deploymentId, image), never)
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(5)
}

t.test('an image reference says how its application behaves', async t => {
  t.same(behaviourOf('simulated:exit-later-120'), { name: 'exit-later', afterMs: 120 })
  t.same(behaviourOf('simulated:crash'), { name: 'crash', afterMs: 20 })
  t.same(behaviourOf('simulated:no-http-7'), { name: 'no-http', afterMs: 7 })
  t.equal(behaviourOf('nginx:1').name, 'ok')
  t.equal(behaviourOf(null).name, 'ok')
})

t.test('an instance is started once, also when two ask at the same time', async t => {
  const world = createSimulatedWorld({ dir: t.testdir() })
  const first = await started(world, 'd1', 'simulated:ok')
  const again = await Promise.all([started(world, 'd1', 'simulated:ok'), started(world, 'd1', 'simulated:ok')])
  t.same(again, [first, first])
  t.equal(first.address, '10.201.0.2')
  await world.containers.healthy('d1', probe, never)
  t.equal((await world.containers.list()).length, 1)
})

t.test('each way of failing has its code', async t => {
  const world = createSimulatedWorld({ dir: t.testdir() })
  await started(world, 'd1', 'simulated:crash')
  await t.rejects(world.containers.healthy('d1', probe, never), {
    code: 'activate_app_crashed',
    details: { codigo: 1 },
  })
  await started(world, 'd2', 'simulated:no-http-20')
  await t.rejects(world.containers.healthy('d2', probe, never), { code: 'activate_no_http', details: { porta: 8080 } })
  await started(world, 'd3', 'simulated:readonly')
  await t.rejects(world.containers.healthy('d3', probe, never), { code: 'activate_readonly_write' })
  await t.rejects(started(world, 'd4', 'simulated:root'), { code: 'image_requires_root' })
  await t.rejects(started(world, 'd5', 'simulated:build-oom'), { code: 'build_oom' })
  await t.rejects(started(world, 'd6', 'simulated:missing'), { code: 'deploy_failed' })
  await t.rejects(world.containers.start(spec('d7', 'sha256:none'), never), { code: 'deploy_failed' })
})

t.test('a call can be made to fail a number of times, before or after its work', async t => {
  const world = createSimulatedWorld({ dir: t.testdir() })
  world.faults.fail('start', 's1', 1, { code: 'engine_down' })
  world.faults.fail('stop', 'd1', 1, { when: 'after' })
  await t.rejects(started(world, 'd1', 'simulated:ok'), { code: 'engine_down', temporary: true })
  t.equal(world.instance('d1'), null)
  t.ok((await started(world, 'd1', 'simulated:ok')).running)
  await t.rejects(world.containers.stop('d1', 0))
  t.match(await world.containers.inspect('d1'), { running: false, exitCode: 143, address: null })
  t.same(
    world.faults.ledger('start').map(entry => entry.outcome),
    ['engine_down', 'done'],
  )
})

t.test('a held call waits until it is released, or is aborted', async t => {
  const world = createSimulatedWorld({ dir: t.testdir() })
  world.faults.hold('build', 'd1')
  const waiting = world.builder.build(job('d1', 'simulated:ok'), () => {}, never)
  const abort = new AbortController()
  const aborted = world.builder.build(job('d1', 'simulated:ok'), () => {}, abort.signal)
  abort.abort()
  await t.rejects(aborted, { name: 'AbortError' })
  t.same(await world.builder.list(), [])
  world.faults.release('build', 'd1')
  const { image } = await waiting
  t.ok(await world.builder.has(image))
})

t.test('a watcher hears of each exit once, and of a gap', async t => {
  const world = createSimulatedWorld({ dir: t.testdir() })
  const stop = new AbortController()
  const exits: Instance[] = []
  let gaps = 0
  await started(world, 'd0', 'simulated:ok')
  world.exit('d0')
  const watching = world.containers.watch(
    one => exits.push(one),
    () => gaps++,
    stop.signal,
  )
  await started(world, 'd1', 'simulated:exit-later-40')
  await until(() => exits.length === 1)
  await started(world, 'd1', 'simulated:ok') // the same container, started again
  await until(() => exits.length === 2)
  world.breakWatch()
  await until(() => gaps === 1)
  stop.abort()
  await watching
  t.same(
    exits.map(one => [one.deploymentId, one.exitCode]),
    [
      ['d1', 1],
      ['d1', 1],
    ],
  )
})

t.test('logs go on after a given line, and end with the instance', async t => {
  const world = createSimulatedWorld({ dir: t.testdir() })
  await started(world, 'd1', 'simulated:ok')
  const lines: LogLine[] = []
  const following = (async () => {
    for await (const line of world.containers.logs('d1', { since: null, follow: true }, never)) lines.push(line)
  })()
  world.say('d1', 'two')
  await until(() => lines.length === 2)
  world.say('d1', 'three')
  world.exit('d1')
  await following
  t.same(
    lines.map(line => line.text),
    ['web started, port 8080', 'two', 'three'],
  )
  const rest = []
  for await (const line of world.containers.logs('d1', { since: lines[1]!.at, follow: false }, never))
    rest.push(line.text)
  t.same(rest, ['three'])
})

t.test('a request reaches the instance that the route names', async t => {
  const world = createSimulatedWorld({ dir: t.testdir() })
  const { address } = await started(world, 'd1', 'simulated:ok')
  await world.containers.healthy('d1', probe, never)
  const route = { serviceId: 's1', projectId: 'p1', serviceName: 'web', vip: '10.202.1.0', port: 8080, hosts: [] }
  await world.router.set({ ...route, target: { address: address!, port: 8080 } }, [network])
  t.equal(world.serving('s1'), 'd1')
  t.equal(await world.router.probe('s1', '/', 'web'), 200)
  await world.router.sync({ networks: [network], routes: [{ ...route, target: null }] })
  t.equal(await world.router.probe('s1', '/', 'web'), 503)
  world.setInFlight(address!, 3)
  t.equal(await world.router.inFlight({ address: address!, port: 8080 }), 3)
})

t.test('each engine gives its variables and keeps its databases', async t => {
  const world = createSimulatedWorld({ dir: t.testdir(), provisionMs: 0 })
  const tenant = {
    databaseId: 'x1',
    databaseName: 'd_x',
    user: 'u_x',
    password: 'pw',
    subnet: network.subnet,
    quotaMb: 100,
  }
  for (const engine of ['postgres', 'mariadb', 'sqlite'] as const) {
    const database = world.databases[engine]!
    await database.ready()
    await database.provision(tenant)
    await database.provision(tenant)
    t.same(await database.list(), ['x1'])
    t.ok(database.variables(tenant)['DATABASE_URL'])
    await database.drop('x1', tenant)
    t.same(await database.list(), [])
  }
})

t.test('the world survives a kill -9 of the process that made it', async t => {
  const dir = t.testdir()
  const script = path.join(dir, 'child.ts')
  const root = path.resolve(import.meta.dirname, '../../src/drivers/simulated/world.ts')
  fs.writeFileSync(
    script,
    `import { createSimulatedWorld } from ${JSON.stringify(root)}
     const world = createSimulatedWorld({ dir: ${JSON.stringify(path.join(dir, 'world'))} })
     const network = ${JSON.stringify(network)}
     await world.containers.ensureNetwork(network)
     const { image } = await world.builder.build(${JSON.stringify(job('d1', 'simulated:ok'))}, () => {}, new AbortController().signal)
     await world.containers.start({ ...${JSON.stringify(spec('d1', ''))}, image }, new AbortController().signal)
     process.kill(process.pid, 'SIGKILL')`,
  )
  await once(spawn(process.execPath, ['--import=tsx', script], { stdio: 'inherit' }), 'exit')
  const world = createSimulatedWorld({ dir: path.join(dir, 'world') })
  t.match(await world.containers.inspect('d1'), { running: true, address: '10.201.0.2' })
  t.same(
    world.faults.ledger().map(entry => entry.verb),
    ['ensureNetwork', 'build', 'start'],
  )
})
