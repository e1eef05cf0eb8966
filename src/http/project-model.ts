// A project as references see it, from its rows, with its secrets opened. Nothing of it leaves the request.
import type { Db } from '../../db/connect.ts'
import { listDatabases, type DatabaseRow } from '../../db/queries/databases.ts'
import { listServices, type ServiceRow } from '../../db/queries/services.ts'
import { listVariablesOfProject, type VariableRow } from '../../db/queries/variables.ts'
import { statusOf } from '../actors/index.ts'
import type { Config } from '../config.ts'
import {
  databaseHostName,
  databaseVariables,
  ENGINE_PORTS,
  type DatabaseCredentials,
} from '../domain/database-variables.ts'
import type { AppModel, DatabaseModel, ProjectModel, Variable } from '../domain/project-model.ts'
import { reachableReferences } from '../domain/references.ts'
import type { Keyring } from '../domain/sealing.ts'

/** What reading a project's secrets takes. */
export interface SecretReader {
  keyring: Keyring
  config: Pick<Config, 'instance' | 'appsDomain' | 'httpsPort'>
}

export interface OpenedProject {
  services: ServiceRow[]
  databases: DatabaseRow[]
  model: ProjectModel
  /** All references that a service depends on, through shared variables too. */
  referencesOf(service: ServiceRow): string[]
}

/** Reads a project. Own variables are opened for the services in `opened` alone (ids; absent = all). */
export async function openProject(
  db: Db,
  projectId: string,
  reader: SecretReader,
  opened?: ReadonlySet<string>,
): Promise<OpenedProject> {
  const services = await listServices(db, projectId)
  const databases = await listDatabases(db, projectId)
  const variables = await listVariablesOfProject(db, projectId)
  const ownedBy = (serviceId: string | null) => variables.filter(row => row.service_id === serviceId)
  const open = (rows: VariableRow[]) => rows.map(row => openVariable(row, reader.keyring))
  const sharedReferences = new Map(ownedBy(null).map(row => [row.name, row.refs]))
  return {
    services,
    databases,
    model: {
      appsDomain: reader.config.appsDomain,
      httpsPort: reader.config.httpsPort,
      apps: services.map(row => appModel(row, !opened || opened.has(row.id) ? open(ownedBy(row.id)) : [])),
      databases: databases.map(row => databaseModel(row, reader)),
      shared: open(ownedBy(null)),
    },
    referencesOf: service =>
      reachableReferences(
        ownedBy(service.id).flatMap(row => row.refs),
        sharedReferences,
      ),
  }
}

/** What an app may ask of a database, with the credentials of now. */
export function variablesOfDatabase(row: DatabaseRow, { keyring, config }: SecretReader): Record<string, string> {
  const credentials = JSON.parse(keyring.open(row.credentials, row.id)) as DatabaseCredentials
  const place = { host: databaseHostName(config.instance), port: ENGINE_PORTS[row.engine], credentials }
  return databaseVariables(row.engine, place)
}

function openVariable(row: VariableRow, keyring: Keyring): Variable {
  return { name: row.name, value: keyring.open(row.sealed, row.id), sensitive: row.sensitive }
}

function appModel(row: ServiceRow, variables: Variable[]): AppModel {
  return { name: row.name, port: row.port, visibility: row.visibility, slug: row.slug, variables }
}

function databaseModel(row: DatabaseRow, reader: SecretReader): DatabaseModel {
  const ready = statusOf(row.state) === 'ready'
  return {
    name: row.name,
    engine: row.engine,
    status: ready ? 'ready' : 'provisioning',
    variables: ready ? variablesOfDatabase(row, reader) : null,
  }
}
