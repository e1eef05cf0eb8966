// The Docker driver and the builder against the engine of this machine, with tiny applications.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import http from 'node:http'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ulid } from 'ulid'
import t from 'tap'
import { createBuilder } from '../../src/drivers/builder/builder.ts'
import type { BuildJob, DriverError, Instance, InstanceSpec, LogLine } from '../../src/drivers/contracts.ts'
import { createContainers } from '../../src/drivers/docker/containers.ts'
import { connectDocker } from '../../src/drivers/docker/engine.ts'
import { announcer } from '../../src/setup/announce.ts'
import { ensureBaseImages } from '../../src/setup/base-images.ts'
import { tarball } from '../support/tarball.ts'

const INSTANCE = `dkr${process.pid.toString(36)}`
const PORT = 3000
const NODE = 'cais/node:20'

const id = (): string => ulid().toLowerCase()
const never = new AbortController().signal
const docker = connectDocker(process.env['DOCKER_HOST'] ?? null)
const dataDir = await mkdtemp(path.join(os.tmpdir(), 'cais-docker-test-'))
const builder = createBuilder({ docker, config: { instance: INSTANCE, dataDir } })
const containers = createContainers({
  docker,
  instance: INSTANCE,
  files: { ca: null, caBundle: null, resolvConf: '/etc/resolv.conf' },
})
const projectId = id()
const network = { projectId, name: `d${process.pid.toString(36)}-net`, subnet: `10.231.${process.pid % 256}.0/25` }
const serviceId = id()
const deployments: string[] = []

await ensureBaseImages({ dockerHost: process.env['DOCKER_HOST'] ?? null }, announcer())
await containers.ensureNetwork(network)
t.teardown(async () => {
  for (const { deploymentId } of await containers.list()) await containers.remove(deploymentId)
  await containers.removeNetwork(network.name)
  for (const deploymentId of deployments) await builder.remove(deploymentId)
  await docker.getNetwork(`${INSTANCE}-build`).remove()
  await rm(dataDir, { recursive: true, force: true })
})

interface Built {
  deploymentId: string
  image: string
  log: string[]
}

async function build(files: Record<string, string>, job: Partial<BuildJob> = {}, signal = never): Promise<Built> {
  const deploymentId = id()
  deployments.push(deploymentId)
  const log: string[] = []
  const archivePath = await tarball(path.join(dataDir, `${deploymentId}.tar.gz`), files)
  const { image } = await builder.build(
    {
      deploymentId,
      serviceId,
      source: { type: 'upload', archivePath },
      builder: 'auto',
      rootDir: null,
      buildCommand: null,
      startCommand: null,
      user: null,
      limits: { memoryMb: 1024, timeoutMs: 120_000 },
      ...job,
    },
    line => log.push(line),
    signal,
  )
  return { deploymentId, image, log }
}

function instance(spec: Partial<InstanceSpec>): InstanceSpec {
  return {
    deploymentId: id(),
    serviceId,
    projectId,
    serviceName: 'web',
    network,
    image: NODE,
    user: '10001:10001',
    startCommand: null,
    env: { PORT: String(PORT) },
    memoryMb: 128,
    cpus: 1,
    ...spec,
  }
}

async function run(spec: Partial<InstanceSpec>, timeoutMs = 20_000, probePath = '/'): Promise<Instance> {
  const whole = instance(spec)
  const started = await containers.start(whole, never)
  await containers.healthy(whole.deploymentId, { port: PORT, path: probePath, host: 'app.test', timeoutMs }, never)
  return started
}

const get = ({ address }: Instance, url = '/', headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`http://${address}:${PORT}${url}`, { headers, redirect: 'manual' })

async function failureOf(work: Promise<unknown>): Promise<Pick<DriverError, 'code' | 'details'>> {
  return work.then(
    () => ({ code: 'none', details: {} }),
    ({ code, details }: DriverError) => ({ code, details }),
  )
}

async function linesOf(deploymentId: string, since: string | null = null): Promise<LogLine[]> {
  const lines: LogLine[] = []
  for await (const line of containers.logs(deploymentId, { since, follow: false }, never)) lines.push(line)
  return lines
}

const serving = (answer: string): string =>
  `require('http').createServer((q, r) => r.end(${answer})).listen(process.env.PORT)`
const node = (script: string): string => `node -e '${script.replaceAll("'", '"')}'`

t.test('a Node.js project with a lock file is installed, built and served by nobody special', async t => {
  const integrity = 'sha512-6FlzubTLZG3J2a/NVCAleEhjzq5oxgHyaCU9yYXvcLsvoVaHJq/s5xXI6/XXP6tz7R9xAOtHnSO/tXtF3WRTlA=='
  const manifest = {
    name: 'app',
    scripts: { build: 'node -p 1+1 > made.txt', start: 'node server.js' },
    dependencies: { ms: '2.1.3' },
  }
  const lock = {
    name: 'app',
    lockfileVersion: 3,
    packages: {
      '': { name: 'app', dependencies: { ms: '2.1.3' } },
      'node_modules/ms': { version: '2.1.3', integrity },
    },
  }
  const files = {
    'apps/web/package.json': JSON.stringify(manifest),
    'apps/web/package-lock.json': JSON.stringify(lock),
    'apps/web/server.js': serving(
      `JSON.stringify([process.getuid(), require('ms')('2 days'), require('fs').readFileSync('made.txt', 'utf8').trim(), process.env.HOME, process.env.NODE_ENV])`,
    ),
    'other/Dockerfile': 'FROM nowhere',
  }
  const built = await build(files, { rootDir: 'apps/web' })
  t.match(built.log.join('\n'), /Builder: node[^]*npm ci[^]*npm run build/)
  const started = await run({ deploymentId: built.deploymentId, image: built.image, user: null })
  t.same(await (await get(started)).json(), [10001, 172800000, '2', '/tmp', 'production'])
  t.same(await builder.list(), [built.deploymentId])
  t.equal(await builder.has(built.image), true)
})

t.test('a site has types, tags, clean addresses, its own 404 and no way out', async t => {
  const { deploymentId, image } = await build({
    'public/index.html': '<h1>olá</h1>',
    'public/about.html': 'about',
    'public/docs/index.html': 'docs',
    'public/app.css': 'a{}',
    'public/.env': 'SECRET=1',
    'secret.txt': 'secret',
  })
  const site = await run({ deploymentId, image, user: null })
  const page = await get(site)
  t.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  t.equal(await page.text(), '<h1>olá</h1>')
  t.equal((await get(site, '/', { 'if-none-match': page.headers.get('etag') ?? '' })).status, 304)
  t.equal((await get(site, '/app.css')).headers.get('content-type'), 'text/css; charset=utf-8')
  t.equal(await (await get(site, '/about')).text(), 'about')
  t.equal((await get(site, '/docs')).headers.get('location'), '/docs/')
  t.equal(
    await (await get(site, '/some/page', { accept: 'text/html' })).text(),
    '<h1>olá</h1>',
    'a route of the browser',
  )
  t.equal((await get(site, '/missing.png')).status, 404)
  t.equal((await get(site, '/.env')).status, 404)
  t.equal((await get(site, '/%zz')).status, 400)
  t.equal(await rawStatus(site, '/../secret.txt'), 400)
  t.equal(await rawStatus(site, '/%2e%2e/secret.txt'), 400)
  const head = await fetch(`http://${site.address}:${PORT}/`, { method: 'HEAD' })
  t.same([head.status, head.headers.get('content-length'), await head.text()], [200, '13', ''])
  t.equal((await fetch(`http://${site.address}:${PORT}/`, { method: 'POST' })).status, 405)
  t.match(await (await get(site, '/', { range: 'bytes=1-2' })).text(), 'h1')
})

// fetch would tidy the address up first.
function rawStatus({ address }: Instance, url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    http
      .get({ host: address, port: PORT, path: url, agent: false }, answer => resolve(answer.resume().statusCode ?? 0))
      .on('error', reject)
  })
}

t.test('a Dockerfile is obeyed, and an unreachable well-known base is replaced', async t => {
  const files = {
    Dockerfile: 'FROM node:20-slim\nWORKDIR /app\nCOPY . .\nUSER node\nCMD ["node", "server.js"]',
    '.dockerignore': 'secret',
    secret: 'x',
    'server.js': serving(`process.getuid() + ' ' + require('fs').readdirSync('.')`),
  }
  const built = await build(files)
  const started = await run({ deploymentId: built.deploymentId, image: built.image, user: null })
  t.equal(await (await get(started)).text(), '1000 Dockerfile,server.js', 'as the named user, without what is ignored')
})

t.test('a failing build says which step failed, and what cannot start is refused', async t => {
  t.match(await failureOf(build({ Dockerfile: `FROM ${NODE}\nRUN echo hi && exit 7` })), {
    code: 'deploy_failed',
    details: { motivo: /"echo hi && exit 7" terminou com código 7/ },
  })
  t.match(await failureOf(build({ Dockerfile: 'FROM example.invalid/nothing:1' })), {
    code: 'deploy_failed',
    details: { motivo: /"example.invalid\/nothing:1" não está nesta máquina/ },
  })
  t.match(await failureOf(build({ Dockerfile: `FROM ${NODE}\nNONSENSE` })), {
    details: { motivo: /Dockerfile não é válido/ },
  })
  t.match(await failureOf(build({ 'go.mod': 'module x' })), { details: { motivo: /go\.mod/ } })
})

t.test('a build has a limit of memory and a limit of time', async t => {
  const greedy = `node --max-old-space-size=4000 -e 'for (const a = [];;) a.push(Buffer.alloc(1e7, 1))'`
  const limits = { memoryMb: 128, timeoutMs: 60_000 }
  t.match(await failureOf(build({ Dockerfile: `FROM ${NODE}\nRUN ${greedy}` }, { limits })), { code: 'build_oom' })
  t.match(await failureOf(build({ Dockerfile: `FROM ${NODE}\nRUN ${greedy} || exit 1` }, { limits })), {
    code: 'build_oom',
  })
  const short = { memoryMb: 128, timeoutMs: 3000 }
  t.match(await failureOf(build({ Dockerfile: `FROM ${NODE}\nRUN sleep 60` }, { limits: short })), {
    code: 'build_timeout',
  })
})

t.test('a cancelled build is over long before its step, and leaves nothing', async t => {
  const cancel = new AbortController()
  const mark = id()
  const building = failureOf(build({ Dockerfile: `FROM ${NODE}\nRUN sleep 60 # ${mark}` }, {}, cancel.signal))
  const steps = async (): Promise<number> =>
    (await docker.listContainers({ all: true })).filter(container => container.Command.includes(mark)).length
  while ((await steps()) === 0) await sleep(50)
  const cancelledAt = Date.now()
  cancel.abort()
  await building
  const tookMs = Date.now() - cancelledAt
  t.comment(`over after ${tookMs} ms`)
  t.ok(tookMs < 30_000, `${tookMs} ms, and the step sleeps for a minute`)
  t.equal(await steps(), 0)
  const deploymentId = deployments.at(-1) ?? ''
  await builder.remove(deploymentId)
  t.notOk((await builder.list()).includes(deploymentId))
  t.notOk((await readdir(path.join(dataDir, 'build-layers'))).includes(deploymentId))
})

t.test('an image source is used from this machine when no registry answers', async t => {
  const built = await build({}, { source: { type: 'image', ref: NODE } })
  t.equal(built.image, (await docker.getImage(NODE).inspect()).Id)
  t.ok((await builder.list()).includes(built.deploymentId))
  await builder.remove(built.deploymentId)
  t.equal(await builder.has(NODE), true, 'only our name of it is gone')
  const ref = 'example.invalid/nothing:1'
  t.match(await failureOf(build({}, { source: { type: 'image', ref } })), { code: 'deploy_failed' })
})

t.test('starting twice is starting once, and an instance that ended is started again with its log', async t => {
  const spec = instance({ startCommand: `echo one && ${node(serving("'ok'"))}` })
  const [first, second] = await Promise.all([containers.start(spec, never), containers.start(spec, never)])
  t.equal(first.containerId, second.containerId)
  t.equal((await containers.start(spec, never)).containerId, first.containerId)
  await containers.stop(spec.deploymentId, 5000)
  const stopped = await containers.inspect(spec.deploymentId)
  t.match(stopped, { running: false, address: null })
  const again = await containers.start(spec, never)
  t.same([again.containerId, again.running], [first.containerId, true])
  await containers.stop(spec.deploymentId, 5000)
  const texts = (await linesOf(spec.deploymentId)).map(line => line.text)
  t.same(
    texts.filter(text => text === 'one'),
    ['one', 'one'],
  )
  await containers.remove(spec.deploymentId)
  await containers.remove(spec.deploymentId)
  await containers.stop(spec.deploymentId, 1000)
  t.equal(await containers.inspect(spec.deploymentId), null)
})

t.test('an instance has no more than it is allowed', async t => {
  const script = `
    const fs = require('fs'), seen = {};
    const attempt = (name, work) => { try { work(); seen[name] = 'ok' } catch (error) { seen[name] = error.code } };
    attempt('app', () => fs.writeFileSync('/app/x', ''));
    attempt('shm', () => fs.writeFileSync('/dev/shm/x', ''));
    attempt('tmp', () => fs.writeFileSync('/tmp/x', ''));
    attempt('full', () => { for (let i = 0; i < 70; i++) fs.appendFileSync('/tmp/y', Buffer.alloc(1048576)) });
    fs.rmSync('/tmp/y', { force: true });
    attempt('resolv', () => fs.writeFileSync('/etc/resolv.conf', ''));
    const status = fs.readFileSync('/proc/self/status', 'utf8');
    seen.capabilities = Number('0x' + /CapEff:\\s*(\\w+)/.exec(status)[1]);
    seen.noNewPrivileges = /NoNewPrivs:\\s*(\\d)/.exec(status)[1];
    seen.uid = process.getuid();
    require('http').createServer((q, r) => r.end(JSON.stringify(seen))).listen(process.env.PORT)`
  const built = await build({ 'package.json': '{"main":"x.js"}', 'x.js': script })
  const started = await run({ deploymentId: built.deploymentId, image: built.image, user: '4242:4242', memoryMb: 256 })
  t.match(await (await get(started)).json(), {
    app: 'EROFS',
    shm: /EROFS|ENOENT|EACCES/,
    tmp: 'ok',
    full: 'ENOSPC',
    resolv: /EROFS|EACCES/,
    capabilities: 0,
    noNewPrivileges: '1',
    uid: 4242,
  })
})

t.test('a 64 MB /tmp belongs to the user also where the image keeps its own to itself', async t => {
  const built = await build({
    Dockerfile: `FROM ${NODE}\nRUN chmod 755 /tmp\nVOLUME /data\nUSER app\nCMD ["sh", "-c", "touch /tmp/x && touch /data/x; ls /tmp; exec node -e 'setInterval(() => {}, 1e6)'"]`,
  })
  const spec = instance({ deploymentId: built.deploymentId, image: built.image, user: null })
  await containers.start(spec, never)
  const lines: string[] = []
  const enough = new AbortController()
  for await (const line of containers.logs(spec.deploymentId, { since: null, follow: true }, enough.signal)) {
    lines.push(line.text)
    if (lines.length === 2) enough.abort()
  }
  t.ok(lines.includes('x'))
  t.match(lines.join(), /\/data\/x: Read-only file system/, 'a VOLUME is no way to write without a limit')
  await containers.remove(spec.deploymentId)
  const volumes = await docker.listVolumes({ filters: { label: [`cais.instance=${INSTANCE}`] } })
  t.same(volumes.Volumes ?? [], [])
})

t.test('each way of not starting has its own code', async t => {
  const fails = (
    startCommand: string,
    spec: Partial<InstanceSpec> = {},
    timeoutMs = 20_000,
  ): ReturnType<typeof failureOf> => failureOf(run({ startCommand, ...spec }, timeoutMs, '/health'))
  t.same(await fails(node('process.exit(3)')), { code: 'activate_app_crashed', details: { codigo: 3 } })
  t.same(await fails('no-such-program'), { code: 'activate_app_crashed', details: { codigo: 127 } })
  t.match(await fails(node(`require('fs').writeFileSync('/app/x', '1')`)), { code: 'activate_readonly_write' })
  t.match(await fails(node('for (const a = [];;) a.push(Buffer.alloc(1e7, 1))')), {
    code: 'activate_app_crashed',
    details: { codigo: 137, memoria: 128 },
  })
  t.same(await fails(node('setInterval(() => {}, 1000)'), {}, 1500), {
    code: 'activate_no_http',
    details: { caminho: '/health', porta: PORT, ultimo: 'conexão recusada' },
  })
  const broken = node(
    `require('http').createServer((q, r) => { r.statusCode = 500; r.end() }).listen(process.env.PORT)`,
  )
  const ill = instance({ startCommand: broken })
  const answering = await containers.start(ill, never)
  await until(() =>
    get(answering).then(
      reply => reply.status === 500,
      () => false,
    ),
  )
  const probe = { port: PORT, path: '/health', host: 'app.test', timeoutMs: 1500 }
  t.match(await failureOf(containers.healthy(ill.deploymentId, probe, never)), {
    code: 'activate_no_http',
    details: { ultimo: 'HTTP 500' },
  })
  t.match(await fails(node(serving("'x'")), { env: { PORT: '4000' } }, 1500), { code: 'activate_no_http' })
  t.match(await fails('id', { user: null }), { code: 'image_requires_root' })
  t.match(await fails('id', { image: `sha256:${'0'.repeat(64)}` }), { code: 'deploy_failed' })
})

t.test('an image whose user is root under another name is refused before it runs', async t => {
  const toor = await build({
    Dockerfile: `FROM ${NODE}\nRUN echo toor:x:0:0::/:/bin/sh >> /etc/passwd\nUSER toor\nCMD ["id"]`,
  })
  const trap = await build({
    Dockerfile: `FROM ${NODE}\nRUN echo 7777:x:0:0::/:/bin/sh >> /etc/passwd\nUSER 7777\nCMD ["id"]`,
  })
  for (const { deploymentId, image } of [toor, trap]) {
    t.match(await failureOf(containers.start(instance({ deploymentId, image, user: null }), never)), {
      code: 'image_requires_root',
    })
    t.equal(await containers.inspect(deploymentId), null)
  }
})

t.test('a redirect is healthy, and the probe names the host', async t => {
  const script = `require('http').createServer((q, r) => { console.log(q.headers.host); r.writeHead(301, { location: '/x' }); r.end() }).listen(process.env.PORT)`
  const spec = instance({ startCommand: node(script) })
  await run(spec)
  t.equal((await linesOf(spec.deploymentId))[0]?.text, 'app.test')
})

t.test('logs go on exactly after the last line seen, and end with the instance', async t => {
  const spec = instance({
    startCommand: node(
      'let n = 0; const t = setInterval(() => { console.log(++n); if (n === 40) clearInterval(t) }, 5)',
    ),
  })
  await containers.start(spec, never)
  const followed: LogLine[] = []
  for await (const line of containers.logs(spec.deploymentId, { since: null, follow: true }, never)) followed.push(line)
  t.same(
    followed.map(line => Number(line.text)),
    Array.from({ length: 40 }, (_, index) => index + 1),
  )
  const rest = await linesOf(spec.deploymentId, followed[24]?.at ?? null)
  t.same(rest, followed.slice(25))
  t.same(await linesOf(id()), [], 'nothing is there')
})

t.test('SIGTERM reaches the application behind a simple and behind a compound command', async t => {
  const polite = `process.on('SIGTERM', () => setTimeout(() => { console.log('bye'); process.exit(0) }, 300)); ${serving("'x'")}`
  for (const startCommand of [node(polite), `true && ${node(polite)}; echo never`]) {
    const spec = instance({ startCommand })
    await run(spec)
    const stoppedAt = Date.now()
    await containers.stop(spec.deploymentId, 60_000)
    t.ok(Date.now() - stoppedAt < 50_000, 'it ended by itself, before it would have been killed')
    t.same(
      (await linesOf(spec.deploymentId)).map(line => line.text),
      ['bye'],
    )
  }
})

t.test('exits are told as they happen', async t => {
  const stop = new AbortController()
  t.teardown(() => stop.abort())
  const spec = instance({ startCommand: node('setTimeout(() => process.exit(9), 500)') })
  let watching: Promise<void> | undefined
  const crashed = new Promise<Instance>(resolve => {
    const told = (exited: Instance): void => void (exited.deploymentId === spec.deploymentId && resolve(exited))
    watching = containers.watch(told, () => {}, stop.signal)
  })
  await containers.start(spec, never)
  t.match(await crashed, { projectId, serviceId, running: false, exitCode: 9, outOfMemory: false })
  stop.abort()
  await watching
})

t.test('an exit during an interruption of the engine is told afterwards, with a word about the gap', async t => {
  const socket = path.join(dataDir, 'engine.sock')
  const engine = (docker.modem as { socketPath?: string }).socketPath ?? ''
  const links = new Set<net.Socket>()
  const relay = net.createServer(client => {
    const server = net.connect(engine)
    for (const end of [client, server]) {
      links.add(end)
      end.on('error', () => {}).on('close', () => [client, server].forEach(other => other.destroy()))
    }
    client.pipe(server).pipe(client)
  })
  const listen = (): Promise<unknown> => new Promise(resolve => relay.listen(socket, () => resolve(null)))
  await listen()
  const watcher = createContainers({
    docker: socket,
    instance: INSTANCE,
    files: { ca: null, caBundle: null, resolvConf: null },
  })
  const stop = new AbortController()
  const told: string[] = []
  const exited = (spec: InstanceSpec): Promise<void> => until(() => told.includes(spec.deploymentId))
  const watching = watcher.watch(
    ({ deploymentId }) => told.push(deploymentId),
    () => told.push('gap'),
    stop.signal,
  )

  const first = instance({ startCommand: 'exit 1' })
  await until(() => links.size > 2)
  await containers.start(first, never)
  await exited(first)
  const closed = new Promise(resolve => relay.close(resolve))
  for (const link of links) link.destroy()
  await closed
  const second = instance({ startCommand: 'exit 2' })
  await containers.start(second, never)
  await until(async () => (await containers.inspect(second.deploymentId))?.exitCode === 2)
  await listen()
  await exited(second)
  t.same(told, [first.deploymentId, 'gap', second.deploymentId])
  stop.abort()
  await watching
  relay.close()
  for (const link of links) link.destroy()
})

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20)
}

t.test('an engine that is not there is a temporary failure of the platform', async t => {
  const socket = path.join(dataDir, 'nobody.sock')
  const away = createContainers({
    docker: socket,
    instance: INSTANCE,
    files: { ca: null, caBundle: null, resolvConf: null },
  })
  for (const verb of [
    away.list(),
    away.inspect('x'),
    away.start(instance({}), never),
    away.healthy('x', { port: 1, path: '/', host: 'x', timeoutMs: 1 }, never),
  ])
    t.match(await verb.catch((error: unknown) => error), { code: 'docker_unavailable', temporary: true })

  const hangsUp = net.createServer(client => client.destroy()).listen(socket)
  t.teardown(() => hangsUp.close())
  t.match(await away.list().catch((error: unknown) => error), { code: 'docker_unavailable', temporary: true })
})
