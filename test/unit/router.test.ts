import dnsPacket from 'dns-packet'
import t from 'tap'
import type { Route } from '../../src/drivers/contracts.ts'
import { parseResolvers, splitMessages, withLength } from '../../src/drivers/router/dns-forward.ts'
import { connectionsFor, renderHaproxyConfig } from '../../src/drivers/router/haproxy-config.ts'
import { answerQuery, failureAnswer, indexNames } from '../../src/drivers/router/names.ts'
import { checkWorld, mapEntries, moveEntries } from '../../src/drivers/router/routes.ts'
import { renderRules } from '../../src/drivers/router/rules.ts'

const route = (values: Partial<Route> = {}): Route => ({
  serviceId: 'S1',
  projectId: 'P1',
  serviceName: 'api',
  vip: '10.202.1.0',
  port: 8080,
  hosts: ['loja.apps.localhost'],
  target: { address: '10.201.0.2', port: 3000 },
  ...values,
})

void t.test('a switch is one command, and a new service has its target before its name', async t => {
  const sent: string[] = []
  const known = new Set(['S1', '10.202.1.0', 'loja.apps.localhost'])
  const command = async (text: string): Promise<string> => {
    sent.push(text.replaceAll('/run/x/maps/', ''))
    return text.startsWith('set') && !known.has(text.split(' ')[3] ?? '') ? 'entry not found.' : ''
  }
  const before = mapEntries([route()])
  const moved = mapEntries([route({ target: { address: '10.201.0.3', port: 4000 }, port: 4000 })])
  await moveEntries(command, '/run/x', before, moved)
  t.same(sent.splice(0), ['set map target.map S1 10.201.0.3:4000:4000'])

  const grown = mapEntries([route(), route({ serviceId: 'S2', vip: '10.202.1.1', hosts: [], target: null })])
  await moveEntries(command, '/run/x', before, grown)
  t.same(
    sent.splice(0).filter(text => text.startsWith('add')),
    ['add map target.map S2 none:0:8080', 'add map private.map 10.202.1.1 S2'],
  )
  await moveEntries(command, '/run/x', before, mapEntries([]))
  t.same(sent, ['del map public.map loja.apps.localhost', 'del map private.map 10.202.1.0', 'del map target.map S1'])
})

void t.test('text that could say more than it should is refused', async t => {
  const network = { projectId: 'P1', name: 'cabc-12345678', subnet: '10.201.0.0/25' }
  t.doesNotThrow(() => checkWorld({ networks: [network], routes: [route(), route({ target: 'hold', hosts: [] })] }))
  const bad: Partial<Route>[] = [
    { hosts: ['a b'] },
    { hosts: ['a;disable'] },
    { hosts: ['UPPER.localhost'] },
    { serviceId: 'S 1' },
    { serviceName: 'a\nb' },
    { vip: '10.1.1.1 x' },
    { vip: '::1' },
    { port: 0 },
    { port: 1.5 },
    { target: { address: 'host', port: 1 } },
    { target: { address: '10.1.1.1', port: 70000 } },
  ]
  for (const values of bad) t.throws(() => checkWorld({ networks: [], routes: [route(values)] }), TypeError)
  for (const values of [{ name: 'a"b' }, { subnet: '10.0.0.0/33' }, { subnet: '10.0.0.0' }])
    t.throws(() => checkWorld({ networks: [{ ...network, ...values }], routes: [] }), TypeError)
})

void t.test('a name is answered for the project that asks', async t => {
  const index = indexNames({
    common: { 'db.demo.internal': '10.202.0.2', '*.db.demo.internal': '10.202.0.2' },
    projects: [
      { subnet: '10.201.0.0/25', names: { api: '10.202.1.0' } },
      { subnet: '10.201.0.128/25', names: { web: '10.202.1.1' } },
    ],
  })
  const ask = (name: string, source: string, type: 'A' | 'AAAA' | 'MX' = 'A'): string => {
    const query = dnsPacket.encode({
      type: 'query',
      id: 77,
      flags: dnsPacket.RECURSION_DESIRED,
      questions: [{ type, name }],
    })
    const answer = answerQuery(query, source, index)
    if (answer === null || answer === 'forward') return String(answer)
    const packet = dnsPacket.decode(answer) as unknown as dnsPacket.Packet & { rcode: string }
    t.equal(packet.id, 77)
    const [first] = packet.answers ?? []
    return first?.type === 'A' ? `${first.data} ${first.ttl}` : packet.rcode
  }
  t.equal(ask('api', '10.201.0.5'), '10.202.1.0 0')
  t.equal(ask('API', '10.201.0.5'), '10.202.1.0 0', 'in any case')
  t.equal(ask('api', '10.201.0.130'), 'NXDOMAIN', 'a name of another project')
  t.equal(ask('web', '10.201.0.130'), '10.202.1.1 0')
  t.equal(ask('api', '10.201.0.5', 'AAAA'), 'NOERROR')
  t.equal(ask('api', '10.201.0.5', 'MX'), 'NOERROR')
  t.equal(ask('db.demo.internal', '10.201.0.5'), '10.202.0.2 0')
  t.equal(ask('d-01.db.demo.internal', '10.201.0.5'), '10.202.0.2 0', 'any name one label longer')
  t.equal(ask('a.d-01.db.demo.internal', '10.201.0.5'), 'NXDOMAIN')
  t.equal(ask('db.other.internal', '10.201.0.5'), 'NXDOMAIN')
  t.equal(ask('example.org', '10.201.0.5'), 'forward')
  t.equal(ask('example.org', '10.201.0.5', 'AAAA'), 'NOERROR', 'there is no IPv6 to go to')
  t.equal(ask('example.org', '192.0.2.1'), 'REFUSED', 'no resolver for strangers')
  t.equal(answerQuery(Buffer.from('no dns at all'), '10.201.0.5', index), null)
  t.equal(answerQuery(Buffer.alloc(0), '10.201.0.5', index), null)
  t.equal(failureAnswer(Buffer.from([1])), null)
})

void t.test('messages over TCP are found whatever the pieces', async t => {
  const found: string[] = []
  const take = splitMessages(message => found.push(message.toString()))
  const bytes = Buffer.concat([withLength(Buffer.from('one')), withLength(Buffer.from('two'))])
  for (const byte of bytes) take(Buffer.from([byte]))
  take(bytes)
  t.same(found, ['one', 'two', 'one', 'two'])
})

void t.test('resolvers are read from resolv.conf', async t => {
  const text = '# nameserver 9.9.9.9\nnameserver 10.0.0.1\n nameserver fe80::1%eth0\nnameserver nonsense\noptions x\n'
  t.same(parseResolvers(text), ['10.0.0.1', 'fe80::1%eth0'])
})

void t.test('rules for nobody and for many name every project once', async t => {
  const firewall = {
    table: 'demo',
    prefix: 'cabc-',
    buildInterface: 'cabc-build',
    platformAddress: '10.202.0.1',
    databaseAddress: '10.202.0.2',
    privatePort: 9100,
    publicAddress: null,
    publicPorts: [443, 80],
    resolvers: [],
    networks: [],
    services: [],
  }
  t.notMatch(renderRules(firewall), /elements/)
  const text = renderRules({
    ...firewall,
    publicAddress: '192.0.2.9',
    resolvers: ['10.255.255.53'],
    networks: [{ name: 'cabc-1', subnet: '10.201.0.0/25' }],
    services: [{ network: 'cabc-1', vip: '10.202.1.0' }],
  })
  t.match(text, 'elements = { "cabc-1" . 10.201.0.0/25 }')
  t.match(text, 'elements = { "cabc-1" . 10.202.1.0 }')
  t.match(text, 'ip daddr 192.0.2.9 tcp dport { 443, 80 } accept')
  t.match(text, 'ip daddr { 10.255.255.53 } meta l4proto { tcp, udp } th dport 53 accept')
})

void t.test('redirects name the port only when it is not the usual one', async t => {
  const config = (httpsPort: number): string =>
    renderHaproxyConfig({
      runDir: '/run/x',
      pemFile: '/run/x/apps.pem',
      holdScript: '/run/x/hold.lua',
      publicAddress: '127.0.0.1',
      httpsPort,
      httpPort: 80,
      platformAddress: '10.202.0.1',
      privatePort: 9100,
      maxConnections: connectionsFor(20_000),
      user: null,
    })
  t.match(config(443), 'location https://%[var(txn.host)]%[pathq]')
  t.match(config(8443), 'location https://%[var(txn.host)]:8443%[pathq]')
  t.equal(connectionsFor(20_000), 8000)
  t.equal(connectionsFor(1024), 218)
})
