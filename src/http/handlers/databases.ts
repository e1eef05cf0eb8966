// Tenant databases: created within the plan, looked after by their actor, and out of sight from the moment of deletion.
import { setTimeout as pause } from 'node:timers/promises'
import { lockProject } from '../../../db/queries/locks.ts'
import { insertBackup } from '../../../db/queries/backups.ts'
import { lockActor, readActor } from '../../../db/queries/actors.ts'
import {
  findDatabase,
  hideDatabase,
  listDatabases,
  updateQuota,
  type DatabaseRow,
} from '../../../db/queries/databases.ts'
import { bumpUsersOfComponent } from '../../../db/queries/variables.ts'
import type { Db } from '../../../db/connect.ts'
import type { DatabaseContext } from '../../../machines/index.ts'
import { ask, post, spawn, statusOf } from '../../actors/index.ts'
import { DATABASE_VARIABLE_NAMES } from '../../domain/database-variables.ts'
import { newId } from '../../domain/ids.ts'
import { DATABASE } from '../../domain/limits.ts'
import { createDatabaseIn, engineAway, refuseAbsentEngine, refuseBelowUse, refuseQuota } from '../database-creation.ts'
import { databaseView, newDatabaseView, rotatedDatabaseView } from '../database-views.ts'
import { ApiError } from '../errors.ts'
import { badParameter, listing, parameter, readPage } from '../pagination.ts'
import { variablesOfDatabase } from '../project-model.ts'
import type { Answer, Read, Write } from '../route.ts'
import type { DatabaseDeletion, DatabasePatch, NewDatabase } from '../schemas/databases.ts'

type OfDatabase = 'project' | 'database'

/** How long a rotation may keep its client waiting; it goes on to its end all the same. */
const ROTATION_PATIENCE_MS = 20_000
const LOOK_EVERY_MS = 50

/** POST /projects/{p}/databases */
export async function createDatabase(call: Write<'project', NewDatabase>): Promise<Answer> {
  const { db, project, body } = call
  const id = await createDatabaseIn(call, { name: body.name, engine: body.engine, quotaMb: body.quota_mb })
  const row = await freshDatabase(db, project.id, id)
  return { status: 201, body: newDatabaseView(row), location: `/v1/projects/${project.id}/databases/${id}` }
}

/** GET /projects/{p}/databases: oldest first. */
export async function listDatabasesOfProject({ db, project, query, keyring }: Read<'project'>): Promise<Answer> {
  const page = readPage(query, `databases:${project.id}`, keyring)
  const rows = await listDatabases(db, project.id, page.after, page.limit + 1)
  return { body: listing(rows, page, keyring, row => row.id, databaseView) }
}

/** GET /projects/{p}/databases/{s} */
export async function showDatabase({ database }: Read<OfDatabase>): Promise<Answer> {
  return { body: databaseView(database) }
}

/** PATCH /projects/{p}/databases/{s}: the database is measured at once against its new quota. */
export async function patchDatabase(call: Write<OfDatabase, DatabasePatch>): Promise<Answer> {
  const { db, project, database, body } = call
  if (body.quota_mb === undefined) return { body: databaseView(database) }
  refuseQuota(call, body.quota_mb)
  await lockProject(db, project.id)
  const now = await freshDatabase(db, project.id, database.id)
  refuseBelowUse(body.quota_mb, now.size_mb)
  await updateQuota(db, now.id, body.quota_mb)
  await post(db, { to: now.id, event: { type: 'MEASURE' }, source: 'api', dedupe: 'measure' })
  return { body: databaseView(await freshDatabase(db, project.id, now.id)) }
}

/** DELETE /projects/{p}/databases/{s}: gone for clients when this commits; the data goes after its final backup (D-61). */
export async function deleteDatabase(call: Write<OfDatabase, DatabaseDeletion>): Promise<Answer> {
  const { db, project, database } = call
  const inQuery = readFinalBackup(call.query)
  const wanted = call.body.final_backup ?? inQuery
  await lockProject(db, project.id)
  const actor = await lockActor(db, database.id)
  // What was never ready was never anybody's to fill.
  const backupId = wanted && actor && statusOf(actor.state) === 'ready' ? newId() : null
  if (!(await hideDatabase(db, database.id))) throw new ApiError('not_found')
  if (backupId) await openBackup(db, backupId, database)
  await bumpUsersOfComponent(db, project.id, [database.name])
  await ask(db, database.id, { type: 'DELETE', backupId })
  return { status: 204 }
}

/** POST /projects/{p}/databases/{s}/rotate: `rotationDone` keeps the answer until the old credential is refused. */
export async function rotateDatabase(call: Write<OfDatabase>): Promise<Answer> {
  const { db, database } = call
  if (statusOf(database.state) !== 'ready') throw new ApiError('database_not_ready')
  await refuseAbsentEngine(db, database.engine)
  const standing = await ask(db, database.id, { type: 'ROTATE' })
  if (standing?.status !== 'ready') throw new ApiError('not_found')
  return { body: rotatedDatabaseView(database) }
}

/** Waits until every rotation that was asked for is done; 503 when that takes too long. */
export async function rotationDone({ db, database }: Read<OfDatabase>): Promise<void> {
  const deadline = Date.now() + ROTATION_PATIENCE_MS
  for (let asked: number | null = null; ;) {
    const actor = await readActor(db, database.id)
    if (!actor || statusOf(actor.state) !== 'ready') throw new ApiError('not_found')
    const { context } = actor.snapshot as { context: DatabaseContext }
    asked ??= context.rotationsAsked
    if (context.rotationsDone >= asked) return
    if (Date.now() > deadline) throw engineAway()
    await pause(LOOK_EVERY_MS)
  }
}

/** POST /projects/{p}/databases/{s}/credentials: every variable in clear (D-73). */
export async function revealCredentials(call: Write<OfDatabase>): Promise<Answer> {
  const { database } = call
  if (statusOf(database.state) !== 'ready') throw new ApiError('database_not_ready')
  const values = variablesOfDatabase(database, call)
  const credentials = DATABASE_VARIABLE_NAMES[database.engine].map(name => ({ name, value: values[name] ?? '' }))
  return { body: { credentials } }
}

async function openBackup(db: Write['db'], id: string, database: DatabaseRow): Promise<void> {
  const { project_id, team_id, engine, quota_mb } = database
  const used_mb = Math.ceil(database.size_mb)
  const of = { project_id, team_id, database_id: database.id, database_name: database.name, engine, quota_mb, used_mb }
  await insertBackup(db, { id, ...of, days: DATABASE.backupDays })
  await spawn(db, { kind: 'backup', id, input: { backupId: id, databaseId: database.id } })
}

function readFinalBackup(query: URLSearchParams): boolean {
  const rule = 'verdadeiro ou falso (true ou false)'
  const text = parameter(query, 'final_backup', rule) ?? 'true'
  if (text !== 'true' && text !== 'false') throw badParameter('final_backup', rule)
  return text === 'true'
}

async function freshDatabase(db: Db, projectId: string, id: string): Promise<DatabaseRow> {
  const row = await findDatabase(db, projectId, id)
  if (!row) throw new ApiError('not_found')
  return row
}
