// The application of examples/loja in the words of the API: what the demo creates, finds again, and deploys.
import { fileURLToPath } from 'node:url'
import type { Body, CaisClient, Deployment, Project, Service } from '../client/index.ts'
import { packFolder } from './archive.ts'

type Settings = Omit<Body<'/v1/projects/{project}/services', 'post'>, 'name' | 'kind'>
type NewVariable = Body<'/v1/projects/{project}/shared-variables', 'put'>['variables'][number]

const folder = fileURLToPath(new URL('../../examples/loja/', import.meta.url))
const resources = { memory_mb: 256, cpus: 0.5 }

const services = {
  api: {
    settings: { visibility: 'private', healthcheck_path: '/saude', build: { builder: 'node' }, resources },
    variables: [{ name: 'DATABASE_URL', value: '${{db.DATABASE_URL}}', sensitive: true }],
  },
  worker: {
    settings: { visibility: 'private', healthcheck_path: '/', build: { builder: 'dockerfile' }, resources },
    variables: [
      { name: 'DATABASE_URL', value: '${{db.DATABASE_URL}}', sensitive: true },
      { name: 'API_URL', value: '${{api.PRIVATE_URL}}' },
      { name: 'LOJA_NOME', value: '${{shared.LOJA_NOME}}' },
    ],
  },
  web: {
    settings: { healthcheck_path: '/saude', build: { builder: 'auto' }, resources },
    variables: [
      { name: 'API_URL', value: '${{api.PRIVATE_URL}}' },
      { name: 'LOJA_NOME', value: '${{shared.LOJA_NOME}}' },
    ],
  },
} satisfies Record<string, { settings: Settings; variables: NewVariable[] }>

const shared: NewVariable[] = [{ name: 'LOJA_NOME', value: 'Loja do Cais' }]

export type ServiceName = keyof typeof services
export const serviceNames = Object.keys(services) as ServiceName[]

/** Finds the project, or creates it; it comes with its public service `web`. */
export async function ensureProject(client: CaisClient): Promise<{ project: Project; created: boolean }> {
  const found = (await client.list('/v1/projects')).find(project => project.name === 'loja')
  if (found) return { project: found, created: false }
  return { project: await client.post('/v1/projects', { body: { name: 'loja' } }), created: true }
}

/** Finds or creates the database `db` and waits until it is ready. */
export async function ensureDatabase(client: CaisClient, project: string): Promise<void> {
  const there = (await client.list('/v1/projects/{project}/databases', { path: { project } })).find(
    database => database.name === 'db',
  )
  const body = { name: 'db', engine: 'postgres' } as const
  const { id } = there ?? (await client.post('/v1/projects/{project}/databases', { path: { project }, body }))
  await client.waitForDatabase({ project, database: id }, { firstWaitMs: 200 })
}

/** Finds or creates the services, and gives them the variables they do not have yet. */
export async function ensureServices(client: CaisClient, project: string): Promise<Map<ServiceName, Service>> {
  await ensureSharedVariables(client, project)
  const existing = await client.list('/v1/projects/{project}/services', { path: { project } })
  for (const name of serviceNames) {
    const there = existing.find(service => service.name === name)
    const { settings } = services[name]
    if (!there) await client.post('/v1/projects/{project}/services', { path: { project }, body: { name, ...settings } })
    else if (there.status === 'idle') {
      const path = { project, service: there.id }
      await client.patch('/v1/projects/{project}/services/{service}', { path, body: settings })
    }
    await ensureVariables(client, { project, service: name }, services[name].variables)
  }
  return readServices(client, project)
}

export async function readServices(client: CaisClient, project: string): Promise<Map<ServiceName, Service>> {
  const list = await client.list('/v1/projects/{project}/services', { path: { project } })
  return new Map(
    serviceNames.map(name => {
      const service = list.find(one => one.name === name)
      if (!service) throw new Error(`The service ${name} of the project loja is gone`)
      return [name, service]
    }),
  )
}

/** The newest deployment of a service; null when it never had one. */
export async function newestDeployment(
  client: CaisClient,
  project: string,
  service: string,
): Promise<Deployment | null> {
  const at = { path: { project, service }, query: { limit: 1 } }
  const page = await client.get('/v1/projects/{project}/services/{service}/deployments', at)
  return page.items[0] ?? null
}

/** The sources of a service as an archive. */
export async function packService(name: ServiceName): Promise<{ bytes: Buffer; sha256: string }> {
  return packFolder(`${folder}${name}`)
}

async function ensureSharedVariables(client: CaisClient, project: string): Promise<void> {
  const at = '/v1/projects/{project}/shared-variables'
  const variables = absent(shared, await client.list(at, { path: { project } }))
  if (variables.length > 0) await client.put(at, { path: { project }, body: { variables } })
}

async function ensureVariables(
  client: CaisClient,
  path: { project: string; service: string },
  wanted: NewVariable[],
): Promise<void> {
  const at = '/v1/projects/{project}/services/{service}/variables'
  const variables = absent(wanted, await client.list(at, { path }))
  if (variables.length > 0) await client.put(at, { path, body: { variables } })
}

function absent(wanted: NewVariable[], there: { name: string }[]): NewVariable[] {
  const names = new Set(there.map(variable => variable.name))
  return wanted.filter(variable => !names.has(variable.name))
}
