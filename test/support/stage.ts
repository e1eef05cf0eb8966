// A project with one service on a real control database and a simulated world: what tests of effects play on.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import { pino } from 'pino'
import { insertActor } from '../../db/queries/actors.ts'
import { readConfig } from '../../src/config.ts'
import { newId } from '../../src/domain/ids.ts'
import type { DeploymentSettings } from '../../src/domain/deployment-settings.ts'
import { createDataKey, openKeyring } from '../../src/domain/sealing.ts'
import { createSimulatedWorld, type SimulatedWorld } from '../../src/drivers/simulated/world.ts'
import { createPerformers } from '../../src/effects/handlers.ts'
import type { Tools } from '../../src/effects/tools.ts'
import type { Job, Performers } from '../../src/actors/index.ts'

export interface Stage {
  tools: Tools & { world: SimulatedWorld }
  perform: Performers
  projectId: string
  serviceId: string
  /** A deployment of an image source whose actor is in `state`. */
  deploy(
    ref: string,
    options?: { state?: string; settings?: Partial<DeploymentSettings>; image?: string },
  ): Promise<string>
  /** Puts an actor where a test wants it. */
  place(id: string, state: string, context: object): Promise<void>
  /** Builds, starts and switches a deployment, and makes it the active one. */
  serve(ref: string): Promise<string>
  /** Events that wait for an actor. */
  mail(actorId: string): Promise<{ type: string; [name: string]: unknown }[]>
}

let effects = 1000

/** A job like those that src/actors/perform.ts gives; every one is newer than the one before. */
export function job(options: Partial<Job> = {}): Job {
  return {
    effectId: effects++,
    actorId: 'test',
    attempt: 1,
    signal: new AbortController().signal,
    alongside: () => {},
    ...options,
  }
}

export const SECRET = 'correct-horse-battery'

interface Test {
  testdir(): string
}

const EVERYTHING = 'team, actor, journal, inbox, timer, effect, route, build_log, runtime_log'

/** Sets the stage anew on this database, which one test has at a time; the world goes away when `t` ends. */
export async function setStage(t: Test, db: Knex): Promise<Stage> {
  await db.raw(`truncate ${EVERYTHING} cascade`)
  const dataDir = t.testdir()
  const config = readConfig({ DATA_DIR: dataDir, CAIS_RUNTIME: 'simulated' })
  const masterKey = randomBytes(32).toString('hex')
  const keyring = openKeyring(masterKey, [{ id: 1, wrapped: createDataKey(masterKey) }])
  const world = createSimulatedWorld({ config, provisionMs: 0 })
  const tools = { db, keyring, world, config, log: pino({ level: 'silent' }) }
  const perform = createPerformers(tools)
  const [teamId, projectId, serviceId] = [newId(), newId(), newId()]
  await db('team').insert({ id: teamId, name: teamId })
  await db('project').insert({ id: projectId, team_id: teamId, name: 'p', slug: projectId, network_index: 0 })
  await db('service').insert({
    id: serviceId,
    project_id: projectId,
    team_id: teamId,
    name: 'web',
    visibility: 'public',
    slug: 'loja',
    vip_index: 0,
  })
  await place(serviceId, 'idle', { active: null, down: false, open: [], exits: [] }, 'service')

  async function place(id: string, state: string, context: object, kind = 'deployment'): Promise<void> {
    const finished = ['ready', 'failed', 'canceled'].includes(state)
    const status = kind === 'deployment' && finished ? 'done' : 'active'
    await db('actor').where({ id }).delete()
    const snapshot = JSON.stringify({ context })
    await insertActor(db, { id, kind, version: 1, status, state, snapshot, subject: null })
  }

  const deploy: Stage['deploy'] = async (ref, { state = 'building', settings = {}, image } = {}) => {
    const id = newId()
    const whole: DeploymentSettings = {
      serviceName: 'web',
      visibility: 'public',
      slug: 'loja',
      port: 8080,
      healthcheckPath: '/',
      startCommand: null,
      buildCommand: null,
      memoryMb: 256,
      cpus: 0.5,
      builder: 'auto',
      runAs: null,
      rootDir: null,
      source: { type: 'image', ref },
      image: null,
      ...settings,
    }
    const environment = { env: { PORT: '8080', TOKEN: SECRET, SSL_CERT_FILE: '/mine' }, secrets: [SECRET] }
    await db('deployment').insert({
      id,
      project_id: projectId,
      service_id: serviceId,
      team_id: teamId,
      trigger: 'api',
      source: JSON.stringify({ type: 'image', ref }),
      service_revision: 1,
      settings: JSON.stringify(whole),
      environment: keyring.seal(JSON.stringify(environment), id),
    })
    await place(id, state, { image: image ?? null })
    return id
  }

  const serve: Stage['serve'] = async ref => {
    const deploymentId = await deploy(ref)
    const about = { deploymentId, serviceId }
    const { image } = await perform.build(about, job())
    await place(deploymentId, 'deploying.stabilizing', { image })
    const started = await perform.start({ ...about, image }, job())
    await perform.switchTraffic({ ...about, ...started }, job())
    await place(deploymentId, 'ready', { image })
    await place(serviceId, 'running.watching', { active: deploymentId, down: false, open: [], exits: [] }, 'service')
    return deploymentId
  }

  async function mail(actorId: string): Promise<{ type: string }[]> {
    const { rows } = await db.raw('select event from inbox where actor_id = ? order by id', [actorId])
    return rows.map((row: { event: { type: string } }) => row.event)
  }

  return {
    tools,
    perform,
    projectId,
    serviceId,
    deploy,
    place: (id, state, context) => place(id, state, context, id === serviceId ? 'service' : 'deployment'),
    serve,
    mail,
  }
}

/** Waits for a condition; the test's own timeout ends what never comes true. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(10)
}
