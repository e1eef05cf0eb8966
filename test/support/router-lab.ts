// A router of its own with real containers around it: two projects, each with a client.
import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import net from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { networkName, projectSubnet, serviceVip } from '../../src/domain/addresses.ts'
import { openAuthority, type Authority } from '../../src/drivers/router/authority.ts'
import type { ProjectNetwork, Route } from '../../src/drivers/contracts.ts'
import { createRouter, type LocalRouter } from '../../src/drivers/router/router.ts'

const run = promisify(execFile)
const IMAGE = 'cais/node:20'

export interface Lab {
  router: LocalRouter
  /** Another router object for the same installation: what the platform has after a restart. */
  reborn(changes?: { httpPort: number }): LocalRouter
  authority: Authority
  instance: string
  platformPool: string
  httpsPort: number
  httpPort: number
  projects: [ProjectNetwork, ProjectNetwork]
  vip(index: number): string
  /** Runs a Node program in a container of a project and answers the container's name and address. */
  start(name: string, project: ProjectNetwork, program: string, env?: Record<string, string>): Promise<string>
  /** Runs a Node program in a running container and answers what it prints, as JSON. */
  ask<T>(name: string, program: string): Promise<T>
  docker(...args: string[]): Promise<string>
}

export interface Teardown {
  testdir(): string
  teardown(job: () => Promise<void>): void
}

export async function openLab(t: Teardown, instance: string, poolNumber: number): Promise<Lab> {
  const projectPool = `10.${poolNumber}.0.0/16`
  const platformPool = `10.${poolNumber + 1}.0.0/16`
  const dir = t.testdir()
  const authority = await openAuthority(path.join(dir, 'ca'), instance)
  const [httpsPort, httpPort] = [await freePort(), await freePort()]
  const config = {
    instance,
    platformPool,
    appsDomain: 'apps.localhost',
    publicAddress: '127.0.0.1',
    httpsPort,
    httpPort,
  }
  const reborn: Lab['reborn'] = changes =>
    createRouter({ config: { ...config, ...changes }, stateDir: path.join(dir, 'router'), authority })
  const router = reborn()

  const projects = ['projectaaaaaaaa', 'projectbbbbbbbb'].map((projectId, index) => ({
    projectId,
    name: networkName(instance, projectId),
    subnet: projectSubnet(projectPool, index),
  })) as [ProjectNetwork, ProjectNetwork]
  const docker = async (...args: string[]): Promise<string> => (await run('docker', args)).stdout.trim()
  const names: string[] = []

  t.teardown(async () => {
    await Promise.all(names.map(name => docker('rm', '-f', name)))
    for (const project of projects) await docker('network', 'rm', project.name)
    await router.stop()
  })
  await router.ensure()
  await router.sync({ networks: projects, routes: [] })
  for (const { name, subnet } of projects) {
    const bridge = `com.docker.network.bridge.name=${name}`
    await docker(
      'network',
      'create',
      '--subnet',
      subnet,
      '-o',
      bridge,
      '-o',
      'com.docker.network.driver.mtu=1400',
      name,
    )
  }

  return {
    router,
    reborn,
    authority,
    instance,
    platformPool,
    httpsPort,
    httpPort,
    projects,
    vip: index => serviceVip(platformPool, index),
    docker,
    async start(name, project, program, env = {}) {
      const full = `${instance}.${name}`
      names.push(full)
      const variables = Object.entries(env).flatMap(([key, value]) => ['-e', `${key}=${value}`])
      const where = ['--network', project.name, '-v', `${router.resolvConfPath}:/etc/resolv.conf:ro`]
      await docker('run', '-d', '--init', '--name', full, ...where, ...variables, IMAGE, 'node', '-e', program)
      const template = `{{(index .NetworkSettings.Networks "${project.name}").IPAddress}}`
      return await docker('inspect', '-f', template, full)
    },
    async ask(name, program) {
      return JSON.parse(await docker('exec', `${instance}.${name}`, 'node', '-e', program)) as never
    },
  }
}

/** A service of a project with these defaults. */
export function routeOf(lab: Lab, index: number, values: Partial<Route> & Pick<Route, 'serviceName'>): Route {
  return {
    serviceId: `service${index}`,
    projectId: lab.projects[0].projectId,
    vip: lab.vip(index),
    port: 8080,
    hosts: [],
    target: null,
    ...values,
  }
}

export async function freePort(): Promise<number> {
  const server = net.createServer()
  const listening = new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(20_000 + randomInt(10_000), '127.0.0.1', resolve)
  })
  await listening
  const { port } = server.address() as net.AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

/** Waits until the check answers true, looking often; throws after `limitMs`. */
export async function until(what: string, check: () => Promise<boolean>, limitMs = 60_000): Promise<void> {
  const deadline = Date.now() + limitMs
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`waited ${limitMs} ms in vain: ${what}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
