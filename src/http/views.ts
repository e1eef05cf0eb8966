// Rows and snapshots → what the API says (decisions 3.1, 3.2, 3.4, 3.8, 3.9). Secrets stop here.
import type { ProjectRow } from '../../db/queries/projects.ts'
import type { ServiceRow } from '../../db/queries/services.ts'
import type { TokenRow, Usage } from '../../db/queries/teams.ts'
import type { VariableRow } from '../../db/queries/variables.ts'
import { statusOf } from '../actors/index.ts'
import type { Config } from '../config.ts'
import { publicUrl } from '../domain/addresses.ts'
import type { Plan } from '../domain/limits.ts'
import { namesOf } from '../domain/references.ts'
import type { LimitsView, MeView } from './schemas/account.ts'
import type { ProjectView } from './schemas/projects.ts'
import type { ServiceView } from './schemas/services.ts'
import type { VariableView } from './schemas/variables.ts'

/** What every value reads as, whatever its length. */
const MASK = '********'

export function meView(token: TokenRow): MeView {
  return {
    token: {
      id: token.id,
      name: token.name,
      prefix: token.prefix,
      scopes: [...token.scopes] as MeView['token']['scopes'],
      project_ids: token.project_ids && [...token.project_ids],
      created_at: time(token.created_at),
      expires_at: time(token.expires_at),
      last_used_at: time(token.last_used_at),
    },
    team: { id: token.team_id, name: token.team_name, plan: token.plan as MeView['team']['plan'] },
  }
}

export function limitsView(planName: string, plan: Plan, usage: Usage): LimitsView {
  return {
    plan: planName as LimitsView['plan'],
    services: { used: usage.services, max: plan.services },
    memory_mb: { used: usage.memory_mb, max: plan.memoryMb },
    volumes_gb: { used: usage.volumes_gb, max: plan.volumesGb },
    databases: { used: usage.databases, max: plan.databases },
    deploys_per_hour: { used: usage.deploys, max: plan.deploysPerHour },
    projects: { used: usage.projects, max: plan.projects },
  }
}

export function projectView(row: ProjectRow): ProjectView {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
  }
}

export function serviceView(row: ServiceRow, dependsOn: string[], config: Config): ServiceView {
  return {
    id: row.id,
    project_id: row.project_id,
    name: row.name,
    kind: 'app',
    visibility: row.visibility,
    slug: row.slug,
    port: row.port,
    source: row.source,
    build: { builder: row.builder as ServiceView['build']['builder'], user: row.run_as },
    healthcheck_path: row.healthcheck_path,
    start_command: row.start_command,
    build_command: row.build_command,
    resources: { memory_mb: row.memory_mb, cpus: row.cpus },
    auto_deploy: row.auto_deploy,
    ...(row.slug === null ? {} : { public_url: publicUrl(row.slug, config.appsDomain, config.httpsPort) }),
    status: statusOf(row.state) as ServiceView['status'],
    needs_redeploy: row.needs_redeploy,
    depends_on: dependsOn,
    active_deployment_id: row.active_deployment_id,
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
  }
}

/** What a variable expands to, or the code of what is in the way. */
export type Resolved = { value: string } | { error: string }

/** Without `resolved`, the value is the mask. */
export function variableView(row: VariableRow, resolved: Resolved | null = null): VariableView {
  const { name, sensitive, refs, updated_at } = row
  const shown = resolved === null ? { value: MASK } : 'value' in resolved ? resolved : { value: null, ...resolved }
  return { name, ...shown, sensitive, references: namesOf(refs), updated_at: time(updated_at) }
}

function time(at: Date): string
function time(at: Date | null): string | null
function time(at: Date | null): string | null {
  return at?.toISOString() ?? null
}
