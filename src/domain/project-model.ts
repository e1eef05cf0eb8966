// What references can see: one project, and nothing else (spec 2.5, rule 1).
import type { DatabaseEngineName } from './database-variables.ts'

export interface ProjectModel {
  readonly appsDomain: string
  /** Port of public HTTPS; 443 when absent. */
  readonly httpsPort?: number
  readonly apps: readonly AppModel[]
  readonly databases: readonly DatabaseModel[]
  readonly shared: readonly Variable[]
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

export interface Variable {
  readonly name: string
  /** As it was saved, with its references. */
  readonly value: string
  readonly sensitive: boolean
}
