import fc from 'fast-check'
import t from 'tap'
import { dependsOn, namesOf, parseValue, reachableReferences, referencesOf } from '../../src/domain/references.ts'

const text = (text: string) => ({ kind: 'text' as const, text })
const reference = (name: string, variable: string) => ({ kind: 'reference' as const, reference: { name, variable } })
const invalid = { kind: 'invalid' as const }

t.test('a value is cut into text, references and what cannot be parsed', async t => {
  const rows: [value: string, parts: unknown[]][] = [
    ['', []],
    ['plain $ {{ }} ${x}', [text('plain $ {{ }} ${x}')]],
    ['${{api.PORT}}', [reference('api', 'PORT')]],
    ['a${{api.PORT}}b', [text('a'), reference('api', 'PORT'), text('b')]],
    ['${{a.B}}${{c-1.d_2}}', [reference('a', 'B'), reference('c-1', 'd_2')]],
    ['$${{x}}', [text('${{x}}')]],
    ['$${{api.PORT}}', [text('${{api.PORT}}')]],
    ['$$${{api.PORT}}', [text('$${{api.PORT}}')]],
    ['$${{${{a.B}}', [text('${{'), reference('a', 'B')]],
    ['${{bad', [invalid, text('bad')]],
    ['${{}}', [invalid, text('}}')]],
    ['${{api}}', [invalid, text('api}}')]],
    ['${{api.PORT}', [invalid, text('api.PORT}')]],
    ['${{ api.PORT }}', [invalid, text(' api.PORT }}')]],
    ['${{API.PORT}}', [invalid, text('API.PORT}}')]],
    ['${{api.PO-RT}}', [invalid, text('api.PO-RT}}')]],
    ['${{api.A.B}}', [invalid, text('api.A.B}}')]],
    [`\${{${'a'.repeat(32)}.X}}`, [invalid, text(`${'a'.repeat(32)}.X}}`)]],
    ['${{${{a.B}}', [invalid, reference('a', 'B')]],
  ]
  for (const [value, parts] of rows) t.same(parseValue(value), parts, JSON.stringify(value))
})

/** What a client does to text that may hold a `${{` of its own (spec 2.5, rule 3). */
const escaped = (text: string): string => text.replaceAll('${{', () => '$${{')

t.test('an escaped text is parsed back to itself', async () => {
  const pieces = fc.array(fc.oneof(fc.constantFrom('$', '{', '}', '${{', '$${{', '${{a.B}}'), fc.string()))
  fc.assert(
    fc.property(
      pieces.map(p => p.join('')),
      value => {
        const parts = parseValue(escaped(value))
        return (
          parts.every(part => part.kind === 'text') && parts.map(p => ('text' in p ? p.text : '')).join('') === value
        )
      },
    ),
  )
})

t.test('references are distinct, and what cannot be parsed is left out', async t => {
  t.same(referencesOf('${{a.B}} ${{bad ${{a.B}} ${{c.D}} $${{e.F}}'), ['a.B', 'c.D'])
  t.same(namesOf(['web.PORT', 'api.PORT', 'api.PRIVATE_URL']), ['api', 'web'])
})

t.test('depends_on goes through shared variables, in alphabetical order, without the service itself', async t => {
  const shared = new Map([
    ['URL', ['db.DATABASE_URL', 'shared.MORE']],
    ['MORE', ['cache.PRIVATE_URL', 'shared.URL', 'shared.GONE']],
    ['UNUSED', ['other.PORT']],
  ])
  const reachable = reachableReferences(['web.PUBLIC_URL', 'shared.URL', 'api.PORT'], shared)
  t.same(dependsOn('web', reachable), ['api', 'cache', 'db'])
})
