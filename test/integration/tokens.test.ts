// Tokens as every process of the API sees them (D-70, D-71): what is stored decides, at every request.
import { readFile } from 'node:fs/promises'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { connect } from '../../db/connect.ts'
import { revokeToken } from '../../db/queries/tokens.ts'
import { issueToken } from '../../src/cli/issue-token.ts'
import { SCOPES } from '../../src/domain/tokens.ts'
import { createApp, listen } from '../../src/http/app.ts'
import { ensureFirstTeam } from '../../src/setup/first-team.ts'
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

t.test('an installation has a prefix of its own, and what cannot be a token of it costs no read (D-70)', async t => {
  const api = await startApi(t, { env: { CAIS_TOKEN_PREFIX: 'casa_' } })
  const request = { teamId: api.teamId, name: 'x', scopes: SCOPES, projectIds: null, days: null }
  const own = new Client(`${api.url}/v1`, await issueToken(api.db, request, 'casa_'))
  t.match(own.token, /^casa_[0-9A-Za-z]{38}$/)
  const me = await own.get('/me')
  t.match(me, { status: 200, body: { token: { prefix: own.token.slice(0, 9) } } })
  const statements: string[] = []
  api.db.on('query', ({ sql }: { sql: string }) => statements.push(sql))
  const last = own.token.endsWith('0') ? '1' : '0'
  // The first is a stored token, of another prefix.
  for (const token of [api.client.token, own.token.slice(0, -1) + last, own.token.slice(0, -1), `${own.token}0`, 'x']) {
    t.equal((await new Client(own.base, token).get('/me')).status, 401)
  }
  t.strictSame(statements, [])
})

t.test('the token of the first team follows the prefix (D-70)', async t => {
  const { db } = await startApi(t)
  const dataDir = t.testdir()
  const start = async (tokenPrefix: string) => {
    await ensureFirstTeam(db, { dataDir, tokenPrefix })
    return (await readFile(`${dataDir}/token`, 'utf8')).trim()
  }
  const first = await start('cais_')
  t.equal(await start('cais_'), first, 'one that works stays')
  t.match(await start('casa_'), /^casa_/)
})
