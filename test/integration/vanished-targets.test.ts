// What a deployment refers to may be deleted between its trigger and its build (T-17).
import t from 'tap'
import { startSimulated } from '../support/simulated-platform.ts'
import { until } from '../support/stage.ts'

const image = { type: 'image', ref: 'simulated:ok' }

void t.test('T-17 a database and a service deleted while a group waits fail their users, and nobody else', async t => {
  const { client, world } = await startSimulated(t)
  const at = `/projects/${(await client.project('loja')).id}`
  const { id: web } = (await client.patch(`${at}/services/web`, { source: image })).body
  await client.post(`${at}/databases`, { name: 'db', engine: 'postgres' })
  await until(async () => (await client.get(`${at}/databases/db`)).body.status === 'ready')
  for (const name of ['loja', 'fila', 'busca']) {
    await client.post(`${at}/services`, { name, source: image })
    await client.put(`${at}/services/${name}/variables/WEB`, { value: '${{web.PRIVATE_URL}}' })
  }
  await client.post(`${at}/services`, { name: 'gone', source: image })
  await client.put(`${at}/shared-variables`, { variables: [{ name: 'DB', value: '${{db.DATABASE_URL}}' }] })
  await client.put(`${at}/services/loja/variables/DB`, { value: '${{shared.DB}}' })
  await client.put(`${at}/services/fila/variables/GONE`, { value: '${{gone.PRIVATE_HOST}}' })

  world.faults.hold('build', web)
  const services = ['web', 'loja', 'fila', 'busca']
  const { id } = (await client.post(`${at}/deploy`, { services })).body
  t.equal((await client.delete(`${at}/databases/db`)).status, 204)
  t.equal((await client.delete(`${at}/services/gone`)).status, 204)
  world.faults.release('build', web)
  await until(async () => (await client.get(`${at}/group-deployments/${id}`)).body.status !== 'running')

  const { items } = (await client.get(`${at}/group-deployments/${id}`)).body
  const ended: Record<string, unknown> = {}
  for (const { service_name: name, deployment_id: deployment } of items) {
    const { body } = await client.get(`${at}/services/${name}/deployments/${deployment}`)
    ended[name] = [body.status, body.error?.code, body.error?.message]
  }
  const message = (ref: string) => `Durante o build, a referência "${ref}" deixou de existir.`
  t.strictSame(ended, {
    web: ['ready', undefined, undefined],
    loja: ['failed', 'unresolved_reference', message('db.DATABASE_URL')],
    fila: ['failed', 'unresolved_reference', message('gone.PRIVATE_HOST')],
    busca: ['ready', undefined, undefined],
  })
})
