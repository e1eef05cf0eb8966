// What tests of database engines stand on: the address of the database host, and two projects' networks with clients.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { databaseAddress, gatewayOf, platformInterface, projectSubnet } from '../../src/domain/addresses.ts'
import { newCredentials, rotatedCredentials } from '../../src/domain/database-credentials.ts'
import { databaseHostName } from '../../src/domain/database-variables.ts'
import type { DatabaseEngine, DatabaseLifecycle, Engine, TenantDatabase } from '../../src/drivers/contracts.ts'
import { openAuthority, type Authority } from '../../src/drivers/router/authority.ts'
import { makeRoom, type Answer, type Room } from './network-room.ts'

const run = promisify(execFile)
const program = fileURLToPath(new URL('./database-client.mjs', import.meta.url))

/** What every engine is under test. */
export type LiveEngine = DatabaseEngine &
  DatabaseLifecycle & {
    ensure(): Promise<void>
    stop(): Promise<void>
    health(): Promise<{ healthy: boolean; detail: string | null }>
  }

export interface Premises {
  config: { instance: string; platformPool: string }
  dataDir: string
  authority: Authority
  /** Address that engines listen on. */
  address: string
  /** A database of the first (`shop`) or the second (`blog`) project. */
  tenant(databaseId: string, project: 'shop' | 'blog'): Promise<TenantDatabase>
  rooms: { shop: Room; blog: Room }
  leave(): Promise<void>
}

/** Makes an address for the host and a room for each project. `number` keeps the addresses of tests apart. */
export async function openPremises(instance: string, engine: Engine, number: number, ids: string[]): Promise<Premises> {
  const config = { instance, platformPool: `10.${number}.0.0/16` }
  const projects = `10.${number + 1}.0.0/16`
  const address = databaseAddress(config.platformPool)
  const link = platformInterface(instance)
  const dataDir = await mkdtemp(`/tmp/cais-${instance}-`)
  await chmod(dataDir, 0o711) // As the platform makes its own: the server's account has to get through.
  await run('ip', ['link', 'del', link]).catch(() => undefined)
  await run('ip', ['link', 'add', link, 'type', 'bridge'])
  await run('ip', ['addr', 'add', `${address}/32`, 'dev', link])
  await run('ip', ['link', 'set', link, 'up'])
  const host = databaseHostName(instance)
  const hosts = Object.fromEntries([host, ...ids.map(id => `d-${id}.${host}`)].map(name => [name, address]))
  const room = (name: string, index: number): Promise<Room> => {
    const gateway = gatewayOf(projectSubnet(projects, index))
    return makeRoom(name, {
      address: gateway.replace(/\.1$/, '.2').replace(/\.129$/, '.130'),
      gateway,
      bits: 25,
      hosts,
    })
  }
  const rooms = { shop: await room(`${instance}-a`, 0), blog: await room(`${instance}-b`, 1) }
  return {
    config,
    dataDir,
    address,
    rooms,
    authority: await openAuthority(path.join(dataDir, 'ca')),
    tenant: async (databaseId, project) => ({
      databaseId,
      ...(await newCredentials(engine, databaseId)),
      subnet: projectSubnet(projects, project === 'shop' ? 0 : 1),
      quotaMb: 8,
    }),
    leave: async () => {
      await rooms.shop.remove()
      await rooms.blog.remove()
      await run('ip', ['link', 'del', link])
      await rm(dataDir, { recursive: true })
    },
  }
}

export async function withNewSecret(engine: Engine, tenant: TenantDatabase): Promise<TenantDatabase> {
  return { ...tenant, ...(await rotatedCredentials(engine, tenant)) }
}

/** Runs statements one after the other with a driver of Node; the rows of the last one are on stdout, as JSON. */
export async function statements(
  room: Room,
  driver: string,
  variables: Record<string, string>,
  list: string[],
): Promise<Answer> {
  return room.run([process.execPath, program, driver, 'query'], { ...variables, STATEMENTS: JSON.stringify(list) })
}

/** Tries statements in one session; answers those that were accepted. */
export async function accepted(
  room: Room,
  driver: string,
  variables: Record<string, string>,
  list: string[],
): Promise<string[]> {
  const env = { ...variables, STATEMENTS: JSON.stringify(list) }
  const answer = await room.run([process.execPath, program, driver, 'each'], env)
  if (answer.code !== 0) throw new Error(`the session ended: ${answer.stderr}`)
  return JSON.parse(answer.stdout) as string[]
}

/** Opens a session; answers, once it is open, how it ends: with the error of the first statement that is refused. */
export async function openSession(
  room: Room,
  driver: string,
  variables: Record<string, string>,
  opened: string,
): Promise<{ ended: Promise<Answer> }> {
  await rm(opened, { force: true })
  const ended = room.run([process.execPath, program, driver, 'hold'], { ...variables, OPENED: opened })
  let over: Answer | null = null
  void ended.then(answer => (over = answer))
  while (!existsSync(opened)) {
    if (over) throw new Error(`the session did not open: ${JSON.stringify(over)}`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  return { ended }
}
