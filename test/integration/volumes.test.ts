// Volumes and deletions over HTTP: what the contract says before any world is asked (spec 2.6; D-43, D-59, D-62).
import t, { type Test } from 'tap'
import { reportHealth } from '../../db/queries/health.ts'
import { startApi, type Api } from '../support/api.ts'
import { answer, makeDeploying, settle, statusNow } from '../support/deployments.ts'

const IMAGE = { type: 'image', ref: 'nginx:1' }

async function start(t: Test): Promise<Api> {
  return startApi(t, { env: { CAIS_STABILITY_MS: '0' } })
}

/** A service that is deployed and runs with whatever volume it has. */
async function run(api: Api, service: string): Promise<string> {
  await api.client.patch(service, { source: IMAGE })
  const opened = await api.client.post(`${service}/deployments`, {})
  const id = String(opened.body.id)
  await settle(api.db)
  await makeDeploying(api.db, id)
  if ((await api.client.get(`${service}/volume`)).status === 200) await answer(api.db, id, 'takeVolume', { from: null })
  await answer(api.db, id, 'start', { address: '10.0.0.2', port: 8080 })
  await answer(api.db, id, 'switchTraffic', { previous: null })
  await answer(api.db, id, 'confirm', { observedAt: 'now' })
  if ((await statusNow(api.db, id)) !== 'ready') throw new Error('the deployment is not ready')
  return id
}

const owed = async (api: Api) => (await api.db('effect').orderBy('id')).map((row: { name: string }) => row.name)

t.test('C-080: a volume is mounted in a sub-folder of /app and nowhere else', async t => {
  const { client } = await start(t)
  const { id } = await client.project('Loja')
  const at = `/projects/${id}/services/web/volume`
  const forbidden = ['/app', '/app/', '/tmp', '/etc', '/app/.next', '/app/.next/cache', '/app/../etc', '/application/x']
  for (const mount_path of [...forbidden, 'app/x', '/app//x', '/app/x/', '/app/./x', '/app/x\u0000', 5, null]) {
    const refused = await client.put(at, { mount_path, size_gb: 1 })
    t.equal(refused.status, 400, `${mount_path}`)
    t.equal(refused.body.error, 'invalid_request')
    t.equal(refused.body.details.fields[0].field, 'mount_path')
  }
  t.match((await client.put(at, { mount_path: '/app/../etc', size_gb: 1 })).body.message, 'Não é possível montar')
  t.equal((await client.get(at)).status, 404)
  const made = await client.put(at, { mount_path: '/app/data', size_gb: 1 })
  t.equal(made.status, 201)
  t.equal(made.headers.get('location')?.endsWith('/volume'), true)
  const fields = ['id', 'service_id', 'service_name', 'mount_path', 'size_gb', 'used_mb', 'status']
  t.same(Object.keys(made.body).sort(), [...fields, 'created_at', 'updated_at'].sort())
  t.match(made.body, { service_name: 'web', mount_path: '/app/data', size_gb: 1, used_mb: 0, status: 'pending' })
  t.same((await client.get(at)).body, made.body)
  t.same((await client.get(`/projects/${id}/volumes`)).body, { items: [made.body], next_cursor: null, has_more: false })
})

t.test('C-081: a size is a whole number from 1 to 50 within the plan', async t => {
  const { client } = await start(t)
  const { id } = await client.project('Loja')
  const at = `/projects/${id}/services/web/volume`
  for (const size_gb of [0, 51, 1.5, '5', null, -1]) {
    const refused = await client.put(at, { mount_path: '/app/data', size_gb })
    t.match(refused, { status: 400, body: { error: 'invalid_request', details: { fields: [{ field: 'size_gb' }] } } })
    t.match(refused.body.message, 'número inteiro de 1 a 50 GB')
  }
  for (const body of [{ size_gb: 1 }, { mount_path: '/app/data' }, { mount_path: '/app/data', size_gb: 1, x: 1 }, {}])
    t.equal((await client.put(at, body)).status, 400)
  t.match(await client.put(at, { mount_path: '/app/data', size_gb: 50 }), {
    status: 422,
    body: { error: 'quota_exceeded', details: { resource: 'volumes_gb', used: 0, max: 20 } },
  })
  t.equal((await client.get(at)).status, 404, 'nothing was created')
})

t.test('C-082, C-084: a second PUT changes the one volume, which never shrinks and wants a redeploy', async t => {
  const api = await start(t)
  const { client } = api
  const { id } = await client.project('Loja')
  const service = `/projects/${id}/services/web`
  const at = `${service}/volume`
  const made = await client.put(at, { mount_path: '/app/data', size_gb: 1 })
  t.equal((await client.get(service)).body.needs_redeploy, false, 'a service never deployed stays false')
  await run(api, service)
  t.equal((await client.get(at)).body.status, 'attached')
  t.equal((await client.put(at, { mount_path: '/app/data', size_gb: 1 })).status, 200)
  t.equal((await client.get(service)).body.needs_redeploy, false, 'nothing has changed')
  const grown = await client.put(at, { mount_path: '/app/data', size_gb: 2 })
  t.match(grown, { status: 200, body: { id: made.body.id, size_gb: 2, status: 'pending' } })
  t.equal((await client.get(service)).body.needs_redeploy, true)
  const shrunk = await client.put(at, { mount_path: '/app/data', size_gb: 1 })
  t.match(shrunk, { status: 400, body: { details: { fields: [{ field: 'size_gb', problem: 'invalid' }] } } })
  t.equal((await client.get(`/projects/${id}/volumes`)).body.items.length, 1)
  t.equal((await client.get('/limits')).body.volumes_gb.used, 2)
  await run(api, service)
  t.equal((await client.get(service)).body.needs_redeploy, false)
  t.equal((await client.get(at)).body.status, 'attached')
})

t.test('the plan’s sum of volumes holds under parallel calls, and one service gets one volume', async t => {
  const { client } = await start(t)
  const { id } = await client.project('Loja')
  const names = ['web', 'a', 'b', 'c', 'd', 'e', 'f', 'g']
  for (const name of names.slice(1))
    await client.post(`/projects/${id}/services`, { name, kind: 'app', resources: { memory_mb: 64 } })
  const calls = [...names, ...names, ...names].map((name, i) =>
    client.put(`/projects/${id}/services/${name}/volume`, { mount_path: `/app/data${i}`, size_gb: 6 }),
  )
  const statuses = (await Promise.all(calls)).map(reply => reply.status)
  t.equal(statuses.length, 24)
  t.equal(statuses.filter(status => status === 201).length, 3, 'three of 6 GB fit into 20')
  t.ok(statuses.every(status => [200, 201, 422].includes(status)))
  const { body } = await client.get(`/projects/${id}/volumes?limit=100`)
  t.equal(body.items.length, 3)
  t.match((await client.get('/limits')).body.volumes_gb, { used: 18, max: 20 })
  const page = (await client.get(`/projects/${id}/volumes?limit=2`)).body
  const rest = (await client.get(`/projects/${id}/volumes?limit=2&cursor=${page.next_cursor}`)).body
  t.same([...page.items, ...rest.items], body.items)
})

t.test('deleting a volume stops the instance first and leaves an idle service (D-62)', async t => {
  const api = await start(t)
  const { client } = api
  const { id } = await client.project('Loja')
  const service = `/projects/${id}/services/web`
  const at = `${service}/volume`
  t.equal((await client.delete(at)).status, 404)
  const { body: volume } = await client.put(at, { mount_path: '/app/data', size_gb: 3 })
  await run(api, service)
  await client.post(`${service}/deployments`, {})
  t.match(await client.delete(at), { status: 409, body: { error: 'deploy_in_progress' } })
  const open = (await client.get(`${service}/deployments`)).body.items[0].id
  await settle(api.db)
  await answer(api.db, open, 'build', { image: 'sha256:2' })
  await answer(api.db, open, 'takeVolume', { from: null })
  await answer(api.db, open, 'start', { address: '10.0.0.2', port: 8080 })
  await answer(api.db, open, 'switchTraffic', { previous: null })
  await answer(api.db, open, 'confirm', { observedAt: 'now' })
  t.equal((await client.delete(at)).status, 204)
  t.equal((await client.get(at)).status, 404)
  t.match((await client.get(service)).body, { status: 'idle', active_deployment_id: null, needs_redeploy: true })
  t.equal((await client.get('/limits')).body.volumes_gb.used, 0)
  const names = await owed(api)
  t.ok(names.indexOf('withdrawInstance') < names.indexOf('removeVolume'))
  const { params } = await api.db('effect').where({ name: 'removeVolume' }).first()
  t.equal(params.volumeId, volume.id)
  const again = await client.put(at, { mount_path: '/app/data', size_gb: 1 })
  t.equal(again.status, 201)
  t.not(again.body.id, volume.id, 'named by id for ever')
})

t.test('C-056: a service with a volume stays; without it, it goes, and name and slug are free', async t => {
  const api = await start(t)
  const { client } = api
  const { id } = await client.project('Loja')
  const service = `/projects/${id}/services/web`
  await client.put(`${service}/volume`, { mount_path: '/app/data', size_gb: 1 })
  t.match(await client.delete(service), { status: 409, body: { error: 'volume_attached' } })
  t.equal((await client.get(service)).status, 200)
  t.equal((await client.delete(`${service}/volume`)).status, 204)

  await client.post(`/projects/${id}/services`, { name: 'api', kind: 'app' })
  await client.put(`/projects/${id}/services/api/variables/WEB`, { value: '${{web.PRIVATE_URL}}' })
  await client.patch(`/projects/${id}/services/api`, { source: IMAGE })
  await run(api, `/projects/${id}/services/api`)
  await client.patch(service, { source: IMAGE })
  const opened = await client.post(`${service}/deployments`, {})
  t.match(await client.delete(service), {
    status: 409,
    body: { error: 'deploy_in_progress', details: { services: ['web'] } },
  })
  await answer(api.db, opened.body.id, 'build', { image: 'sha256:2' })
  await answer(api.db, opened.body.id, 'start', { address: '10.0.0.3', port: 8080 })
  await answer(api.db, opened.body.id, 'switchTraffic', { previous: null })
  await answer(api.db, opened.body.id, 'confirm', { observedAt: 'now' })

  t.equal((await client.delete(service)).status, 204)
  for (const path of [service, `${service}/logs`, `${service}/deployments`, `${service}/variables`])
    t.equal((await client.get(path)).status, 404, path)
  t.equal((await client.get(`/projects/${id}/services/api`)).body.needs_redeploy, true, 'dependents are marked')
  t.same(
    (await client.get(`/projects/${id}/services`)).body.items.map((one: { name: string }) => one.name),
    ['api'],
  )
  t.ok((await owed(api)).includes('removeService'))
  const reborn = { name: 'web', kind: 'app', visibility: 'public', slug: 'loja' }
  t.equal((await client.post(`/projects/${id}/services`, reborn)).status, 201, 'name and slug are free')
  t.equal((await client.delete(service)).status, 204, 'and may be deleted again')
  t.equal((await client.delete(service)).status, 404)
})

t.test('one deletion of a service wins over its twins and over triggers', async t => {
  const { client } = await start(t)
  const { id } = await client.project('Loja')
  const service = `/projects/${id}/services/web`
  await client.patch(service, { source: IMAGE })
  const calls = Array.from({ length: 24 }, (_, i) =>
    i % 3 === 2 ? client.post(`${service}/deployments`, {}) : client.delete(service),
  )
  const statuses = (await Promise.all(calls)).map(reply => reply.status)
  t.ok(
    statuses.every(status => [202, 204, 404, 409].includes(status)),
    statuses.join(' '),
  )
  const won = statuses.filter(status => status === 204 || status === 202)
  t.equal(won.length, 1, 'either it is gone, or one deployment is open')
})

t.test('a project goes when it has no data of its own: 404 and its names free at once', async t => {
  const api = await start(t)
  const { client } = api
  await reportHealth(api.db, 'postgres', true, null)
  const { id } = await client.project('Loja')
  const service = `/projects/${id}/services/web`
  await client.put(`${service}/volume`, { mount_path: '/app/data', size_gb: 1 })
  t.match(await client.delete(`/projects/${id}`), { status: 409, body: { error: 'project_not_empty' } })
  await client.delete(`${service}/volume`)
  const withData = await client.project('Banco')
  await client.post(`/projects/${withData.id}/databases`, { name: 'db', engine: 'postgres' })
  t.match(await client.delete(`/projects/${withData.id}`), { status: 409, body: { error: 'project_not_empty' } })

  await client.patch(service, { source: IMAGE })
  const opened = await client.post(`/projects/${id}/deploy`, {})
  t.equal(opened.status, 202)
  await settle(api.db)
  t.equal((await client.delete(`/projects/${id}`)).status, 204)
  for (const path of [`/projects/${id}`, service, `/projects/${id}/group-deployments/${opened.body.id}`])
    t.equal((await client.get(path)).status, 404, path)
  t.equal((await client.delete(`/projects/${id}`)).status, 404)
  await settle(api.db)
  t.equal((await api.db('actor').where({ kind: 'deployment', status: 'active' })).length, 0, 'its build was canceled')
  t.ok((await owed(api)).includes('removeService'))
  const reborn = await client.project('Loja')
  t.equal(reborn.slug, 'loja')
  const { network_index: now } = await api.db('project').where({ id: reborn.id }).first()
  const { network_index: before } = await api.db('leaving').where({ owner_id: id }).first()
  t.not(now, before, 'its network is not given again before it is gone')
})

t.test('projects that are deleted while things are put into them end whole or not at all', async t => {
  const api = await start(t)
  const { client } = api
  const { id } = await client.project('Loja')
  const calls = Array.from({ length: 24 }, (_, i) => {
    if (i % 3 === 0) return client.delete(`/projects/${id}`)
    if (i % 3 === 1)
      return client.post(`/projects/${id}/services`, { name: `s${i}`, kind: 'app', resources: { memory_mb: 64 } })
    return client.put(`/projects/${id}/services/web/volume`, { mount_path: '/app/data', size_gb: 1 })
  })
  const statuses = (await Promise.all(calls)).map(reply => reply.status)
  t.ok(
    statuses.every(status => [200, 201, 204, 404, 409, 422].includes(status)),
    statuses.join(' '),
  )
  const gone = (await client.get(`/projects/${id}`)).status === 404
  t.equal(statuses.filter(status => status === 204).length, gone ? 1 : 0)
  const left = await api.db('service').where({ project_id: id })
  t.equal(left.length > 0, !gone)
})

t.test('C-125: without build storage a trigger answers 503, and its deployment exists as failed', async t => {
  const { client, db } = await start(t)
  const { id } = await client.project('Loja')
  const service = `/projects/${id}/services/web`
  await client.patch(service, { source: IMAGE })
  for (const code of ['build_disk_full', 'build_storage_unavailable']) {
    await reportHealth(db, 'build-storage', false, `${code}: 12 MB free`)
    const refused = await client.post(`${service}/deployments`, {}, { 'idempotency-key': `key-${code}` })
    t.match(refused, { status: 503, body: { error: 'unavailable', details: { error_code: code } } })
    t.ok(Number(refused.headers.get('retry-after')) >= 1)
    const { deployment_id } = refused.body.details
    const shown = (await client.get(`${service}/deployments`)).body.items[0]
    t.match(shown, { id: deployment_id, status: 'failed', error: { code } })
    t.ok(shown.finished_at)
    await settle(db)
    t.equal((await client.get(service)).body.status, 'failed', 'the service is free for the next one')
  }
  await reportHealth(db, 'build-storage', true, null)
  const retried = await client.post(`${service}/deployments`, {}, { 'idempotency-key': 'key-build_disk_full' })
  t.equal(retried.status, 202, 'the failure was not kept for the key')
})
