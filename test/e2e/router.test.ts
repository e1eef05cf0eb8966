// The router with real processes, a real packet filter and real containers. Needs root, Docker and the image cais/node:20.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import tls from 'node:tls'
import t from 'tap'
import type { Route } from '../../src/drivers/contracts.ts'
import { freePort, openLab, routeOf, until } from '../support/router-lab.ts'

void t.test('the router', async t => {
  const lab = await openLab(t, 'routertest', 221)
  const [mine, other] = lab.projects
  const ca = readFileSync(lab.authority.rootPath)

  // A service that says who it is; /slow answers late, /wait waits, an upgrade is echoed.
  const SERVICE = `
    const server = require('http').createServer((q, r) => {
      const answer = () => r.end(JSON.stringify({ version: process.env.VERSION, headers: q.headers }))
      q.resume().on('end', () => q.url === '/slow' ? setTimeout(answer, 300) : answer())
    })
    server.on('upgrade', (q, s) => { s.write('HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: echo\\r\\n\\r\\n'); s.pipe(s) })
    server.listen(8080)`
  const [one, two] = await Promise.all([
    lab.start('one', mine, SERVICE, { VERSION: 'one' }),
    lab.start('two', mine, SERVICE, { VERSION: 'two' }),
    lab.start('client', mine, 'setInterval(() => 0, 1e6)'),
    lab.start('stranger', other, 'setInterval(() => 0, 1e6)'),
  ])
  const route = (address: string | null): Route => {
    const target = address === null || address === 'hold' ? address : { address, port: 8080 }
    return routeOf(lab, 7, { serviceName: 'api', hosts: ['loja.apps.localhost'], target })
  }
  const set = (address: string | null): Promise<void> => lab.router.set(route(address), [mine])

  interface Visit {
    status: number
    body: string
    headers: http.IncomingHttpHeaders
  }
  const visit = (path = '/', host = 'loja.apps.localhost', options: https.RequestOptions = {}): Promise<Visit> =>
    new Promise((resolve, reject) => {
      const where = { host: '127.0.0.1', port: lab.httpsPort, servername: host, ca, agent: false as const }
      https
        .get({ ...where, path, headers: { host: `${host}:${lab.httpsPort}` }, ...options }, response => {
          let body = ''
          response.on('data', (chunk: Buffer) => (body += chunk.toString()))
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body, headers: response.headers }))
        })
        .on('error', reject)
    })
  /** What a container sees of a URL: a status and a body, or the code of an error. */
  const fetchIn = (container: string, url: string): Promise<{ status?: number; body?: string; code?: string }> =>
    lab.ask(
      container,
      `fetch('${url}', { signal: AbortSignal.timeout(20_000) })
        .then(async r => ({ status: r.status, body: await r.text() }), e => ({ code: e.cause?.code ?? e.name }))
        .then(x => console.log(JSON.stringify(x)))`,
    )
  /** Codes of connection attempts, by address. */
  const connectIn = (container: string, ...addresses: string[]): Promise<Record<string, string>> =>
    lab.ask(
      container,
      `Promise.all(${JSON.stringify(addresses)}.map(a => new Promise(done => {
        const [host, port] = a.split(':')
        const s = require('net').connect({ host, port, timeout: 3000 })
        s.on('connect', () => { s.destroy(); done([a, 'open']) })
        s.on('timeout', () => { s.destroy(); done([a, 'timeout']) })
        s.on('error', e => done([a, e.code]))
      }))).then(x => console.log(JSON.stringify(Object.fromEntries(x))))`,
    )

  await t.test('a name leads to its address, and from there to the instance', async t => {
    await set(one)
    t.same(
      await lab.ask('client', `require('dns').lookup('api', (e, a) => console.log(JSON.stringify(a)))`),
      lab.vip(7),
    )
    const answer = await fetchIn('client', 'http://api:8080/')
    t.equal(answer.status, 200)
    const seen = JSON.parse(answer.body ?? '{}') as { version: string; headers: Record<string, string> }
    t.match(seen, { version: 'one', headers: { host: 'api:8080', 'x-forwarded-proto': 'http' } })
    t.equal(seen.headers['x-forwarded-for'], await lab.docker('exec', 'routertest.client', 'hostname', '-i'))
    t.match(await fetchIn('client', 'http://api:8081/'), { code: /ECONNRESET|UND_ERR_SOCKET/ }, 'only on its port')
  })

  await t.test('the public name is HTTPS, with a certificate of the local authority', async t => {
    const answer = await visit('/', 'loja.apps.localhost', {
      headers: { host: 'loja.apps.localhost', 'x-forwarded-for': '6.6.6.6', forwarded: 'for=6.6.6.6' },
    })
    t.equal(answer.status, 200)
    const { headers } = JSON.parse(answer.body) as { headers: Record<string, string> }
    t.match(headers, { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'loja.apps.localhost' })
    t.equal(headers['x-forwarded-for'], '127.0.0.1', 'what a visitor claims is not believed')
    t.notOk(headers['forwarded'])

    const alpn = await new Promise(resolve => {
      const options = {
        host: '127.0.0.1',
        port: lab.httpsPort,
        servername: 'x.apps.localhost',
        ca,
        ALPNProtocols: ['h2'],
      }
      const socket = tls.connect(options, () => resolve(socket.destroy().alpnProtocol))
    })
    t.equal(alpn, 'h2')

    const plain = await new Promise<http.IncomingMessage>((resolve, reject) => {
      const headers = { host: `loja.apps.localhost:${lab.httpPort}` }
      http
        .get({ port: lab.httpPort, host: '127.0.0.1', path: '/a?b=1', headers, agent: false }, resolve)
        .on('error', reject)
    })
    t.equal(plain.resume().statusCode, 308)
    t.equal(plain.headers.location, `https://loja.apps.localhost:${lab.httpsPort}/a?b=1`)
  })

  await t.test('nobody behind a name is said plainly', async t => {
    t.match(await visit('/', 'ninguem.apps.localhost'), { status: 404, body: /Nenhum serviço/ })
    await set(null)
    t.match(await visit(), { status: 503, body: /não está no ar/, headers: { 'retry-after': '5' } })
    t.match(await fetchIn('client', 'http://api:8080/'), { status: 503 })
    t.equal(await lab.router.probe('service7', '/', 'api'), null)
    await set(one)
    t.equal(await lab.router.probe('service7', '/', 'api'), 200)
  })

  await t.test('a request waits while its service is on hold', async t => {
    await set('hold')
    const waiting = [visit(), fetchIn('client', 'http://api:8080/')] as const
    const early = await Promise.race([...waiting, new Promise(resolve => setTimeout(resolve, 300, 'still waiting'))])
    t.equal(early, 'still waiting')
    await set(two)
    t.match(await waiting[0], { status: 200, body: /"version":"two"/ })
    t.match(await waiting[1], { status: 200, body: /"version":"two"/ })
    await set(one)
  })

  await t.test('requests and tunnels in flight are counted by instance', async t => {
    t.equal(await lab.router.inFlight({ address: one, port: 8080 }), 0)
    const slow = visit('/slow')
    await until('a request in flight', async () => (await lab.router.inFlight({ address: one, port: 8080 })) === 1)
    await set(two)
    t.match(await slow, { status: 200, body: /"version":"one"/ }, 'it ends where it began')
    await until('none in flight', async () => (await lab.router.inFlight({ address: one, port: 8080 })) === 0)

    const headers = { host: 'loja.apps.localhost', connection: 'Upgrade', upgrade: 'echo' }
    const tunnel = await new Promise<net.Socket>((resolve, reject) => {
      const where = {
        host: '127.0.0.1',
        port: lab.httpsPort,
        servername: 'loja.apps.localhost',
        ca,
        headers,
        agent: false,
      }
      const request = https.request(where as https.RequestOptions)
      request.on('upgrade', (_response, socket) => resolve(socket)).on('error', reject)
      request.end()
    })
    t.equal(await lab.router.inFlight({ address: two, port: 8080 }), 1)
    await set(one)
    const echo = new Promise(resolve => tunnel.once('data', (data: Buffer) => resolve(data.toString())))
    tunnel.write('still here')
    t.equal(await echo, 'still here', 'a tunnel stays over a switch')
    tunnel.destroy()
    await until('the tunnel is gone', async () => (await lab.router.inFlight({ address: two, port: 8080 })) === 0)
  })

  await t.test('another project reaches nothing: no name, no address, no gateway, no port of the host', async t => {
    t.match(await fetchIn('stranger', 'http://api:8080/'), { code: 'ENOTFOUND' })
    const gateway = mine.subnet.replace(/\.0\/25$/, '.1')
    const control = net.createServer().listen(0, '0.0.0.0')
    t.teardown(() => void control.close())
    await new Promise(resolve => control.once('listening', resolve))
    const { port } = control.address() as net.AddressInfo
    const platform = lab.vip(0).replace(/\.1\.0$/, '.0.1')
    const refused = [
      `${lab.vip(7)}:8080`,
      `${one}:8080`,
      `${gateway}:${port}`,
      `${other.subnet.replace(/\.128\/25$/, '.129')}:${port}`,
      `${platform}:9100`,
      `${platform}:${port}`,
      `169.254.169.254:80`,
    ]
    const codes = await connectIn('stranger', ...refused)
    for (const address of refused) t.match(codes[address], /EHOSTUNREACH|timeout/, address)
    t.match(await connectIn('client', `${gateway}:${port}`), { [`${gateway}:${port}`]: 'EHOSTUNREACH' })
  })

  await t.test('mail ports are refused at once, and the name server answers for the rest of the world', async t => {
    // The one host outside that every machine of ours knows.
    const outside = new URL(execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()).hostname
    const mail = ['25', '465', '587', '2525'].map(port => `192.0.2.77:${port}`)
    const codes = await connectIn('client', ...mail)
    for (const address of mail) t.equal(codes[address], 'ECONNREFUSED', address)
    const lookups = await lab.ask<Record<string, string | boolean>>(
      'client',
      `const dns = require('dns').promises
      Promise.all([
        dns.resolve4('db.routertest.internal').then(a => a[0]),
        dns.resolve6('api').catch(e => e.code),
        dns.resolve4('nobody').catch(e => e.code),
        dns.resolve4('${outside}').then(a => a.length > 0),
        new Promise(done => require('net').connect(53, dns.getServers()[0], function () {
          const question = Buffer.from('0009010000010000000000000361706900' + '00010001', 'hex')
          this.write(Buffer.concat([Buffer.from([0, question.length]), question]))
          this.on('data', d => { this.destroy(); done([...d.subarray(-4)].join('.')) })
        })),
      ]).then(([db, six, nobody, world, tcp]) => console.log(JSON.stringify({ db, six, nobody, world, tcp })))`,
    )
    t.same(lookups, {
      db: lab.vip(0).replace(/\.1\.0$/, '.0.2'),
      six: 'ENODATA',
      nobody: 'ENOTFOUND',
      world: true,
      tcp: lab.vip(7),
    })
  })

  await t.test('thirty switches under load lose no request, private or public, with keep-alive or without', async t => {
    const LOAD = (keepAlive: boolean): string => `
      const http = require('http'), agent = new http.Agent({ keepAlive: ${keepAlive} })
      const out = { good: 0, bad: 0, why: {}, versions: {} }
      let over = false
      process.stdin.on('data', () => (over = true))
      const once = (method, path) => new Promise(done => {
        const fail = why => { out.bad++; out.why[why] = (out.why[why] ?? 0) + 1; done() }
        const q = http.request({ host: 'api', port: 8080, path, method, agent, timeout: 10000 }, r => {
          let body = ''
          r.on('data', d => (body += d)).on('end', () => {
            if (r.statusCode !== 200) return fail(r.statusCode)
            const { version } = JSON.parse(body)
            out.versions[version] = (out.versions[version] ?? 0) + 1
            out.good++; done()
          }).on('error', e => fail(e.code))
        })
        q.on('error', e => fail(e.code)).on('timeout', () => q.destroy(new Error('timeout')))
        q.end(method === 'POST' ? 'x'.repeat(100) : undefined)
      })
      const worker = async (method, path) => { while (!over) { await once(method, path); await new Promise(f => setTimeout(f, 3)) } }
      Promise.all([worker('GET', '/'), worker('GET', '/'), worker('POST', '/'), worker('GET', '/slow')])
        .then(() => { agent.destroy(); console.log(JSON.stringify(out)); process.exit() })`
    interface Outcome {
      good: number
      bad: number
      why: Record<string, number>
      versions: Record<string, number>
    }
    const { spawn } = await import('node:child_process')
    const privateLoads = [true, false].map(keepAlive => {
      const child = spawn('docker', ['exec', '-i', 'routertest.client', 'node', '-e', LOAD(keepAlive)])
      let text = ''
      child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
      child.stderr.pipe(process.stderr)
      const outcome = new Promise<Outcome>(resolve => child.on('close', () => resolve(JSON.parse(text) as Outcome)))
      return { stop: () => child.stdin.end('over\n'), outcome }
    })
    let over = false
    const publicLoad = async (agent: https.Agent | false, method: string, path: string): Promise<Outcome> => {
      const out: Outcome = { good: 0, bad: 0, why: {}, versions: {} }
      while (!over) {
        const answer = await visit(path, 'loja.apps.localhost', { agent, method }).catch((error: Error) => error)
        if ('status' in answer && answer.status === 200) out.good++
        else {
          const why = 'status' in answer ? String(answer.status) : answer.message
          out.bad++
          out.why[why] = (out.why[why] ?? 0) + 1
        }
        await new Promise(resolve => setTimeout(resolve, 3))
      }
      return out
    }
    const agent = new https.Agent({ keepAlive: true })
    const publicLoads = [
      publicLoad(agent, 'GET', '/'),
      publicLoad(agent, 'POST', '/'),
      publicLoad(agent, 'GET', '/slow'),
      publicLoad(false, 'GET', '/'),
    ]
    const instances = { one, two }
    for (let turn = 0; turn < 30; turn++) {
      const [to, from] = turn % 2 === 0 ? (['two', 'one'] as const) : (['one', 'two'] as const)
      await set(instances[to])
      const old = { address: instances[from], port: 8080 }
      await until('the old instance is drained', async () => (await lab.router.inFlight(old)) === 0)
      // Now and then the old one really goes away, as after a deployment, and comes back where it was.
      if (turn % 6 === 0) {
        await lab.docker('kill', `routertest.${from}`)
        await lab.docker('start', `routertest.${from}`)
        const answers = async (): Promise<boolean> =>
          (await connectIn('client', `${old.address}:8080`))[`${old.address}:8080`] === 'open'
        await until('it answers again', answers)
      } else await new Promise(resolve => setTimeout(resolve, 30))
    }
    over = true
    for (const load of privateLoads) load.stop()
    const outcomes = await Promise.all([...privateLoads.map(load => load.outcome), ...publicLoads])
    agent.destroy()
    for (const outcome of outcomes) {
      t.same(outcome.why, {}, `no failure in ${outcome.good} requests`)
      t.ok(outcome.good > 20)
    }
    t.ok(outcomes.every(outcome => outcome.bad === 0))
    await set(one)
  })

  await t.test('HAProxy and the name server come back by themselves, with the same routes', async t => {
    const pidOf = (name: string): number => Number(readFileSync(`/run/cais-routertest/${name}.pid`, 'utf8'))
    const before = [pidOf('haproxy'), pidOf('dns')]
    await lab.router.ensure()
    await lab.reborn().ensure()
    t.same([pidOf('haproxy'), pidOf('dns')], before, 'what lives is adopted')
    t.match(readFileSync(`/proc/${before[0]}/status`, 'utf8'), /^Uid:\t(?!0\t)/m, 'HAProxy is not root')
    t.match(readFileSync(`/proc/${before[1]}/status`, 'utf8'), /^Uid:\t(?!0\t)/m, 'the name server is not root')

    for (const pid of before) process.kill(pid, 'SIGKILL')
    await until('health sees it', async () => !(await lab.router.health()).ok)
    const platform = lab.reborn()
    await platform.ensure()
    t.match(await platform.health(), { ok: true })
    t.equal((await visit()).status, 200)
    t.match(await fetchIn('client', 'http://api:8080/'), { status: 200 })
    t.notSame([pidOf('haproxy'), pidOf('dns')], before)
  })

  await t.test('another configuration takes over without refusing a connection', async t => {
    const httpPort = await freePort()
    let over = false
    const load = (async () => {
      const statuses = new Set<number | string>()
      while (!over) statuses.add(await visit().then(answer => answer.status, String))
      return [...statuses]
    })()
    await lab.reborn({ httpPort }).ensure()
    const redirect = await fetch(`http://127.0.0.1:${httpPort}/`, { redirect: 'manual' })
    t.equal(redirect.status, 404, 'the new one listens')
    await lab.router.ensure()
    over = true
    t.same(await load, [200])
  })

  await t.test('the filter is repaired, and a world without a route forgets it', async t => {
    const { execFileSync } = await import('node:child_process')
    execFileSync('nft', ['flush', 'chain', 'inet', 'routertest', 'from_project'])
    t.match(await lab.router.health(), { ok: false, detail: /packet filter/ })
    await lab.router.ensure()
    t.match(await lab.router.health(), { ok: true })
    await lab.router.sync({ networks: [mine, other], routes: [] })
    t.match(await fetchIn('client', 'http://api:8080/'), { code: 'ENOTFOUND' })
    t.equal((await visit()).status, 404)
  })

  await t.test('what a map cannot hold is refused', async t => {
    const bad = { ...route(one), hosts: ['a b\nset map x'] }
    await t.rejects(lab.router.set(bad, [mine]), { name: 'TypeError' })
    await t.rejects(lab.router.probe('x\r\ny', '/', 'api'), { name: 'TypeError' })
  })
})

void t.test('a public port that is taken is said in one sentence', async t => {
  const { createRouter } = await import('../../src/drivers/router/router.ts')
  const { openAuthority } = await import('../../src/drivers/router/authority.ts')
  const blocker = net.createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => blocker.once('listening', resolve))
  t.teardown(() => void blocker.close())
  const httpsPort = (blocker.address() as net.AddressInfo).port
  const dir = t.testdir()
  const router = createRouter({
    config: {
      instance: 'routerbusy',
      platformPool: '10.224.0.0/16',
      appsDomain: 'apps.localhost',
      publicAddress: '127.0.0.1',
      httpsPort,
      httpPort: httpsPort === 65535 ? 1024 : httpsPort + 1,
    },
    stateDir: dir,
    authority: await openAuthority(dir, 'routerbusy'),
  })
  t.teardown(() => router.stop())
  const message = new RegExp(`cannot listen on 127.0.0.1:${httpsPort} .*HTTPS_PORT`)
  await t.rejects(router.ensure(), { code: 'unavailable', temporary: true, message })
})
