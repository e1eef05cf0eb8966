// Tokens as every process of the API sees them (D-70, D-71): what is stored decides, at every request.
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { connect } from '../../db/connect.ts'
import { revokeToken } from '../../db/queries/tokens.ts'
import { createApp, listen } from '../../src/http/app.ts'
import { Client, startApi, type Api } from '../support/api.ts'

/** Another API on the same database, with a pool of its own, as a second process has it. */
async function startAnother(t: Test, api: Api): Promise<string> {
  const db = connect(api.databaseUrl, { max: 3 })
  const ready = async () => ({ ok: true, detail: 'test' })
  const app = createApp({ db, keyring: api.keyring, config: api.config, log: pino({ level: 'silent' }), ready })
  const { server, port } = await listen(app, 0, '127.0.0.1')
  t.teardown(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
    await db.destroy()
  })
  return `http://127.0.0.1:${port}/v1`
}

t.test('a revoked token fails on the very next request on every API process (C-015)', async t => {
  const api = await startApi(t)
  const { token } = await api.newClient()
  const bases = [`${api.url}/v1`, await startAnother(t, api), await startAnother(t, api)]
  const clients = bases.map(base => new Client(base, token))
  const statuses = async () => (await Promise.all(clients.map(client => client.get('/me')))).map(reply => reply.status)
  // Often enough that whoever keeps what it has seen has seen it.
  for (let i = 0; i < 5; i++) t.strictSame(await statuses(), [200, 200, 200])
  const { id } = (await clients[0]?.get('/me'))?.body.token ?? {}
  t.equal(await revokeToken(api.db, id), api.teamId)
  t.strictSame(await statuses(), [401, 401, 401])
})

t.test(
  'what a token may do is what is stored, on every process, from one request to the next (D-71, D-72)',
  async t => {
    const api = await startApi(t)
    const { id } = await api.client.project('loja')
    const { token } = await api.newClient()
    const bases = [`${api.url}/v1`, await startAnother(t, api)]
    const clients = bases.map(base => new Client(base, token))
    const statuses = async () =>
      (await Promise.all(clients.map(client => client.get(`/projects/${id}`)))).map(reply => reply.status)
    const change = (columns: object) =>
      api
        .db('token')
        .where({ hash: api.db.raw('sha256(?)', [token]) })
        .update(columns)
    t.strictSame(await statuses(), [200, 200])
    t.equal(await change({ scopes: ['deploy'] }), 1)
    t.strictSame(await statuses(), [403, 403])
    await change({ scopes: ['projects:read'], project_ids: [] })
    t.strictSame(await statuses(), [404, 404])
    await change({ project_ids: null, expires_at: api.db.raw('now()') })
    t.strictSame(await statuses(), [401, 401])
  },
)
