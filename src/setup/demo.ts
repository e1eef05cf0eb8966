// `npm run demo`: the machine made ready, the platform started, and examples/loja deployed by an ordinary client of the
// API. It finds what an earlier run left, a group that still runs included, and does only what is missing.
import { platformAnswers, platformUrl, readToken } from '../cli/platform.ts'
import { readConfig, type Config } from '../config.ts'
import { CaisClient, isOpen, type Deployment, type Group, type Service } from '../client/index.ts'
import { startPlatform, type Platform } from '../main.ts'
import { announcer, secondsSince } from './announce.ts'
import {
  ensureDatabase,
  ensureProject,
  ensureServices,
  newestDeployment,
  packService,
  readServices,
  type ServiceName,
} from './loja.ts'
import { prepareMachine } from './machine.ts'
import { nextSteps } from './next-steps.ts'
import { follow, Screen, type Item } from './progress.ts'
import { requestPublicUrl } from './public-request.ts'
import { endSignal, untilReady, WHAT_GOES_ON } from './serve.ts'

/** Runs the demo until Ctrl-C. Throws when anything on the way to the HTTP 200 fails. */
export async function demo(): Promise<void> {
  const config = readConfig(undefined, { CAIS_LOG_LEVEL: 'error' })
  if (config.runtime === 'simulated')
    throw new Error('The demo deploys for real; on the simulated world use: npm run dev')
  const screen = new Screen()
  const announce = announcer(screen)
  const ended = endSignal()
  const platform = await findOrStart(config, announce, text => screen.line(text.trimEnd()))
  const client = new CaisClient({ url: platform.url, token: await tokenOf(config) })

  const finished = showLoja(screen, client, config, platform.url)
  try {
    const signal = await Promise.race([ended, finished.then(() => ended)])
    finished.catch(() => {}) // Stopping under its feet makes it fail; nobody is there to be told.
    screen.line(`\n${signal}: stopping the control plane.`)
  } finally {
    await platform.stop()
  }
  screen.line(platform.started ? WHAT_GOES_ON.trimEnd() : 'The platform was running before and goes on.')
  process.exit(0)
}

async function showLoja(screen: Screen, client: CaisClient, config: Config, url: string): Promise<void> {
  const announce = announcer(screen)
  const { project, created } = await ensureProject(client)
  if (created) screen.line('✓ project loja created, with its public service web')
  await announce('database db (postgres) ready', () => ensureDatabase(client, project.id))
  const services = await announce('services web, api, worker', () => ensureServices(client, project.id))

  await deployWhatChanged(screen, client, project.id, services)
  const web = (await readServices(client, project.id)).get('web')
  if (!web?.public_url) throw new Error('The service web has no public address')
  const answer = await requestPublicUrl(config, web.public_url)
  screen.line(
    `\nGET ${answer.url}  →  ${screen.bold(String(answer.status))}  in ${answer.milliseconds} ms, ${answer.protocol} verified with ${answer.caFile}`,
  )
  screen.line(answer.body.trimEnd())
  if (answer.status !== 200) throw new Error(`Expected 200 from ${answer.url}, got ${answer.status}`)
  screen.line(nextSteps(config, { url, publicUrl: answer.url, projectId: project.id, token: await tokenOf(config) }))
}

// Another `npm start` or `npm run demo` of this DATA_DIR may be running: then this one is just a client.
async function findOrStart(
  config: Config,
  announce: ReturnType<typeof announcer>,
  say: (text: string) => void,
): Promise<{ url: string; started: boolean; stop: () => Promise<void> }> {
  if (await platformAnswers(config)) {
    const url = platformUrl(config)
    say(`✓ platform already runs at ${url}`)
    return { url, started: false, stop: async () => {} }
  }
  await prepareMachine(config, { needs: ['data-plane', 'images'] }, announce, say)
  const platform = await announce('platform (control database, engines, router, API)', () => startReady(config))
  return { url: platform.url, started: true, stop: () => platform.stop() }
}

// A part that cannot start (a port taken, say) is better told now than as deployments that never end.
async function startReady(config: Config): Promise<Platform> {
  const platform = await startPlatform(config)
  try {
    await untilReady(platform.url)
    return platform
  } catch (error) {
    await platform.stop()
    throw error
  }
}

async function tokenOf(config: Config): Promise<string> {
  const token = await readToken(config)
  if (token === null) throw new Error(`There is no token in ${config.dataDir}/token`)
  return token
}

// An upload is a deployment by itself; the group then deploys the three in the order of their references.
async function deployWhatChanged(
  screen: Screen,
  client: CaisClient,
  projectId: string,
  services: Map<ServiceName, Service>,
): Promise<void> {
  const before = await newestOfAll(client, projectId, services)
  await finishWhatRuns(screen, client, projectId, services, before)
  const newest = await newestOfAll(client, projectId, services)
  const uploads = await uploadChanged(screen, client, projectId, services, newest)
  if (uploads.length > 0) {
    const items = await follow(screen, client, projectId, () => pollDeployments(client, projectId, uploads))
    await refuseFailures(client, projectId, items)
  }
  const now = await readServices(client, projectId)
  const settled = await newestOfAll(client, projectId, now)
  const deployed = [...now].every(([name, service]) => isDeployed(service, settled.get(name) ?? null))
  if (deployed) return screen.line('✓ web, api and worker run what is in examples/loja')
  await deployGroup(screen, client, projectId)
}

const isDeployed = (service: Service, newest: Deployment | null): boolean =>
  service.status === 'running' && !service.needs_redeploy && newest?.status === 'ready' && newest.group_id !== null

async function newestOfAll(
  client: CaisClient,
  projectId: string,
  services: Map<ServiceName, Service>,
): Promise<Map<ServiceName, Deployment | null>> {
  const entries = [...services].map(
    async ([name, service]) => [name, await newestDeployment(client, projectId, service.id)] as const,
  )
  return new Map(await Promise.all(entries))
}

// What a killed run had begun goes on by itself when the platform is back: show it to its end.
async function finishWhatRuns(
  screen: Screen,
  client: CaisClient,
  projectId: string,
  services: Map<ServiceName, Service>,
  newest: Map<ServiceName, Deployment | null>,
): Promise<void> {
  const open = [...newest].flatMap(([name, deployment]) =>
    deployment && isOpen(deployment.status) ? [{ name, service: services.get(name), deployment }] : [],
  )
  const groupId = open.find(one => one.deployment.group_id)?.deployment.group_id
  if (groupId) {
    screen.line(`→ group ${groupId} was under way and goes on`)
    await followGroup(screen, client, projectId, groupId)
  } else if (open.length > 0) {
    screen.line(`→ ${open.map(one => one.name).join(', ')}: under way, going on`)
    const uploads = open.map(({ name, deployment }) => ({
      name,
      serviceId: deployment.service_id,
      deploymentId: deployment.id,
    }))
    await follow(screen, client, projectId, () => pollDeployments(client, projectId, uploads))
  }
}

interface Upload {
  name: string
  serviceId: string
  deploymentId: string
}

async function uploadChanged(
  screen: Screen,
  client: CaisClient,
  projectId: string,
  services: Map<ServiceName, Service>,
  newest: Map<ServiceName, Deployment | null>,
): Promise<Upload[]> {
  const uploads: Upload[] = []
  for (const [name, service] of services) {
    const archive = await packService(name)
    const last = newest.get(name)
    if (last?.source.type === 'upload' && last.source.sha256 === archive.sha256 && last.status === 'ready') continue
    const { id } = await client.upload({ project: projectId, service: service.id }, archive.bytes, {
      name: `${name}.tar.gz`,
    })
    screen.line(`→ ${name}: examples/loja/${name} sent (${(archive.bytes.length / 1024).toFixed(1)} KiB)`)
    uploads.push({ name, serviceId: service.id, deploymentId: id })
  }
  return uploads
}

async function pollDeployments(
  client: CaisClient,
  projectId: string,
  uploads: Upload[],
): Promise<{ open: boolean; items: Item[] }> {
  const items = await Promise.all(
    uploads.map(async upload => {
      const path = { project: projectId, service: upload.serviceId, deployment: upload.deploymentId }
      const { status } = await client.get('/v1/projects/{project}/services/{service}/deployments/{deployment}', {
        path,
      })
      return { ...upload, status, layer: null, reason: null }
    }),
  )
  return { open: items.some(item => isOpen(item.status)), items }
}

async function deployGroup(screen: Screen, client: CaisClient, projectId: string): Promise<void> {
  const startedAt = Date.now()
  const group = await client.post('/v1/projects/{project}/deploy', { path: { project: projectId } })
  const layers = new Set(group.items.map(item => item.layer)).size
  screen.line(`→ group ${group.id}: ${group.items.length} services in ${layers} layers`)
  const ended = await followGroup(screen, client, projectId, group.id)
  if (ended.status !== 'ready') {
    await refuseFailures(client, projectId, itemsOf(ended))
    throw new Error(`The group ended ${ended.status}: ${ended.error?.message ?? ''}`)
  }
  screen.line(`✓ group ready … ${secondsSince(startedAt)}`)
}

async function followGroup(screen: Screen, client: CaisClient, projectId: string, groupId: string): Promise<Group> {
  const path = { project: projectId, group: groupId }
  const read = (): Promise<Group> => client.get('/v1/projects/{project}/group-deployments/{group}', { path })
  await follow(screen, client, projectId, async () => {
    const group = await read()
    return { open: group.status === 'running', items: itemsOf(group) }
  })
  return read()
}

const itemsOf = (group: Group): Item[] =>
  group.items.map(item => ({
    name: item.service_name,
    serviceId: item.service_id,
    deploymentId: item.deployment_id,
    status: item.status,
    layer: item.layer,
    reason: item.reason ?? null,
  }))

async function refuseFailures(client: CaisClient, projectId: string, items: Item[]): Promise<void> {
  const failed = items.find(item => item.status === 'failed' && item.deploymentId)
  if (!failed) return
  const path = { project: projectId, service: failed.serviceId, deployment: failed.deploymentId ?? '' }
  const deployment = await client.get('/v1/projects/{project}/services/{service}/deployments/{deployment}', { path })
  const { text } = await client.get('/v1/projects/{project}/services/{service}/logs', { path })
  const tail = text.trimEnd().split('\n').slice(-20).join('\n')
  throw new Error(`${failed.name} failed (${deployment.error?.code}): ${deployment.error?.message}\n${tail}`)
}
