// Tenant databases: created within the plan, provisioned by their actor, listed and read.
import { countDatabases, findDatabase, insertDatabase, listDatabases, takeName } from '../../../db/queries/databases.ts'
import { findFreshHealth } from '../../../db/queries/health.ts'
import { lockTeam } from '../../../db/queries/teams.ts'
import { spawn } from '../../actors/index.ts'
import { newCredentials } from '../../domain/database-credentials.ts'
import { newId } from '../../domain/ids.ts'
import { planOf } from '../auth.ts'
import { databaseView, newDatabaseView } from '../database-views.ts'
import { ApiError } from '../errors.ts'
import { listing, readPage } from '../pagination.ts'
import type { Answer, Read, Write } from '../route.ts'
import type { NewDatabase } from '../schemas/databases.ts'

/** An engine that nobody has seen healthy for this long is taken for away. */
const HEALTH_MAX_AGE_SECONDS = 30
/** Spec 7.2: the first wait that is suggested to clients. */
const RETRY_AFTER_SECONDS = 5

/** POST /projects/{p}/databases */
export async function createDatabase(call: Write<'project', NewDatabase>): Promise<Answer> {
  const { db, project, keyring, body } = call
  const id = newId()
  await lockTeam(db, project.team_id)
  await takeName(db, project.id, body.name, id)
  await refuseBeyondPlan(call)
  await refuseAbsentEngine(call)
  await insertDatabase(db, {
    id,
    projectId: project.id,
    teamId: project.team_id,
    name: body.name,
    engine: body.engine,
    quotaMb: body.quota_mb,
    credentials: keyring.seal(JSON.stringify(await newCredentials(body.engine, id)), id),
  })
  await spawn(db, { kind: 'database', id, input: { databaseId: id } })
  const row = await findDatabase(db, project.id, id)
  if (!row) throw new Error(`the database ${id} that was just made is not there`)
  return { status: 201, body: newDatabaseView(row), location: `/v1/projects/${project.id}/databases/${id}` }
}

/** GET /projects/{p}/databases: oldest first. */
export async function listDatabasesOfProject({ db, project, query, keyring }: Read<'project'>): Promise<Answer> {
  const page = readPage(query, `databases:${project.id}`, keyring)
  const rows = await listDatabases(db, project.id, page.after, page.limit + 1)
  return { body: listing(rows, page, keyring, row => row.id, databaseView) }
}

/** GET /projects/{p}/databases/{s} */
export async function showDatabase({ database }: Read<'project' | 'database'>): Promise<Answer> {
  return { body: databaseView(database) }
}

async function refuseBeyondPlan({ db, project, token, body }: Write<'project', NewDatabase>): Promise<void> {
  const plan = planOf(token)
  const used = await countDatabases(db, project.team_id)
  if (used >= plan.databases) {
    const details = { resource: 'databases', used, max: plan.databases }
    throw new ApiError('quota_exceeded', { recurso: 'bancos de dados', usado: used, max: plan.databases }, { details })
  }
  if (body.quota_mb <= plan.databaseQuotaMb) return
  const details = { resource: 'quota_mb', used: body.quota_mb, max: plan.databaseQuotaMb }
  const params = { recurso: 'cota por banco em MB', usado: body.quota_mb, max: plan.databaseQuotaMb }
  throw new ApiError('quota_exceeded', params, { details })
}

async function refuseAbsentEngine({ db, body }: Write<'project', NewDatabase>): Promise<void> {
  const health = await findFreshHealth(db, body.engine, HEALTH_MAX_AGE_SECONDS)
  if (!health?.healthy) throw new ApiError('unavailable.databases', {}, { retryAfter: RETRY_AFTER_SECONDS })
}
