// Where requests for a service go. Every write names its generation (the effect's id); an older one changes nothing.
import type { Db } from '../connect.ts'

export interface RouteRow {
  service_id: string
  deployment_id: string | null
  address: string | null
  port: number | null
  previous_deployment_id: string | null
  previous_address: string | null
  previous_port: number | null
  generation: number
  /** Service with a volume: the one deployment that may have an instance (D-53). */
  volume_holder: string | null
  /** Requests wait while the volume changes hands. */
  held: boolean
  updated_at: Date
}

/** One route with the facts a router needs; name, port and slug are those of the deployment that serves. */
export interface ServedRoute extends RouteRow {
  project_id: string
  network_index: number
  vip_index: number
  service_name: string
  settings: { serviceName: string; port: number; visibility: string; slug: string | null } | null
  /** The service as it is set now: what counts while no deployment serves. */
  service: { port: number; visibility: string; slug: string | null }
  /** Custom hosts of the service that have a certificate. */
  domains: string[]
}

export async function findRoute(db: Db, serviceId: string): Promise<RouteRow | null> {
  const { rows } = await db.raw('select * from route where service_id = ?', [serviceId])
  return rows[0] ?? null
}

/**
 * Points a service at an instance; who served before is kept as `previous`. Repeating it keeps `previous` as it was.
 * Null when a newer generation has written already.
 */
export async function pointRoute(
  db: Db,
  route: { serviceId: string; deploymentId: string; address: string; port: number; generation: number },
): Promise<RouteRow | null> {
  const { rows } = await db.raw(
    `insert into route as r (service_id, deployment_id, address, port, generation)
     values (:serviceId, :deploymentId, :address, :port, :generation)
     on conflict (service_id) do update set
       previous_deployment_id =
         case when r.deployment_id = :deploymentId then r.previous_deployment_id else r.deployment_id end,
       previous_address = case when r.deployment_id = :deploymentId then r.previous_address else r.address end,
       previous_port = case when r.deployment_id = :deploymentId then r.previous_port else r.port end,
       deployment_id = :deploymentId, address = :address, port = :port, held = false,
       volume_holder = case when r.volume_holder = :deploymentId then r.volume_holder end,
       generation = :generation, updated_at = now()
     where r.generation <= :generation
     returning *`,
    route,
  )
  return rows[0] ?? null
}

/**
 * Takes the route away from a deployment that must not serve, back to who served before it, or to nobody. A route that
 * points elsewhere is only given the generation. Null when a newer generation has written already.
 */
export async function revertRoute(
  db: Db,
  route: { serviceId: string; deploymentId: string; generation: number },
): Promise<RouteRow | null> {
  const { rows } = await db.raw(
    `update route r set
       deployment_id = case when r.deployment_id = :deploymentId then r.previous_deployment_id else r.deployment_id end,
       address = case when r.deployment_id = :deploymentId then r.previous_address else r.address end,
       port = case when r.deployment_id = :deploymentId then r.previous_port else r.port end,
       previous_deployment_id = case when r.deployment_id = :deploymentId then null else r.previous_deployment_id end,
       previous_address = case when r.deployment_id = :deploymentId then null else r.previous_address end,
       previous_port = case when r.deployment_id = :deploymentId then null else r.previous_port end,
       generation = :generation, updated_at = now()
     where r.service_id = :serviceId and r.generation <= :generation
     returning *`,
    route,
  )
  return rows[0] ?? null
}

/** A service without a route gets one that leads nowhere; its name then resolves. True when there was none. */
export async function openRoute(db: Db, serviceId: string): Promise<boolean> {
  const { rowCount } = await db.raw(
    'insert into route (service_id, generation) values (?, 0) on conflict (service_id) do nothing',
    [serviceId],
  )
  return (rowCount ?? 0) > 0
}

/** An instance was started again under another address: wherever the route names it, as target or as previous. */
export async function readdressRoute(
  db: Db,
  route: { serviceId: string; deploymentId: string; address: string; generation: number },
): Promise<void> {
  await db.raw(
    `update route set
       address = case when deployment_id = :deploymentId then :address else address end,
       held = held and deployment_id <> :deploymentId,
       previous_address = case when previous_deployment_id = :deploymentId then :address else previous_address end,
       updated_at = now()
     where service_id = :serviceId and generation <= :generation
       and (deployment_id = :deploymentId or previous_deployment_id = :deploymentId)`,
    route,
  )
}

/** The instance kept warm is gone: nobody may be switched back to it. */
export async function forgetPrevious(db: Db, serviceId: string, deploymentId: string): Promise<void> {
  await db.raw(
    `update route set previous_deployment_id = null, previous_address = null, previous_port = null
      where service_id = :serviceId and previous_deployment_id = :deploymentId`,
    { serviceId, deploymentId },
  )
}

/** Nobody serves. Null when a newer generation has written already. */
export async function clearRoute(db: Db, serviceId: string, generation: number): Promise<RouteRow | null> {
  const { rows } = await db.raw(
    `update route set deployment_id = null, address = null, port = null, previous_deployment_id = null,
            previous_address = null, previous_port = null, held = false,
            volume_holder = case when volume_holder = deployment_id then null else volume_holder end,
            generation = :generation, updated_at = now()
      where service_id = :serviceId and generation <= :generation
      returning *`,
    { serviceId, generation },
  )
  return rows[0] ?? null
}

/**
 * Gives the volume of a service to a deployment, and lets requests wait where somebody has served until now (D-53). The
 * route still names who served. Null when a newer generation has written already.
 */
export async function handVolume(
  db: Db,
  route: { serviceId: string; deploymentId: string; generation: number },
): Promise<RouteRow | null> {
  const { rows } = await db.raw(
    `update route set volume_holder = :deploymentId, held = deployment_id is not null, generation = :generation,
            updated_at = now()
      where service_id = :serviceId and generation <= :generation returning *`,
    route,
  )
  return rows[0] ?? null
}

/**
 * Takes the volume back from a deployment that must not have it: to who served before, or to nobody. Requests go on
 * waiting for the former. Null when it has not got it, or a newer generation has written already.
 */
export async function takeVolumeBack(
  db: Db,
  route: { serviceId: string; deploymentId: string; generation: number },
): Promise<RouteRow | null> {
  const { rows } = await db.raw(
    `with before as (
       select service_id, case when deployment_id = :deploymentId then previous_deployment_id else deployment_id end as id,
              case when deployment_id = :deploymentId then previous_port else port end as served_port
         from route where service_id = :serviceId for update
     )
     update route r set deployment_id = b.id, address = null, port = b.served_port, previous_deployment_id = null,
            previous_address = null, previous_port = null, volume_holder = b.id, held = b.id is not null,
            generation = :generation, updated_at = now()
       from before b
      where r.service_id = b.service_id and r.volume_holder = :deploymentId and r.generation <= :generation
     returning r.*`,
    route,
  )
  return rows[0] ?? null
}

/** Requests wait no longer for an instance that does not come up. */
export async function stopHolding(db: Db, serviceId: string): Promise<void> {
  await db.raw('update route set held = false, updated_at = now() where service_id = ? and held', [serviceId])
}

/** Routes on which requests wait although no work on them is open: whoever should have gone on died for good. */
export async function listForgottenHolds(db: Db): Promise<{ service_id: string; deployment_id: string }[]> {
  const { rows } = await db.raw(
    `select r.service_id, r.deployment_id from route r
      where r.held and r.deployment_id is not null
        and not exists (select 1 from actor a join deployment d on d.id = a.id
                         where d.service_id = r.service_id and a.status = 'active' and a.state like 'deploying%')
        and not exists (select 1 from effect e where e.lane = 'service:' || r.service_id
                           and e.state in ('ready', 'running', 'canceling'))`,
  )
  return rows
}

/** Routes of services that were deleted meanwhile; the reconciler removes them. */
export async function deleteOrphanRoutes(db: Db): Promise<void> {
  await db.raw('delete from route r where not exists (select 1 from service s where s.id = r.service_id)')
}

export async function deleteRoute(db: Db, serviceId: string): Promise<void> {
  await db.raw('delete from route where service_id = ?', [serviceId])
}

/** Every route of the installation, or that of one service. */
export async function listServedRoutes(db: Db, serviceId: string | null = null): Promise<ServedRoute[]> {
  const { rows } = await db.raw(
    `select r.*, s.project_id, s.name as service_name, s.vip_index, p.network_index, d.settings,
            json_build_object('port', s.port, 'visibility', s.visibility, 'slug', s.slug) as service,
            array(select m.hostname from domain m where m.service_id = s.id and m.certificate is not null
                   order by m.id) as domains
       from route r
       join service s on s.id = r.service_id
       join project p on p.id = s.project_id
       left join deployment d on d.id = r.deployment_id
      where cast(:serviceId as text) is null or r.service_id = :serviceId
      order by r.service_id`,
    { serviceId },
  )
  return rows
}
