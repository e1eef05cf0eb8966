// Bodies that are meant to hurt (D-12, D-13): what is refused is refused quickly, and only what is wrong.
import t from 'tap'
import { startApi } from '../support/api.ts'
import { form, tarGz } from '../support/deployments.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

t.test('text that is not JSON is refused in one pass, whatever it is made of (D-13, C-024)', async t => {
  const { client } = await startApi(t)
  // A search that begins again at every quote would take hours for the first of them.
  for (const text of [
    '{"' + '\\"'.repeat(500_000),
    '{"a":'.repeat(150_000),
    '['.repeat(1_000_000),
    '"'.repeat(999_999),
  ]) {
    const reply = await client.post('/projects', text, JSON_TYPE)
    t.match(reply, { status: 400, body: { error: 'invalid_request' } }, text.slice(0, 10))
  }
})

t.test('brackets and quotes inside strings are text; keys are compared as they are read (D-12, D-13)', async t => {
  const { client } = await startApi(t)
  const { id } = await client.project('loja')
  const put = (text: string) => client.put(`/projects/${id}/services/web/variables/X`, text, JSON_TYPE)
  const value = '{["{[\\"'.repeat(20) + ': "\\\\'
  t.equal((await put(JSON.stringify({ value }))).status, 200)
  const read = await client.get(`/projects/${id}/services/web/variables?resolved=true`)
  t.equal(read.body.items[0].value, value)
  for (const text of [
    '{"value":"a","value":"b"}',
    '{"value":"a","val\\u0075e":"b"}',
    '{"value":"a", "value" : "b"}',
    '{"value":"a","\\u005f_proto__":{}}',
  ]) {
    t.match(await put(text), { status: 400, body: { details: { fields: [{ problem: String }] } } }, text)
  }
  const nested = (depth: number) => `{"value":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
  t.match((await put(nested(16))).body.message, /"value" deve ser/, 'as deep as may be: refused for what it is')
  t.match((await put(nested(17))).body.message, /não é um objeto JSON válido/)
})

t.test('a file is not accepted encoded either (D-12)', async t => {
  const { client } = await startApi(t)
  const { id } = await client.project('loja')
  const file = form(await tarGz({ 'index.js': 'hello' }))
  for (const encoding of ['gzip', 'identity']) {
    const reply = await client.post(`/projects/${id}/services/web/deployments`, file, { 'content-encoding': encoding })
    t.match(reply, { status: 415, body: { error: 'unsupported_media_type' } }, encoding)
  }
})

t.test('messages keep their own words whole, and cut what they repeat to 80 characters (decisions 8)', async t => {
  const { client } = await startApi(t)
  const { id } = await client.project('loja')
  const rule = (await client.post('/projects', { name: '' })).body.message
  t.equal(
    rule,
    'O campo "name" deve ser um texto de 1 a 64 caracteres, sem caracteres de controle e com ao menos uma letra ou número.',
  )
  const name = 'A\u0000\n'.repeat(100)
  const quoted = (await client.post(`/projects/${id}/services`, { name })).body.message
  t.match(quoted, `O nome "${'A'.repeat(80)}" não é válido:`)
  const unknown = (await client.post('/projects', { name: 'x', ['x'.repeat(500)]: 1 })).body
  t.match(unknown.message, `O campo "${'x'.repeat(80)}" não é reconhecido.`)
  t.equal(unknown.details.fields[0].field, 'x'.repeat(80))

  const variables = Array.from({ length: 6 }, (_, i) => ({
    name: `${'N'.repeat(100)}${i}`,
    value: `\${{shared.${'N'.repeat(100)}${(i + 1) % 6}}}`,
  }))
  await client.put(`/projects/${id}/shared-variables`, { variables })
  await client.put(`/projects/${id}/services/web/variables/X`, { value: `\${{shared.${variables[0]?.name}}}` })
  const source = { type: 'image', ref: 'registry.test/app:1' }
  await client.patch(`/projects/${id}/services/web`, { source })
  const cycle = (await client.post(`/projects/${id}/deploy`)).body
  t.equal(cycle.error, 'reference_cycle')
  t.equal(cycle.message.split(' → ').length, cycle.details.references.length)
  for (const reference of cycle.details.references) t.match(cycle.message, reference.slice(0, 80))
})
