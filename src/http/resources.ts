// The resources that a path names, each found within the one before it, so that what belongs to another team, another
// project or another service is simply not there (D-16, C-012).
import type { Db } from '../../db/connect.ts'
import { findBackup, findRestore, type BackupRow, type RestoreRow } from '../../db/queries/backups.ts'
import { findDatabase, type DatabaseRow } from '../../db/queries/databases.ts'
import { findDeployment, type DeploymentRow } from '../../db/queries/deployments.ts'
import { findDomain, type DomainRow } from '../../db/queries/domains.ts'
import { findGroup, type GroupRow } from '../../db/queries/groups.ts'
import { findProject, type ProjectRow } from '../../db/queries/projects.ts'
import { findService, type ServiceRow } from '../../db/queries/services.ts'
import type { TokenRow } from '../../db/queries/teams.ts'
import { isId } from '../domain/ids.ts'
import { SERVICE_NAME } from '../domain/names.ts'
import { ApiError } from './errors.ts'

export interface Resources {
  project: ProjectRow
  service: ServiceRow
  database: DatabaseRow
  deployment: DeploymentRow
  group: GroupRow
  domain: DomainRow
  backup: BackupRow
  restore: RestoreRow
}
export type ResourceName = keyof Resources

type Finder<N extends ResourceName> = (
  db: Db,
  text: string,
  found: Resources,
  token: TokenRow,
) => Promise<Resources[N] | null>

const finders: { [N in ResourceName]: Finder<N> } = {
  project: (db, id, _, token) =>
    onlyIf(isId(id), () => findProject(db, { teamId: token.team_id, projectIds: token.project_ids }, id)),
  service: (db, text, { project }) => onlyIf(isIdOrName(text), () => findService(db, project.id, text)),
  database: (db, text, { project }) => onlyIf(isIdOrName(text), () => findDatabase(db, project.id, text)),
  deployment: (db, id, { service }) => onlyIf(isId(id), () => findDeployment(db, service.id, id)),
  domain: (db, id, { service }) => onlyIf(isId(id), () => findDomain(db, service.id, id)),
  group: (db, id, { project }) => onlyIf(isId(id), () => findGroup(db, project.id, id)),
  backup: (db, id, { project }) => onlyIf(isId(id), () => findBackup(db, project.id, id)),
  restore: (db, id, { project }) => onlyIf(isId(id), () => findRestore(db, project.id, id)),
}

/** Finds every resource that the path names, from left to right; 404 at the first that the caller does not own. */
export async function findResources(db: Db, params: Record<string, string>, token: TokenRow): Promise<Resources> {
  const found = {} as Resources
  for (const [name, text] of Object.entries(params)) {
    if (!isResourceName(name)) continue
    const row = await finders[name](db, text, found, token)
    if (!row) throw new ApiError('not_found')
    Object.assign(found, { [name]: row })
  }
  return found
}

/** True for the name of a path parameter that stands for a resource. */
export function isResourceName(name: string): name is ResourceName {
  return Object.hasOwn(finders, name)
}

function isIdOrName(text: string): boolean {
  return isId(text) || SERVICE_NAME.test(text)
}

async function onlyIf<Row>(wellFormed: boolean, find: () => Promise<Row | null>): Promise<Row | null> {
  return wellFormed ? find() : null
}
