// The application of examples/loja in the words of the API: what the demo creates, finds again, and deploys.
import { fileURLToPath } from 'node:url'
import type { ApiClient } from './api-client.ts'
import { packFolder } from './archive.ts'

export interface Project {
  id: string
  name: string
}

export interface Service {
  id: string
  name: string
  status: string
  needs_redeploy: boolean
  active_deployment_id: string | null
  public_url?: string
}

export interface Database {
  id: string
  name: string
  status: string
}

export interface Deployment {
  id: string
  service_id: string
  status: string
  group_id: string | null
  source: { type: string; sha256?: string } | null
  error?: { code: string; message: string }
}

export interface Group {
  id: string
  status: string
  items: {
    service_id: string
    service_name: string
    deployment_id: string | null
    status: string
    layer: number
    reason?: string
  }[]
  error?: { code: string; message: string }
}

interface Variable {
  name: string
  value: string
  sensitive?: boolean
}

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
} satisfies Record<string, { settings: object; variables: Variable[] }>

const shared: Variable[] = [{ name: 'LOJA_NOME', value: 'Loja do Cais' }]

export type ServiceName = keyof typeof services
export const serviceNames = Object.keys(services) as ServiceName[]

/** Finds the project, or creates it; it comes with its public service `web`. */
export async function ensureProject(client: ApiClient): Promise<{ project: Project; created: boolean }> {
  const found = (await client.list<Project>('/projects')).find(project => project.name === 'loja')
  if (found) return { project: found, created: false }
  return { project: await client.send<Project>('POST', '/projects', { name: 'loja' }), created: true }
}

/** Finds or creates the database `db` and waits until it is ready. */
export async function ensureDatabase(client: ApiClient, projectId: string): Promise<void> {
  const path = `/projects/${projectId}/databases`
  let database = (await client.list<Database>(path)).find(one => one.name === 'db')
  database ??= await client.send<Database>('POST', path, { name: 'db', engine: 'postgres' })
  for (const deadline = Date.now() + 10 * 60_000; database.status !== 'ready';) {
    if (Date.now() > deadline)
      throw new Error('The database db is not ready after 10 minutes: npm run -s cais -- doctor')
    await new Promise(resolve => setTimeout(resolve, 200))
    database = await client.get<Database>(`${path}/${database.id}`)
  }
}

/** Finds or creates the services, and gives them the variables they do not have yet. */
export async function ensureServices(client: ApiClient, projectId: string): Promise<Map<ServiceName, Service>> {
  const base = `/projects/${projectId}`
  await ensureVariables(client, `${base}/shared-variables`, shared)
  const existing = await client.list<Service>(`${base}/services`)
  for (const name of serviceNames) {
    const there = existing.find(service => service.name === name)
    if (!there) await client.send('POST', `${base}/services`, { name, kind: 'app', ...services[name].settings })
    else if (there.status === 'idle')
      await client.send('PATCH', `${base}/services/${there.id}`, services[name].settings)
    await ensureVariables(client, `${base}/services/${name}/variables`, services[name].variables)
  }
  return readServices(client, projectId)
}

export async function readServices(client: ApiClient, projectId: string): Promise<Map<ServiceName, Service>> {
  const list = await client.list<Service>(`/projects/${projectId}/services`)
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
  client: ApiClient,
  projectId: string,
  serviceId: string,
): Promise<Deployment | null> {
  const page = await client.get<{ items: Deployment[] }>(
    `/projects/${projectId}/services/${serviceId}/deployments?limit=1`,
  )
  return page.items[0] ?? null
}

/** The sources of a service as an archive. */
export async function packService(name: ServiceName): Promise<{ bytes: Buffer; sha256: string }> {
  return packFolder(`${folder}${name}`)
}

async function ensureVariables(client: ApiClient, path: string, variables: Variable[]): Promise<void> {
  const there = new Set((await client.list<Variable>(path)).map(variable => variable.name))
  const absent = variables.filter(variable => !there.has(variable.name))
  if (absent.length > 0) await client.send('PUT', path, { variables: absent })
}
