import fc from 'fast-check'
import t from 'tap'
import { createMasker, MASK } from '../../src/domain/masking.ts'
import { formsOf } from '../../src/domain/secret-forms.ts'

const SECRET = 'pá"ss\\w/ör d+1?'

t.test('a secret is masked in every form in which programs print it', async t => {
  const { mask } = createMasker([SECRET])
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const rows: [what: string, text: string][] = [
    ['plain', SECRET],
    ['JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['JSON of Python', 'p\\u00e1\\"ss\\\\w/\\u00f6r d+1?'],
    ['JSON of PHP', 'p\\u00e1\\"ss\\\\w\\/\\u00f6r d+1?'],
    ['URL', encodeURIComponent(SECRET)],
    ['URL in lower case', encodeURIComponent(SECRET).replace(/%../g, code => code.toLowerCase())],
    ['form', new URLSearchParams({ k: SECRET }).toString().slice(2)],
  ]
  for (const [what, text] of rows) t.equal(mask(`<${text}>`), `<${MASK}>`, what)
  for (const before of ['', 'u', 'u:', 'usr', 'user:']) {
    for (const after of ['', '!', '!!', '\n']) {
      for (const encoding of ['base64', 'base64url'] as const) {
        const encoded = Buffer.from(before + SECRET + after).toString(encoding)
        const masked = mask(encoded)
        t.match(masked, MASK, `${encoding} of ${JSON.stringify(before + '…' + after)}`)
        t.ok(masked.length < MASK.length + encoded.length - 20, 'little else is left')
      }
    }
  }
  t.equal(mask(base64('nothing to see here')), base64('nothing to see here'))
})

t.test('everything that belongs to a secret is covered by one mask', async t => {
  const rows: [secrets: string[], text: string, masked: string][] = [
    [[], 'text', 'text'],
    [['secret-1'], '', ''],
    [['abcdef', 'defghi'], 'xabcdefghiy', `x${MASK}y`],
    [['abcdef', 'xxabcdefxx'], 'xxabcdefx xxabcdefxx', `xx${MASK}x ${MASK}`],
    [['secret', 'secret-longer'], 'secret-longe secret-longer', `${MASK}-longe ${MASK}`],
    [['abcabcabc'], 'abcabcabcabcabcabx', `${MASK}abx`],
    [['secret'], 'secretsecret secret', `${MASK} ${MASK}`],
    [['five5'], 'five5', 'five5'],
    [['  padded \n'], '[padded]', `[${MASK}]`],
    [['first line\nx\nlast line'], 'last line\nx\nfirst line', `${MASK}\nx\n${MASK}`],
    [['\u{1f511}\u{1f511}\u{1f511}'], 'a\u{1f511}\u{1f511}\u{1f511}b', `a${MASK}b`],
  ]
  for (const [secrets, text, masked] of rows) t.equal(createMasker(secrets).mask(text), masked, JSON.stringify(text))
})

t.test('only what may be the start of a secret is held back', async t => {
  const masker = createMasker(['secret-value'])
  t.equal(masker.push('hello\nse'), 'hello\n')
  t.equal(masker.push('cret'), '')
  t.equal(masker.push('ary'), 'secretary')
  t.equal(masker.push('secret-va'), '')
  t.equal(masker.mask('secret-value'), MASK, 'a text on its own does not meet what is held back')
  t.equal(masker.push('lue.'), `${MASK}.`)
  t.equal(masker.push('secret'), '')
  t.equal(masker.end(), 'secret')
  t.equal(masker.push('-value'), '-value', 'after the end it is as new')
})

t.test('for every chunking the result is that of looking everywhere for every form', async () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '+', 'é'), minLength: 6, maxLength: 10 })
  const secrets = fc.array(letters, { maxLength: 4 })
  const text = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '+', 'é'), maxLength: 12 }), { maxLength: 12 })
  fc.assert(
    fc.property(secrets, text, fc.array(fc.nat(1000), { maxLength: 12 }), (secrets, noise, cuts) => {
      const whole = noise.map((piece, i) => piece + (secrets[i % 7] ?? '')).join('')
      const masker = createMasker(secrets)
      const edges = [0, ...cuts.map(cut => cut % (whole.length + 1)).sort((a, b) => a - b), whole.length]
      const chunks = edges.map((edge, i) => whole.slice(edge, edges[i + 1] ?? edge))
      const streamed = chunks.map(chunk => masker.push(chunk)).join('') + masker.end()
      return streamed === naive(secrets, whole) && masker.mask(whole) === streamed
    }),
    { numRuns: 1000 },
  )
})

t.test('time is linear in the text, and a hostile secret does not change that', async t => {
  const masker = createMasker(['a'.repeat(60_000) + 'b', ...Array.from({ length: 2000 }, (_, i) => `x${i}-secret`)])
  const before = process.cpuUsage()
  let length = 0
  for (let i = 0; i < 200_000; i++) length += masker.push('aaaaa').length
  length += masker.end().length
  t.equal(length, 1_000_000)
  // Its own processor time: a busy machine does not change that. Quadratic, it would be minutes.
  t.ok(process.cpuUsage(before).user < 10_000_000, 'a megabyte in pieces of five, in seconds')
})

function naive(secrets: string[], text: string): string {
  const covered = new Array<boolean>(text.length).fill(false)
  for (const form of secrets.flatMap(formsOf)) {
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) covered.fill(true, at, at + form.length)
  }
  return Array.from(text.split(''), (unit, i) => (!covered[i] ? unit : covered[i - 1] ? '' : MASK)).join('')
}
