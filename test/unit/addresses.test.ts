import fc from 'fast-check'
import t from 'tap'
import * as addresses from '../../src/domain/addresses.ts'

const PROJECTS = '10.201.0.0/16'
const PLATFORM = '10.202.0.0/16'

t.test('every address follows from a pool and a number', async t => {
  t.equal(addresses.projectSubnet(PROJECTS, 0), '10.201.0.0/25')
  t.equal(addresses.projectSubnet(PROJECTS, 3), '10.201.1.128/25')
  t.equal(addresses.projectSubnet(PROJECTS, 511), '10.201.255.128/25')
  t.equal(addresses.projectCapacity(PROJECTS), 512)
  t.equal(addresses.gatewayOf('10.201.1.128/25'), '10.201.1.129')
  t.equal(addresses.serviceVip(PLATFORM, 0), '10.202.1.0')
  t.equal(addresses.serviceVip(PLATFORM, 1000), '10.202.4.232')
  t.equal(addresses.serviceVip(PLATFORM, addresses.serviceCapacity(PLATFORM) - 1), '10.202.255.254')
  t.equal(addresses.platformAddress(PLATFORM), '10.202.0.1')
  t.equal(addresses.databaseAddress(PLATFORM), '10.202.0.2')
  t.equal(addresses.platformAddress('10.202.7.9/16'), '10.202.0.1', 'a pool may be written by any of its addresses')
  t.equal(addresses.publicUrl('loja', 'apps.localhost'), 'https://loja.apps.localhost')
  t.equal(addresses.publicUrl('loja', 'apps.localhost', 8443), 'https://loja.apps.localhost:8443')
})

t.test('what does not fit in the pool is an error', async t => {
  t.throws(() => addresses.projectSubnet(PROJECTS, 512), RangeError)
  t.throws(() => addresses.projectSubnet(PROJECTS, -1), RangeError)
  t.throws(() => addresses.projectSubnet(PROJECTS, 1.5), RangeError)
  t.throws(() => addresses.projectSubnet('10.0.0.0/26', 0), RangeError)
  t.throws(() => addresses.serviceVip('10.0.0.0/24', 0), RangeError)
  t.throws(() => addresses.serviceVip(PLATFORM, addresses.serviceCapacity(PLATFORM)), RangeError)
  t.throws(() => addresses.platformAddress('nonsense'), RangeError)
  t.equal(addresses.serviceCapacity('10.0.0.0/23'), 255)
})

t.test('no two projects and no two services share an address', async () => {
  const two = (most: number) => fc.tuple(fc.nat(most), fc.nat(most)).filter(([a, b]) => a !== b)
  fc.assert(
    fc.property(two(511), ([a, b]) => addresses.projectSubnet(PROJECTS, a) !== addresses.projectSubnet(PROJECTS, b)),
  )
  const own = [addresses.platformAddress(PLATFORM), addresses.databaseAddress(PLATFORM)]
  fc.assert(
    fc.property(two(60_000), ([a, b]) => {
      const vips = [addresses.serviceVip(PLATFORM, a), addresses.serviceVip(PLATFORM, b)]
      return new Set([...vips, ...own]).size === 4
    }),
  )
})

t.test('interface names fit Linux and tell installations apart', async t => {
  const id = '01jd3w8yq0v4kq1n9r5t7x2zab'
  t.match(addresses.networkName('cais', id), /^c[0-9a-z]{3}-[0-9a-z]{8}$/)
  t.ok(addresses.networkName('cais', id).length <= 15)
  t.equal(addresses.networkName('cais', id), addresses.interfacePrefix('cais') + id.slice(-8))
  t.equal(addresses.platformInterface('cais'), `${addresses.interfacePrefix('cais')}plat`)
  t.not(addresses.interfacePrefix('cais'), addresses.interfacePrefix('test'))
})
