// Random histories of calls against a small model of the contract (test/support/contract-model.ts): what the model says is
// answered, and what the API shows afterwards is what the model holds. A history that disagrees is made as short as it goes.
//   CAIS_HISTORY_SEED=1234 npx tap run test/integration/histories.test.ts                     the same histories again
//   CAIS_HISTORY_SEED=1234 CAIS_HISTORY_PATH=12:3 CAIS_HISTORY_REPLAY=AAB:C npx tap run …     the short one at once
//   CAIS_HISTORY_SECONDS=900 npx tap run --timeout=3000 …                                     for as long as this
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { reportHealth } from '../../db/queries/health.ts'
import { startApi, type Api, type Client, type Reply } from '../support/api.ts'
import {
  ContractModel,
  CRASHES,
  GOOD,
  NO_BUILD,
  type Deployment,
  type Refusal,
  type Service,
} from '../support/contract-model.ts'
import { Hands } from '../support/hands.ts'

const seed = Number(process.env.CAIS_HISTORY_SEED ?? (Date.now() ^ (Math.random() * 2 ** 31)) & 0x7fffffff)
const path = process.env.CAIS_HISTORY_PATH
const replayPath = process.env.CAIS_HISTORY_REPLAY
const SECONDS = Number(process.env.CAIS_HISTORY_SECONDS ?? 15)
const LONGEST = 40

interface Real {
  client: Client
  hands: Hands
  /** Of the project. */
  at: string
  /** Of this history alone: slugs and host names are taken once on the platform. */
  unique: string
}

type Step = fc.AsyncCommand<ContractModel, Real>
type Play = (model: ContractModel, real: Real) => Promise<void>

/** A call, and what the contract says of it. Then the world does all it can but what is held. */
function step(name: string, play: Play): Step {
  const run: Play = async (model, real) => {
    await play(model, real)
    await real.hands.work()
  }
  return { check: () => true, run, toString: () => name }
}

/** Of several refusals that apply any may come; where none does, the call succeeds. True when it did. */
function answered(reply: Reply, status: number, refusals: Refusal[] = []): boolean {
  const got = `${reply.status} ${reply.body?.error ?? ''}`
  if (refusals.length > 0 ? refusals.includes(got as Refusal) : reply.status === status) return refusals.length === 0
  throw new Error(
    `the contract says ${refusals.length > 0 ? refusals.join(' or ') : status}, the API ${got}: ${reply.text}`,
  )
}

const NOT_FOUND: Refusal[] = ['404 not_found']

/** Calls about a service that may not be there. */
const onService = (
  label: string,
  name: string,
  play: (service: Service, path: string, model: ContractModel, real: Real) => Promise<void>,
) =>
  step(`${label} ${name}`, async (model, real) => {
    const service = model.service(name)
    if (service) return play(service, `${real.at}/services/${name}`, model, real)
    answered(await real.client.get(`${real.at}/services/${name}`), 200, NOT_FOUND)
  })

// --- services

const createService = (name: string, memoryMb: number, slug: string | null) =>
  step(`create ${name} ${memoryMb} ${slug ?? 'private'}`, async (model, { client, at, unique }) => {
    const wanted = { name, memoryMb, slug: slug && `${unique}-${slug}` }
    const reply = await client.post(`${at}/services`, {
      name,
      resources: { memory_mb: memoryMb },
      ...(slug ? { visibility: 'public', slug: wanted.slug } : {}),
    })
    if (answered(reply, 201, model.refuseService(wanted))) model.addService(wanted)
  })

const resize = (name: string, memoryMb: number) =>
  onService(`memory ${memoryMb}`, name, async (service, path, model, { client }) => {
    const reply = await client.patch(path, { resources: { memory_mb: memoryMb } })
    if (!answered(reply, 200, model.refuseMemory(service, memoryMb)) || memoryMb === service.memoryMb) return
    service.memoryMb = memoryMb
    model.changed(service)
  })

const useImage = (name: string, image: string | null) =>
  onService(`image ${image}`, name, async (service, path, model, { client }) => {
    answered(await client.patch(path, { source: image && { type: 'image', ref: image } }), 200)
    if (image === service.image) return
    service.image = image
    model.changed(service)
  })

const movePort = (name: string, port: number) =>
  onService(`port ${port}`, name, async (service, path, model, { client }) => {
    answered(await client.patch(path, { port }), 200)
    if (port === service.port) return
    service.port = port
    model.changed(service)
    model.changedTarget(name)
  })

const rename = (name: string, to: string) =>
  onService(`rename to ${to}`, name, async (service, path, model, { client }) => {
    const refusals: Refusal[] = to !== name && model.isNameTaken(to) ? ['409 name_taken'] : []
    if (answered(await client.patch(path, { name: to }), 200, refusals)) model.rename(service, to)
  })

const publish = (name: string, slug: string) =>
  onService(`publish as ${slug}`, name, async (service, path, model, { client, unique }) => {
    const wanted = `${unique}-${slug}`
    const refusals: Refusal[] = wanted !== service.slug && model.isSlugTaken(wanted) ? ['409 slug_taken'] : []
    const reply = await client.patch(path, { visibility: 'public', slug: wanted })
    if (!answered(reply, 200, refusals) || wanted === service.slug) return
    service.slug = wanted
    model.changed(service)
    model.changedTarget(name)
  })

const hide = (name: string) =>
  onService('hide', name, async (service, path, model, { client }) => {
    const refusals: Refusal[] = service.domains.length > 0 ? ['400 invalid_request'] : []
    if (!answered(await client.patch(path, { visibility: 'private' }), 200, refusals) || service.slug === null) return
    service.slug = null
    model.changed(service)
    model.changedTarget(name)
  })

const removeService = (name: string) =>
  onService('delete', name, async (service, path, model, { client }) => {
    const refusals: Refusal[] = []
    if (service.volume) refusals.push('409 volume_attached')
    if (model.openOf(service).length > 0) refusals.push('409 deploy_in_progress')
    if (answered(await client.delete(path), 204, refusals)) model.removeService(service)
  })

// --- domains and volumes

const addDomain = (name: string, host: string) =>
  onService(`domain ${host}`, name, async (service, path, model, { client, unique }) => {
    const hostname = `${host}.${unique}.example.com`
    const refusals: Refusal[] = []
    if (service.slug === null) refusals.push('400 invalid_request')
    else if (model.services.some(one => one.domains.includes(hostname))) refusals.push('409 domain_taken')
    if (answered(await client.post(`${path}/domains`, { hostname }), 201, refusals)) service.domains.push(hostname)
  })

const removeDomain = (name: string) =>
  onService('delete domain of', name, async (service, path, _, { client }) => {
    const [oldest] = (await client.get(`${path}/domains`)).body.items
    if (!oldest) return
    answered(await client.delete(`${path}/domains/${oldest.id}`), 204)
    service.domains.shift()
  })

const putVolume = (name: string, mountPath: string, sizeGb: number) =>
  onService(`volume ${mountPath} ${sizeGb}`, name, async (service, path, model, { client }) => {
    const reply = await client.put(`${path}/volume`, { mount_path: mountPath, size_gb: sizeGb })
    const before = service.volume
    if (!answered(reply, before ? 200 : 201, model.refuseVolume(service, sizeGb))) return
    service.volume = { mountPath, sizeGb }
    if (before?.mountPath !== mountPath || before.sizeGb !== sizeGb) model.changed(service)
  })

const removeVolume = (name: string) =>
  onService('delete volume of', name, async (service, path, model, { client }) => {
    const isOpen = model.openOf(service).length > 0
    const refusals: Refusal[] = !service.volume ? NOT_FOUND : isOpen ? ['409 deploy_in_progress'] : []
    if (answered(await client.delete(`${path}/volume`), 204, refusals)) model.removeVolume(service)
  })

// --- variables

const setVariable = (name: string, variable: string, value: string, sensitive: boolean | undefined) =>
  onService(`${variable}=${value} (${sensitive ?? 'as it is'})`, name, async (service, path, model, { client }) => {
    const before = service.variables.get(variable)
    const refusals: Refusal[] = before?.sensitive && sensitive === false ? ['409 sensitive_lowered'] : []
    const reply = await client.put(`${path}/variables/${variable}`, {
      value,
      ...(sensitive !== undefined && { sensitive }),
    })
    if (!answered(reply, 200, refusals)) return
    const after = { value, sensitive: sensitive ?? before?.sensitive ?? false }
    service.variables.set(variable, after)
    if (before?.value !== after.value || before.sensitive !== after.sensitive) model.changed(service)
  })

const unsetVariable = (name: string, variable: string) =>
  onService(`unset ${variable}`, name, async (service, path, model, { client }) => {
    const refusals = service.variables.has(variable) ? [] : NOT_FOUND
    if (!answered(await client.delete(`${path}/variables/${variable}`), 204, refusals)) return
    service.variables.delete(variable)
    model.changed(service)
  })

const share = (variable: string, value: string) =>
  step(`share ${variable}=${value}`, async (model, { client, at }) => {
    const before = model.shared.get(variable)
    answered(await client.put(`${at}/shared-variables`, { variables: [{ name: variable, value }] }), 200)
    model.shared.set(variable, { value, sensitive: false })
    if (before?.value !== value) model.changedSharedVariable(variable)
  })

const unshare = (variable: string) =>
  step(`unshare ${variable}`, async (model, { client, at }) => {
    const refusals = model.shared.has(variable) ? [] : NOT_FOUND
    if (!answered(await client.delete(`${at}/shared-variables/${variable}`), 204, refusals)) return
    model.changedSharedVariable(variable)
    model.shared.delete(variable)
  })

// --- databases

const createDatabase = (name: string, quotaMb: number) =>
  step(`create database ${name} ${quotaMb}`, async (model, { client, at }) => {
    const reply = await client.post(`${at}/databases`, { name, engine: 'postgres', quota_mb: quotaMb })
    if (answered(reply, 201, model.refuseDatabase({ name, quotaMb })))
      model.addDatabase({ name, quotaMb, restored: false })
  })

/** The host has made a database that was asked for, and filled it when it is restored. */
const provision = (name: string) =>
  step(`provision ${name}`, async (model, { client, hands, at }) => {
    const database = model.database(name)
    if (!database || database.ready) return
    const { id } = (await client.get(`${at}/databases/${name}`)).body
    await hands.work({ names: ['provisionDatabase'], id })
    database.ready = true
    database.credentials = await credentialsOf(client, `${at}/databases/${name}`)
  })

const rotate = (name: string) =>
  step(`rotate ${name}`, async (model, { client, hands, at }) => {
    const database = model.database(name)
    const refusals: Refusal[] = !database ? NOT_FOUND : database.ready ? [] : ['409 database_not_ready']
    const path = `${at}/databases/${name}`
    const reply = await hands.workDuring(client.post(`${path}/rotate`))
    if (!answered(reply, 200, refusals) || !database) return
    const before = database.credentials
    database.credentials = await credentialsOf(client, path)
    if (before.PGPASSWORD === database.credentials.PGPASSWORD) throw new Error('the password is what it was')
    model.changedTarget(name)
  })

const requota = (name: string, quotaMb: number) =>
  step(`quota of ${name} ${quotaMb}`, async (model, { client, at }) => {
    const database = model.database(name)
    const reply = await client.patch(`${at}/databases/${name}`, { quota_mb: quotaMb })
    if (answered(reply, 200, database ? model.refuseQuota(quotaMb) : NOT_FOUND) && database) database.quotaMb = quotaMb
  })

const removeDatabase = (name: string, finalBackup: boolean) =>
  step(`delete database ${name}${finalBackup ? '' : ' for good'}`, async (model, { client, at }) => {
    const database = model.database(name)
    const reply = await client.delete(`${at}/databases/${name}`, finalBackup ? undefined : { final_backup: false })
    if (answered(reply, 204, database ? [] : NOT_FOUND) && database) model.removeDatabase(database, finalBackup)
  })

const restore = (nth: number, name: string | null) =>
  step(`restore backup ${nth} as ${name ?? 'it was'}`, async (model, { client, at }) => {
    const backup = model.backups[nth]
    if (!backup) return
    const { id } = (await client.get(`${at}/backups`)).body.items[nth]
    const wanted = { name: name ?? backup.databaseName, quotaMb: backup.quotaMb }
    const reply = await client.post(`${at}/backups/${id}/restore`, name === null ? undefined : { name })
    if (answered(reply, 202, model.refuseDatabase(wanted))) model.addDatabase({ ...wanted, restored: true })
  })

async function credentialsOf(client: Client, path: string): Promise<Record<string, string>> {
  const { credentials } = (await client.post(`${path}/credentials`)).body
  return Object.fromEntries(credentials.map(({ name, value }: { name: string; value: string }) => [name, value]))
}

// --- deployments

const deploy = (name: string) =>
  onService('deploy', name, async (service, path, model, { client }) => {
    const reply = await client.post(`${path}/deployments`)
    if (answered(reply, 202, model.refuseDeployment(service))) model.deploy(service, reply.body.id)
  })

/** To the nth newest deployment, whatever became of it. */
const rollBack = (name: string, nth: number) =>
  onService(`roll back ${nth}`, name, async (service, path, model, { client }) => {
    const target = service.deployments.at(-1 - nth)
    if (!target) return
    const reply = await client.post(`${path}/deployments/${target.id}/rollback`)
    if (answered(reply, 202, model.refuseRollback(service, target))) model.rollBack(service, target, reply.body.id)
  })

const deployGroup = (names: string[] | null) =>
  step(`deploy group ${names?.join() ?? ''}`, async (model, { client, at }) => {
    const reply = await client.post(`${at}/deploy`, names ? { services: names } : undefined)
    if (!answered(reply, 202, model.refuseGroup(names))) return
    const items: { service_name: string; deployment_id: string }[] = reply.body.items
    const idOf = (service: Service) => items.find(one => one.service_name === service.name)?.deployment_id ?? ''
    model.deployGroup(reply.body.id, names, idOf)
  })

const cancelGroup = () =>
  step('cancel group', async (model, { client, at }) => {
    const group = model.groups.at(-1)
    if (!group) return
    answered(await client.post(`${at}/group-deployments/${group.id}/cancel`), 200)
    model.giveUp(group, 'canceled')
  })

/** The build that a service waits for ends, or else its new instance answers or exits. */
const advance = (name: string) =>
  onService('advance', name, async (service, _, model, { hands }) => {
    const deployment = model.openOf(service).find(one => one.status !== 'queued')
    if (!deployment) return
    const names = deployment.status === 'building' ? ['build'] : ['takeVolume', 'start']
    await hands.work({ names, id: deployment.id })
    model.advance(deployment)
  })

// --- what the API shows is what the model holds

// Answers of every shape are looked into.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Shown = Record<string, any>

function same(what: string, shown: unknown, held: unknown): void {
  const [api, model] = [JSON.stringify(shown), JSON.stringify(held)]
  if (api !== model) throw new Error(`${what}: the API shows ${api}, the model holds ${model}`)
}

const look = () =>
  step('look', async (model, real) => {
    const list = async (path: string): Promise<Shown[]> =>
      (await real.client.get(`${real.at}/${path}${path.includes('?') ? '&' : '?'}limit=100`)).body.items
    const services = await list('services')
    same(
      'services',
      services.map(one => one.name),
      model.services.map(one => one.name),
    )
    await Promise.all(model.services.map((service, i) => lookAt(service, services[i] as Shown, model, real, list)))
    same(
      'databases',
      (await list('databases')).map(one => [one.name, one.status, one.quota_mb]),
      model.databases.map(one => [one.name, one.ready ? 'ready' : 'provisioning', one.quotaMb]),
    )
    same(
      'backups',
      (await list('backups')).map(one => [one.database_name, one.status]),
      model.backups.map(one => [one.databaseName, 'ready']),
    )
    same('shared variables', await variablesIn('shared-variables', list), heldVariables(model, model.shared, true))
    const limits: Shown = (await real.client.get('/limits')).body
    for (const [resource, used] of Object.entries(model.used)) same(resource, limits[resource].used, used)
    for (const group of model.groups) {
      const shown: Shown = (await real.client.get(`${real.at}/group-deployments/${group.id}`)).body
      same('group', shown.status, group.status)
      // What a deleted service's deployment came to is not told any more.
      const items = group.items.flatMap((item, i) => (item.service.gone ? [] : [[item, shown.items[i]] as const]))
      same(
        'items of the group',
        items.map(([, one]) => [one.deployment_id, one.status, one.layer]),
        items.map(([one]) => [one.deployment?.id ?? null, one.deployment?.status ?? 'skipped', one.layer]),
      )
    }
  })

type List = (path: string) => Promise<Shown[]>

async function lookAt(
  service: Service,
  shown: Shown,
  model: ContractModel,
  { hands }: Real,
  list: List,
): Promise<void> {
  const { name, active } = service
  const of = `services/${name}`
  same(
    name,
    [shown.resources.memory_mb, shown.port, shown.slug, shown.source?.ref ?? null, shown.depends_on],
    [service.memoryMb, service.port, service.slug, service.image, model.dependsOn(service)],
  )
  same(`status of ${name}`, shown.status, model.statusOf(service))
  same(`needs_redeploy of ${name}`, shown.needs_redeploy, service.needsRedeploy)
  same(`active deployment of ${name}`, shown.active_deployment_id, active?.id ?? null)
  const [variables, domains, deployments, volumes] = await Promise.all([
    variablesIn(`${of}/variables`, list),
    list(`${of}/domains`),
    list(`${of}/deployments`),
    list('volumes'),
  ])
  same(`variables of ${name}`, variables, heldVariables(model, service.variables, false))
  const hostnames = domains.map(one => one.hostname)
  same(`domains of ${name}`, hostnames, service.domains)
  const ended = deployments.map(one => [one.id, one.status])
  same(`deployments of ${name}`, ended, service.deployments.map(one => [one.id, one.status]).reverse())
  const volume = volumes.find(one => one.service_id === shown.id)
  const isAttached = JSON.stringify(active?.volume) === JSON.stringify(service.volume)
  same(
    `volume of ${name}`,
    volume ? [volume.mount_path, volume.size_gb, volume.status] : null,
    service.volume && [service.volume.mountPath, service.volume.sizeGb, isAttached ? 'attached' : 'pending'],
  )
  same(`what serves ${name}`, hands.world.serving(shown.id), active?.id ?? null)
  if (active) same(`environment of ${name}`, environmentOf(active, hands), sorted(active.environment))
}

/** Of the instance, without what the platform gives to every one. */
function environmentOf({ id }: Deployment, { world }: Hands): object {
  const env = Object.entries(world.instance(id)?.spec.env ?? {})
  return sorted(Object.fromEntries(env.filter(([name]) => !(name in world.instanceTrust.env))))
}

const sorted = (env: Record<string, string>) => Object.fromEntries(Object.entries(env).sort())

async function variablesIn(path: string, list: List): Promise<unknown[]> {
  return (await list(`${path}?resolved=true`)).map(one => [one.name, one.sensitive, one.value, one.error !== undefined])
}

/** In the order in which they were made; writing one again does not move it. */
function heldVariables(model: ContractModel, variables: ContractModel['shared'], areShared: boolean): unknown[] {
  return [...variables].map(([name, variable]) => {
    const { value, errors } = model.clear(variable, areShared ? [name] : [])
    return [name, variable.sensitive, value, errors.size > 0]
  })
}

// --- histories

// Some more often than others, so that much happens to one service, and enough to have five in a layer.
const name = fc.constantFrom('web', 'web', 'web', 'api', 'api', 'worker', 'fila', 'cron', 'painel')
const memory = fc.constantFrom(64, 256, 512, 1024, 2048)
const slug = fc.constantFrom('um', 'dois')
const image = fc.constantFrom(GOOD, GOOD, CRASHES, NO_BUILD, null)
const port = fc.constantFrom(8080, 3000)
const variable = fc.constantFrom('A', 'B', 'PORT')
const value = fc.constantFrom(
  '1',
  '',
  '$${{api.PORT}}',
  '${{web.PUBLIC_URL}}',
  '${{api.PRIVATE_URL}}/${{api.PORT}}',
  '${{worker.PORT}}',
  '${{db.DATABASE_URL}}',
  '<${{shared.S}}>',
  '${{shared.T}}',
  '${{nada.PORT}}',
  '${{torto',
)
const sharedName = fc.constantFrom('S', 'T')
const sharedValue = fc.constantFrom(
  's',
  '${{shared.S}}',
  '${{shared.T}}',
  '${{api.PORT}}',
  '${{db.PGPASSWORD}}',
  '$${{x}}',
)
const databaseName = fc.constantFrom('db', 'cache', 'api')
const group = fc.oneof(fc.constant(null), fc.uniqueArray(name, { minLength: 1, maxLength: 4 }))
const quota = fc.constantFrom(64, 1024, 10_241)
const sizeGb = fc.constantFrom(1, 5, 12)

const often = <T>(times: number, one: fc.Arbitrary<T>): fc.Arbitrary<T>[] => Array.from({ length: times }, () => one)
const steps: fc.Arbitrary<Step>[] = [
  ...often(
    3,
    fc.tuple(name, memory, fc.option(slug, { freq: 2 })).map(each => createService(...each)),
  ),
  fc.tuple(name, memory).map(each => resize(...each)),
  ...often(
    4,
    fc.tuple(name, image).map(each => useImage(...each)),
  ),
  fc.tuple(name, port).map(each => movePort(...each)),
  fc.tuple(name, name).map(each => rename(...each)),
  fc.tuple(name, slug).map(each => publish(...each)),
  name.map(hide),
  name.map(removeService),
  fc.tuple(name, slug).map(each => addDomain(...each)),
  name.map(removeDomain),
  fc.tuple(name, fc.constantFrom('/app/a', '/app/b'), sizeGb).map(each => putVolume(...each)),
  name.map(removeVolume),
  ...often(
    3,
    fc.tuple(name, variable, value, fc.constantFrom(undefined, true, false)).map(each => setVariable(...each)),
  ),
  fc.tuple(name, variable).map(each => unsetVariable(...each)),
  ...often(
    2,
    fc.tuple(sharedName, sharedValue).map(each => share(...each)),
  ),
  sharedName.map(unshare),
  ...often(
    2,
    fc.tuple(databaseName, quota).map(each => createDatabase(...each)),
  ),
  ...often(3, databaseName.map(provision)),
  databaseName.map(rotate),
  fc.tuple(databaseName, quota).map(each => requota(...each)),
  fc.tuple(databaseName, fc.boolean()).map(each => removeDatabase(...each)),
  fc.tuple(fc.nat(1), fc.option(databaseName)).map(each => restore(...each)),
  ...often(4, name.map(deploy)),
  fc.tuple(name, fc.nat(2)).map(each => rollBack(...each)),
  ...often(3, group.map(deployGroup)),
  fc.constant(cancelGroup()),
  ...often(10, name.map(advance)),
  ...often(2, fc.constant(look())),
]

async function begin(api: Api, hands: Hands): Promise<{ model: ContractModel; real: Real }> {
  const { client } = await api.newTeam()
  const { id, slug } = await client.project(`historia ${client.token.slice(5, 20)}`)
  const model = new ContractModel(slug, api.config.appsDomain)
  const real = { client, hands, at: `/projects/${id}`, unique: slug.slice(0, 30).replace(/-$/, '') }
  // So that the first deployments have something to deploy.
  for (const each of [useImage('web', GOOD), createService('api', 256, null), useImage('api', GOOD)]) {
    await each.run(model, real)
  }
  return { model, real }
}

t.test(
  `histories agree with the model, seed ${seed} (C-149, D-50, D-55 to D-62)`,
  { timeout: (SECONDS + 300) * 1000 },
  async (t: Test) => {
    const api = await startApi(t, { env: { CAIS_STABILITY_MS: '0' } })
    const hands = new Hands(api, t.testdir())
    await reportHealth(api.db, 'postgres', true, null)
    const heart = setInterval(() => void reportHealth(api.db, 'postgres', true, null).catch(() => undefined), 5_000)
    t.teardown(() => clearInterval(heart))
    const commands = fc.commands(steps, { maxCommands: LONGEST, size: 'max', ...(replayPath && { replayPath }) })
    let played = 0
    const property = fc.asyncProperty(commands, async history => {
      played++
      await fc.asyncModelRun(() => begin(api, hands), [...history, look()])
    })
    const limit = { numRuns: 100_000, interruptAfterTimeLimit: SECONDS * 1000 }
    const result = await fc.check(property, { seed, ...limit, ...(path && { path, endOnFailure: true }) })
    const again = `CAIS_HISTORY_SEED=${seed} CAIS_HISTORY_PATH=${result.counterexamplePath}`
    const shown = `${again}\n${fc.stringify(result.counterexample)}\n${String(result.errorInstance)}`
    t.notOk(result.failed && result.counterexample !== null, shown)
    t.ok(played > 0, 'at least one was played')
    t.comment(`${played} histories`)
  },
)
