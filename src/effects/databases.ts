// The life of a tenant's database on the database host, whatever its engine. Faults are answered or tried again by the
// runtime; the machine waits and asks again for as long as it takes (D-61).
import type { Performers } from '../actors/index.ts'
import {
  adoptPending,
  findDatabasePlan,
  forgetDatabase,
  hideDatabase,
  keepPending,
  type DatabasePlan,
} from '../../db/queries/databases.ts'
import { insertNotice } from '../../db/queries/notices.ts'
import { lockProject } from '../../db/queries/locks.ts'
import { bumpUsersOfComponent } from '../../db/queries/variables.ts'
import { projectSubnet } from '../domain/addresses.ts'
import { rotatedCredentials } from '../domain/database-credentials.ts'
import type { DatabaseCredentials } from '../domain/database-variables.ts'
import { newId } from '../domain/ids.ts'
import { DriverError, type DatabaseEngine, type DatabaseLifecycle, type TenantDatabase } from '../drivers/contracts.ts'
import type { Tools } from './tools.ts'

export type WholeEngine = DatabaseEngine & DatabaseLifecycle

export interface Tenancy {
  plan: DatabasePlan
  engine: WholeEngine
  tenant: TenantDatabase
}

export function provisionPerformer(tools: Tools): Performers['provisionDatabase'] {
  return async ({ databaseId }) => {
    const { engine, tenant } = await openTenancy(tools, databaseId)
    await engine.ready()
    return engine.provision(tenant)
  }
}

/** Measured, and made what its quota says; a crossing is told to the team once, with the answer. */
export function quotaPerformer(tools: Tools): Performers['enforceQuota'] {
  return async ({ databaseId, readOnly: before }, job) => {
    const { plan, engine, tenant } = await openTenancy(tools, databaseId)
    const { sizeMb } = await engine.measure(tenant)
    const readOnly = sizeMb > plan.quota_mb
    job.signal.throwIfAborted()
    // Repeated while it is over: whatever a fault left undone is done by the next measuring.
    if (readOnly || before) await engine.setReadOnly(tenant, readOnly)
    if (readOnly !== before)
      job.alongside(trx =>
        insertNotice(trx, {
          id: newId(),
          teamId: plan.team_id,
          projectId: plan.project_id,
          subjectId: databaseId,
          kind: readOnly ? 'database.read_only' : 'database.writable',
          details: { name: plan.name, size_mb: Math.ceil(sizeMb), quota_mb: plan.quota_mb },
        }),
      )
    return { sizeMb, readOnly, againMs: tools.config.measureMs }
  }
}

/**
 * The new secret is written down before the engine hears of it and becomes the current one with the answer. Killed anywhere,
 * the repeat finds what it wrote and makes the same secret valid: exactly one works in the end.
 */
export function rotatePerformer(tools: Tools): Performers['rotateCredential'] {
  return async ({ databaseId }, job) => {
    const { plan, engine, tenant } = await openTenancy(tools, databaseId)
    const current: DatabaseCredentials = {
      databaseName: tenant.databaseName,
      user: tenant.user,
      password: tenant.password,
    }
    const next = plan.pending ? null : await rotatedCredentials(plan.engine, current)
    const pending = next
      ? await keepPending(tools.db, databaseId, tools.keyring.seal(JSON.stringify(next), databaseId))
      : plan.pending
    if (!pending) throw new DriverError('gone', `database ${databaseId} was deleted`)
    job.signal.throwIfAborted()
    await engine.rotate({ ...tenant, ...openCredentials(tools, pending, databaseId) })
    job.alongside(async trx => {
      await lockProject(trx, plan.project_id)
      if (await adoptPending(trx, databaseId)) await bumpUsersOfComponent(trx, plan.project_id, [plan.name])
    })
    return { rotated: true }
  }
}

/** A database whose restore failed: out of sight with the answer, and its actor goes on to drop it. */
export function discardPerformer(tools: Tools): Performers['discardDatabase'] {
  return async ({ databaseId }, job) => {
    const plan = await findDatabasePlan(tools.db, databaseId)
    job.alongside(async trx => {
      if (!plan) return
      await lockProject(trx, plan.project_id)
      if (!(await hideDatabase(trx, databaseId))) return
      await bumpUsersOfComponent(trx, plan.project_id, [plan.name])
    })
    return { hidden: true }
  }
}

export function suspendPerformer(tools: Tools): Performers['suspendDatabase'] {
  return async ({ databaseId }) => {
    const { engine, tenant } = await openTenancy(tools, databaseId)
    await engine.suspend(tenant)
    return { suspended: true }
  }
}

export function dropPerformer(tools: Tools): Performers['dropDatabase'] {
  return async ({ databaseId }, job) => {
    const { plan, engine, tenant } = await openTenancy(tools, databaseId)
    // Whatever the actor believes: what is in use is never dropped.
    if (!plan.deleted) throw new DriverError('in_use', `database ${databaseId} is not deleted`)
    await engine.drop(databaseId, tenant)
    job.alongside(trx => forgetDatabase(trx, databaseId))
    return { dropped: true }
  }
}

/** The database of an id with its engine and opened credentials. Throws DriverError `gone` or `unavailable`. */
export async function openTenancy(tools: Tools, databaseId: string): Promise<Tenancy> {
  const plan = await findDatabasePlan(tools.db, databaseId)
  if (!plan) throw new DriverError('gone', `database ${databaseId} was deleted`)
  const engine = wholeEngine(tools, plan.engine)
  const tenant = {
    databaseId,
    ...openCredentials(tools, plan.credentials, databaseId),
    subnet: projectSubnet(tools.config.projectPool, plan.network_index),
    quotaMb: plan.quota_mb,
  }
  return { plan, engine, tenant }
}

export function wholeEngine({ world }: Tools, name: DatabasePlan['engine']): WholeEngine {
  const engine = world.databases[name]
  if (engine && isWhole(engine)) return engine
  throw new DriverError('unavailable', `this installation has no ${name}`, { temporary: true })
}

function isWhole(engine: DatabaseEngine & Partial<DatabaseLifecycle>): engine is WholeEngine {
  const { rotate, measure, setReadOnly, suspend, backup, restore } = engine
  return [rotate, measure, setReadOnly, suspend, backup, restore].every(verb => verb !== undefined)
}

function openCredentials({ keyring }: Tools, sealed: Buffer, databaseId: string): DatabaseCredentials {
  return JSON.parse(keyring.open(sealed, databaseId)) as DatabaseCredentials
}
