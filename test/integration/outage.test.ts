// The control database stops and comes back under a running API (D-25, C-153).
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import t from 'tap'
import { connect } from '../../db/connect.ts'
import { migrate } from '../../db/migrate.ts'
import { insertTeam } from '../../db/queries/tokens.ts'
import { newId } from '../../src/domain/ids.ts'
import { ensureControlDatabase, stopControlDatabase } from '../../src/setup/control-database.ts'
import { Client, issueToken, startApi } from '../support/api.ts'
import { until } from '../support/platform.ts'

t.test('with the control database stopped every route is 503; it works again when that is back (C-153)', async t => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'cais-outage-'))
  const place = { dataDir, databaseUrl: null }
  const start = () => ensureControlDatabase(place, { fsync: 'off' })
  const { url } = await start()
  const db = connect(url, { max: 4 })
  t.teardown(async () => {
    await db.destroy()
    await stopControlDatabase(place)
    await rm(dataDir, { recursive: true })
  })
  await migrate(db)
  const teamId = newId()
  await insertTeam(db, { id: teamId, name: 'feira', plan: 'hobby' })
  const api = await startApi(t, { db })
  const client = new Client(`${api.url}/v1`, await issueToken(db, { teamId }))
  const { id } = await client.project('loja')

  await stopControlDatabase(place)
  const away = [
    await client.get('/me'),
    await client.get(`/projects/${id}/services`),
    await client.post('/projects', { name: 'outra' }, { 'idempotency-key': 'outra-loja' }),
    await client.delete(`/projects/${id}`),
  ]
  for (const reply of away) {
    t.match(reply, { status: 503, body: { error: 'unavailable', message: /^O serviço está temporariamente/ } })
    t.equal(reply.headers.get('retry-after'), '5')
    t.equal(reply.headers.get('content-language'), 'pt-BR')
  }
  t.equal((await client.get('/me', { authorization: 'Bearer x' })).status, 401, 'what is no token needs no database')

  await start()
  await until('the API works again', async () => (await client.get('/me')).status === 200, 5000)
  t.equal((await client.get(`/projects/${id}`)).status, 200, 'nothing was deleted')
  const made = await client.post('/projects', { name: 'outra' }, { 'idempotency-key': 'outra-loja' })
  t.equal(made.status, 201)
  t.equal(made.headers.get('idempotent-replay'), null, 'the failure was not kept')
})
