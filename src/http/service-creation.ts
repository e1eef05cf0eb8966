// A new service within the plan: its row, its name, its address for ever, and its actor.
import { lockTeam } from '../../db/queries/locks.ts'
import { takeName } from '../../db/queries/databases.ts'
import { takeVipIndex, type ProjectRow } from '../../db/queries/projects.ts'
import { insertService, reservedBy, type ServiceFields } from '../../db/queries/services.ts'
import { spawn } from '../actors/index.ts'
import { serviceCapacity } from '../domain/addresses.ts'
import { newId } from '../domain/ids.ts'
import { SERVICE } from '../domain/limits.ts'
import { isReservedSlug } from '../domain/names.ts'
import { planOf } from './auth.ts'
import { ApiError } from './errors.ts'
import { refuseBeyond } from './plan-quota.ts'
import type { Write } from './route.ts'

/** Decisions 3.2. */
export const DEFAULT_FIELDS: Omit<ServiceFields, 'name' | 'visibility' | 'slug'> = {
  port: SERVICE.defaultPort,
  source: null,
  builder: 'auto',
  run_as: null,
  healthcheck_path: '/',
  start_command: null,
  build_command: null,
  memory_mb: SERVICE.defaultMemoryMb,
  cpus: SERVICE.defaultCpus,
  auto_deploy: false,
}

type Creation = Pick<Write, 'db' | 'token' | 'config'>

/** Creates a service in a project of the caller's; answers its id. 422 beyond the plan, 409 for names and slugs. */
export async function createServiceIn(call: Creation, project: ProjectRow, fields: ServiceFields): Promise<string> {
  const { db, token, config } = call
  await lockTeam(db, token.team_id)
  await refuseBeyondPlan(call, fields)
  refuseReservedSlug(fields.slug)
  const vipIndex = await takeVipIndex(db, serviceCapacity(config.platformPool))
  if (vipIndex === null) throw new ApiError('unavailable')
  const id = newId()
  await takeName(db, project.id, fields.name, id)
  await insertService(db, { ...fields, id, project_id: project.id, team_id: project.team_id, vip_index: vipIndex })
  await spawn(db, { kind: 'service', id, input: { serviceId: id, projectId: project.id } })
  return id
}

/** 422 when one more service like this does not fit the plan. The team must be locked. */
async function refuseBeyondPlan({ db, token, config }: Creation, wanted: ServiceFields): Promise<void> {
  const plan = planOf(token, config)
  const used = await reservedBy(db, token.team_id)
  refuseBeyond('services', { wanted: used.services + 1, max: plan.services, used: used.services })
  refuseBeyond('memory_mb', { wanted: used.memoryMb + wanted.memory_mb, max: plan.memoryMb, used: used.memoryMb })
  refuseBeyond('cpus', { wanted: wanted.cpus, max: plan.cpusPerService })
}

/** 422 when a service grows beyond the plan; to shrink is always allowed. The team must be locked. */
export async function refuseGrowthBeyondPlan(
  { db, token, config }: Creation,
  before: ServiceFields,
  after: ServiceFields,
): Promise<void> {
  const plan = planOf(token, config)
  if (after.memory_mb > before.memory_mb) {
    const used = (await reservedBy(db, token.team_id)).memoryMb - before.memory_mb
    refuseBeyond('memory_mb', { wanted: used + after.memory_mb, max: plan.memoryMb, used })
  }
  if (after.cpus > before.cpus) refuseBeyond('cpus', { wanted: after.cpus, max: plan.cpusPerService })
}

/** Reserved words are as taken as any other slug (D-31). */
export function refuseReservedSlug(slug: string | null): void {
  if (slug !== null && isReservedSlug(slug)) throw new ApiError('slug_taken', { slug })
}
