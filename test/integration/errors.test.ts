// Refusals that no ordinary request meets, and how each way of failing is shown.
import t from 'tap'
import { IDEMPOTENCY } from '../../src/domain/limits.ts'
import { startApi } from '../support/api.ts'
import { refuse } from '../support/deployments.ts'

t.test('a key whose first request goes on and on: idempotency_in_progress, with Retry-After: 1', async t => {
  const { client, db, teamId } = await startApi(t)
  const waiting = IDEMPOTENCY.waitForFirstMs
  // Ten seconds by the decisions; a test need not wait for them.
  Object.assign(IDEMPOTENCY, { waitForFirstMs: 200 })
  t.teardown(() => Object.assign(IDEMPOTENCY, { waitForFirstMs: waiting }))
  const first = await db.transaction()
  const token = await db('token').where({ team_id: teamId }).first('id')
  await first('idempotency').insert({ token_id: token.id, key: 'the-same-key', fingerprint: 'x', status: 0 })
  const ask = () => client.post('/projects', { name: 'loja' }, { 'idempotency-key': 'the-same-key' })
  const second = await ask()
  t.match(second, { status: 409, body: { error: 'idempotency_in_progress' } })
  t.equal(second.headers.get('retry-after'), '1')
  await first.rollback()
  t.equal((await ask()).status, 201, 'the key is free once the first is gone')
})

t.test('a fault of ours is internal_error, and quotes the request and nothing else', async t => {
  const { client, db } = await startApi(t)
  const { id } = await client.project('loja')
  await client.put(`/projects/${id}/shared-variables`, { variables: [{ name: 'A', value: 'planted' }] })
  await db('variable').update({ sealed: Buffer.from('not sealed by any key of ours') })
  const reply = await client.get(`/projects/${id}/shared-variables?resolved=true`)
  t.match(reply, { status: 500, body: { error: 'internal_error' } })
  t.match(reply.body.message, reply.headers.get('request-id'))
  t.strictSame(Object.keys(reply.body), ['error', 'message'])
})

/** Spec 7.3; the messages are those of decisions 8.2. */
const FAILURES: [code: string, message: RegExp, details?: object][] = [
  ['activate_readonly_write', /somente leitura/],
  ['activate_no_http', /HTTP 2xx ou 3xx em \/saude na porta 8080/, { caminho: '/saude', porta: 8080 }],
  ['activate_app_crashed', /código de saída 3/, { codigo: 3 }],
  ['crashed_after_start', /código de saída desconhecido/],
  ['image_requires_root', /"build.user"/],
  ['unresolved_reference', /"db.DATABASE_URL" deixou de existir/, { ref: 'db.DATABASE_URL' }],
  ['reference_cycle', /a\.X → b\.X/, { caminho: 'a.X → b.X' }],
  ['build_oom', /sem memória/],
  ['build_timeout', /15 minutos/, { minutos: 15 }],
  ['build_storage_error', /falha no armazenamento/],
  ['build_disk_full', /sem espaço/],
  ['build_storage_unavailable', /ficou indisponível/],
  ['team_app_limit', /Repetir não resolve/],
  ['deploy_failed', /A implantação falhou: sem rede/, { motivo: 'sem rede' }],
]

t.test('every way in which a deployment fails has its code and its pt-BR message', async t => {
  const { client, db } = await startApi(t)
  const { id } = await client.project('loja')
  const path = `/projects/${id}/services/web`
  await client.patch(path, { source: { type: 'image', ref: 'app:1' } })
  for (const [code, message, details] of FAILURES) {
    const { body } = await client.post(`${path}/deployments`)
    await refuse(db, body.id, 'build', code, details)
    const failed = await client.get(`${path}/deployments/${body.id}`)
    t.match(failed.body, { status: 'failed', error: { code, message } }, code)
  }
})

t.test(
  '17 levels are reference_too_deep and more than 64 KiB value_too_large, with nothing made (C-069, C-070)',
  async t => {
    const { client, db } = await startApi(t)
    const { id } = await client.project('loja')
    const path = `/projects/${id}/services/web`
    await client.patch(path, { source: { type: 'image', ref: 'app:1' } })
    const chain = Array.from({ length: 17 }, (_, i) => ({
      name: `L${i}`,
      value: i === 16 ? 'end' : `\${{shared.L${i + 1}}}`,
    }))
    await client.put(`/projects/${id}/shared-variables`, { variables: chain })
    const deploy = async (value: string) => {
      await client.put(`${path}/variables/X`, { value })
      return client.post(`${path}/deployments`)
    }
    t.match(await deploy('${{shared.L0}}'), { status: 422, body: { error: 'reference_too_deep' } })
    await client.put(`/projects/${id}/shared-variables`, { variables: [{ name: 'BIG', value: 'é'.repeat(32 * 1024) }] })
    t.match(
      await deploy('${{shared.BIG}}!'),
      { status: 422, body: { error: 'value_too_large' } },
      'bytes, not characters',
    )
    t.equal((await db('deployment').count().first())?.count, 0)
    t.equal((await deploy('${{shared.BIG}}')).status, 202, '65,536 bytes pass')
  },
)
