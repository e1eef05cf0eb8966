// Private names and public routes of one machine: an interface, a packet filter, HAProxy and a name server. All of them
// outlive the platform. What they should say is kept in one file, and every change goes to disk before it goes live.
import { chmod, mkdir, rm } from 'node:fs/promises'
import http from 'node:http'
import { isIPv4 } from 'node:net'
import path from 'node:path'
import {
  buildInterface,
  databaseAddress,
  interfacePrefix,
  platformAddress,
  platformInterface,
} from '../../domain/addresses.ts'
import { databaseHostName } from '../../domain/database-variables.ts'
import { DriverError, type Router } from '../contracts.ts'
import { createFile, readIfPresent, writeChanged } from './atomic-file.ts'
import type { Authority } from './authority.ts'
import { hostResolvers } from './dns-forward.ts'
import { NameServer } from './dns.ts'
import { challengeFile, probeSocket, ROUTER_HEADER } from './haproxy-config.ts'
import { Haproxy, makeRunDir } from './haproxy.ts'
import { HostCertificates } from './host-certificates.ts'
import type { NameBook } from './names.ts'
import { ensureInterface, PacketFilter, removeInterface } from './network.ts'
import {
  answerChallenge,
  checkServiceId,
  checkWorld,
  countInFlight,
  mapEntries,
  moveEntries,
  readEntries,
  writeMaps,
  type Entries,
  type RouterWorld,
} from './routes.ts'
import { renderRules } from './rules.ts'

const PRIVATE_PORT = 9100
const CERTIFICATE_DAYS = 90
const PROBE_TIMEOUT_MS = 5000

export interface RouterSettings {
  instance: string
  platformPool: string
  appsDomain: string
  publicAddress: string
  httpsPort: number
  httpPort: number
}

export interface LocalRouter extends Router {
  /** File to mount as /etc/resolv.conf in every container; `ensure` writes it. */
  resolvConfPath: string
  /**
   * Makes every part be there and say what it should: starts what is missing, adopts what lives, repairs what was
   * changed. Repeating it changes nothing. Throws DriverError `unavailable` with one English sentence on what to do.
   */
  ensure(): Promise<void>
  /** Takes everything down, names and routes included. An ordinary end of the platform does NOT call this. */
  stop(): Promise<void>
  /** `detail` names the parts that are not well. */
  health(): Promise<{ ok: boolean; detail: string }>
}

/** Name server of every container: ours, asked for names as they are written. */
const containerResolvConf = (platformPool: string): string =>
  `nameserver ${platformAddress(platformPool)}\noptions ndots:0\n`

export function createRouter(options: {
  config: RouterSettings
  /** Keeps routes, certificate and logs over a reboot of the host. */
  stateDir: string
  authority: Authority
}): LocalRouter {
  const { config, stateDir, authority } = options
  const platform = platformAddress(config.platformPool)
  const databases = databaseAddress(config.platformPool)
  const interfaceName = platformInterface(config.instance)
  const runDir = `/run/cais-${config.instance}`
  const worldFile = path.join(stateDir, 'world.json')
  const resolvConfPath = path.join(stateDir, 'resolv.conf')

  const filter = new PacketFilter(config.instance)
  const names = new NameServer(runDir, path.join(stateDir, 'dns.log'), platform, databaseHostName(config.instance))
  const haproxy = new Haproxy(runDir, path.join(stateDir, 'haproxy.log'), {
    publicAddress: config.publicAddress,
    httpsPort: config.httpsPort,
    httpPort: config.httpPort,
    platformAddress: platform,
    privatePort: PRIVATE_PORT,
  })
  const command = (text: string): Promise<string> => haproxy.command(text)
  const hosts = new HostCertificates(runDir, path.join(stateDir, 'hosts.json'), command)
  const inTurn = createQueue()
  let world: RouterWorld | null = null
  /** What the running HAProxy has; null = look. */
  let live: Entries | null = null

  /** What the last change left on disk, whoever made it. */
  async function loadWorld(): Promise<RouterWorld> {
    if (world) return world
    await mkdir(stateDir, { recursive: true })
    await chmod(stateDir, 0o700)
    await makeRunDir(runDir)
    const text = await readIfPresent(worldFile)
    world = text === null ? { networks: [], routes: [] } : (JSON.parse(text) as RouterWorld)
    return world
  }

  async function ensure(): Promise<void> {
    const now = await loadWorld()
    await ensureInterface(interfaceName, [platform, databases])
    await filter.ensure(rulesFor(now))
    await names.write(bookFor(now))
    await names.ensure()
    await writeChanged(resolvConfPath, containerResolvConf(config.platformPool))
    await makeRunDir(runDir)
    await writeMaps(runDir, mapEntries(now.routes))
    const certificate = await authority.issue({
      names: [`*.${config.appsDomain}`, config.appsDomain],
      dir: path.join(stateDir, 'tls'),
      file: 'apps',
      days: CERTIFICATE_DAYS,
    })
    await hosts.write()
    await createFile(challengeFile(runDir), '')
    const started = await haproxy.ensure(certificate)
    await hosts.goLive(started)
    live = await readEntries(command, runDir)
    await goLive(mapEntries(now.routes))
  }

  /** To disk, then live: the way to an address before its target, its target before its name. */
  async function change(next: RouterWorld): Promise<void> {
    await loadWorld()
    checkWorld(next)
    await writeChanged(worldFile, JSON.stringify(next), 0o600)
    world = next
    await writeMaps(runDir, mapEntries(next.routes))
    await filter.change(rulesFor(next))
    await goLive(mapEntries(next.routes))
    await names.write(bookFor(next))
  }

  async function goLive(entries: Entries): Promise<void> {
    const from = live ?? (await readEntries(command, runDir))
    live = null // until all of it is done, we do not know
    await moveEntries(command, runDir, from, entries)
    live = entries
  }

  function rulesFor(now: RouterWorld): string {
    const bridges = new Map(now.networks.map(network => [network.projectId, network.name]))
    return renderRules({
      table: config.instance,
      prefix: interfacePrefix(config.instance),
      buildInterface: buildInterface(config.instance),
      platformAddress: platform,
      databaseAddress: databases,
      privatePort: PRIVATE_PORT,
      publicAddress: /^(127\.|0\.0\.0\.0$)/.test(config.publicAddress) ? null : config.publicAddress,
      publicPorts: [config.httpsPort, config.httpPort],
      resolvers: hostResolvers().filter(address => isIPv4(address) && !address.startsWith('127.')),
      networks: now.networks,
      services: now.routes.flatMap(route => {
        const network = bridges.get(route.projectId)
        return network === undefined ? [] : [{ network, vip: route.vip }]
      }),
    })
  }

  function bookFor(now: RouterWorld): NameBook {
    const host = databaseHostName(config.instance)
    return {
      common: { [host]: databases, [`*.${host}`]: databases }, // libSQL has a name for each database
      projects: now.networks.map(({ projectId, subnet }) => {
        const own = now.routes.filter(route => route.projectId === projectId)
        return { subnet, names: Object.fromEntries(own.map(route => [route.serviceName, route.vip])) }
      }),
    }
  }

  return {
    resolvConfPath,
    ensure: () => inTurn(ensure),
    sync: next => inTurn(() => change({ networks: next.networks, routes: next.routes })),
    set: (route, networks) =>
      inTurn(async () => {
        const now = await loadWorld()
        await change({
          networks: merged(now.networks, networks, network => network.projectId),
          routes: merged(now.routes, [route], each => each.serviceId),
        })
      }),
    certify: certificates => inTurn(() => hosts.set(certificates)),
    challenge: (token, answer) => inTurn(() => answerChallenge(command, challengeFile(runDir), token, answer)),
    inFlight: target => countInFlight(command, target),
    async probe(serviceId, requestPath, host) {
      checkServiceId(serviceId)
      return await askThroughRouter(probeSocket(runDir), serviceId, requestPath, host)
    },
    async health() {
      const parts = {
        'the packet filter was changed or is missing': await filter.intact().catch(() => false),
        'HAProxy does not run': await haproxy.alive(),
        'the name server does not answer': await names.alive(),
      }
      const wrong = Object.entries(parts).filter(([, well]) => !well)
      return { ok: wrong.length === 0, detail: wrong.map(([what]) => what).join('; ') || 'routing' }
    },
    stop: () =>
      inTurn(async () => {
        await haproxy.stop()
        await names.stop()
        await filter.remove()
        await removeInterface(interfaceName)
        await rm(runDir, { recursive: true, force: true })
      }),
  }
}

/** Status of one request to the service, or null when the router had to answer in its stead. */
function askThroughRouter(socketPath: string, serviceId: string, target: string, host: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const headers = { host, 'x-cais-service': serviceId, connection: 'close', 'user-agent': 'cais-probe' }
    const request = http.request({ socketPath, path: target, headers, timeout: PROBE_TIMEOUT_MS, agent: false })
    request.on('response', response => {
      response.resume()
      resolve(ROUTER_HEADER in response.headers ? null : (response.statusCode ?? null))
    })
    request.on('timeout', () => {
      request.destroy()
      resolve(null)
    })
    request.on('error', cause => {
      const gone = ['ENOENT', 'ECONNREFUSED'].includes((cause as NodeJS.ErrnoException).code ?? '')
      if (gone) reject(new DriverError('unavailable', 'HAProxy does not run', { temporary: true, cause }))
      else resolve(null) // the instance closed without an answer
    })
    request.end()
  })
}

/** Jobs one after the other, in the order in which they were asked for; one that fails does not stop the next. */
function createQueue(): <T>(job: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return job => {
    const next = last.then(job, job)
    last = next.catch(() => undefined)
    return next
  }
}

function merged<T>(list: T[], changes: T[], keyOf: (item: T) => string): T[] {
  const byKey = new Map([...list, ...changes].map(item => [keyOf(item), item]))
  return [...byKey.values()]
}
