// What references can see: one project, and nothing else (spec 2.5, rule 1).
import { publicDomain, publicUrl } from './addresses.ts'
import { DATABASE_VARIABLE_NAMES, type DatabaseEngineName } from './database-variables.ts'
import { SHARED, type Reference } from './references.ts'

export interface Variable {
  readonly name: string
  /** As it was saved, with its references. */
  readonly value: string
  readonly sensitive: boolean
}

export interface AppModel {
  readonly name: string
  readonly port: number
  readonly visibility: 'public' | 'private'
  readonly slug: string | null
  readonly variables: readonly Variable[]
}

export interface DatabaseModel {
  readonly name: string
  readonly engine: DatabaseEngineName
  readonly status: 'provisioning' | 'ready'
  /** null while there are none yet. */
  readonly variables: Readonly<Record<string, string>> | null
}

export interface ProjectModel {
  readonly appsDomain: string
  /** Port of public HTTPS; 443 when absent. */
  readonly httpsPort?: number
  readonly apps: readonly AppModel[]
  readonly databases: readonly DatabaseModel[]
  readonly shared: readonly Variable[]
}

/** What a reference points at. `missing` and `provisioning` refuse the deployment. */
export type Target =
  | { kind: 'shared'; variable: Variable }
  | { kind: 'app'; value: string }
  | { kind: 'database'; value: string; database: DatabaseModel }
  | { kind: 'missing' }
  | { kind: 'provisioning' }

const MISSING: Target = { kind: 'missing' }
const PROVISIONING: Target = { kind: 'provisioning' }

/** Finds the targets of references within one project. */
export function createLookup(model: ProjectModel): (reference: Reference) => Target {
  const apps = byName(model.apps)
  const databases = byName(model.databases)
  const shared = byName(model.shared)
  return ({ name, variable }) => {
    if (name === SHARED) {
      const found = shared.get(variable)
      return found ? { kind: 'shared', variable: found } : MISSING
    }
    const app = apps.get(name)
    if (app) return appTarget(model, app, variable)
    const database = databases.get(name)
    return database ? databaseTarget(database, variable) : MISSING
  }
}

function appTarget(model: ProjectModel, app: AppModel, variable: string): Target {
  const slug = app.visibility === 'public' ? app.slug : null
  switch (variable) {
    case 'PRIVATE_URL':
      return { kind: 'app', value: `http://${app.name}:${app.port}` }
    case 'PRIVATE_HOST':
      return { kind: 'app', value: app.name }
    case 'PORT':
      return { kind: 'app', value: String(app.port) }
    case 'PUBLIC_URL':
      return { kind: 'app', value: slug === null ? '' : publicUrl(slug, model.appsDomain, model.httpsPort) }
    case 'PUBLIC_DOMAIN':
      return { kind: 'app', value: slug === null ? '' : publicDomain(slug, model.appsDomain) }
    default:
      return MISSING
  }
}

function databaseTarget(database: DatabaseModel, variable: string): Target {
  const offered: readonly string[] = DATABASE_VARIABLE_NAMES[database.engine]
  if (!offered.includes(variable)) return MISSING
  if (database.status !== 'ready' || database.variables === null) return PROVISIONING
  if (!Object.hasOwn(database.variables, variable)) return MISSING
  return { kind: 'database', value: database.variables[variable] ?? '', database }
}

function byName<T extends { readonly name: string }>(items: readonly T[]): Map<string, T> {
  return new Map(items.map(item => [item.name, item]))
}
