// The audit log (D-73): reveal, rotation and deletions with the token and the address they came from, tokens themselves too.
import t from 'tap'
import { revoke } from '../../src/cli/teams.ts'
import { issueToken } from '../../src/cli/issue-token.ts'
import { routes } from '../../src/http/routes.ts'
import { freshDatabase } from '../support/postgres.ts'
import { startSimulated } from '../support/simulated-platform.ts'
import { until } from '../support/stage.ts'

interface Entry {
  action: string
  subject_id: string
  token_id: string
  team_id: string
  address: string
}

void t.test(
  'D-73 every deletion, every rotation and every use of reveal is noted, once, with token and address',
  async t => {
    const { client, db } = await startSimulated(t)
    const tokenId = (await client.get('/me')).body.token.id as string
    const teamId = (await client.get('/me')).body.team.id as string
    const before = (await db('audit')).length
    const seen = async (): Promise<string[]> => {
      const rows = (await db('audit').orderBy('id').offset(before)) as Entry[]
      for (const row of rows) t.match(row, { token_id: tokenId, team_id: teamId, address: /127\.0\.0\.1/ })
      return rows.map(row => `${row.action} ${row.subject_id}`)
    }
    const { id: p } = await client.project('loja')
    const at = `/projects/${p}`
    const web = (await client.get(`${at}/services/web`)).body.id as string
    const variable = { variables: [{ name: 'TOKEN', value: 'secret-value', sensitive: true }] }
    await client.put(`${at}/shared-variables`, variable)
    await client.put(`${at}/services/web/variables`, variable)
    const database = (await client.post(`${at}/databases`, { name: 'db', engine: 'postgres' })).body.id as string
    await until(async () => (await client.get(`${at}/databases/db`)).body.status === 'ready')
    await client.put(`${at}/services/web/volume`, { mount_path: '/app/data', size_gb: 1 })
    const domain = (await client.post(`${at}/services/web/domains`, { hostname: 'loja.example.com' })).body.id as string
    await client.get(`${at}/services/web/variables`)
    await client.get(`${at}/shared-variables?resolved=false`)
    t.same(await seen(), [], 'what shows no secret and takes nothing away is not noted')

    t.match((await client.get(`${at}/services/web/variables?resolved=true`)).body.items, [{ value: 'secret-value' }])
    t.match((await client.get(`${at}/shared-variables?resolved=true`)).body.items, [{ value: 'secret-value' }])
    await client.post(`${at}/databases/db/credentials`)
    const key = { 'idempotency-key': 'rotate-once' }
    await client.post(`${at}/databases/db/rotate`, undefined, key)
    await client.post(`${at}/databases/db/rotate`, undefined, key)
    const expected = [
      `variables.reveal ${web}`,
      `variables.reveal ${p}`,
      `database.reveal ${database}`,
      `database.rotate ${database}`,
    ]
    t.same(await seen(), expected, 'a repeat with the same key is one rotation')

    const refused = [
      [409, `${at}/services/web`],
      [409, at],
      [404, `${at}/services/web/variables/NOPE`],
      [404, `${at}/databases/01arz3ndektsv4rrffq69g5fav`],
    ] as const
    for (const [status, path] of refused) t.equal((await client.delete(path)).status, status, path)
    t.same(await seen(), expected, 'what was refused is not noted')

    for (const path of [
      `${at}/services/web/variables/TOKEN`,
      `${at}/shared-variables/TOKEN`,
      `${at}/services/web/domains/${domain}`,
      `${at}/services/web/volume`,
      `${at}/databases/db`,
      `${at}/services/web`,
      at,
    ])
      t.equal((await client.delete(path)).status, 204, path)
    t.same(await seen(), [
      ...expected,
      `variable.delete ${web}/TOKEN`,
      `variable.delete ${p}/TOKEN`,
      `domain.delete ${domain}`,
      `volume.delete ${web}`,
      `database.delete ${database}`,
      `service.delete ${web}`,
      `project.delete ${p}`,
    ])
  },
)

void t.test('D-73 a token that is made or revoked is noted as well', async t => {
  const { db } = await freshDatabase(t)
  await db('team').insert({ id: 'team', name: 'feira' })
  await issueToken(db, { teamId: 'team', name: 'ci', scopes: ['deploy'], projectIds: null, days: null }, 'cais_')
  const { id } = await db('token').first()
  t.capture(process.stdout, 'write')
  await revoke(db, id, 'cais_')
  await t.rejects(revoke(db, id, 'cais_'), /no live token/)
  const about = { team_id: 'team', token_id: id, subject_id: id, address: 'cli' }
  t.match(await db('audit').orderBy('id'), [
    { ...about, action: 'token.create' },
    { ...about, action: 'token.revoke' },
  ])
  t.equal((await db('audit')).length, 2)
})

void t.test('D-73 no deletion can be added to the route table without it', async t => {
  for (const { method, path, audited, scope } of routes) {
    if (method === 'DELETE') t.match(audited, /\.delete$/, path)
    if (method === 'POST' && scope === 'env:reveal') t.match(audited, /\.reveal$/, path)
  }
})
