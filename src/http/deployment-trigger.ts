// The one place that turns a trigger into rows: a deployment by request, by upload, by rollback, and the members of a
// group. Everything happens in the caller's transaction: what is refused leaves nothing.
import type { Knex } from 'knex'
import { lockProject, lockServices, lockTeam } from '../../db/queries/locks.ts'
import type { Db } from '../../db/connect.ts'
import {
  findDeploymentPlan,
  insertDeployment,
  listOpenDeployments,
  spendDeploys,
  type DeploymentRow,
  type DeploymentTrigger,
  type OpenDeployment,
} from '../../db/queries/deployments.ts'
import { findFreshHealth } from '../../db/queries/health.ts'
import { findService, type ServiceRow } from '../../db/queries/services.ts'
import { insertUpload, useUpload } from '../../db/queries/uploads.ts'
import type { TokenRow } from '../../db/queries/teams.ts'
import { ask, post, spawn, statusOf } from '../actors/index.ts'
import type { Config } from '../config.ts'
import type {
  Builder,
  DeploymentEnvironment,
  DeploymentSettings,
  DeploymentSource,
} from '../domain/deployment-settings.ts'
import { newId } from '../domain/ids.ts'
import { DEPLOY_WINDOW_MS } from '../domain/limits.ts'
import { nameOf } from '../domain/references.ts'
import { ResolveError } from '../domain/resolve-error.ts'
import { createResolver, type Environment, type FrozenVariable } from '../domain/resolve.ts'
import type { Keyring } from '../domain/sealing.ts'
import { planOf } from './auth.ts'
import { ApiError, quote } from './errors.ts'
import { openProject, type OpenedProject } from './project-model.ts'
import { keepUpload, type ReceivedArchive } from './upload.ts'

/** A request that triggers, inside its transaction. */
export interface TriggerCall {
  db: Knex.Transaction
  keyring: Keyring
  config: Config
  token: TokenRow
}

/** What deployment.environment opens to: what the instance runs with, and what a rollback makes the next one from. */
export interface StoredEnvironment extends DeploymentEnvironment {
  frozen: FrozenVariable[]
}

export interface Triggered {
  id: string
  /** Why nothing can be built now: the deployment exists and has failed with this (C-125). */
  refused?: Refused | null
}

/** Deploys a service from what it has, or from the file just received (D-45). */
export async function triggerDeployment(
  call: TriggerCall,
  found: ServiceRow,
  upload: ReceivedArchive | null,
): Promise<Triggered> {
  const { db, keyring, config } = call
  const service = await lockService(db, found)
  if (upload && service.source && service.source.type !== 'upload') throw new ApiError('invalid_request.file_source')
  await refuseOpenDeployments(db, [service.id])
  const opened = await openProject(db, service.project_id, { keyring, config }, new Set([service.id]))
  const environment = orRefuse(() => createResolver(opened.model).environment(service.name))
  await spendQuota(call, 1)
  if (upload) {
    await insertUpload(db, upload)
    await useUpload(db, service.id, upload.sha256)
    // Last of all: from here on only a lost connection to the database could leave a file without a row.
    await keepUpload(upload, config.dataDir)
  }
  const source = upload ? ({ type: 'upload', sha256: upload.sha256 } as const) : sourceOf(service)
  const id = await openDeployment(call, service, {
    trigger: upload ? 'upload' : 'api',
    settings: { ...settingsOf(service, source), targets: targetsOf(opened, opened.referencesOf(service)) },
    environment,
  })
  const refused = await findRefusal(db)
  if (refused) await ask(db, id, { type: 'REFUSE', error: { code: refused.code, details: {} } })
  else await post(db, { to: id, event: { type: 'START' }, source: 'api' })
  return { id, refused }
}

/** Deploys the artifact and the variables of an earlier deployment, with the database credentials of now (D-58). */
export async function triggerRollback(call: TriggerCall, found: ServiceRow, target: DeploymentRow): Promise<Triggered> {
  const { db, keyring, config } = call
  const service = await lockService(db, found)
  if (statusOf(target.state) !== 'ready' || target.image === null) throw new ApiError('nothing_to_rollback')
  await refuseOpenDeployments(db, [service.id])
  const plan = await findDeploymentPlan(db, target.id)
  if (!plan) throw new ApiError('not_found')
  const before = plan.settings as DeploymentSettings
  const past = JSON.parse(keyring.open(plan.environment, plan.id)) as StoredEnvironment
  const opened = await openProject(db, service.project_id, { keyring, config }, new Set())
  const environment = orRefuse(() => createResolver(opened.model).thaw(past, before.port))
  // What it took from services it takes as it was; only databases have to be there.
  const targets = targetsOf(opened, past.frozen.flatMap(referencesInside))
  await spendQuota(call, 1)
  const id = await openDeployment(call, service, {
    trigger: 'rollback',
    rollbackOf: target.id,
    shownSource: target.source,
    settings: { ...before, ...identityOf(service), image: target.image, targets },
    environment,
  })
  await post(db, { to: id, event: { type: 'START' }, source: 'api' })
  return { id }
}

export interface Refused {
  code: 'build_disk_full' | 'build_storage_unavailable'
}

const HEALTH_MAX_AGE_SECONDS = 30

/** What keeps builds from beginning now; null when nothing does, or nobody has looked lately. */
async function findRefusal(db: Db): Promise<Refused | null> {
  const storage = await findFreshHealth(db, 'build-storage', HEALTH_MAX_AGE_SECONDS)
  if (!storage || storage.healthy) return null
  return { code: storage.detail?.startsWith('build_disk_full') ? 'build_disk_full' : 'build_storage_unavailable' }
}

export interface NewDeployment {
  trigger: DeploymentTrigger
  settings: DeploymentSettings
  environment: Environment
  groupId?: string
  rollbackOf?: string
  shownSource?: object
  /** A deployment of the same service that must end first (D-55). */
  waitsFor?: OpenDeployment | null
}

/** The rows and the actor of one deployment, told to its service. Who starts it is up to the caller. */
export async function openDeployment(call: TriggerCall, service: ServiceRow, made: NewDeployment): Promise<string> {
  const { db, keyring, config } = call
  const id = newId()
  const groupId = made.groupId ?? null
  const waitsFor = made.waitsFor ?? null
  const stored: StoredEnvironment = made.environment
  await insertDeployment(db, {
    id,
    projectId: service.project_id,
    serviceId: service.id,
    teamId: service.team_id,
    groupId,
    trigger: made.trigger,
    source: made.shownSource ?? shownSource(made.settings.source),
    rollbackOf: made.rollbackOf ?? null,
    serviceRevision: service.revision,
    settings: made.settings,
    environment: keyring.seal(JSON.stringify(stored), id),
  })
  await spawn(db, {
    kind: 'deployment',
    id,
    subject: waitsFor?.subject === service.id ? `${service.id}:next` : service.id,
    input: {
      deploymentId: id,
      projectId: service.project_id,
      serviceId: service.id,
      groupId,
      revision: service.revision,
      waitsFor: waitsFor?.id ?? null,
      stabilityMs: config.stabilityMs,
      exclusive: made.settings.volume != null,
    },
  })
  if (waitsFor) await queueBehind(db, waitsFor.id, id)
  await ask(db, service.id, { type: 'DEPLOYMENT_OPENED', deploymentId: id })
  return id
}

/** The one before it tells it when it has ended; one that has ended since it was looked up tells nobody any more. */
async function queueBehind(db: Db, before: string, id: string): Promise<void> {
  const standing = await ask(db, before, { type: 'SUCCESSOR', deploymentId: id })
  if (!standing || standing.isFinal) await ask(db, id, { type: 'RELEASED', by: before })
}

/** 409 with the names of the services that have an open deployment. The services are locked. */
export async function refuseOpenDeployments(db: Db, serviceIds: string[]): Promise<void> {
  const open = await listOpenDeployments(db, serviceIds)
  if (open.length > 0) throw deployInProgress(open.map(deployment => deployment.service_name))
}

export function deployInProgress(names: string[]): ApiError {
  return new ApiError('deploy_in_progress', {}, { details: { services: [...new Set(names)].sort() } })
}

/** Takes uses of the team's hourly quota; 429 when they are not all left (D-57). */
export async function spendQuota({ db, token, config }: TriggerCall, count: number): Promise<void> {
  const max = planOf(token, config).deploysPerHour
  const seconds = await spendDeploys(db, token.team_id, count, { max, windowMs: DEPLOY_WINDOW_MS })
  if (seconds !== null) throw new ApiError('rate_limited.deploys', { max, segundos: seconds }, { retryAfter: seconds })
}

/** What a service is deployed from; null when there is nothing (D-45). */
export function sourceOf(service: ServiceRow): DeploymentSource | null {
  const { source, upload_sha256: sha256 } = service
  switch (source?.type) {
    case 'image':
      return { type: 'image', ref: source.ref }
    case 'git':
      return {
        type: 'git',
        installationId: source.installation_id,
        repo: source.repo,
        branch: source.branch,
        rootDir: source.root_dir,
        commit: null,
      }
    default:
      return source && sha256 ? { type: 'upload', sha256 } : null
  }
}

/** A service's settings as they are now, for a deployment of `source`. */
export function settingsOf(service: ServiceRow, source: DeploymentSource | null): DeploymentSettings {
  return {
    ...identityOf(service),
    port: service.port,
    healthcheckPath: service.healthcheck_path,
    startCommand: service.start_command,
    buildCommand: service.build_command,
    builder: service.builder as Builder,
    runAs: service.run_as,
    rootDir: source?.type === 'git' ? source.rootDir : null,
    source,
    image: null,
  }
}

/** What references point at now; those to shared variables point at nothing of their own. */
export function targetsOf(
  { services, databases }: OpenedProject,
  references: readonly string[],
): Record<string, string> {
  const ids = new Map([...services, ...databases].map(row => [row.name, row.id]))
  const targets = references.map(reference => [reference, ids.get(nameOf(reference))] as const)
  return Object.fromEntries(targets.filter((pair): pair is readonly [string, string] => pair[1] !== undefined))
}

function referencesInside({ pieces }: FrozenVariable): string[] {
  return pieces.flatMap(piece => (typeof piece === 'string' ? [] : [piece.reference]))
}

// A rollback does not take these back: a slug may be somebody else's by now, and memory is counted against the plan.
function identityOf(service: ServiceRow) {
  const { name: serviceName, visibility, slug, memory_mb: memoryMb, cpus, volume } = service
  return { serviceName, visibility, slug, memoryMb, cpus, volume }
}

/** A failing resolution is 422 with `details.references` (D-42, T-23). */
export function orRefuse<T>(resolve: () => T): T {
  try {
    return resolve()
  } catch (error) {
    throw error instanceof ResolveError ? resolveRefusal(error) : error
  }
}

function resolveRefusal({ code, details }: ResolveError): ApiError {
  const [ref = ''] = details.references
  const more = { details: { ...details } }
  if (details.reason === 'database_provisioning') {
    return new ApiError('unresolved_reference.provisioning', { nome: ref.split('.')[0] ?? ref }, more)
  }
  const params = {
    ref,
    caminho: details.references.map(quote).join(' → '),
    nome: details.name ?? details.service ?? ref,
  }
  return new ApiError(code, params, more)
}

function shownSource(source: DeploymentSource | null): object {
  switch (source?.type) {
    case 'image':
      return { type: 'image', ref: source.ref }
    case 'git':
      return { type: 'git', commit: source.commit }
    default:
      return { type: 'upload', sha256: source?.sha256 ?? null }
  }
}

/** The service, locked and as it is once it is locked; 404 when it went away meanwhile. */
async function lockService(db: Db, { id, project_id, team_id }: ServiceRow): Promise<ServiceRow> {
  await lockTeam(db, team_id)
  await lockProject(db, project_id)
  await lockServices(db, [id])
  const service = await findService(db, project_id, id)
  if (!service) throw new ApiError('not_found')
  return service
}
