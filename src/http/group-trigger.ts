// A group deployment from a trigger (spec 4.2, rule 5; D-42, D-46, D-54 to D-57): which services, in which layers, with
// which environments, and what becomes of the group that still runs. One transaction: refused means nothing happened.
import { lockProject, lockServices, lockTeam } from '../../db/queries/locks.ts'
import type { Db } from '../../db/connect.ts'
import { listOpenDeployments, type OpenDeployment } from '../../db/queries/deployments.ts'
import { findRunningGroup, insertGroup, listOpenItems } from '../../db/queries/groups.ts'
import { type ProjectRow } from '../../db/queries/projects.ts'
import { listServices, type ServiceRow } from '../../db/queries/services.ts'
import type { GroupItem } from '../../machines/index.ts'
import { ask, spawn } from '../actors/index.ts'
import { newId } from '../domain/ids.ts'
import { layersOf } from '../domain/layers.ts'
import { createResolver, type Environment } from '../domain/resolve.ts'
import {
  deployInProgress,
  openDeployment,
  orRefuse,
  settingsOf,
  sourceOf,
  spendQuota,
  targetsOf,
  type TriggerCall,
  type Triggered,
} from './deployment-trigger.ts'
import { fieldError } from './errors.ts'
import { openProject, type OpenedProject } from './project-model.ts'

/** One service of the group, before anything of it exists. `environment` is null for one that is skipped. */
interface PlannedItem {
  service: ServiceRow
  layer: number
  dependsOn: string[]
  targets: Record<string, string>
  environment: Environment | null
}

/** `selection` holds names or ids as the client sent them; null = every service of the project. */
export async function triggerGroup(
  call: TriggerCall,
  project: ProjectRow,
  selection: string[] | null,
): Promise<Triggered> {
  const { db } = call
  await lockTeam(db, project.team_id)
  await lockProject(db, project.id)
  const members = await lockMembers(call, project.id, selection)
  await supersedeRunningGroup(call, project.id)
  const waitsFor = await findDeploying(call, members)
  const opened = await openProject(db, project.id, call, new Set(members.map(service => service.id)))
  const items = orRefuse(() => planItems(opened, members, selection !== null))
  const deployed = items.filter(item => item.environment !== null).length
  if (deployed > 0) await spendQuota(call, deployed)
  const id = newId()
  await insertGroup(db, { id, projectId: project.id, teamId: project.team_id })
  const groupItems: GroupItem[] = []
  for (const item of items) groupItems.push(await openItem(call, id, item, waitsFor.get(item.service.id) ?? null))
  await spawn(db, {
    kind: 'group',
    id,
    subject: project.id,
    input: { groupId: id, projectId: project.id, items: groupItems },
  })
  return { id }
}

async function lockMembers({ db }: TriggerCall, projectId: string, selection: string[] | null): Promise<ServiceRow[]> {
  const chosen = choose(await listServices(db, projectId), selection)
  const ids = new Set(chosen.map(service => service.id))
  await lockServices(db, [...ids])
  // Read again: what was being changed when the lock was asked for has been changed by now.
  return (await listServices(db, projectId)).filter(service => ids.has(service.id))
}

function choose(services: ServiceRow[], selection: string[] | null): ServiceRow[] {
  if (selection === null) return services
  return selection.map((text, i) => {
    const service = services.find(row => row.id === text || row.name === text)
    if (!service) throw fieldError('invalid_request.services', `services[${i}]`, 'invalid', { valor: text })
    return service
  })
}

/** In one step with the new group (D-55). */
async function supersedeRunningGroup({ db }: TriggerCall, projectId: string): Promise<void> {
  const running = await findRunningGroup(db, projectId)
  if (running !== null) await endGroup(db, running, 'SUPERSEDE')
}

/** Ends a running group: what it has queued or building ends canceled at once, what is deploying goes on (D-55). */
export async function endGroup(db: Db, id: string, type: 'CANCEL' | 'SUPERSEDE'): Promise<void> {
  await ask(db, id, { type })
  for (const item of await listOpenItems(db, id)) await ask(db, item, { type: 'CANCEL' })
}

/** Service id → its deployment that finishes first, of a superseded group; 409 for any other open one (D-56). */
async function findDeploying({ db }: TriggerCall, members: ServiceRow[]): Promise<Map<string, OpenDeployment>> {
  const open = await listOpenDeployments(
    db,
    members.map(service => service.id),
  )
  const others = open.filter(deployment => deployment.group_state !== 'superseded')
  if (others.length > 0) throw deployInProgress(others.map(deployment => deployment.service_name))
  return new Map(open.map(deployment => [deployment.service_id, deployment]))
}

/**
 * Layers and environments; throws ResolveError, also about a service that is skipped (spec 4.2, rule 5). One that was named is
 * never skipped (T-15).
 */
function planItems(opened: OpenedProject, members: ServiceRow[], named: boolean): PlannedItem[] {
  const byName = new Map(members.map(service => [service.name, service]))
  const nodes = members.map(service => ({ name: service.name, references: opened.referencesOf(service) }))
  const resolver = createResolver(opened.model)
  return layersOf(nodes).map(({ name, layer, dependsOn }) => {
    const service = byName.get(name) as ServiceRow
    const isSkipped = !named && sourceOf(service) === null
    const environment = resolver.environment(name)
    return {
      service,
      layer,
      dependsOn: dependsOn.map(other => (byName.get(other) as ServiceRow).id),
      targets: targetsOf(opened, opened.referencesOf(service)),
      environment: isSkipped ? null : environment,
    }
  })
}

async function openItem(
  call: TriggerCall,
  groupId: string,
  { service, layer, dependsOn, targets, environment }: PlannedItem,
  waitsFor: OpenDeployment | null,
): Promise<GroupItem> {
  const item = { serviceId: service.id, serviceName: service.name, layer, dependsOn }
  if (environment === null) return { ...item, deploymentId: null, status: 'skipped', reason: 'never_uploaded' }
  const settings = { ...settingsOf(service, sourceOf(service)), targets }
  const deploymentId = await openDeployment(call, service, {
    trigger: 'group',
    groupId,
    settings,
    environment,
    waitsFor,
  })
  return { ...item, deploymentId, status: 'queued', reason: null }
}
