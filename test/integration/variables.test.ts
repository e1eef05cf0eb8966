import t from 'tap'
import { newId } from '../../src/domain/ids.ts'
import { startApi, type Client } from '../support/api.ts'

async function startWithProject(t: Parameters<typeof startApi>[0]) {
  const api = await startApi(t)
  const project = await api.client.project('loja')
  const service = `/projects/${project.id}/services/web`
  return { ...api, project, service, own: `${service}/variables`, shared: `/projects/${project.id}/shared-variables` }
}

async function clear(client: Client, path: string): Promise<Record<string, string | null>> {
  const { body } = await client.get(`${path}?resolved=true&limit=100`)
  return Object.fromEntries(body.items.map((v: { name: string; value: string | null }) => [v.name, v.value]))
}

t.test('a bulk takes 1 to 200 variables, all or none (C-060, C-061)', async t => {
  const { client, own, shared } = await startWithProject(t)
  const many = (n: number) => Array.from({ length: n }, (_, i) => ({ name: `V${i}`, value: String(i) }))
  for (const path of [own, shared]) {
    for (const n of [0, 201]) t.equal((await client.put(path, { variables: many(n) })).status, 400, `${n}`)
    const spoilt = many(200)
    spoilt[150] = { name: '1A', value: 'x' }
    const refused = await client.put(path, { variables: spoilt })
    t.match(refused, { status: 400, body: { message: /^O nome de variável "1A" não é válido/ } })
    t.strictSame(refused.body.details.fields, [{ field: 'variables[150].name', problem: 'invalid' }])
    t.strictSame((await client.get(path)).body.items, [])
    for (const n of [1, 200])
      t.match(await client.put(path, { variables: many(n) }), { status: 200, body: { updated: n } })
  }
})

t.test('two hundred values of 64 KiB fit into one call, and a longer one does not (C-028, C-070)', async t => {
  const { client, own } = await startWithProject(t)
  const value = 'x'.repeat(65_536)
  const variables = Array.from({ length: 200 }, (_, i) => ({ name: `V${i}`, value }))
  t.match(await client.put(own, { variables }), { status: 200, body: { updated: 200 } })
  t.equal((await client.put(`${own}/LONG`, { value: `${value}x` })).status, 400)
  t.equal((await client.put(`${own}/LONG`, { value: '✓'.repeat(21_846) })).status, 400, 'bytes, not characters')
  t.equal((await client.put(`${own}/LONG`, { value: '✓'.repeat(21_845) })).status, 200)
})

t.test('names and values keep to their rules (C-062, C-078)', async t => {
  const { client, own } = await startWithProject(t)
  for (const name of ['1A', 'A-B', 'A B', 'x'.repeat(257), 'á']) {
    t.equal((await client.put(`${own}/${encodeURIComponent(name)}`, { value: 'x' })).status, 400, name)
    t.equal((await client.put(own, { variables: [{ name, value: 'x' }] })).status, 400, name)
  }
  t.equal((await client.put(own, { variables: [{ name: '', value: 'x' }] })).status, 400)
  for (const name of ['_a', 'x'.repeat(256)]) t.equal((await client.put(`${own}/${name}`, { value: '' })).status, 200)
  for (const value of [1, null, true, {}, 'a\u0000b', undefined]) {
    t.equal((await client.put(`${own}/A`, { value })).status, 400, JSON.stringify(value))
  }
  const twice = {
    variables: [
      { name: 'A', value: '1' },
      { name: 'B', value: '2' },
      { name: 'A', value: '3' },
    ],
  }
  const refused = await client.put(own, twice)
  t.match(refused.body.details.fields, [{ field: 'variables[2].name' }])
  t.equal((await client.get(`${own}?limit=100`)).body.items.length, 2)
})

t.test('a sensitive variable stays one (C-063, C-064)', async t => {
  const { client, own, shared } = await startWithProject(t)
  for (const path of [own, shared]) {
    await client.put(path, { variables: [{ name: 'KEY', value: 'one', sensitive: true }] })
    const lowered = { name: 'KEY', value: 'two', sensitive: false }
    const refused = await client.put(path, { variables: [{ name: 'OTHER', value: 'x' }, lowered] })
    t.match(refused, { status: 409, body: { error: 'sensitive_lowered', message: /^A variável "KEY"/ } })
    t.strictSame(await clear(client, path), { KEY: 'one' })
    await client.put(path, { variables: [{ name: 'KEY', value: 'three' }] })
    t.match((await client.get(path)).body.items, [{ name: 'KEY', sensitive: true }])
  }
  t.match(await client.put(`${own}/KEY`, { value: 'x', sensitive: false }), { status: 409 })
})

t.test('values are masked with one constant, and sealed at rest (C-065)', async t => {
  const { client, own, db } = await startWithProject(t)
  await client.put(own, {
    variables: [
      { name: 'A', value: '' },
      { name: 'B', value: 'segredo-longo', sensitive: true },
    ],
  })
  const listed = await client.get(own)
  t.match(listed.body.items, [
    { name: 'A', value: '********', sensitive: false, references: [] },
    { name: 'B', value: '********', sensitive: true, references: [] },
  ])
  t.notMatch(listed.text, 'segredo')
  const { rows } = await db.raw(`select encode(sealed, 'escape') as sealed from variable`)
  t.notMatch(JSON.stringify(rows), 'segredo')
})

t.test('clear values need env:read and env:reveal, and are never cached (C-013, D-07)', async t => {
  const { client, newClient, own } = await startWithProject(t)
  await client.put(`${own}/A`, { value: 'claro' })
  const reader = await newClient({ scopes: ['env:read'] })
  const revealer = await newClient({ scopes: ['env:reveal'] })
  t.match(await reader.get(`${own}?resolved=true`), { status: 403, body: { message: /"env:reveal"/ } })
  t.match(await revealer.get(`${own}?resolved=true`), { status: 403, body: { message: /"env:read"/ } })
  t.equal((await reader.get(`${own}?resolved=abc`)).status, 400)
  t.equal((await reader.get(`${own}?resolved=false`)).body.items[0].value, '********')
  const shown = await client.get(`${own}?resolved=true`)
  t.equal(shown.body.items[0].value, 'claro')
  t.strictSame([shown.headers.get('cache-control'), shown.headers.get('etag')], ['no-store', null])
})

t.test(
  'resolved values are expanded; one that cannot be says why and the others answer (C-067, C-068, C-071)',
  async t => {
    const { client, own, shared, project } = await startWithProject(t)
    await client.post(`/projects/${project.id}/services`, { name: 'api', port: 3000 })
    await client.put(shared, {
      variables: [
        { name: 'X', value: '${{api.PORT}}' },
        { name: 'LOOP', value: '${{shared.LOOP}}' },
      ],
    })
    const values = {
      BAD: '${{bad',
      CYCLE: '${{shared.LOOP}}',
      DOMAIN: '[${{api.PUBLIC_DOMAIN}}]',
      ESCAPED: '$${{x}}',
      MISSING: '${{nope.X}}',
      SHARED: '${{shared.X}}',
      SITE: '${{web.PUBLIC_URL}}',
      URL: '${{api.PRIVATE_URL}}/v1',
    }
    const variables = Object.entries(values).map(([name, value]) => ({ name, value }))
    t.match(await client.put(own, { variables }), { status: 200 }, 'saving never validates references (D-40)')
    const { items } = (await client.get(`${own}?resolved=true`)).body
    const seen = items.map((v: { name: string; value: string; error?: string }) => [v.name, v.value, v.error])
    t.strictSame(seen, [
      ['BAD', null, 'invalid_reference'],
      ['CYCLE', null, 'reference_cycle'],
      ['DOMAIN', '[]', undefined],
      ['ESCAPED', '${{x}}', undefined],
      ['MISSING', null, 'unresolved_reference'],
      ['SHARED', '3000', undefined],
      ['SITE', 'https://loja.apps.test', undefined],
      ['URL', 'http://api:3000/v1', undefined],
    ])
    t.strictSame(items[7].references, ['api'])
  },
)

t.test(
  'depends_on lists apps and databases at once, alphabetically, without the service itself (C-074, D-40)',
  async t => {
    const { client, own, shared, service } = await startWithProject(t)
    await client.put(shared, { variables: [{ name: 'DB', value: '${{db.DATABASE_URL}}' }] })
    const variables = [
      { name: 'A', value: '${{worker.PRIVATE_URL}} ${{api.PORT}} ${{web.PUBLIC_URL}} $${{fake.PORT}} ${{bad' },
      { name: 'B', value: '${{shared.DB}}' },
    ]
    await client.put(own, { variables })
    t.strictSame((await client.get(service)).body.depends_on, ['api', 'db', 'worker'])
    const listed = await client.get(service.replace('/web', ''))
    t.strictSame(listed.body.items[0].depends_on, ['api', 'db', 'worker'])
  },
)

t.test('a shared variable marks those that use it, directly or through another (C-075)', async t => {
  const { client, db, shared, project, own } = await startWithProject(t)
  const services = `/projects/${project.id}/services`
  for (const name of ['direct', 'through']) await client.post(services, { name })
  await client.put(shared, {
    variables: [
      { name: 'A', value: '1' },
      { name: 'B', value: 'b${{shared.A}}' },
    ],
  })
  await client.put(`${services}/direct/variables/X`, { value: '${{shared.A}}' })
  await client.put(`${services}/through/variables/X`, { value: '${{shared.B}}' })
  await client.put(`${own}/X`, { value: 'nothing shared' })
  const revisions = async () => {
    const { rows } = await db.raw('select name, revision from service order by name')
    return rows.map((row: { name: string; revision: number }) => `${row.name} ${row.revision}`)
  }
  t.strictSame(await revisions(), ['direct 2', 'through 2', 'web 2'])
  await client.put(shared, { variables: [{ name: 'A', value: '1' }] })
  t.strictSame(await revisions(), ['direct 2', 'through 2', 'web 2'], 'the same value is no change')
  await client.put(shared, { variables: [{ name: 'A', value: '2' }] })
  t.strictSame(await revisions(), ['direct 3', 'through 3', 'web 2'])
  await client.put(shared, { variables: [{ name: 'B', value: '${{shared.B}}' }] })
  t.strictSame(await revisions(), ['direct 3', 'through 4', 'web 2'], 'cycles are no hindrance')
  t.equal((await client.delete(`${shared}/A`)).status, 204)
  t.strictSame(await revisions(), ['direct 4', 'through 4', 'web 2'])
})

t.test('a variable is deleted once; PUT is repeatable (C-079)', async t => {
  const { client, own, shared, service } = await startWithProject(t)
  const first = await client.put(`${own}/A`, { value: '1' })
  t.match(await client.put(`${own}/A`, { value: '1' }), { status: first.status, text: '{"updated":1}' })
  await client.put(shared, { variables: [{ name: 'A', value: '1' }] })
  for (const path of [`${own}/A`, `${shared}/A`]) {
    t.match(await client.delete(path), { status: 204, text: '' })
    t.match(await client.delete(path), { status: 404, body: { error: 'not_found' } })
  }
  for (const name of ['1A', 'x'.repeat(300), '%00']) t.equal((await client.delete(`${own}/${name}`)).status, 404)
  t.equal((await client.delete(`${service.replace('web', newId())}/variables/A`)).status, 404)
})

t.test('parallel writers of the same variables leave one of each, and no deadlock', async t => {
  const { client, own, shared } = await startWithProject(t)
  await client.put(`${own}/USES`, { value: '${{shared.V0}}' })
  const writes = Array.from({ length: 24 }, (_, i) => {
    const variables = Array.from({ length: 20 }, (_, j) => ({ name: `V${(j * 7 + i) % 20}`, value: String(i) }))
    return client.put(i % 2 ? own : shared, { variables })
  })
  t.strictSame([...new Set((await Promise.all(writes)).map(reply => reply.status))], [200])
  t.equal((await client.get(`${shared}?limit=100`)).body.items.length, 20)
  t.equal((await client.get(`${own}?limit=100`)).body.items.length, 21)
})

t.test('variables are listed oldest first, whatever is written again, in pages of any size (C-147, D-05)', async t => {
  const { client, own, shared } = await startWithProject(t)
  for (const path of [own, shared]) {
    await client.put(path, { variables: ['b', 'B', '_a'].map(name => ({ name, value: '' })) })
    await client.put(path, { variables: ['A', 'B', 'a1'].map(name => ({ name, value: 'again' })) })
    for (const query of ['limit=2', 'limit=2&resolved=true', 'limit=1', 'limit=100']) {
      const seen = []
      let cursor = ''
      for (;;) {
        const { body } = await client.get(`${path}?${query}${cursor && `&cursor=${cursor}`}`)
        seen.push(...body.items.map((v: { name: string }) => v.name))
        if (!body.has_more) break
        cursor = body.next_cursor
      }
      t.strictSame(seen, ['b', 'B', '_a', 'A', 'a1'], query)
    }
  }
})
