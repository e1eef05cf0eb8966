// Custom domains with a real HAProxy: certificates added while it serves, kept over its end, and issued by a real ACME
// authority (pebble, from Debian) that looks at the plain HTTP of the router. Needs root, Docker and haproxy.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import tls from 'node:tls'
import t from 'tap'
import { createAcmeIssuer } from '../../src/drivers/certificates/acme.ts'
import { createLocalIssuer } from '../../src/drivers/certificates/local.ts'
import { createNameLookup } from '../../src/drivers/certificates/lookup.ts'
import { freePort, openLab, routeOf, until } from '../support/router-lab.ts'

const run = promisify(execFile)
const never = new AbortController().signal

void t.test('custom domains', async t => {
  const lab = await openLab(t, 'domlab', 241)
  const dir = path.join(path.dirname(lab.authority.rootPath), 'domains')
  await mkdir(dir)
  const root = await readFile(lab.authority.rootPath)
  const server = http.createServer((request, response) => response.end(`served ${request.headers.host}`))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(async () => void server.close())
  const target = { address: '127.0.0.1', port: (server.address() as AddressInfo).port }
  const publish = (...hosts: string[]) =>
    lab.router.set(routeOf(lab, 3, { serviceName: 'web', hosts: ['loja.apps.localhost', ...hosts], target }), [
      lab.projects[0],
    ])
  /** Certificate that a client of this name is shown. */
  const shown = (servername: string): Promise<tls.PeerCertificate> =>
    new Promise((resolve, reject) => {
      const socket = tls.connect({ host: '127.0.0.1', port: lab.httpsPort, servername, rejectUnauthorized: false })
      socket.on('secureConnect', () => {
        resolve(socket.getPeerCertificate())
        socket.destroy()
      })
      socket.on('error', reject)
    })
  const visit = (
    host: string,
    ca: Buffer | string = root,
    agent?: https.Agent,
  ): Promise<{ status: number; body: string }> =>
    new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: lab.httpsPort, servername: host, ca, headers: { host } }
      https
        .get({ ...options, agent: agent ?? false }, response => {
          let body = ''
          response.on('data', (chunk: Buffer) => (body += chunk.toString()))
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
        })
        .on('error', reject)
    })
  const issuer = createLocalIssuer(lab.authority, dir)
  const respond = lab.router.challenge.bind(lab.router)
  const certificate = async (host: string) => ({ host, pem: (await issuer.issue(host, respond, never)).pem })
  const [loja, blog] = [await certificate('loja.example.com'), await certificate('blog.example.com')]

  await t.test('a certificate is there at once, and no connection notices', async t => {
    await publish()
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1 })
    t.match(await visit('loja.apps.localhost', root, agent), { status: 200 })
    const sockets = () => Object.values(agent.freeSockets).flat()
    const [before] = sockets()
    await t.rejects(visit('loja.example.com'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
    await lab.router.certify([loja, blog])
    await publish('loja.example.com')
    t.match(await visit('loja.example.com'), { status: 200, body: 'served loja.example.com' })
    t.match(await visit('blog.example.com'), { status: 404 }, 'certified, but nobody serves it')
    t.match(await visit('loja.apps.localhost', root, agent), { status: 200 })
    t.equal(sockets()[0], before, 'the same connection')
    agent.destroy()
    await lab.router.certify([loja, blog])
  })

  await t.test('one that is issued again is shown at once; one that is taken away is not shown any more', async t => {
    const again = createLocalIssuer(lab.authority, path.join(dir, 'again'))
    const renewed = { host: 'loja.example.com', pem: (await again.issue('loja.example.com', respond, never)).pem }
    const before = (await shown('loja.example.com')).serialNumber
    await lab.router.certify([renewed])
    t.not((await shown('loja.example.com')).serialNumber, before)
    t.match(await visit('loja.example.com'), { status: 200 })
    t.equal((await shown('blog.example.com')).subject.CN, '*.apps.localhost')
    await lab.router.certify([loja, blog])
    t.equal((await shown('loja.example.com')).serialNumber, before)
  })

  await t.test('certificates outlive HAProxy, and a new platform finds them', async t => {
    const pid = Number(await readFile('/run/cais-domlab/haproxy.pid', 'utf8'))
    process.kill(pid, 'SIGKILL')
    await until('HAProxy is gone', async () => !(await lab.router.health()).ok)
    const reborn = lab.reborn()
    await reborn.ensure()
    t.match(await visit('loja.example.com'), { status: 200 })
    const another = lab.reborn()
    await another.ensure()
    await another.certify([loja])
    t.equal((await shown('blog.example.com')).subject.CN, '*.apps.localhost')
    await lab.router.certify([loja, blog])
    t.match(await visit('loja.example.com'), { status: 200 })
  })

  await t.test('names that would be something else in a file name or a command are refused', async t => {
    for (const host of ['../x.com', 'a b.com', 'a;b.com', '', 'a\n.com'])
      await t.rejects(lab.router.certify([{ host, pem: loja.pem }]), TypeError)
    await t.rejects(lab.router.challenge('a b', 'x'), TypeError)
  })

  const pebble = await openPebble(t, dir, lab.httpPort)

  await t.test('the public DNS is asked through the configured servers', async t => {
    const names = createNameLookup([pebble.dns])
    await pebble.tell('set-txt', { host: '_web-verify.shop.example.test.', value: 'cais-verify=abc' })
    await pebble.tell('set-cname', { host: 'shop.example.test.', target: 'loja.apps.localhost.' })
    t.strictSame(await names.txt('_web-verify.shop.example.test'), ['cais-verify=abc'])
    t.strictSame(await names.txt('nothing.example.test'), [])
    t.strictSame(await names.cname('shop.example.test'), ['loja.apps.localhost'])
    t.ok((await names.addresses('other.example.test')).includes('127.0.0.1'))
    const silent = createNameLookup([`127.0.0.1:${await freePort()}`])
    await t.rejects(silent.txt('shop.example.test'), { code: 'dns_unavailable' })
  })

  await t.test('an ACME authority issues what the router proves, and what it cannot prove is refused', async t => {
    const settings = {
      directory: pebble.directory,
      email: 'ana@example.com',
      ca: pebble.ca,
      keyFile: path.join(dir, 'acme.key'),
    }
    const acme = createAcmeIssuer(settings)
    const { pem, expiresAt } = await acme.issue('acme.example.test', respond, never)
    t.ok(Date.parse(expiresAt) > Date.now())
    await lab.router.certify([loja, { host: 'acme.example.test', pem }])
    await publish('loja.example.com', 'acme.example.test')
    t.match(await visit('acme.example.test', await pebble.root()), { status: 200, body: 'served acme.example.test' })
    t.match(await visit('loja.example.com'), { status: 200 })
    // The account is found again by its key; a challenge that nobody answers is refused.
    const deaf = acme.issue('deaf.example.test', () => Promise.resolve(), never)
    await t.rejects(deaf, { code: 'certificate_refused', temporary: false })
    const gone = createAcmeIssuer({ ...settings, directory: `https://127.0.0.1:${await freePort()}/dir` })
    await t.rejects(gone.issue('acme.example.test', respond, never), { code: 'unavailable', temporary: true })
  })
})

/** Pebble and its DNS server, on ports of their own. */
async function openPebble(t: { teardown(job: () => Promise<void>): void }, dir: string, httpPort: number) {
  const [api, management, dns, control] = [await freePort(), await freePort(), await freePort(), await freePort()]
  const key = path.join(dir, 'pebble.key')
  const ca = path.join(dir, 'pebble.pem')
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  await run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-keyout',
    key,
    '-out',
    ca,
    ...names,
  ])
  const file = path.join(dir, 'pebble.json')
  const pebble = {
    listenAddress: `127.0.0.1:${api}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: ca,
    privateKey: key,
    httpPort,
    tlsPort: 1,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
  }
  await writeFile(file, JSON.stringify({ pebble }))
  const off = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv6', '']
  const children: ChildProcess[] = [
    spawn('pebble-challtestsrv', [
      '-dns01',
      `127.0.0.1:${dns}`,
      '-management',
      `127.0.0.1:${control}`,
      '-defaultIPv4',
      '127.0.0.1',
      ...off,
    ]),
    spawn('pebble', ['-config', file, '-dnsserver', `127.0.0.1:${dns}`], {
      env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '20' },
    }),
  ]
  t.teardown(async () => {
    for (const child of children) {
      child.kill()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    }
  })
  const trusted = await readFile(ca)
  const read = (url: string): Promise<string> =>
    new Promise((resolve, reject) => {
      https
        .get(url, { ca: trusted, agent: false }, response => {
          let text = ''
          response.on('data', (chunk: Buffer) => (text += chunk.toString()))
          response.on('end', () => resolve(text))
        })
        .on('error', reject)
    })
  const directory = `https://127.0.0.1:${api}/dir`
  await until('pebble answers', () =>
    read(directory).then(
      () => true,
      () => false,
    ),
  )
  return {
    directory,
    ca,
    dns: `127.0.0.1:${dns}`,
    root: () => read(`https://127.0.0.1:${management}/roots/0`),
    tell: (what: string, body: object) =>
      fetch(`http://127.0.0.1:${control}/${what}`, { method: 'POST', body: JSON.stringify(body) }),
  }
}
