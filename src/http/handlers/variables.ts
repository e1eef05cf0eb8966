// Variables of services and shared ones of projects. Saving never looks at what references point to (D-40); a change
// marks the services that use it.
import type { Knex } from 'knex'
import { lockProject } from '../../../db/queries/locks.ts'
import {
  bumpService,
  bumpUsersOfShared,
  deleteVariable,
  findVariables,
  listVariables,
  saveVariables,
  versionOfVariables,
  type NewVariable,
  type VariableOwner,
  type VariableRow,
} from '../../../db/queries/variables.ts'
import { newId } from '../../domain/ids.ts'
import { VARIABLE_NAME } from '../../domain/names.ts'
import { referencesOf } from '../../domain/references.ts'
import { ResolveError } from '../../domain/resolve-error.ts'
import { createResolver } from '../../domain/resolve.ts'
import type { Keyring } from '../../domain/sealing.ts'
import { audit } from '../audit.ts'
import { requireScope } from '../auth.ts'
import { ApiError } from '../errors.ts'
import { badParameter, listing, parameter, readPage } from '../pagination.ts'
import { openProject } from '../project-model.ts'
import type { Answer, Read, Write } from '../route.ts'
import type { VariableBody, VariablesBody } from '../schemas/variables.ts'
import { variableView, type Resolved } from '../views.ts'

type OfService = 'project' | 'service'

/** GET /projects/{p}/services/{s}/variables */
export async function listServiceVariables(call: Read<OfService>): Promise<Answer> {
  return list(call, ownedByService(call))
}

/** GET /projects/{p}/shared-variables */
export async function listSharedVariables(call: Read<'project'>): Promise<Answer> {
  return list(call, shared(call))
}

/** PUT /projects/{p}/services/{s}/variables */
export async function putServiceVariables(call: Write<OfService, VariablesBody>): Promise<Answer> {
  return save(call, ownedByService(call), call.body.variables)
}

/** PUT /projects/{p}/shared-variables */
export async function putSharedVariables(call: Write<'project', VariablesBody>): Promise<Answer> {
  return save(call, shared(call), call.body.variables)
}

/** PUT /projects/{p}/services/{s}/variables/{NAME} */
export async function putServiceVariable(call: Write<OfService, VariableBody>): Promise<Answer> {
  const name = call.params.name ?? ''
  if (!VARIABLE_NAME.test(name)) {
    const details = { fields: [{ field: 'name', problem: 'invalid' }] }
    throw new ApiError('invalid_request.variable_name', { valor: name }, { details })
  }
  return save(call, ownedByService(call), [{ name, ...call.body }])
}

/** DELETE /projects/{p}/services/{s}/variables/{NAME} */
export async function deleteServiceVariable(call: Write<OfService>): Promise<Answer> {
  return remove(call, ownedByService(call))
}

/** DELETE /projects/{p}/shared-variables/{NAME} */
export async function deleteSharedVariable(call: Write<'project'>): Promise<Answer> {
  return remove(call, shared(call))
}

/** Oldest first; masked, unless the clear values are asked for. */
async function list(call: Read<'project'>, owner: VariableOwner): Promise<Answer> {
  const { db, query, keyring } = call
  const clear = readResolved(call)
  const page = readPage(query, `variables:${owner.serviceId ?? owner.projectId}`, keyring)
  // Read first, so that a change in between makes the tag too old and not too new.
  const version = await versionOfVariables(db, owner)
  const rows = await listVariables(db, owner, page.after, page.limit + 1)
  const shown = (view: (row: VariableRow) => unknown) => listing(rows, page, keyring, row => row.id, view)
  // The tag is that of all of them: whoever writes back with If-Match may have read them page by page.
  if (!clear) return { body: shown(row => variableView(row)), version }
  const resolve = await openResolver(call, owner)
  await audit(call, 'variables.reveal')
  return { body: shown(row => variableView(row, resolve(row))), noStore: true }
}

/** `resolved=true` needs env:reveal besides env:read (D-72). */
function readResolved({ query, token }: Read): boolean {
  const rule = '"true" ou "false"'
  const text = parameter(query, 'resolved', rule) ?? 'false'
  if (text !== 'true' && text !== 'false') throw badParameter('resolved', rule)
  if (text === 'true') requireScope(token, 'env:reveal')
  return text === 'true'
}

async function openResolver(call: Read<'project'>, owner: VariableOwner): Promise<(row: VariableRow) => Resolved> {
  const { db, project, keyring } = call
  const { model } = await openProject(db, project.id, call, new Set(owner.serviceId ? [owner.serviceId] : []))
  const resolver = createResolver(model)
  return row => {
    try {
      const value = keyring.open(row.sealed, row.id)
      return { value: resolver.expand({ name: row.name, value, sensitive: row.sensitive }).text }
    } catch (error) {
      if (error instanceof ResolveError) return { error: error.code }
      throw error
    }
  }
}

interface Wanted {
  name: string
  value: string
  sensitive?: boolean | undefined
}

/** Creates or replaces these variables, all or none, and leaves the rest (D-38). */
async function save(call: Write<'project'>, owner: VariableOwner, wanted: Wanted[]): Promise<Answer> {
  const { db, keyring } = call
  await lockProject(db, owner.projectId)
  const found = await findVariables(
    db,
    owner,
    wanted.map(variable => variable.name),
  )
  const known = new Map(found.map(row => [row.name, row]))
  const changed = wanted.flatMap(variable => changeOf(variable, known.get(variable.name), owner, keyring))
  await saveVariables(db, changed)
  await markUsers(
    db,
    owner,
    changed.map(variable => variable.name),
  )
  return { body: { updated: wanted.length } }
}

/** The row to write; none when nothing changes. 409 when a sensitive variable would stop being one. */
function changeOf(
  wanted: Wanted,
  known: VariableRow | undefined,
  owner: VariableOwner,
  keyring: Keyring,
): NewVariable[] {
  if (known?.sensitive && wanted.sensitive === false) throw new ApiError('sensitive_lowered', { nome: wanted.name })
  const sensitive = wanted.sensitive ?? known?.sensitive ?? false
  if (known?.sensitive === sensitive && keyring.open(known.sealed, known.id) === wanted.value) return []
  const id = known?.id ?? newId()
  return [
    {
      id,
      project_id: owner.projectId,
      service_id: owner.serviceId,
      name: wanted.name,
      sealed: keyring.seal(wanted.value, id),
      sensitive,
      refs: referencesOf(wanted.value),
    },
  ]
}

async function remove({ db, params }: Write<'project'>, owner: VariableOwner): Promise<Answer> {
  const name = params.name ?? ''
  await lockProject(db, owner.projectId)
  const existed = VARIABLE_NAME.test(name) && (await deleteVariable(db, owner, name))
  if (!existed) throw new ApiError('not_found')
  await markUsers(db, owner, [name])
  return { status: 204 }
}

async function markUsers(db: Knex.Transaction, owner: VariableOwner, names: string[]): Promise<void> {
  if (names.length === 0) return
  if (owner.serviceId === null) await bumpUsersOfShared(db, owner.projectId, names)
  else await bumpService(db, owner.serviceId)
}

function ownedByService({ project, service }: Pick<Read<OfService>, 'project' | 'service'>): VariableOwner {
  return { projectId: project.id, serviceId: service.id }
}

function shared({ project }: Pick<Read<'project'>, 'project'>): VariableOwner {
  return { projectId: project.id, serviceId: null }
}
