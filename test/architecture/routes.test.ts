// Walks the route table: each line asks for a token, then for ownership, then for its scope, in this order (D-15).
import t from 'tap'
import type { Knex } from 'knex'
import { newId } from '../../src/domain/ids.ts'
import { SCOPES } from '../../src/domain/tokens.ts'
import type { Route } from '../../src/http/route.ts'
import { routes } from '../../src/http/routes.ts'
import { startApi, type Client, type Reply } from '../support/api.ts'

/** What the specification (4.2) and the decisions (section 2) ask for. A route that is not here fails the test. */
const SCOPE_OF: Record<string, string | null> = {
  'GET /me': null,
  'GET /limits': 'projects:read',
  'GET /templates': 'projects:read',
  'GET /git-installations': 'projects:read',
  'GET /projects': 'projects:read',
  'POST /projects': 'projects:write',
  'GET /projects/:project': 'projects:read',
  'PATCH /projects/:project': 'projects:write',
  'GET /projects/:project/services': 'projects:read',
  'POST /projects/:project/services': 'projects:write',
  'GET /projects/:project/services/:service': 'projects:read',
  'PATCH /projects/:project/services/:service': 'projects:write',
  'GET /projects/:project/shared-variables': 'env:read',
  'PUT /projects/:project/shared-variables': 'env:write',
  'DELETE /projects/:project/shared-variables/:name': 'env:write',
  'GET /projects/:project/services/:service/variables': 'env:read',
  'PUT /projects/:project/services/:service/variables': 'env:write',
  'PUT /projects/:project/services/:service/variables/:name': 'env:write',
  'DELETE /projects/:project/services/:service/variables/:name': 'env:write',
  'POST /projects/:project/databases': 'databases:write',
  'GET /projects/:project/databases': 'projects:read',
  'GET /projects/:project/databases/:database': 'projects:read',
  'PATCH /projects/:project/databases/:database': 'databases:write',
  'DELETE /projects/:project/databases/:database': 'databases:write',
  'POST /projects/:project/databases/:database/rotate': 'databases:write',
  'POST /projects/:project/databases/:database/credentials': 'env:reveal',
  'GET /projects/:project/backups': 'projects:read',
  'GET /projects/:project/backups/:backup': 'projects:read',
  'POST /projects/:project/backups/:backup/restore': 'databases:write',
  'GET /projects/:project/restores/:restore': 'projects:read',
  'DELETE /projects/:project': 'projects:write',
  'DELETE /projects/:project/services/:service': 'projects:write',
  'GET /projects/:project/volumes': 'projects:read',
  'GET /projects/:project/services/:service/volume': 'projects:read',
  'PUT /projects/:project/services/:service/volume': 'volumes:write',
  'DELETE /projects/:project/services/:service/volume': 'volumes:write',
  'POST /projects/:project/services/:service/domains': 'domains:write',
  'GET /projects/:project/services/:service/domains': 'projects:read',
  'GET /projects/:project/services/:service/domains/:domain': 'projects:read',
  'POST /projects/:project/services/:service/domains/:domain/verify': 'domains:write',
  'DELETE /projects/:project/services/:service/domains/:domain': 'domains:write',
  'POST /projects/:project/services/:service/deployments': 'deploy',
  'GET /projects/:project/services/:service/deployments': 'projects:read',
  'GET /projects/:project/services/:service/deployments/:deployment': 'projects:read',
  'GET /projects/:project/services/:service/deployments/:deployment/logs': 'logs:read',
  'POST /projects/:project/services/:service/deployments/:deployment/rollback': 'deploy',
  'GET /projects/:project/services/:service/logs': 'logs:read',
  'POST /projects/:project/deploy': 'deploy',
  'GET /projects/:project/group-deployments/:group': 'projects:read',
  'POST /projects/:project/group-deployments/:group/cancel': 'deploy',
}

const lineOf = (route: Route) => `${route.method} ${route.path}`

/** A resource of every kind, as the rows that a path is looked up in. */
async function furnish(db: Knex, client: Client): Promise<Record<string, string>> {
  const project = (await client.project(`projeto ${newId()}`)).id
  const service = (await client.get(`/projects/${project}/services/web`)).body.id as string
  const ids = {
    project,
    service,
    database: newId(),
    deployment: newId(),
    group: newId(),
    domain: newId(),
    name: 'NAME',
    backup: newId(),
    restore: newId(),
  }
  const { rows } = await db.raw('select team_id from project where id = ?', [project])
  const owner = { project_id: project, team_id: rows[0].team_id }
  await db('database').insert({
    ...owner,
    id: ids.database,
    name: 'db',
    engine: 'postgres',
    quota_mb: 64,
    credentials: '',
  })
  await db('deployment_group').insert({ ...owner, id: ids.group })
  const ran = { trigger: 'api', source: {}, service_revision: 1, settings: {}, environment: '' }
  await db('deployment').insert({ ...owner, ...ran, id: ids.deployment, service_id: service })
  const owned = { ...owner, service_id: service }
  await db('domain').insert({ ...owned, id: ids.domain, hostname: `${ids.domain}.example.com`, proof: '' })
  const kept = { database_id: ids.database, database_name: 'db', engine: 'postgres', quota_mb: 64, used_mb: 1 }
  await db('backup').insert({ ...owner, ...kept, id: ids.backup, expires_at: db.raw('now()') })
  await db('restore').insert({ ...owner, id: ids.restore, backup_id: ids.backup, database_id: ids.database })
  const snapshot = JSON.stringify({ context: { items: [], sizeMb: 0 } })
  const actor = { version: 1, status: 'done', state: 'ready', snapshot, revision: 0 }
  for (const kind of ['database', 'group', 'deployment', 'backup', 'restore'] as const)
    await db('actor').insert({ ...actor, kind, id: ids[kind] })
  await db('actor').insert({ ...actor, kind: 'domain', id: ids.domain, state: 'active' })
  return ids
}

function pathOf(route: Route, ids: Record<string, string>): string {
  return route.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? '')
}

/** A body that no route accepts, so that nothing is changed, and which must not be looked at too early. */
function ask(client: Client, route: Route, ids: Record<string, string>, headers: Record<string, string> = {}) {
  const body = route.method === 'GET' ? undefined : 'not json'
  return client.send(route.method, pathOf(route, ids), body, headers)
}

t.test('every route has the scope that the specification gives it', async t => {
  t.strictSame(Object.fromEntries(routes.map(route => [lineOf(route), route.scope])), SCOPE_OF)
})

t.test('every route, without a token: 401 (C-001)', async t => {
  const { client, db } = await startApi(t)
  const ids = await furnish(db, client)
  for (const route of routes) {
    t.match(await ask(client, route, ids, { authorization: '' }), { status: 401 }, lineOf(route))
  }
})

t.test(
  'every route with a scope, with all scopes but that one: 403, before its body is read (C-009, C-010)',
  async t => {
    const { client, db, newClient } = await startApi(t)
    const ids = await furnish(db, client)
    for (const route of routes) {
      const others = await newClient({ scopes: SCOPES.filter(scope => scope !== route.scope) })
      const reply = await ask(others, route, ids)
      const expected = route.scope === null ? { status: 200 } : { status: 403, body: { error: 'forbidden' } }
      t.match(reply, expected, lineOf(route))
    }
  },
)

/** All that a client can tell answers apart by: what differs from request to request is named only (D-16). */
function seenOf(reply: Reply): unknown[] {
  const differs = ['request-id', 'date', 'ratelimit']
  const headers = [...reply.headers].map(([name, value]) => (differs.includes(name) ? name : `${name}: ${value}`))
  return [reply.status, reply.text, headers.sort()]
}

t.test(
  'every route about a project, for strangers and restricted tokens: 404 as for nothing (C-004, C-006, C-008)',
  async t => {
    const { client, db, newTeam, newClient } = await startApi(t)
    const ids = await furnish(db, client)
    const another = await client.project('outro')
    const stranger = (await newTeam()).client
    const restricted = await newClient({ projectIds: [another.id] })
    const weak = await newClient({ projectIds: [another.id], scopes: [] })
    for (const route of routes.filter(route => route.path.includes(':'))) {
      const nothing = Object.fromEntries(Object.keys(ids).map(name => [name, newId()]))
      const unknown = await ask(client, route, nothing)
      t.match(unknown, { status: 404, body: { error: 'not_found' } }, lineOf(route))
      for (const caller of [stranger, restricted, weak]) {
        const reply = await ask(caller, route, ids)
        t.strictSame(seenOf(reply), seenOf(unknown), lineOf(route))
      }
    }
  },
)

t.test('every resource in a path is found within the one before it only (C-012)', async t => {
  const { client, db } = await startApi(t)
  const [ids, others] = [await furnish(db, client), await furnish(db, client)]
  for (const route of routes) {
    const [last, ...before] = [...route.path.matchAll(/:(\w+)/g)].map(match => match[1] ?? '').reverse()
    if (last === undefined || last === 'name' || before.length === 0) continue
    const reply = await ask(client, route, { ...ids, [last]: others[last] ?? '' })
    t.match(reply, { status: 404, body: { error: 'not_found' } }, lineOf(route))
  }
})

t.test('every route that changes something refuses fields that nobody knows (C-026)', async t => {
  const { client, db } = await startApi(t)
  const ids = await furnish(db, client)
  for (const route of routes.filter(route => route.method !== 'GET')) {
    const reply = await client.send(route.method, pathOf(route, ids), { replicas: 2 })
    t.match(reply, { status: 400, body: { error: 'invalid_request' } }, lineOf(route))
    const text = await client.send(route.method, pathOf(route, ids), 'x', { 'content-type': 'text/plain' })
    t.match(text, { status: 415, body: { error: 'unsupported_media_type' } }, lineOf(route))
  }
})
