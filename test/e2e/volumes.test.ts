// Volumes on real Docker: data that stays, a size that holds, one instance at a time, and nothing left behind.
import { access, readFile } from 'node:fs/promises'
import path from 'node:path'
import t, { type Test } from 'tap'
import { tarGz } from '../support/applications.ts'
import { Customer, type Deployment, type Service } from '../support/customer.ts'
import { Installation } from '../support/installation.ts'

// Writes down when it begins and when it ends: two at a time would be two beginnings in a row.
const SERVER = `
const fs = require('node:fs')
const http = require('node:http')
const { PORT, VERSION = '0', MODE = '' } = process.env
const note = line => fs.appendFileSync('/app/data/journal', line + '\\n')
note('start ' + VERSION)
if (MODE === 'crash') { note('stop ' + VERSION); process.exit(3) }
fs.writeFileSync('/tmp/mark', '', { flag: 'a' })
function fill(mb) {
  const file = fs.openSync('/app/data/fill', 'w')
  try {
    for (let n = 0; n < mb; n++) fs.writeSync(file, Buffer.alloc(1 << 20, 120))
    return { written: mb }
  } catch (error) {
    return { code: error.code }
  } finally {
    fs.closeSync(file)
  }
}
const server = http.createServer((request, response) => {
  const url = new URL(request.url, 'http://here')
  const say = value => response.end(JSON.stringify(value))
  if (url.pathname === '/slow') return setTimeout(() => say({ version: Number(VERSION) }), 300)
  if (url.pathname === '/fill') return say(fill(Number(url.searchParams.get('mb'))))
  if (url.pathname === '/unfill') return say({ gone: fs.rmSync('/app/data/fill') ?? true })
  if (url.pathname === '/mark') return say({ before: fs.readFileSync('/tmp/mark', 'utf8'), now: fs.appendFileSync('/tmp/mark', 'x') ?? true })
  if (url.pathname === '/journal') return say(fs.readFileSync('/app/data/journal', 'utf8').trim().split('\\n'))
  if (url.pathname === '/size') { const s = fs.statfsSync('/app/data'); return say({ mb: Math.round(s.blocks * s.bsize / 2 ** 20) }) }
  if (url.pathname === '/crash') { note('stop ' + VERSION); process.exit(4) }
  say({ version: Number(VERSION) })
}).listen(PORT, '0.0.0.0')
process.on('SIGTERM', () => { server.close(() => { note('stop ' + VERSION); process.exit(0) }); server.closeIdleConnections() })
`
const app = { 'package.json': '{"name":"caderno","version":"1.0.0"}', 'server.js': SERVER }

t.setTimeout(600_000)

void t.test('volumes', async t => {
  const home = await Installation.prepare('e2evol', [217, 218], { CAIS_STABILITY_MS: '400' })
  t.teardown(async () => {
    await home.stop()
    await home.cais('down', '--purge')
  })
  await home.start()
  await home.cais('team', 'create', '--name', 'feira', '--plan', 'pro')
  const token = await home.cais('token', 'create', '--team', 'feira', '--scopes', 'all', '--expires', '1d')
  const customer = new Customer(home.url, token)
  const remove = (at: string) =>
    fetch(`${home.url}/v1${at}`, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } })
  const project = `/projects/${(await customer.send<{ id: string }>('POST', '/projects', { name: 'Caderno' })).id}`
  const web = await customer.get<Service>(`${project}/services/web`)
  const other = await customer.send<Service>('POST', `${project}/services`, {
    name: 'outro',
    visibility: 'public',
    slug: 'caderno-outro',
  })
  const at = (service: Service) => `${project}/services/${service.id}`
  const command = { start_command: 'node server.js', resources: { memory_mb: 256 } }

  async function deployed(t: Test, deployment: Promise<Deployment>): Promise<Deployment> {
    const ended = await deployment
    t.match(ended, { status: 'ready' }, ended.error?.message ?? 'ready')
    return ended
  }
  const setVersion = (version: number, more: Record<string, string> = {}) =>
    customer.setVariables(at(web), { VERSION: String(version), MODE: '', ...more })
  /** Everything that began has ended before the next began. */
  async function oneAtATime(t: Test): Promise<void> {
    const lines = await home.visitJson<string[]>(web.public_url, '/journal')
    const doubles = lines.filter((line, i) => line.startsWith('start') && lines[i + 1]?.startsWith('start'))
    t.same(doubles, [], 'never two instances on it')
  }

  const volumes: { id: string }[] = []
  let first: Deployment
  await t.test('the file system holds a volume to its size, and nobody else feels it', async t => {
    for (const service of [web, other]) {
      await customer.send('PATCH', at(service), command)
      volumes.push(await customer.send('PUT', `${at(service)}/volume`, { mount_path: '/app/data', size_gb: 1 }))
      await customer.setVariables(at(service), { VERSION: '1' })
    }
    first = await deployed(t, customer.uploadAndWait(at(web), await tarGz(app)))
    await deployed(t, customer.uploadAndWait(at(other), await tarGz(app)))
    t.match(await customer.get(`${at(web)}/volume`), { status: 'attached' })
    t.match(await home.visitJson(web.public_url, '/fill?mb=2000'), { code: 'ENOSPC' })
    t.match(await home.visitJson(other.public_url, '/fill?mb=50'), { written: 50 })
    const measured = () => customer.get<{ used_mb: number }>(`${at(web)}/volume`)
    const { used_mb } = await customer.until('it is measured', measured, seen => seen.used_mb > 500, 60_000)
    t.ok(used_mb > 900 && used_mb <= 1024, `${used_mb} MB in use`)
    await home.visitJson(web.public_url, '/unfill')
  })

  await t.test(
    'C-083: data survives a new version, a failed one and a rollback; requests are held, none fails',
    async t => {
      const load = await home.publicLoad(web.public_url, true)
      const fresh = await home.publicLoad(web.public_url, false)
      await setVersion(2)
      await deployed(t, customer.deploy(at(web)))
      await setVersion(3, { MODE: 'crash' })
      const failed = await customer.deploy(at(web))
      t.match(failed, { status: 'failed', error: { code: 'activate_app_crashed' } })
      t.match(await home.visitJson(web.public_url), { version: 2 }, 'the old version serves again')
      for (const one of [load, fresh]) {
        const outcome = await one.stop()
        t.same(outcome.bad, {}, `${one.name}: no failure in ${outcome.good} requests`)
        t.ok(outcome.good > 20)
        // The load may have begun only once requests were held.
        t.equal(outcome.versions.at(-1), 2, 'the failed version never answered')
      }
      await oneAtATime(t)
      const back = await customer.send<Deployment>('POST', `${at(web)}/deployments/${first.id}/rollback`)
      await deployed(t, customer.ended(`${at(web)}/deployments/${back.id}`))
      const lines = await home.visitJson<string[]>(web.public_url, '/journal')
      t.match(lines.join(' '), /^start 1 stop 1 start 2 stop 2 start 3 stop 3 start 2 stop 2 start 1$/)
    },
  )

  await t.test('C-083: data survives a crash and a removed container; /tmp does not', async t => {
    const lines = () => home.visitJson<string[]>(web.public_url, '/journal')
    const before = (await lines()).length
    t.match(await home.visitJson(web.public_url, '/mark'), { before: '' })
    t.match(await home.visitJson(web.public_url, '/mark'), { before: 'x' })
    await home.visit(web.public_url, '/crash').catch(() => undefined)
    await customer.until('it is up again', lines, seen => seen.length > before + 1)
    t.match(await home.visitJson(web.public_url, '/mark'), { before: '' })
    const [container] = await home.containersOf(web.id)
    await home.docker('rm', '-f', container ?? '')
    await customer.until('it is up once more', lines, seen => seen.length > before + 2, 60_000)
  })

  await t.test('a volume grows with the next deployment', async t => {
    await customer.send('PUT', `${at(web)}/volume`, { mount_path: '/app/data', size_gb: 2 })
    t.match(await customer.get(at(web)), { needs_redeploy: true })
    await setVersion(4)
    await deployed(t, customer.deploy(at(web)))
    const { mb } = await home.visitJson<{ mb: number }>(web.public_url, '/size')
    t.ok(mb > 1800, `${mb} MB now`)
    t.match((await home.visitJson<string[]>(web.public_url, '/journal'))[0], 'start 1', 'the data is there')
  })

  await t.test('C-056: deletions leave no loop device, no mount, no file and no container', async t => {
    t.equal((await remove(at(web))).status, 409)
    for (const service of [web, other]) t.equal((await remove(`${at(service)}/volume`)).status, 204)
    t.match(await customer.get(at(web)), { status: 'idle' })
    for (const { id } of volumes) {
      const folder = path.join(home.dataDir, 'volumes', id)
      const isGone = () =>
        access(folder).then(
          () => false,
          () => true,
        )
      await customer.until('the data is destroyed', isGone, gone => gone, 60_000)
      t.notMatch(await home.run('losetup', '-a'), id)
      t.notMatch(await readFile('/proc/self/mountinfo', 'utf8'), id)
    }
    t.equal((await remove(at(other))).status, 204)
    t.equal((await remove(project)).status, 204)
    // The platform's own networks stay.
    const labels = ['--filter', `label=cais.instance=${home.instance}`, '--filter', 'label=cais.project']
    const left = async () =>
      (await home.docker('ps', '-aq', ...labels)) + (await home.docker('network', 'ls', '-q', ...labels))
    await customer.until('containers and networks are gone', left, seen => seen === '', 60_000)
  })
})
