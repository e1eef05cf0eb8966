// Making a database within its project's names and its team's plan: empty at a creation, filled later by a restore.
import type { Knex } from 'knex'
import { lockTeam } from '../../db/queries/locks.ts'
import { countDatabases, insertDatabase, takeName, type EngineName } from '../../db/queries/databases.ts'
import { findFreshHealth } from '../../db/queries/health.ts'
import type { ProjectRow } from '../../db/queries/projects.ts'
import type { TokenRow } from '../../db/queries/teams.ts'
import type { Db } from '../../db/connect.ts'
import { spawn } from '../actors/index.ts'
import type { Config } from '../config.ts'
import { newCredentials } from '../domain/database-credentials.ts'
import { newId } from '../domain/ids.ts'
import type { Keyring } from '../domain/sealing.ts'
import { planOf } from './auth.ts'
import { ApiError } from './errors.ts'
import { refuseBeyond } from './plan-quota.ts'

/** An engine that nobody has seen healthy for this long is taken for away. */
const HEALTH_MAX_AGE_SECONDS = 30
/** Spec 7.2: the first wait that is suggested to clients. */
const RETRY_AFTER_SECONDS = 5

interface Call {
  db: Knex.Transaction
  keyring: Keyring
  config: Config
  project: ProjectRow
  token: TokenRow
}

export interface WantedDatabase {
  name: string
  engine: EngineName
  quotaMb: number
  /** The restore that will fill it. */
  restoreId?: string
}

/** Creates the row and the actor, and answers the id. Throws 409 `name_taken`, 422 `quota_exceeded`, 503 `unavailable`. */
export async function createDatabaseIn(call: Call, wanted: WantedDatabase): Promise<string> {
  const { db, project, keyring, config, token } = call
  const id = newId()
  await lockTeam(db, project.team_id)
  await takeName(db, project.id, wanted.name, id)
  const { databases: max } = planOf(token, config)
  const used = await countDatabases(db, project.team_id)
  refuseBeyond('databases', { wanted: used + 1, max, used })
  refuseQuota(call, wanted.quotaMb)
  await refuseAbsentEngine(db, wanted.engine)
  await insertDatabase(db, {
    id,
    projectId: project.id,
    teamId: project.team_id,
    name: wanted.name,
    engine: wanted.engine,
    quotaMb: wanted.quotaMb,
    credentials: keyring.seal(JSON.stringify(await newCredentials(wanted.engine, id)), id),
  })
  const input = { databaseId: id, restoreId: wanted.restoreId ?? null, measureEveryMs: config.measureMs }
  await spawn(db, { kind: 'database', id, input })
  return id
}

/** 422 when the plan allows no database of this quota. */
export function refuseQuota({ token, config }: Pick<Call, 'token' | 'config'>, quotaMb: number): void {
  refuseBeyond('quota_mb', { wanted: quotaMb, max: planOf(token, config).databaseQuotaMb })
}

/** 422 when the quota is smaller than what is in use. */
export function refuseBelowUse(quotaMb: number, usedMb: number): void {
  const used = Math.ceil(usedMb)
  if (quotaMb >= used) return
  const details = { resource: 'quota_mb', requested: quotaMb, used }
  throw new ApiError('quota_exceeded.database', { pedido: quotaMb, usado: used }, { details })
}

/** 503 when the database host is not there to do it. */
export async function refuseAbsentEngine(db: Db, engine: EngineName): Promise<void> {
  const health = await findFreshHealth(db, engine, HEALTH_MAX_AGE_SECONDS)
  if (!health?.healthy) throw engineAway()
}

export function engineAway(): ApiError {
  return new ApiError('unavailable.databases', {}, { retryAfter: RETRY_AFTER_SECONDS })
}
