import type { FrozenVariable } from './resolve.ts'

// What a deployment runs with, as it was when it was triggered: column deployment.settings.

export type Builder = 'auto' | 'node' | 'go' | 'rust' | 'python' | 'static' | 'dockerfile'

export type DeploymentSource =
  | { type: 'upload'; sha256: string }
  | { type: 'image'; ref: string }
  | {
      type: 'git'
      installationId: string
      repo: string | null
      branch: string | null
      rootDir: string | null
      commit: string | null
    }

export interface DeploymentSettings {
  serviceName: string
  visibility: 'public' | 'private'
  slug: string | null
  port: number
  healthcheckPath: string
  startCommand: string | null
  buildCommand: string | null
  memoryMb: number
  cpus: number
  builder: Builder
  /** `uid[:gid]`; API: build.user. */
  runAs: string | null
  /** Folder of the source that is built; null = its root. */
  rootDir: string | null
  /** null = an upload service that never received a file: the deployment fails (D-45). */
  source: DeploymentSource | null
  /** The volume as it was; null or absent = none. */
  volume?: { id: string; mountPath: string; sizeGb: number } | null
  /** Reference → id of the service or database that it pointed at; what vanishes before the build fails it (T-17). */
  targets?: Record<string, string>
  /** Rollback: image id of the target, so that nothing is built. */
  image: string | null
}

/** What deployment.environment opens to. */
export interface DeploymentEnvironment {
  /** Whole environment of the process, PORT included. */
  env: Record<string, string>
  /** Values that logs must not show. */
  secrets: string[]
  /** The same with references to databases still open, so that a rollback gets the credentials of its day (D-58). */
  frozen?: FrozenVariable[]
}
