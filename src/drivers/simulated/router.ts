// Routes as files. A request finds its instance by the address in the route, exactly as with the real router.
import path from 'node:path'
import type { HostCertificate, ProjectNetwork, Route, Router } from '../contracts.ts'
import { Folder } from './disk.ts'
import type { Faults } from './faults.ts'
import { answers, type Instances } from './instances.ts'

export interface SimulatedRouter extends Router {
  routes(): Route[]
  networks(): ProjectNetwork[]
  /** Custom hosts that have a certificate. */
  certified(): string[]
  /** The deployment that a request to this service would reach now. */
  serving(serviceId: string): string | null
  /** Pretends that so many requests are in flight to an address. */
  setInFlight(address: string, requests: number): void
}

export function simulatedRouter(dir: string, instances: Instances, faults: Faults): SimulatedRouter {
  const routes = new Folder<Route>(path.join(dir, 'routes'))
  const networks = new Folder<ProjectNetwork>(path.join(dir, 'router-networks'))
  const certificates = new Folder<HostCertificate>(path.join(dir, 'certificates'))
  const challenges = new Folder<string>(path.join(dir, 'challenges'))
  const inFlight = new Folder<number>(path.join(dir, 'in-flight'))

  function sync(world: { networks: ProjectNetwork[]; routes: Route[] }): void {
    for (const route of world.routes) routes.replace(route.serviceId, route)
    for (const network of world.networks) networks.replace(network.name, network)
    const kept = new Set([
      ...world.routes.map(route => route.serviceId),
      ...world.networks.map(network => network.name),
    ])
    for (const name of routes.names()) if (!kept.has(name)) routes.remove(name)
    for (const name of networks.names()) if (!kept.has(name)) networks.remove(name)
  }

  function serving(serviceId: string): string | null {
    const target = routes.read(serviceId)?.target
    if (!target || target === 'hold') return null
    const record = instances.all().find(one => answers(one) && one.address === target.address)
    return record?.spec.deploymentId ?? null
  }

  return {
    sync: world => faults.perform('syncRoutes', [], () => sync(world)),
    set: (route, known) =>
      faults.perform('setRoute', [route.serviceId, route.projectId], () => {
        for (const network of known) networks.replace(network.name, network)
        routes.replace(route.serviceId, route)
      }),
    inFlight: target => faults.perform('inFlight', [target.address], () => inFlight.read(target.address) ?? 0),
    probe: serviceId => faults.perform('probe', [serviceId], () => (serving(serviceId) ? 200 : 503)),
    certify: wanted =>
      faults.perform('certify', [], () => {
        const kept = new Set(wanted.map(one => one.host))
        for (const one of wanted) certificates.replace(one.host, one)
        for (const host of certificates.names()) if (!kept.has(host)) certificates.remove(host)
      }),
    challenge: (token, answer) =>
      faults.perform('challenge', [token], () => {
        if (answer === null) challenges.remove(token)
        else challenges.replace(token, answer)
      }),
    certified: () => certificates.names(),
    routes: () => routes.all(),
    networks: () => networks.all(),
    serving,
    setInFlight: (address, requests) => inFlight.replace(address, requests),
  }
}
