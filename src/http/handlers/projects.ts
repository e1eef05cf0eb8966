// Projects: a name, a network of their own, and a service `web` from the start.
import { lockProjectForRemoval, lockServices, lockTeam } from '../../../db/queries/locks.ts'
import {
  deleteProject,
  insertProject,
  isEmptyOfData,
  listProjects,
  renameProject,
  takeNetworkIndex,
} from '../../../db/queries/projects.ts'
import { listServices } from '../../../db/queries/services.ts'
import { usageOf } from '../../../db/queries/teams.ts'
import { projectCapacity } from '../../domain/addresses.ts'
import { newId } from '../../domain/ids.ts'
import { DEPLOY_WINDOW_MS } from '../../domain/limits.ts'
import { isReservedSlug, projectSlug } from '../../domain/names.ts'
import { planOf } from '../auth.ts'
import { ApiError } from '../errors.ts'
import { listing, readPage } from '../pagination.ts'
import { endService, endWork } from '../removal.ts'
import type { Answer, Read, Write } from '../route.ts'
import type { ProjectBody, ProjectPatch } from '../schemas/projects.ts'
import { createServiceIn, DEFAULT_FIELDS } from '../service-creation.ts'
import { projectView } from '../views.ts'

/** GET /projects: a restricted token lists only its own. */
export async function listOwnProjects({ db, token, query, keyring }: Read): Promise<Answer> {
  const page = readPage(query, `projects:${token.team_id}`, keyring)
  const owner = { teamId: token.team_id, projectIds: token.project_ids }
  const rows = await listProjects(db, owner, page.after, page.limit + 1)
  return { body: listing(rows, page, keyring, row => row.id, projectView) }
}

/** GET /projects/{p} */
export async function showProject({ project }: Read<'project'>): Promise<Answer> {
  return { body: projectView(project) }
}

/** POST /projects: the project with its `web`, whose slug is the project's. */
export async function createProject(call: Write<never, ProjectBody>): Promise<Answer> {
  const { db, token, config, body } = call
  const plan = planOf(token, config)
  await lockTeam(db, token.team_id)
  const { projects } = await usageOf(db, token.team_id, DEPLOY_WINDOW_MS)
  if (projects >= plan.projects) throw new ApiError('project_quota_exceeded', { max: plan.projects })
  const slug = projectSlug(body.name)
  if (isReservedSlug(slug)) throw new ApiError('slug_taken', { slug })
  const networkIndex = await takeNetworkIndex(db, projectCapacity(config.projectPool))
  if (networkIndex === null) throw new ApiError('unavailable')
  const project = await insertProject(db, { id: newId(), teamId: token.team_id, name: body.name, slug, networkIndex })
  await createServiceIn(call, project, { ...DEFAULT_FIELDS, name: 'web', visibility: 'public', slug })
  return { status: 201, body: projectView(project), location: `/v1/projects/${project.id}` }
}

/** PATCH /projects/{p}: the slug does not change. */
export async function patchProject({ db, project, body }: Write<'project', ProjectPatch>): Promise<Answer> {
  if (body.name === undefined) return { body: projectView(project) }
  return { body: projectView(await renameProject(db, project.id, body.name)) }
}

/** DELETE /projects/{p}: 404 from now on; its services leave the world by and by. 409 while it has data of its own. */
export async function removeProject({ db, project }: Write<'project'>): Promise<Answer> {
  if (!(await lockProjectForRemoval(db, project.id))) throw new ApiError('not_found')
  if (!(await isEmptyOfData(db, project.id))) throw new ApiError('project_not_empty')
  const services = (await listServices(db, project.id)).map(service => service.id)
  await lockServices(db, services)
  await endWork(db, project.id, services)
  for (const id of services) await endService(db, id)
  await deleteProject(db, project.id)
  return { status: 204 }
}
