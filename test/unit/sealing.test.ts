import fc from 'fast-check'
import t from 'tap'
import { createDataKey, openKeyring, rewrapDataKey } from '../../src/domain/sealing.ts'

const MASTER = '0f'.repeat(32)
const row = (id: number) => ({ id, wrapped: createDataKey(MASTER) })

t.test('what is sealed opens for the same row only', async t => {
  const keyring = openKeyring(MASTER, [row(1)])
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, about) => {
      return keyring.open(keyring.seal(text, about), about) === text
    }),
  )
  const sealed = keyring.seal('secret', 'row-1')
  t.notOk(sealed.includes('secret'))
  t.notSame(keyring.seal('secret', 'row-1'), sealed, 'never the same bytes twice')
  t.throws(() => keyring.open(sealed, 'row-2'))
  t.throws(() => keyring.open(Buffer.alloc(3), 'row-1'), /too short/)
  for (let i = 0; i < sealed.length; i++) {
    const altered = Buffer.from(sealed)
    altered.writeUInt8(altered.readUInt8(i) ^ 1, i)
    t.throws(() => keyring.open(altered, 'row-1'), `byte ${i} altered`)
  }
})

t.test('what is sealed alike is the same each time, and still opens for the same row only', async t => {
  const keyring = openKeyring(MASTER, [row(1)])
  const sealed = keyring.sealAlike('key', 'list-1')
  t.same(keyring.sealAlike('key', 'list-1'), sealed)
  t.equal(keyring.open(sealed, 'list-1'), 'key')
  t.throws(() => keyring.open(sealed, 'list-2'))
  const ivOf = (text: string, about: string) => keyring.sealAlike(text, about).subarray(5, 17).toString('hex')
  const ivs = [ivOf('key', 'list-1'), ivOf('kez', 'list-1'), ivOf('key', 'list-2'), ivOf('1key', 'list-')]
  t.equal(new Set(ivs).size, ivs.length, 'no initialization vector returns')
})

t.test('the newest data key seals, and older ones still open', async t => {
  const [first, second] = [row(1), row(2)]
  const old = openKeyring(MASTER, [first]).seal('old', 'x')
  const both = openKeyring(MASTER, [second, first])
  t.equal(both.open(old, 'x'), 'old')
  t.equal(openKeyring(MASTER, [second]).open(both.seal('new', 'x'), 'x'), 'new')
  t.throws(() => openKeyring(MASTER, [second]).open(old, 'x'), /data key 1 .* not in the keyring/)
})

t.test('a wrong master key says so', async t => {
  t.throws(() => openKeyring('aa'.repeat(32), [row(1)]), /CAIS_MASTER_KEY/)
  t.throws(() => openKeyring('short', [row(1)]), /64 hex digits/)
  t.throws(() => openKeyring(MASTER, []), /no data key/)
  t.throws(() => openKeyring(MASTER, [{ ...row(1), id: 0 }]), /not a data key id/)
})

t.test('a data key that does not seal yet opens, and another master key may wrap the same one', async t => {
  const [first, second] = [row(1), { ...row(2), seals: false }]
  t.equal(openKeyring(MASTER, [first, second]).seal('x', 'y').readUInt32BE(1), 1)
  const later = openKeyring(MASTER, [first, { ...second, seals: true }]).seal('x', 'y')
  t.equal(openKeyring(MASTER, [first, second]).open(later, 'y'), 'x')
  const next = '1e'.repeat(32)
  const rewrapped = [first, second].map(each => ({ ...each, wrapped: rewrapDataKey(MASTER, next, each) }))
  t.equal(openKeyring(next, rewrapped).open(later, 'y'), 'x')
  t.throws(() => rewrapDataKey(next, MASTER, first), /CAIS_MASTER_KEY/)
})
