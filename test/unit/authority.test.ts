import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import tls from 'node:tls'
import t from 'tap'
import { openAuthority } from '../../src/drivers/router/authority.ts'

const names = ['*.apps.localhost', 'db.demo.internal']

void t.test('a certificate verifies with the root, for its names only, and its key is private', async t => {
  const dir = t.testdir()
  const authority = await openAuthority(dir, 'demo')
  const files = await authority.issue({ names, dir, file: 'apps', days: 90 })

  t.equal(statSync(files.keyPath).mode & 0o777, 0o600)
  t.equal(statSync(files.pemPath).mode & 0o777, 0o600)
  t.equal(statSync(path.join(dir, 'root.key')).mode & 0o777, 0o600)
  t.match(execFileSync('openssl', ['verify', '-CAfile', authority.rootPath, files.certPath]).toString(), /: OK/)

  const pem = readFileSync(files.pemPath)
  const server = tls.createServer({ key: pem, cert: pem }, socket => socket.end('hello'))
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  t.teardown(() => server.close())
  const { port } = server.address() as { port: number }
  const visit = (servername: string): Promise<string> =>
    new Promise(done => {
      const ca = readFileSync(authority.bundlePath)
      const socket = tls.connect({ port, host: '127.0.0.1', servername, ca })
      socket.on('secureConnect', () => socket.resume() && done('verified'))
      socket.on('error', error => done((error as NodeJS.ErrnoException).code ?? error.message))
    })
  t.equal(await visit('loja.apps.localhost'), 'verified')
  t.equal(await visit('db.demo.internal'), 'verified')
  t.equal(await visit('db.other.internal'), 'ERR_TLS_CERT_ALTNAME_INVALID')
})

void t.test('nothing is issued twice, until names change or the end comes near', async t => {
  const dir = t.testdir()
  const authority = await openAuthority(dir)
  const issue = async (names: string[], days: number): Promise<string> =>
    readFileSync((await authority.issue({ names, dir, file: 'apps', days })).certPath, 'utf8')
  const first = await issue(names, 30)
  t.equal(await issue(names, 30), first)
  t.not(await issue([...names, 'loja.example'], 30), first, 'other names')
  const second = await issue(names, 30)
  t.not(await issue(names, 91), second, '30 days are less than a third of 91')
})

void t.test('the authority is opened again as it was, and its certificate follows from its key', async t => {
  const dir = t.testdir()
  const [one, two] = await Promise.all([openAuthority(dir), openAuthority(dir)])
  const again = await openAuthority(dir)
  t.equal(again.rootPem, await openAuthority(dir).then(a => a.rootPem))
  const files = await (one ?? again).issue({ names, dir, file: 'apps', days: 90 })
  t.match(execFileSync('openssl', ['verify', '-CAfile', two.rootPath, files.certPath]).toString(), /: OK/)
})
