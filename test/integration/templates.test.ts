// The catalogue of templates over HTTP (C-154), and a client that copies it into the ordinary calls.
import t from 'tap'
import { reportHealth } from '../../db/queries/health.ts'
import { makeDatabaseReady } from '../support/deployments.ts'
import { startApi } from '../support/api.ts'

void t.test('C-154 there is one with a database and an app, images pinned by digest; POST is 405', async t => {
  const { client } = await startApi(t)
  const reply = await client.get('/templates')
  t.match(reply, { status: 200, body: { next_cursor: null, has_more: false } })
  t.equal(reply.body.items.length, 1)
  for (const template of reply.body.items) {
    t.ok(template.databases.length > 0 && template.services.length > 0, template.slug)
    for (const { source } of template.services) t.match(source.ref, /^[a-z./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/)
  }
  const created = await client.post('/templates', {})
  t.match(created, { status: 405, body: { error: 'method_not_allowed' } })
  t.equal(created.headers.get('allow'), 'GET, HEAD, OPTIONS')
  t.equal((await client.get('/templates?limit=1')).body.has_more, false)
  t.equal((await client.get('/templates?cursor=x')).status, 400)
})

void t.test('C-154 each object goes into the ordinary calls as it is, and the deployment is accepted', async t => {
  const { client, db } = await startApi(t)
  await reportHealth(db, 'postgres', true, null)
  const [template] = (await client.get('/templates')).body.items
  const at = `/projects/${(await client.project('cms')).id}`
  for (const database of template.databases) {
    const made = await client.post(`${at}/databases`, database)
    t.equal(made.status, 201)
    await makeDatabaseReady(db, made.body.id)
  }
  for (const { variables, volume, name, ...fields } of template.services) {
    const web = `${at}/services/${name}`
    t.equal((await client.patch(web, fields)).status, 200)
    t.equal((await client.put(`${web}/volume`, volume)).status, 201)
    t.equal((await client.put(`${web}/variables`, { variables })).status, 200)
    t.strictSame((await client.get(web)).body.depends_on, ['db'])
    const resolved = (await client.get(`${web}/variables?resolved=true&limit=100`)).body.items
    t.strictSame(
      resolved.filter((one: { error?: string }) => one.error),
      [],
    )
    const value = (of: string) => resolved.find((one: { name: string }) => one.name === of).value
    t.match(value('DB_CONNECTION_STRING'), /^postgres:\/\/.*sslmode=verify-full/)
    t.match(value('PUBLIC_URL'), 'https://cms.apps.test')
    t.ok(value('SECRET').length >= 32)
    t.equal((await client.post(`${web}/deployments`)).status, 202)
  }
})
