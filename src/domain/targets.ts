// What a reference points at (spec 2.5, table of reference forms; D-41).
import { publicDomain, publicUrl } from './addresses.ts'
import { DATABASE_VARIABLE_NAMES } from './database-variables.ts'
import type { AppModel, DatabaseModel, ProjectModel } from './project-model.ts'
import { SHARED, type Reference } from './references.ts'

/** Apps and databases give a text at once. A shared variable may hold references of its own. */
export type Target =
  | { readonly kind: 'app'; readonly text: string }
  | { readonly kind: 'database'; readonly text: string; readonly database: DatabaseModel }
  | { readonly kind: 'shared'; readonly variable: string }
  | { readonly kind: 'missing' }
  /** A database that is not ready yet (spec 2.5, rule 5). */
  | { readonly kind: 'provisioning' }

const MISSING: Target = { kind: 'missing' }
const PROVISIONING: Target = { kind: 'provisioning' }

/** Finds the targets of references within one project. */
export function createLookup(model: ProjectModel): (reference: Reference) => Target {
  const apps = byName(model.apps)
  const databases = byName(model.databases)
  const shared = byName(model.shared)
  return ({ name, variable }) => {
    if (name === SHARED) return shared.has(variable) ? { kind: 'shared', variable } : MISSING
    const app = apps.get(name)
    if (app) return targetInApp(model, app, variable)
    const database = databases.get(name)
    return database ? targetInDatabase(database, variable) : MISSING
  }
}

/** The public two are empty while the service is private. */
function targetInApp(model: ProjectModel, app: AppModel, variable: string): Target {
  const { name, port } = app
  const slug = app.visibility === 'public' ? app.slug : null
  switch (variable) {
    case 'PRIVATE_URL':
      return { kind: 'app', text: `http://${name}:${port}` }
    case 'PRIVATE_HOST':
      return { kind: 'app', text: name }
    case 'PORT':
      return { kind: 'app', text: String(port) }
    case 'PUBLIC_URL':
      return { kind: 'app', text: slug === null ? '' : publicUrl(slug, model.appsDomain, model.httpsPort) }
    case 'PUBLIC_DOMAIN':
      return { kind: 'app', text: slug === null ? '' : publicDomain(slug, model.appsDomain) }
    default:
      return MISSING
  }
}

/** Which names an engine offers is known before it has values for them (spec 2.4). */
function targetInDatabase(database: DatabaseModel, variable: string): Target {
  const offered: readonly string[] = DATABASE_VARIABLE_NAMES[database.engine]
  if (!offered.includes(variable)) return MISSING
  if (database.status !== 'ready' || database.variables === null) return PROVISIONING
  if (!Object.hasOwn(database.variables, variable)) return MISSING
  return { kind: 'database', text: database.variables[variable] ?? '', database }
}

function byName<T extends { readonly name: string }>(items: readonly T[]): Map<string, T> {
  return new Map(items.map(item => [item.name, item]))
}
