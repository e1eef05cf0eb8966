// Services: settings are rows, status is the actor's. Whatever changes what a reference expands to marks its users.
import { lockProject, lockServices, lockTeam } from '../../../db/queries/locks.ts'
import { hasDomains } from '../../../db/queries/domains.ts'
import {
  deleteService,
  findService,
  listServices,
  renameComponent,
  updateService,
  type ServiceFields,
} from '../../../db/queries/services.ts'
import { bumpUsersOfComponent, listReferences } from '../../../db/queries/variables.ts'
import type { Db } from '../../../db/connect.ts'
import type { ServiceRow } from '../../../db/queries/services.ts'
import { dependsOn, reachableReferences } from '../../domain/references.ts'
import { refuseOpenDeployments } from '../deployment-trigger.ts'
import { ApiError, fieldError } from '../errors.ts'
import { listing, readPage } from '../pagination.ts'
import { endService } from '../removal.ts'
import type { Answer, Read, Write } from '../route.ts'
import type { ServiceBody, ServicePatch } from '../schemas/services.ts'
import { changedFields, mergeFields } from '../service-change.ts'
import { refuseForeignSource } from './installations.ts'
import { createServiceIn, DEFAULT_FIELDS, refuseGrowthBeyondPlan, refuseReservedSlug } from '../service-creation.ts'
import { serviceView } from '../views.ts'

/** GET /projects/{p}/services */
export async function listOwnServices({ db, project, query, keyring, config }: Read<'project'>): Promise<Answer> {
  const page = readPage(query, `services:${project.id}`, keyring)
  const rows = await listServices(db, project.id, page.after, page.limit + 1)
  const dependencies = await dependenciesIn(db, project.id)
  const view = (row: ServiceRow) => serviceView(row, dependencies(row), config)
  return { body: listing(rows, page, keyring, row => row.id, view) }
}

/** GET /projects/{p}/services/{s} */
export async function showService({ db, service, config }: Read<'service'>): Promise<Answer> {
  const dependencies = await dependenciesIn(db, service.project_id)
  return { body: serviceView(service, dependencies(service), config) }
}

/** POST /projects/{p}/services */
export async function createService(call: Write<'project', ServiceBody>): Promise<Answer> {
  const { db, project } = call
  const { kind: _, ...body } = call.body
  const fields = mergeFields({ ...DEFAULT_FIELDS, name: body.name, visibility: 'private', slug: null }, body)
  await refuseForeignSource(call, fields.source)
  const id = await createServiceIn(call, project, fields)
  const { body: created } = await showService({ ...call, service: await freshService(db, project.id, id) })
  return { status: 201, body: created, location: `/v1/projects/${project.id}/services/${id}` }
}

/** PATCH /projects/{p}/services/{s} */
export async function patchService(call: Write<'project' | 'service', ServicePatch>): Promise<Answer> {
  const { db, project, body } = call
  if (body.resources !== undefined) await lockTeam(db, project.team_id)
  await lockProject(db, project.id)
  const before = await freshService(db, project.id, call.service.id)
  const after = mergeFields(before, body)
  const changed = new Set(changedFields(before, after))
  if (changed.has('source')) await refuseForeignSource(call, after.source)
  if (changed.has('visibility') && after.visibility === 'private' && (await hasDomains(db, before.id))) {
    throw fieldError('invalid_request.has_domains', 'visibility', 'invalid')
  }
  await refuseGrowthBeyondPlan(call, before, after)
  if (changed.has('slug')) refuseReservedSlug(after.slug)
  if (changed.has('name')) await renameComponent(db, project.id, before.id, after.name)
  // Whether git deploys by itself is no matter of the running instance; everything else waits for a deployment.
  const redeploy = [...changed].some(field => field !== 'auto_deploy')
  if (changed.size > 0) await updateService(db, before.id, after, redeploy)
  if (SEEN_BY_OTHERS.some(field => changed.has(field))) {
    await bumpUsersOfComponent(db, project.id, [...new Set([before.name, after.name])])
  }
  return showService({ ...call, service: await freshService(db, project.id, before.id) })
}

/** DELETE /projects/{p}/services/{s}: name and slug are free at once; what is left in the world goes by and by (D-62). */
export async function removeService({ db, project, service: { id } }: Write<'project' | 'service'>): Promise<Answer> {
  await lockProject(db, project.id)
  await lockServices(db, [id])
  const service = await freshService(db, project.id, id)
  if (service.volume) throw new ApiError('volume_attached')
  await refuseOpenDeployments(db, [id])
  await bumpUsersOfComponent(db, project.id, [service.name])
  await endService(db, id)
  await deleteService(db, id)
  return { status: 204 }
}

/** What references expand to (D-59). */
const SEEN_BY_OTHERS: (keyof ServiceFields)[] = ['name', 'port', 'slug', 'visibility']

export async function freshService(db: Db, projectId: string, id: string): Promise<ServiceRow> {
  const row = await findService(db, projectId, id)
  if (!row) throw new ApiError('not_found')
  return row
}

/** `depends_on` of the services of a project (D-40), from one reading of its references. */
async function dependenciesIn(db: Db, projectId: string): Promise<(service: ServiceRow) => string[]> {
  const rows = await listReferences(db, projectId)
  const shared = new Map(rows.filter(row => row.service_id === null).map(row => [row.name, row.refs]))
  return service => {
    const own = rows.filter(row => row.service_id === service.id).flatMap(row => row.refs)
    return dependsOn(service.name, reachableReferences(own, shared))
  }
}
