// What deletions have in common: out of sight in the request's transaction; what is left in the world goes by the work of
// the service's actor (D-62).
import type { Knex } from 'knex'
import { listOpenDeployments } from '../../db/queries/deployments.ts'
import { listDomainIds } from '../../db/queries/domains.ts'
import { findRunningGroup } from '../../db/queries/groups.ts'
import { ask } from '../actors/index.ts'
import { endGroup } from './group-trigger.ts'

/** Ends what runs for these services of a project that is going away: builds stop, instances are the actors' work. */
export async function endWork(db: Knex.Transaction, projectId: string, serviceIds: string[]): Promise<void> {
  const group = await findRunningGroup(db, projectId)
  if (group !== null) await endGroup(db, group, 'CANCEL')
  for (const { id } of await listOpenDeployments(db, serviceIds)) await ask(db, id, { type: 'CANCEL' })
}

/** The actor ends, and what it removes from the world is written down with it. */
export async function endService(db: Knex.Transaction, serviceId: string): Promise<void> {
  await ask(db, serviceId, { type: 'REMOVE' })
  for (const id of await listDomainIds(db, serviceId)) await ask(db, id, { type: 'DELETE' })
}
