// The document that clients are made from: complete, valid, as committed, and shown to people without another host.
import { readFile } from 'node:fs/promises'
import { Validator } from '@seriousme/openapi-schema-validator'
import t from 'tap'
import { openApiText } from '../../src/http/documentation.ts'
import { ERRORS } from '../../src/http/errors.ts'
import { typesText } from '../../src/http/openapi-types.ts'
import { routes } from '../../src/http/routes.ts'
import { startApi } from '../support/api.ts'
import { linesOf, openContract, responseOf, type Document, type JsonSchema } from '../support/contract.ts'

const text = openApiText()
const document = JSON.parse(text) as Document
const contract = openContract(document)
const everything = linesOf(document, '/', ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'])
const HINT = 'is out of date: npm run openapi, and commit it with the change'

t.test('every route says what it answers', async t => {
  const silent = routes.filter(route => Object.keys(route.answers).length === 0)
  for (const { method, path } of silent) {
    t.fail(`${method} ${path}: add answers: { 200: schema } (null for no body) to its line in src/http/routes.ts`)
  }
  t.equal(silent.length, 0)
})

t.test('the committed document, and the types of the client, are those that the code makes (C-151)', async t => {
  const committed = await readFile(new URL('../../src/http/openapi.json', import.meta.url), 'utf8')
  t.ok(committed === text, `src/http/openapi.json ${HINT}`)
  const types = await readFile(new URL('../../src/client/paths.d.ts', import.meta.url), 'utf8')
  t.ok(types === (await typesText(text)), `src/client/paths.d.ts ${HINT}`)
})

t.test('it is valid OpenAPI 3.1, and its operations are the lines of the route table (C-151)', async t => {
  const { valid, errors } = await new Validator().validate(text)
  t.ok(valid, JSON.stringify(errors)?.slice(0, 500))
  t.strictSame(
    contract.lines.map(line => `${line.method} ${line.path}`).sort(),
    routes.map(route => `${route.method} /v1${route.path.replace(/:(\w+)/g, '{$1}')}`).sort(),
  )
  const ids = everything.map(line => line.operation.operationId)
  t.equal(new Set(ids).size, everything.length, 'every operation has an id of its own')
  t.notOk(ids.includes(undefined as unknown as string))
})

t.test('each path lists the methods that OPTIONS allows, HEAD with GET, and the 405 of all others (D-09)', async t => {
  const { url, client } = await startApi(t)
  for (const [path, item] of Object.entries(document.paths)) {
    const methods = Object.keys(item).filter(key => key !== 'parameters' && !key.startsWith('x-'))
    const at = url + path.replace(/\{\w+\}/g, '01kapvsxq2hm6c8v5z3n9d4wtf')
    const headers = { authorization: `Bearer ${client.token}` }
    const answer = await fetch(at, { method: 'OPTIONS', headers })
    t.strictSame(answer.headers.get('allow')?.split(', '), methods.map(each => each.toUpperCase()).sort(), path)
    const line = contract.lineFor('OPTIONS', at.slice(url.length))
    t.equal(line && contract.complaint(line, { status: answer.status, headers: answer.headers, body: null }), null)
    t.equal('head' in item, 'get' in item, path)
    t.ok(responseOf(document, item['x-other-methods']['405'] ?? {}).headers?.['Allow'], `405 of ${path}`)
    const other = ['PUT', 'PATCH'].find(method => !methods.includes(method.toLowerCase()))
    if (!other) continue
    const refused = await fetch(at, { method: other, headers })
    const answered = { status: refused.status, headers: refused.headers, body: await refused.json() }
    t.equal(contract.complaintAbout(other, at.slice(url.length), answered), null, `${other} ${path}`)
    t.match(answered, { status: 405, body: { error: 'method_not_allowed' } })
  }
})

t.test('every line of the error table is an example of an operation that can answer it', async t => {
  const shown = new Set<string>()
  for (const [name, { content }] of Object.entries(document.components.responses)) {
    const { examples = {} } = content?.['application/json'] ?? {}
    for (const [line, { value }] of Object.entries(examples)) {
      shown.add(line)
      const { error, message } = value as { error: string; message: string }
      t.equal(error, line.split('.')[0], name)
      t.notMatch(message, /\{\w+\}/, `${name}: a placeholder is left over`)
    }
  }
  t.strictSame([...shown].sort(), Object.keys(ERRORS).sort())
  const used = JSON.stringify(document.paths)
  for (const name of Object.keys(document.components.responses)) t.ok(used.includes(`responses/${name}"`), name)
})

t.test('every body, answer, parameter and header has an example, and it is one of its schema', async t => {
  const check = (schema: JsonSchema, value: unknown, name: string) => {
    const validate = contract.validator(schema)
    t.ok(value !== undefined && validate(value), `${name}: ${JSON.stringify(validate.errors?.[0])}`)
  }
  for (const [name, { schema, example }] of Object.entries(document.components.headers)) check(schema, example, name)
  for (const { operation, parameters } of everything) {
    const id = operation.operationId
    for (const { name, schema, example, required } of parameters) {
      // Viewers fill forms with what stands beside a schema: an optional one is better left empty.
      check(schema, required ? example : (schema.examples as unknown[])[0], `${id} ${name}`)
      t.equal(example === undefined, !required, `${id} ${name}`)
    }
    const bodies = Object.entries(operation.requestBody?.content ?? {})
    for (const [type, { schema, example }] of bodies) check(schema, example, `${id} ${type}`)
    for (const [status, response] of Object.entries(operation.responses)) {
      for (const { schema, example, examples } of Object.values(responseOf(document, response).content ?? {})) {
        const values = examples ? Object.values(examples).map(({ value }) => value) : [example]
        for (const value of values) check(schema, value, `${id} ${status}`)
      }
    }
  }
  // What a client sends first is what it finds here: an example of `{}` teaches nothing.
  for (const { operation } of contract.lines) {
    const json = operation.requestBody?.content['application/json']
    if (Object.keys((json?.schema.properties ?? {}) as object).length === 0) continue
    t.not(Object.keys(json?.example as object).length, 0, `${operation.operationId} has an example with fields`)
  }
})

t.test('anybody may read it and its viewer, which loads nothing from elsewhere (D-10, D-23)', async t => {
  const { url } = await startApi(t)
  const served = await fetch(`${url}/openapi.json`)
  t.match(served.headers.get('content-type'), /^application\/json/)
  t.equal(await served.text(), text)
  const etag = served.headers.get('etag') ?? ''
  t.equal((await fetch(`${url}/openapi.json`, { headers: { 'if-none-match': etag } })).status, 304)
  t.equal((await fetch(`${url}/openapi.json`, { method: 'POST' })).status, 405)

  const page = await (await fetch(`${url}/docs`)).text()
  const assets = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(match => match[1] ?? '')
  t.ok(assets.length >= 4)
  const types: Record<string, RegExp> = {
    docs: /^text\/html/,
    css: /^text\/css/,
    js: /^text\/javascript/,
    png: /^image\/png/,
  }
  for (const asset of ['/docs', ...assets]) {
    t.match(asset, /^\/docs/, 'from here, and from nowhere else')
    const answer = await fetch(url + asset)
    t.equal(answer.status, 200, asset)
    t.match(answer.headers.get('content-type'), types[asset.split(/[./]/).at(-1) ?? ''] ?? /never/, asset)
    t.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    const policy = answer.headers.get('content-security-policy') ?? ''
    t.match(policy, /^default-src 'none'; script-src 'self'; .*connect-src 'self'/)
    t.notMatch(policy, /https?:|\*|script-src [^;]*unsafe/, asset)
    const content = await answer.text()
    if (asset.endsWith('.css')) t.notMatch(content, /url\(["']?(https?:)?\/\//, 'no font or picture from elsewhere')
  }
  const start = await (await fetch(`${url}/docs/start.js`)).text()
  t.match(start, /url: '\/openapi\.json'/)
  t.match(start, /validatorUrl: null/)
  t.notMatch(page + start, /(https?:)?\/\/\w/)
  t.equal((await fetch(`${url}/docs/..%2fpackage.json`)).status, 404)
})
