// Deployments without a world: mail is delivered and activities are answered when the test says so, step by step.
import { gzipSync } from 'node:zlib'
import type { Knex } from 'knex'
import { pino } from 'pino'
import { pack } from 'tar-stream'
import { insertMail, readActor } from '../../db/queries/actors.ts'
import type { Activities, ActivityName } from '../../machines/index.ts'
import { pumpOnce, statusOf } from '../../src/actors/index.ts'

const log = pino({ level: 'silent' })

/** Delivers everything that is due, and what comes of it. */
export async function settle(db: Knex): Promise<void> {
  while ((await pumpOnce(db, log)) > 0);
}

/** Answers the activity that an actor waits for, as its performer would. */
export async function answer<N extends ActivityName>(
  db: Knex,
  id: string,
  activity: N,
  output: Activities[N]['output'],
  invokeId: string = activity,
): Promise<void> {
  await settle(db)
  await insertMail(db, {
    to: id,
    event: { type: `xstate.done.actor.${invokeId}`, output, actorId: invokeId },
    source: 'test',
    dedupe: null,
  })
  await settle(db)
}

/** Fails the activity that an actor waits for. */
export async function refuse(db: Knex, id: string, activity: ActivityName, code: string, details = {}): Promise<void> {
  await settle(db)
  const event = { type: `xstate.error.actor.${activity}`, error: { code, details }, actorId: activity }
  await insertMail(db, { to: id, event, source: 'test', dedupe: null })
  await settle(db)
}

export async function makeDeploying(db: Knex, id: string, image = 'sha256:1'): Promise<void> {
  await answer(db, id, 'build', { image })
}

/** From wherever it stands before `deploying` to `ready`; needs CAIS_STABILITY_MS=0. */
export async function makeReady(db: Knex, id: string, image = 'sha256:1'): Promise<void> {
  await settle(db)
  if ((await statusNow(db, id)) === 'building') await makeDeploying(db, id, image)
  await answer(db, id, 'start', { address: '10.0.0.2', port: 8080 })
  await answer(db, id, 'switchTraffic', { previous: null })
  await answer(db, id, 'confirm', { observedAt: 'now' })
  const status = await statusNow(db, id)
  if (status !== 'ready') throw new Error(`the deployment ${id} is ${status}`)
}

export async function makeDatabaseReady(db: Knex, id: string): Promise<void> {
  await answer(db, id, 'provisionDatabase', { sizeMb: 7 }, 'provision')
}

export async function statusNow(db: Knex, id: string): Promise<string> {
  const actor = await readActor(db, id)
  if (!actor) throw new Error(`there is no actor ${id}`)
  return statusOf(actor.state)
}

/** A .tar.gz of these files. */
export async function tarGz(files: Record<string, string>): Promise<Buffer> {
  const tar = pack()
  for (const [name, text] of Object.entries(files)) tar.entry({ name }, text)
  tar.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of tar) chunks.push(chunk as Buffer)
  return gzipSync(Buffer.concat(chunks))
}

/** The multipart form of an upload. */
export function form(file: Buffer | string, part = 'file'): FormData {
  const data = new FormData()
  data.append(part, new Blob([file as string]), 'app.tar.gz')
  return data
}
