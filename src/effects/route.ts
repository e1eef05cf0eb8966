// From route rows to the router. The row is written first, fenced by the generation; the router then follows the row.
import { listProjectNetworks } from '../../db/queries/instances.ts'
import { findRoute, listServedRoutes, type RouteRow, type ServedRoute } from '../../db/queries/routes.ts'
import { serviceVip } from '../domain/addresses.ts'
import type { Route, Router } from '../drivers/contracts.ts'
import { projectNetwork, publicHosts } from './plan.ts'
import type { Tools } from './tools.ts'

/**
 * Makes the router say what the row says. The row is read again afterwards: a performer that was frozen between its write
 * and its turn at the router thus ends by setting what the newer one wrote.
 */
export async function applyRoute(tools: Tools, serviceId: string): Promise<void> {
  await inTurn(tools.world.router, async () => {
    for (let done = false; !done;) {
      const [served] = await listServedRoutes(tools.db, serviceId)
      if (!served) return
      const network = projectNetwork(tools, served.project_id, served.network_index)
      await tools.world.router.set(toRoute(tools, served), [network])
      const now = await findRoute(tools.db, serviceId)
      done = !now || pointingOf([now]) === pointingOf([served])
    }
  })
}

/** Makes the router know exactly the networks and routes of this installation. */
export async function syncRouter(tools: Tools): Promise<void> {
  await inTurn(tools.world.router, async () => {
    for (let done = false; !done;) {
      const projects = await listProjectNetworks(tools.db)
      const served = await listServedRoutes(tools.db)
      await tools.world.router.sync({
        networks: projects.map(one => projectNetwork(tools, one.project_id, one.network_index)),
        routes: served.map(one => toRoute(tools, one)),
      })
      done = pointingOf(await listServedRoutes(tools.db)) === pointingOf(served)
    }
  })
}

/** A route as the router knows it. Without a deployment the service's present settings say which names answer 503. */
export function toRoute(tools: Tools, served: ServedRoute): Route {
  const settings = served.settings ?? served.service
  const { address, port } = served
  return {
    serviceId: served.service_id,
    projectId: served.project_id,
    serviceName: served.settings?.serviceName ?? served.service_name,
    vip: serviceVip(tools.config.platformPool, served.vip_index),
    port: settings.port,
    hosts: publicHosts(tools, settings, served.domains),
    target: served.held ? 'hold' : address !== null && port !== null ? { address, port } : null,
  }
}

/** What decides whether the router is out of date. */
function pointingOf(rows: RouteRow[]): string {
  return JSON.stringify(
    rows.map(row => [row.service_id, row.generation, row.deployment_id, row.address, row.port, row.held]),
  )
}

const turns = new WeakMap<Router, Promise<unknown>>()

// Reading rows and telling the router happen together, so that within a process an old reading never comes last.
export function inTurn<T>(router: Router, work: () => Promise<T>): Promise<T> {
  const turn = (turns.get(router) ?? Promise.resolve()).then(work, work)
  turns.set(router, turn)
  return turn
}
