// Routes as HAProxy's maps: on disk, where it reads them when it starts, and inside the running one.
import { isIPv4 } from 'node:net'
import type { ProjectNetwork, Route } from '../contracts.ts'
import { DriverError } from '../contracts.ts'
import { writeChanged } from './atomic-file.ts'
import { MAPS, mapFile, type MapName } from './haproxy-config.ts'

/** Everything the router knows. Rules, names and maps follow from it. */
export interface RouterWorld {
  networks: ProjectNetwork[]
  routes: Route[]
}

export type Entries = Record<MapName, Map<string, string>>

/** Where a service's requests go, as one map value: so that one command moves them, whatever changes. */
function targetValue(route: Route): string {
  const { target, port } = route
  if (target === null) return `none:0:${port}`
  if (target === 'hold') return `hold:0:${port}`
  return `${target.address}:${target.port}:${port}`
}

/** What the three maps should hold. */
export function mapEntries(routes: Route[]): Entries {
  return {
    target: new Map(routes.map(route => [route.serviceId, targetValue(route)])),
    private: new Map(routes.map(route => [route.vip, route.serviceId])),
    public: new Map(routes.flatMap(route => route.hosts.map(host => [host, route.serviceId] as const))),
  }
}

/** Writes the maps that HAProxy reads when it starts. */
export async function writeMaps(runDir: string, entries: Entries): Promise<void> {
  for (const map of MAPS) {
    const lines = [...entries[map]].map(([key, value]) => `${key} ${value}\n`)
    await writeChanged(mapFile(runDir, map), lines.join(''))
  }
}

type Command = (text: string) => Promise<string>

/** Sets one entry in the running HAProxy. */
async function setEntry(command: Command, file: string, key: string, value: string): Promise<void> {
  const answer = await command(`set map ${file} ${key} ${value}`)
  if (answer === '') return
  if (!answer.includes('not found')) throw refusal(answer)
  const added = await command(`add map ${file} ${key} ${value}`)
  if (added !== '') throw refusal(added)
}

async function deleteEntry(command: Command, file: string, key: string): Promise<void> {
  const answer = await command(`del map ${file} ${key}`)
  if (answer !== '' && !answer.includes('not found')) throw refusal(answer)
}

/**
 * Brings the running HAProxy from one set of entries to another. Targets go first, so that no name ever leads to a
 * service without one; what is no longer wanted goes last. A service that only moves is one command.
 */
export async function moveEntries(command: Command, runDir: string, from: Entries, to: Entries): Promise<void> {
  for (const map of ['target', 'private', 'public'] as const) {
    for (const [key, value] of to[map]) {
      if (from[map].get(key) !== value) await setEntry(command, mapFile(runDir, map), key, value)
    }
  }
  for (const map of ['public', 'private', 'target'] as const) {
    for (const key of from[map].keys()) {
      if (!to[map].has(key)) await deleteEntry(command, mapFile(runDir, map), key)
    }
  }
}

/** What the running HAProxy has now. */
export async function readEntries(command: Command, runDir: string): Promise<Entries> {
  const read = async (map: MapName): Promise<Map<string, string>> => {
    const lines = (await command(`show map ${mapFile(runDir, map)}`)).split('\n')
    const fields = lines.map(line => /^0x[0-9a-f]+ (\S+) (\S+)$/.exec(line))
    return new Map(fields.flatMap(found => (found ? [[found[1] ?? '', found[2] ?? ''] as const] : [])))
  }
  return { private: await read('private'), public: await read('public'), target: await read('target') }
}

/** One entry of the map of challenges; only the running HAProxy has it, because a challenge does not outlive its order. */
export async function answerChallenge(
  command: Command,
  file: string,
  token: string,
  answer: string | null,
): Promise<void> {
  check(CHALLENGE.test(token) && (answer === null || CHALLENGE.test(answer)), 'challenge', token)
  const key = `/.well-known/acme-challenge/${token}`
  if (answer === null) await deleteEntry(command, file, key)
  else await setEntry(command, file, key, answer)
}

/** Requests and tunnels in flight to this instance, from the stick table that counts them. */
export async function countInFlight(command: Command, target: { address: string; port: number }): Promise<number> {
  checkTarget(target)
  const table = await command(`show table targets key ${target.address}:${target.port}`)
  return Number(/ conn_cur=(\d+)/.exec(table)?.[1] ?? 0)
}

const CHALLENGE = /^[A-Za-z0-9_.-]{1,512}$/
const NAME = /^[a-z][a-z0-9-]{0,62}$/
const IDENTIFIER = /^[A-Za-z0-9_-]{1,64}$/
const HOST = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9]([a-z0-9-]{0,62}))*$/
const INTERFACE = /^[a-z0-9-]{1,15}$/i
const SUBNET = /^\d{1,3}(\.\d{1,3}){3}\/([0-9]|[12][0-9]|3[0-2])$/

/** Throws TypeError unless each text that goes into a map, a rule or a command is of the form that it must have. */
export function checkWorld(world: RouterWorld): void {
  for (const network of world.networks) {
    check(INTERFACE.test(network.name), 'network name', network.name)
    check(SUBNET.test(network.subnet) && isIPv4(network.subnet.split('/')[0] ?? ''), 'subnet', network.subnet)
    check(IDENTIFIER.test(network.projectId), 'project id', network.projectId)
  }
  for (const route of world.routes) {
    check(IDENTIFIER.test(route.serviceId), 'service id', route.serviceId)
    check(IDENTIFIER.test(route.projectId), 'project id', route.projectId)
    check(NAME.test(route.serviceName), 'service name', route.serviceName)
    check(isIPv4(route.vip), 'address', route.vip)
    checkPort(route.port)
    for (const host of route.hosts) check(HOST.test(host), 'host name', host)
    if (route.target !== null && route.target !== 'hold') checkTarget(route.target)
  }
}

/** Throws TypeError unless a host may be part of a file name and of a command. */
export function checkHost(host: string): void {
  check(HOST.test(host) && !host.includes('..'), 'host name', host)
}

export function checkServiceId(serviceId: string): void {
  check(IDENTIFIER.test(serviceId), 'service id', serviceId)
}

function checkTarget(target: { address: string; port: number }): void {
  check(isIPv4(target.address), 'address', target.address)
  checkPort(target.port)
}

function checkPort(port: number): void {
  check(Number.isInteger(port) && port >= 1 && port <= 65535, 'port', port)
}

function check(good: boolean, what: string, value: unknown): void {
  if (!good) throw new TypeError(`not a ${what} that the router can use: ${JSON.stringify(value)}`)
}

function refusal(answer: string): DriverError {
  return new DriverError('unavailable', `HAProxy refused a route: ${answer}`, { temporary: true })
}
