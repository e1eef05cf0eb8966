import fc from 'fast-check'
import t from 'tap'
import { isId, newId } from '../../src/domain/ids.ts'
import {
  customHostname,
  IDEMPOTENCY_KEY,
  isBuildUser,
  isHealthPath,
  isImageRef,
  isMountPath,
  isReservedSlug,
  isSlug,
  isStorableText,
  projectName,
  projectSlug,
  SERVICE_NAME,
  VARIABLE_NAME,
} from '../../src/domain/names.ts'

const digest = `@sha256:${'a'.repeat(64)}`

const TABLES: [what: string, is: (text: string) => boolean, yes: string[], no: string[]][] = [
  [
    'service name (C-044)',
    text => SERVICE_NAME.test(text),
    ['a', 'web', 'a-1', 'a'.repeat(31), 'a-'],
    ['', 'A', '1a', 'a_b', '-a', 'a'.repeat(32), 'web\n', ' web', 'é'],
  ],
  [
    'variable name (C-062)',
    text => VARIABLE_NAME.test(text),
    ['_a', 'A', 'a1', 'A'.repeat(256), '__proto__'],
    ['', '1A', 'A-B', 'A'.repeat(257), 'A\n', 'É'],
  ],
  [
    'idempotency key (C-143)',
    text => IDEMPOTENCY_KEY.test(text),
    ['12345678', 'a'.repeat(128), 'Az09._:-'],
    ['1234567', 'a'.repeat(129), '1234 5678', '12345678\n'],
  ],
  [
    'slug (D-31)',
    isSlug,
    ['a', '0', 'loja-1', 'a'.repeat(40)],
    ['', '-a', 'a-', 'a--b', 'A', 'a.b', 'a'.repeat(41), 'xn--a'],
  ],
  ['reserved slug', isReservedSlug, ['www', 'api', 'admin', 'app', 'docs', 'status', 'mail'], ['loja', '']],
  [
    'build.user (C-051)',
    isBuildUser,
    ['1000', '1000:1000', '1', '2147483647:2147483647'],
    ['0', 'root', '0:0', '00', '-1', '01', '1000:', ':1', '1:0', '1:2:3', '2147483648', '99999999999', '1 ', ''],
  ],
  [
    'image reference (C-127)',
    isImageRef,
    [
      'nginx',
      'nginx:1.27',
      `nginx${digest}`,
      `nginx:1${digest}`,
      'ghcr.io/a/b-c__d.e:Tag_1.0',
      'localhost:5000/x',
      'Host.example/x:1',
      'a/b/c',
    ],
    [
      '',
      ' nginx',
      'a b',
      '-x',
      'nginx:',
      'nginx:-1',
      'Nginx',
      'a//b',
      '/a',
      'a/',
      'a@sha256:1',
      `a${digest}${digest}`,
      'a:1:2',
      'a'.repeat(64),
      'http://a/b',
      'a_-b',
      'x'.repeat(600),
      `nginx:${'a'.repeat(129)}`,
    ],
  ],
  [
    'health path (D-32)',
    isHealthPath,
    ['/', '/health?x=1&y=$a!', `/${'a'.repeat(255)}`, '/a//b'],
    ['', 'health', '//host', '/a#b', '/a b', '/é', '/a\n', `/${'a'.repeat(256)}`, '/a\u007f'],
  ],
  [
    'mount path (C-080, D-43)',
    isMountPath,
    ['/app/data', '/app/a/b', '/app/.next2', '/app/.data'],
    [
      '/app',
      '/app/',
      '/tmp',
      '/etc',
      '/app/.next',
      '/app/.next/cache',
      '/app/../etc',
      '/application/x',
      'app/x',
      '/app//x',
      '/app/x/',
      '/app/./x',
      '/app/x\n',
      '',
    ],
  ],
  ['text that can be stored', isStorableText, ['', 'é\n\u{1f511}'], ['\0', 'a\ud800', '\udc00b']],
]

for (const [what, is, yes, no] of TABLES) {
  t.test(`${what}: what is one and what is not`, async t => {
    for (const text of yes) t.ok(is(text), `yes: ${JSON.stringify(text).slice(0, 60)}`)
    for (const text of no) t.notOk(is(text), `no: ${JSON.stringify(text).slice(0, 60)}`)
  })
}

t.test('a project gets its slug from its name (decisions 3.1)', async t => {
  const rows: [name: string, slug: string][] = [
    ['Loja', 'loja'],
    ['  Olá, Mundo! ', 'ola-mundo'],
    ['Ação -- & Reação', 'acao-reacao'],
    ['İstanbul', 'istanbul'],
    ['---a---', 'a'],
    [`${'a'.repeat(39)} b`, 'a'.repeat(39)],
    ['x'.repeat(64), 'x'.repeat(40)],
    ['日本', ''],
  ]
  for (const [name, slug] of rows) t.equal(projectSlug(name), slug, name)
  t.equal(projectName('  Loja '), 'Loja')
  for (const name of ['', '   ', '日本', 'a\nb', 'a\0', 'a\ud800', 'x'.repeat(65)]) t.equal(projectName(name), null)
})

t.test('every project name has a slug that a service may have', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 70 }), text => {
      const name = projectName(text)
      return name === null || isSlug(projectSlug(name))
    }),
  )
})

t.test('a custom host name is kept in lowercase ASCII (decisions 3.13)', async t => {
  const rows: [text: string, host: string | null][] = [
    ['Loja.Example.com', 'loja.example.com'],
    ['café.com.br', 'xn--caf-dma.com.br'],
    ['example.com', 'example.com'],
    ['localhost', null],
    ['*.example.com', null],
    ['10.0.0.1', null],
    ['[::1]', null],
    ['1.2.3', null],
    ['x.apps.localhost', null],
    ['apps.localhost', null],
    ['a..b', null],
    ['-a.com', null],
    ['a.com/x', null],
    ['a.com:80', null],
    [`${'a'.repeat(64)}.com`, null],
    ['', null],
  ]
  for (const [text, host] of rows) t.equal(customHostname(text, 'apps.localhost'), host, text)
})

t.test('ids are lowercase ULIDs in the order in which they are made', async t => {
  const ids = Array.from({ length: 1000 }, newId)
  t.ok(ids.every(isId))
  t.same([...ids].sort(), ids)
  t.equal(new Set(ids).size, 1000)
  const id = newId()
  for (const no of [id.toUpperCase(), id.slice(1), `${id}a`, `8${id.slice(1)}`, `${id.slice(1)}u`, 'web', '']) {
    t.notOk(isId(no), no)
  }
})
