// Random histories of valid calls against a small model of the contract: what the model says is answered, and what the
// API shows afterwards is what the model holds. fast-check shrinks a history that disagrees.
//   CAIS_HISTORY_SEED=1234 npx tap run test/integration/histories.test.ts
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { startApi, type Api, type Client, type Reply } from '../support/api.ts'
import { makeReady, refuse } from '../support/deployments.ts'

const seed = Number(process.env.CAIS_HISTORY_SEED ?? (Date.now() ^ (Math.random() * 2 ** 31)) & 0x7fffffff)
const HISTORIES = 25
const LONGEST = 30
const SERVICES_OF_HOBBY = 10
const MEMORY_OF_HOBBY = 4096
const DEPLOYS_OF_HOBBY = 30
const NAMES = ['web', 'api', 'worker', 'cron', 'fila'] as const
type Name = (typeof NAMES)[number]

interface Variable {
  value: string
  sensitive: boolean
}

interface ModelService {
  memoryMb: number
  image: boolean
  variables: Map<string, Variable>
  /** Whether a deployment is open, and how the last one ended. */
  open: boolean
  everReady: boolean
  everDeployed: boolean
  failedLast: boolean
  /** D-59: changed since the deployment that counts was triggered; one that is open may settle it. */
  changed: boolean
  changedSinceTrigger: boolean
}

interface Model {
  services: Map<Name, ModelService>
  deploys: number
}

interface Real {
  api: Api
  client: Client
  at: string
  /** The open deployment of each service. */
  open: Map<Name, string>
}

const fresh = (memoryMb: number): ModelService => ({
  memoryMb,
  image: false,
  variables: new Map(),
  open: false,
  everReady: false,
  everDeployed: false,
  failedLast: false,
  changed: false,
  changedSinceTrigger: false,
})

const memoryOf = ({ services }: Model) => [...services.values()].reduce((sum, one) => sum + one.memoryMb, 0)

function expect(reply: Reply, status: number, error?: string): void {
  if (reply.status === status && (error === undefined || reply.body?.error === error)) return
  throw new Error(`expected ${status} ${error ?? ''}, got ${reply.status} ${reply.text}`)
}

type Step = fc.AsyncCommand<Model, Real>

/** A call and what it does to the model; the answer is what the model says. */
function step(name: string, run: (model: Model, real: Real) => Promise<void>): Step {
  return { check: () => true, run, toString: () => name }
}

function touch(service: ModelService): void {
  service.changed = true
  service.changedSinceTrigger = true
}

const create = (name: Name, memoryMb: number) =>
  step(`create ${name} ${memoryMb}`, async (model, { client, at }) => {
    const reply = await client.post(`${at}/services`, { name, resources: { memory_mb: memoryMb } })
    // The name is asked for last, but nothing tells which refusal comes first when several apply.
    const full = model.services.size >= SERVICES_OF_HOBBY || memoryOf(model) + memoryMb > MEMORY_OF_HOBBY
    if (model.services.has(name)) return expect(reply, full ? reply.status : 409)
    if (full) return expect(reply, 422, 'quota_exceeded')
    expect(reply, 201)
    model.services.set(name, fresh(memoryMb))
  })

const resize = (name: Name, memoryMb: number) =>
  step(`resize ${name} ${memoryMb}`, async (model, { client, at }) => {
    const reply = await client.patch(`${at}/services/${name}`, { resources: { memory_mb: memoryMb } })
    const service = model.services.get(name)
    if (!service) return expect(reply, 404, 'not_found')
    const fits = memoryOf(model) - service.memoryMb + memoryMb <= MEMORY_OF_HOBBY
    if (memoryMb !== service.memoryMb && !fits) return expect(reply, 422, 'quota_exceeded')
    expect(reply, 200)
    if (memoryMb !== service.memoryMb) touch(service)
    service.memoryMb = memoryMb
  })

const useImage = (name: Name) =>
  step(`image ${name}`, async (model, { client, at }) => {
    const reply = await client.patch(`${at}/services/${name}`, { source: { type: 'image', ref: 'app:1' } })
    const service = model.services.get(name)
    if (!service) return expect(reply, 404, 'not_found')
    expect(reply, 200)
    if (!service.image) touch(service)
    service.image = true
  })

const setVariable = (name: Name, variable: string, value: string, sensitive: boolean | undefined) =>
  step(`set ${name}.${variable} ${value} ${sensitive}`, async (model, { client, at }) => {
    const reply = await client.put(`${at}/services/${name}/variables/${variable}`, {
      value,
      ...(sensitive === undefined ? {} : { sensitive }),
    })
    const service = model.services.get(name)
    if (!service) return expect(reply, 404, 'not_found')
    const before = service.variables.get(variable)
    if (before?.sensitive && sensitive === false) return expect(reply, 409, 'sensitive_lowered')
    expect(reply, 200)
    const after = { value, sensitive: sensitive ?? before?.sensitive ?? false }
    if (before?.value !== after.value || before.sensitive !== after.sensitive) touch(service)
    service.variables.set(variable, after)
  })

const unsetVariable = (name: Name, variable: string) =>
  step(`unset ${name}.${variable}`, async (model, { client, at }) => {
    const reply = await client.delete(`${at}/services/${name}/variables/${variable}`)
    const service = model.services.get(name)
    if (!service?.variables.has(variable)) return expect(reply, 404, 'not_found')
    expect(reply, 204)
    service.variables.delete(variable)
    touch(service)
  })

const deploy = (name: Name) =>
  step(`deploy ${name}`, async (model, { client, at, open }) => {
    const reply = await client.post(`${at}/services/${name}/deployments`)
    const service = model.services.get(name)
    if (!service) return expect(reply, 404, 'not_found')
    if (service.open) return expect(reply, 409, 'deploy_in_progress')
    if (model.deploys >= DEPLOYS_OF_HOBBY) return expect(reply, 429, 'rate_limited')
    expect(reply, 202)
    model.deploys++
    open.set(name, reply.body.id)
    Object.assign(service, { open: true, changedSinceTrigger: false })
    if (!service.everReady) service.changed = false
    service.everDeployed = true
  })

/** The open deployment ends: ready when it can, else failed. */
const finish = (name: Name, well: boolean) =>
  step(`finish ${name} ${well ? 'well' : 'badly'}`, async (model, { api, open }) => {
    const service = model.services.get(name)
    const id = open.get(name)
    if (!service?.open || id === undefined) return
    if (well && service.image) await makeReady(api.db, id)
    else await refuse(api.db, id, 'build', 'build_oom')
    open.delete(name)
    const ready = well && service.image
    Object.assign(service, { open: false, failedLast: !ready, everReady: service.everReady || ready })
    if (ready) service.changed = service.changedSinceTrigger
  })

const remove = (name: Name) =>
  step(`delete ${name}`, async (model, { client, at }) => {
    const reply = await client.delete(`${at}/services/${name}`)
    const service = model.services.get(name)
    if (!service) return expect(reply, 404, 'not_found')
    if (service.open) return expect(reply, 409, 'deploy_in_progress')
    expect(reply, 204)
    model.services.delete(name)
  })

/** What the API shows is what the model holds. */
const look = () =>
  step('look', async (model, { client, at }) => {
    const { body } = await client.get(`${at}/services?limit=100`)
    const shown = (body.items as { name: string }[]).map(service => service.name)
    const wanted = [...model.services.keys()]
    if (JSON.stringify(shown.sort()) !== JSON.stringify(wanted.sort()))
      throw new Error(`${shown.join()} are not ${wanted.join()}`)
    for (const service of body.items) agree(service, model.services.get(service.name) as ModelService)
    for (const [name, { variables }] of model.services) {
      const list = (await client.get(`${at}/services/${name}/variables?resolved=true&limit=100`)).body.items
      const found = list.map((one: Variable & { name: string }) => [one.name, one.value, one.sensitive]).sort()
      const held = [...variables].map(([key, one]) => [key, one.value, one.sensitive]).sort()
      if (JSON.stringify(found) !== JSON.stringify(held)) throw new Error(`${name}: ${JSON.stringify([found, held])}`)
    }
    const limits = (await client.get('/limits')).body
    const used = [limits.services.used, limits.memory_mb.used, limits.deploys_per_hour.used]
    const counted = [model.services.size, memoryOf(model), model.deploys]
    if (JSON.stringify(used) !== JSON.stringify(counted))
      throw new Error(`limits: ${used.join()}, the model: ${counted.join()}`)
  })

function agree(shown: { name: string; status: string; needs_redeploy: boolean }, model: ModelService): void {
  const status = model.open ? 'deploying' : model.everReady ? 'running' : model.failedLast ? 'failed' : 'idle'
  const needsRedeploy = model.everDeployed && model.changed
  if (shown.status !== status) throw new Error(`${shown.name} is ${shown.status}, in the model ${status}`)
  if (shown.needs_redeploy !== needsRedeploy) {
    throw new Error(`${shown.name}: needs_redeploy ${shown.needs_redeploy}, in the model ${needsRedeploy}`)
  }
}

const name = fc.constantFrom(...NAMES)
const memory = fc.constantFrom(256, 512, 1024, 2048)
const variable = fc.constantFrom('A', 'B')
const value = fc.constantFrom('1', '2', '')
const sensitive = fc.constantFrom(undefined, true, false)
const steps: fc.Arbitrary<Step>[] = [
  fc.tuple(name, memory).map(each => create(...each)),
  fc.tuple(name, memory).map(each => resize(...each)),
  name.map(useImage),
  name.map(useImage),
  fc.tuple(name, variable, value, sensitive).map(each => setVariable(...each)),
  fc.tuple(name, variable).map(each => unsetVariable(...each)),
  name.map(deploy),
  name.map(deploy),
  fc.tuple(name, fc.boolean()).map(each => finish(...each)),
  fc.tuple(name, fc.boolean()).map(each => finish(...each)),
  name.map(remove),
  fc.constant(look()),
]

t.test(`histories agree with the model, seed ${seed} (CAIS_HISTORY_SEED replays it; C-149)`, async (t: Test) => {
  const api = await startApi(t, { env: { CAIS_STABILITY_MS: '0' } })
  const property = fc.asyncProperty(fc.commands(steps, { maxCommands: LONGEST, size: 'max' }), async history => {
    await fc.asyncModelRun(async () => {
      const { client } = await api.newTeam()
      const project = await client.project(`historia ${client.token.slice(5, 20)}`)
      const services = new Map<Name, ModelService>([['web', fresh(512)]])
      const real: Real = { api, client, at: `/projects/${project.id}`, open: new Map() }
      return { model: { services, deploys: 0 }, real }
    }, [...history, look()])
  })
  const result = await fc.check(property, { seed, numRuns: HISTORIES })
  t.notOk(
    result.failed,
    `CAIS_HISTORY_SEED=${seed}\n${fc.stringify(result.counterexample)}\n${String(result.errorInstance)}`,
  )
})
