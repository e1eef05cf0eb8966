// What must still hold when a build begins. Items of a group come here long after their trigger, and so does what waited for
// a place.
import { findFreshHealth } from '../../db/queries/health.ts'
import { listMissingTargets, runningApps } from '../../db/queries/instances.ts'
import { isPlanName } from '../domain/limits.ts'
import { DriverError } from '../drivers/contracts.ts'
import type { Plan } from './plan.ts'
import type { Tools } from './tools.ts'

const HEALTH_MAX_AGE_SECONDS = 30

/** A service or database that a reference pointed at has been deleted since (T-17). */
export async function refuseVanishedTargets({ db }: Tools, { settings }: Plan): Promise<void> {
  const targets = Object.entries(settings.targets ?? {})
  if (targets.length === 0) return
  const missing = await listMissingTargets(db, [...new Set(targets.map(([, id]) => id))])
  const vanished = targets.find(([, id]) => missing.includes(id))
  if (!vanished) return
  const [ref] = vanished
  throw new DriverError('unresolved_reference', `the target of ${ref} is gone`, { details: { ref } })
}

/** As many other apps of the team run as its plan has places: it was moved to a smaller one. */
export async function refuseBeyondPlan({ db, config }: Tools, { teamId, serviceId }: Plan): Promise<void> {
  const { plan, others, runs } = await runningApps(db, teamId, serviceId)
  if (!isPlanName(plan) || runs || others < config.limits.plans[plan].services) return
  throw new DriverError('team_app_limit', `the team runs ${others} other apps`)
}

/** Nothing can be built now. */
export async function refuseWithoutStorage({ db }: Tools): Promise<void> {
  const storage = await findFreshHealth(db, 'build-storage', HEALTH_MAX_AGE_SECONDS)
  if (!storage || storage.healthy) return
  const code = storage.detail?.startsWith('build_disk_full') ? 'build_disk_full' : 'build_storage_unavailable'
  throw new DriverError(code, `nothing can be built now: ${storage.detail ?? 'no reason is known'}`)
}
