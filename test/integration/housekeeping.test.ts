// What would only grow goes away, and nothing else does.
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import t from 'tap'
import { insertUpload } from '../../db/queries/uploads.ts'
import { createToken, hashToken } from '../../src/domain/tokens.ts'
import { uploadsFolder } from '../../src/domain/uploads.ts'
import { housekeep } from '../../src/effects/housekeeping.ts'
import { removeUnusedUploads } from '../../src/effects/uploads.ts'
import { freshDatabase } from '../support/postgres.ts'
import { setStage, until, type Stage } from '../support/stage.ts'

const { db } = await freshDatabase(t)
const HOUR_MS = 60 * 60_000

/** An archive of this age; with a row of the same age unless told otherwise. */
async function place({ tools }: Stage, name: string, hours: number, hasRow = true): Promise<void> {
  const folder = uploadsFolder(tools.config.dataDir)
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, name), name)
  const at = new Date(Date.now() - hours * HOUR_MS)
  await utimes(path.join(folder, name), at, at)
  if (hasRow) await db('upload').insert({ sha256: name, format: 'zip', size_bytes: 1, created_at: at })
}

const files = async ({ tools }: Stage) => (await readdir(uploadsFolder(tools.config.dataDir))).sort()
const rows = async () => (await db('upload').select('sha256').orderBy('sha256')).map(row => row.sha256 as string)

t.test('archives that a service or a deployment names stay, and so does what is young', async t => {
  await db('upload').delete()
  const stage = await setStage(t, db)
  t.same(await removeUnusedUploads(stage.tools), [], 'no folder yet')
  for (const name of ['of-service', 'of-deployment', 'unused']) await place(stage, name, 2)
  await place(stage, 'young', 0.5)
  await place(stage, 'half-received.part', 23, false)
  await place(stage, 'abandoned.part', 25, false)
  await place(stage, 'without-row', 25, false)
  await db('upload').insert({ sha256: 'without-file', format: 'zip', size_bytes: 1, created_at: new Date(0) })
  await db('service').where({ id: stage.serviceId }).update({ upload_sha256: 'of-service' })
  const id = await stage.deploy('simulated:ok')
  await db('deployment')
    .where({ id })
    .update({ source: JSON.stringify({ type: 'upload', sha256: 'of-deployment' }) })
  const removed = await removeUnusedUploads(stage.tools)
  t.same(removed.sort(), ['abandoned.part', 'unused', 'without-file', 'without-row'])
  t.same(await files(stage), ['half-received.part', 'of-deployment', 'of-service', 'young'])
  t.same(await rows(), ['of-deployment', 'of-service', 'young'])
})

t.test('an archive that is sent again while it is being removed is kept', async t => {
  await db('upload').delete()
  const stage = await setStage(t, db)
  await place(stage, 'again', 2)
  const request = await db.transaction()
  await insertUpload(request, { sha256: 'again', format: 'zip', sizeBytes: 1 })
  const removing = removeUnusedUploads(stage.tools)
  const waiting = `select from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`
  await until(async () => (await db.raw(waiting)).rowCount > 0)
  await request('service').where({ id: stage.serviceId }).update({ upload_sha256: 'again' })
  await request.commit()
  t.same(await removing, [])
  t.same([await files(stage), await rows()], [['again'], ['again']])
})

t.test('idempotency keys, effects and spent quotas go when their time is over', async t => {
  const stage = await setStage(t, db)
  const { team_id } = await db('service').first('team_id')
  const hash = hashToken(createToken())
  const token = { id: 'token', team_id, name: 'x', prefix: 'x', hash, scopes: [], expires_at: new Date() }
  await db('token').insert(token)
  const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS)
  for (const [key, hours] of Object.entries({ old: 25, kept: 23 }))
    await db('idempotency').insert({ token_id: 'token', key, fingerprint: '', status: 200, created_at: ago(hours) })
  for (const hours of [2, 0.5]) await db('deploy_use').insert({ team_id, at: ago(hours) })
  const ended = { actor_id: 'a', lane: 'l', name: 'probe', params: '{}', state: 'done' }
  await db('effect').insert([
    { ...ended, key: 'old', delivered: true, finished_at: ago(8 * 24) },
    { ...ended, key: 'not delivered', delivered: false, finished_at: ago(8 * 24) },
    { ...ended, key: 'kept', delivered: true, finished_at: ago(6 * 24) },
  ])
  const stop = new AbortController()
  const housekeeping = housekeep(stage.tools, stop.signal)
  const count = async (table: string) => Number((await db(table).count('* as n'))[0]?.n)
  await until(async () => (await count('idempotency')) + (await count('deploy_use')) + (await count('effect')) === 4)
  stop.abort()
  await housekeeping
  t.same(await db('idempotency').pluck('key'), ['kept'])
  t.same((await db('effect').pluck('key')).sort(), ['kept', 'not delivered'])
})
