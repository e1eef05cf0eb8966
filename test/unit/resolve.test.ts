import fc from 'fast-check'
import t from 'tap'
import type { ProjectModel, Variable } from '../../src/domain/project-model.ts'
import { createResolver } from '../../src/domain/resolve.ts'
import { ResolveError } from '../../src/domain/resolve-error.ts'

const DB = {
  DATABASE_URL: 'postgres://u:p4ssw0rd@db/x',
  PGHOST: 'db',
  PGPORT: '5432',
  PGUSER: 'u',
  PGPASSWORD: 'p4ssw0rd',
  PGDATABASE: 'x',
}

const variables = (values: Record<string, string>, ...sensitive: string[]): Variable[] =>
  Object.entries(values).map(([name, value]) => ({ name, value, sensitive: sensitive.includes(name) }))

function project(web: Record<string, string>, shared: Record<string, string> = {}, sensitive: string[] = []) {
  const model = {
    appsDomain: 'apps.localhost',
    apps: [
      { name: 'web', port: 8080, visibility: 'public', slug: 'loja', variables: variables(web, ...sensitive) },
      { name: 'api', port: 3000, visibility: 'private', slug: null, variables: [] },
    ],
    databases: [
      { name: 'db', engine: 'postgres', status: 'ready', variables: DB },
      { name: 'new', engine: 'postgres', status: 'provisioning', variables: null },
    ],
    shared: variables(shared, ...sensitive),
  } as const satisfies ProjectModel
  return model
}

const environment = (...args: Parameters<typeof project>) => createResolver(project(...args)).environment('web')

/** V → S1 → … → S<n>, the last one literal: n references followed one inside the other. */
function chain(levels: number): Record<string, string> {
  const names = Array.from({ length: levels }, (_, i) => `S${i + 1}`)
  return Object.fromEntries(names.map((name, i) => [name, i + 1 < levels ? `\${{shared.S${i + 2}}}` : 'end']))
}

t.test('references give the documented values (C-068, C-071, C-077)', async t => {
  const rows: [value: string, expanded: string][] = [
    ['${{api.PRIVATE_URL}}', 'http://api:3000'],
    ['${{api.PRIVATE_HOST}}', 'api'],
    ['${{api.PORT}}', '3000'],
    ['[${{api.PUBLIC_URL}}${{api.PUBLIC_DOMAIN}}]', '[]'],
    ['${{web.PUBLIC_URL}}', 'https://loja.apps.localhost'],
    ['${{web.PUBLIC_DOMAIN}}', 'loja.apps.localhost'],
    ['${{web.PRIVATE_URL}}', 'http://web:8080'],
    ['${{db.DATABASE_URL}}&x=1', 'postgres://u:p4ssw0rd@db/x&x=1'],
    ['${{shared.GREETING}}!', 'olá ${{x}}, http://api:3000!'],
    ['$${{x}}', '${{x}}'],
    ['', ''],
  ]
  const shared = { GREETING: 'olá $${{x}}, ${{api.PRIVATE_URL}}' }
  for (const [value, expanded] of rows) t.equal(environment({ V: value }, shared).env.V, expanded, value)
  t.same(environment({ PORT: '1', A: 'x' }).env, { A: 'x', PORT: '8080' }, 'PORT is the service’s own')
  t.same(environment({}, { UNUSED: 'x' }).env, { PORT: '8080' }, 'a shared variable reaches only who asks for it')
  const withPort = createResolver({ ...project({ V: '${{web.PUBLIC_URL}}' }), httpsPort: 8443 }).environment('web')
  t.equal(withPort.env.V, 'https://loja.apps.localhost:8443')
})

t.test('what cannot be resolved says which reference and why', async t => {
  const rows: [web: Record<string, string>, shared: Record<string, string>, code: string, details: object][] = [
    [
      { V: '${{nope.X}} ${{api.NOPE}}', W: '${{db.MYSQL_HOST}}' },
      {},
      'unresolved_reference',
      { references: ['nope.X', 'api.NOPE', 'db.MYSQL_HOST'] },
    ],
    [
      { V: '${{shared.S}}' },
      { S: '${{shared.GONE}}' },
      'unresolved_reference',
      { references: ['shared.GONE'], name: 'shared.S' },
    ],
    [
      { V: '${{new.PGHOST}}' },
      {},
      'unresolved_reference',
      { references: ['new.PGHOST'], reason: 'database_provisioning' },
    ],
    [
      { V: '${{new.NOPE}} ${{new.PGHOST}}' },
      {},
      'unresolved_reference',
      { references: ['new.NOPE'], reason: undefined },
    ],
    [{ V: '${{bad' }, {}, 'invalid_reference', { references: [], name: 'V', service: 'web' }],
    [{ V: '${{shared.S}}' }, { S: 'x ${{ api.PORT }}' }, 'invalid_reference', { name: 'shared.S' }],
    [
      { V: '${{shared.C}}' },
      { C: '${{shared.B}}', B: '${{shared.A}}', A: '${{shared.C}}' },
      'reference_cycle',
      { references: ['shared.A', 'shared.C', 'shared.B'] },
    ],
    [
      { V: '${{shared.A}}' },
      { A: '${{shared.B}}', B: '${{shared.B}}' },
      'reference_cycle',
      { references: ['shared.B'] },
    ],
    [{ V: '${{shared.S1}}' }, chain(17), 'reference_too_deep', { name: 'V' }],
    [{ V: 'x'.repeat(65_537) }, {}, 'value_too_large', { name: 'V' }],
    [{ V: '${{shared.S}}' }, { S: 'é'.repeat(32_769) }, 'value_too_large', { name: 'V', references: ['shared.S'] }],
    [
      { A: 'x'.repeat(65_536), B: 'x'.repeat(65_536), C: 'x'.repeat(65_536), D: 'x'.repeat(65_535), E: 'xx' },
      {},
      'value_too_large',
      { name: 'A', reason: 'environment' },
    ],
  ]
  for (const [web, shared, code, details] of rows) {
    t.throws(() => environment(web, shared), { code, details }, `${code} ${JSON.stringify(details)}`)
  }
  t.equal(environment({ V: 'x' }, { A: '${{shared.A}}', B: '${{bad' }).env.V, 'x', 'only what is used can be wrong')
})

t.test('the largest that is allowed passes (C-069, C-070)', async t => {
  t.equal(environment({ V: '${{shared.S1}}' }, chain(16)).env.V, 'end')
  t.equal(environment({ V: '${{shared.S}}${{shared.S}}' }, { S: 'é'.repeat(16_384) }).env.V?.length, 32_768)
  const full = Object.fromEntries(['A', 'B', 'C', 'D'].map(name => [name, 'x'.repeat(65_536)]))
  t.equal(Object.keys(environment(full).env).length, 5)
})

t.test('a bomb of nested references costs no time and no memory', async t => {
  const bomb = Object.fromEntries(
    Array.from({ length: 16 }, (_, i) => [`S${i + 1}`, `\${{shared.S${i + 2}}}`.repeat(4000)]),
  )
  for (const [last, code] of [
    ['x', 'value_too_large'],
    ['', undefined],
  ] as const) {
    const before = process.cpuUsage()
    const attempt = () => environment({ V: '${{shared.S2}}' }, { ...bomb, S17: last })
    if (code) t.throws(attempt, { code })
    else t.equal(attempt().env.V, '')
    // Its own processor time: a busy machine does not change that. Written out, it would never end.
    t.ok(process.cpuUsage(before).user < 10_000_000, 'in seconds')
  }
  t.throws(() => environment({ V: '${{shared.S1}}' }, chain(50_000)), { code: 'reference_too_deep' })
  const circle = { ...chain(50_000), S50000: '${{shared.S1}}' }
  t.throws(() => environment({ V: '${{shared.S1}}' }, circle), { code: 'reference_cycle' })
})

t.test('secrets are the sensitive values, all that holds one, and the variables of used databases', async t => {
  const shared = { TOKEN: 'tok-123', HEADER: 'Bearer ${{shared.TOKEN}}', OPEN: 'public' }
  const web = { AUTH: '${{shared.HEADER}}.', PLAIN: '${{shared.OPEN}}', KEY: 'own-key', EMPTY: '' }
  const { secrets } = environment(web, shared, ['TOKEN', 'KEY', 'EMPTY'])
  t.same(new Set(secrets), new Set(['tok-123', 'Bearer tok-123', 'Bearer tok-123.', 'own-key']))
  const used = environment({ URL: 'x${{db.PGHOST}}' }).secrets
  t.same(new Set(used), new Set(['xdb', ...Object.values(DB)]))
})

t.test('a rollback keeps its variables and gets the credentials of its day (D-58)', async t => {
  const shared = { TOKEN: 'old-token', DSN: '$${{${{db.DATABASE_URL}}$' }
  const past = environment(
    { DSN: '<${{shared.DSN}}>', TOKEN: '${{shared.TOKEN}}', A: '${{api.PRIVATE_URL}}' },
    shared,
    ['TOKEN'],
  )
  const rotated = { ...DB, DATABASE_URL: 'postgres://u:new@db/x', PGPASSWORD: 'new-password' }
  const now = { ...project({}), databases: [{ ...project({}).databases[0], variables: rotated }], apps: [] }
  const thawed = createResolver(now).thaw(JSON.parse(JSON.stringify(past)), 9000)
  t.same(thawed.env, { DSN: '<${{postgres://u:new@db/x$>', TOKEN: 'old-token', A: 'http://api:3000', PORT: '9000' })
  t.ok(thawed.secrets.includes('old-token') && thawed.secrets.includes('new-password'))
  t.same(thawed.frozen, past.frozen)
  t.throws(() => createResolver({ ...now, databases: [] }).thaw(past, 1), {
    code: 'unresolved_reference',
    details: { references: ['db.DATABASE_URL'] },
  })
})

t.test('one variable can be read alone, and names are never mistaken for object keys', async t => {
  const resolver = createResolver(project({}, { S: 'x' }, ['S']))
  t.same(resolver.expand({ name: 'V', value: '${{shared.S}}y', sensitive: false }), { text: 'xy', sensitive: true })
  t.throws(() => resolver.expand({ name: 'V', value: '${{db.constructor}}', sensitive: false }), {
    code: 'unresolved_reference',
  })
  const model = project({})
  const odd = {
    ...model,
    apps: [{ ...model.apps[0], variables: [{ name: '__proto__', value: 'v', sensitive: false }] }],
  }
  t.equal(JSON.stringify(createResolver(odd).environment('web').env), '{"__proto__":"v","PORT":"8080"}')
})

t.test('whatever the variables hold, the resolver answers or throws a ResolveError', async () => {
  const piece = fc.oneof(
    fc.constantFrom('$', '${{', '}}', '$${{', '${{shared.A}}', '${{shared.B}}', '${{shared.C}}', '${{web.PORT}}'),
    fc.constantFrom('${{db.PGHOST}}', '${{new.PGHOST}}', '${{nope.X}}', '${{shared.__proto__}}', 'é', '\u0000'),
    fc.string({ maxLength: 5 }),
  )
  const value = fc.array(piece, { maxLength: 6 }).map(pieces => pieces.join(''))
  const record = fc.record({ A: value, B: value, C: value })
  fc.assert(
    fc.property(record, record, (web, shared) => {
      try {
        const { env } = environment(web, shared)
        return Object.keys(env).length === 4
      } catch (error) {
        if (error instanceof ResolveError) return Array.isArray(error.details.references)
        throw error
      }
    }),
    { numRuns: 500 },
  )
})
