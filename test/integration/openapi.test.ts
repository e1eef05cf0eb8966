// The document that clients are made from: complete, valid, as committed, and shown to people without another host.
import { readFile } from 'node:fs/promises'
import { Validator } from '@seriousme/openapi-schema-validator'
import t from 'tap'
import { openApiText } from '../../src/http/documentation.ts'
import { ERRORS } from '../../src/http/errors.ts'
import { routes } from '../../src/http/routes.ts'
import { startApi } from '../support/api.ts'
import { linesOf, openContract, responseOf, type Document } from '../support/contract.ts'

const committed = new URL('../../src/http/openapi.json', import.meta.url)

t.test('every route says what it answers', async t => {
  const silent = routes.filter(route => Object.keys(route.answers).length === 0)
  for (const { method, path } of silent) {
    t.fail(`${method} ${path}: add answers: { 200: schema } (null for no body) to its line in src/http/routes.ts`)
  }
  t.equal(silent.length, 0)
})

t.test('the committed document is the one that the code makes (C-151)', async t => {
  const same = (await readFile(committed, 'utf8')) === openApiText()
  t.ok(same, same ? 'same' : 'src/http/openapi.json is out of date: npm run openapi, and commit it with the change')
})

t.test('it is valid OpenAPI 3.1, and every route, operation and error code is in it (C-151)', async t => {
  const document = JSON.parse(openApiText()) as Document
  const { valid, errors } = await new Validator().validate(openApiText())
  t.ok(valid, JSON.stringify(errors)?.slice(0, 500))
  const lines = linesOf(document)
  t.strictSame(
    lines.map(line => `${line.method} ${line.path}`).sort(),
    routes.map(route => `${route.method} /v1${route.path.replace(/:(\w+)/g, '{$1}')}`).sort(),
  )
  const ids = lines.map(line => line.operation.operationId)
  t.equal(new Set(ids.filter(Boolean)).size, routes.length, 'operation ids are the names of handlers, and differ')
  const text = openApiText()
  const codes = new Set(Object.keys(ERRORS).map(name => name.split('.')[0] ?? name))
  // Codes of routes that are not there yet have nowhere to be.
  for (const { errors } of routes) for (const code of errors) t.ok(codes.has(code), code)
  for (const code of ['method_not_allowed', 'internal_error', 'unavailable', 'rate_limited'])
    t.ok(text.includes(code), code)
})

t.test('every example is an example of its schema', async t => {
  const document = JSON.parse(openApiText()) as Document
  const contract = openContract(document)
  const check = (schema: object, value: unknown, name: string) => {
    const validate = contract.validator(schema as Record<string, unknown>)
    t.ok(validate(value), `${name}: ${JSON.stringify(validate.errors?.[0])} ${JSON.stringify(value)}`)
  }
  for (const { operation, parameters } of contract.lines) {
    for (const { name, schema, example } of parameters) {
      if (example !== undefined) check(schema, example, `${operation.operationId} ${name}`)
    }
    const body = operation.requestBody?.content['application/json']
    if (body) check(body.schema, body.example, operation.operationId)
    for (const [status, response] of Object.entries(operation.responses)) {
      const content = responseOf(document, response).content?.['application/json']
      if (!content) continue
      const examples = Object.values(content.examples ?? {}).map(example => example.value)
      if (examples.length === 0) examples.push(content.example)
      for (const example of examples) check(content.schema, example, `${operation.operationId} ${status}`)
    }
  }
})

t.test('anybody may read it and its viewer, which loads nothing from elsewhere (D-10, D-23)', async t => {
  const { url } = await startApi(t)
  const document = await fetch(`${url}/openapi.json`)
  t.match(document.headers.get('content-type'), /^application\/json/)
  t.equal(await document.text(), openApiText())
  const etag = document.headers.get('etag') ?? ''
  t.equal((await fetch(`${url}/openapi.json`, { headers: { 'if-none-match': etag } })).status, 304)
  t.equal((await fetch(`${url}/openapi.json`, { method: 'POST' })).status, 405)

  const viewer = await fetch(`${url}/docs`)
  const policy = viewer.headers.get('content-security-policy') ?? ''
  t.match(policy, /default-src 'none'/)
  t.notMatch(policy, /https?:|\*/)
  const page = await viewer.text()
  const assets = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(match => match[1] ?? '')
  t.ok(assets.length >= 4)
  const types: Record<string, RegExp> = { css: /^text\/css/, js: /^text\/javascript/, png: /^image\/png/ }
  for (const asset of assets) {
    const answer = await fetch(url + asset)
    t.equal(answer.status, 200, asset)
    t.match(answer.headers.get('content-type'), types[asset.split('.').at(-1) ?? ''] ?? /never/, asset)
    t.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    await answer.arrayBuffer()
  }
  t.match(await (await fetch(`${url}/docs/start.js`)).text(), /validatorUrl: null/)
  t.equal((await fetch(`${url}/docs/..%2fpackage.json`)).status, 404)
})
