// Deployments and groups as the API shows them (decisions 3.6, 3.7). Status is the first word of the actor's state.
import type { DeploymentRow } from '../../db/queries/deployments.ts'
import type { GroupRow } from '../../db/queries/groups.ts'
import { statusOf } from '../actors/index.ts'
import { failureMessage, type FailureCode } from '../domain/failures.ts'
import type { DeploymentView } from './schemas/deployments.ts'
import type { GroupView } from './schemas/groups.ts'

type Failure = { code: string; details?: Record<string, string | number | null> } | null

const time = (at: Date | null): string | null => at?.toISOString() ?? null

export function deploymentView(row: DeploymentRow): DeploymentView {
  return {
    id: row.id,
    project_id: row.project_id,
    service_id: row.service_id,
    status: statusOf(row.state) as DeploymentView['status'],
    trigger: row.trigger as DeploymentView['trigger'],
    source: row.source as DeploymentView['source'],
    group_id: row.group_id,
    rollback_of: row.rollback_of,
    created_at: row.created_at.toISOString(),
    started_at: time(row.started_at),
    finished_at: time(row.finished_at),
    ...errorView(statusOf(row.state), row.error),
  }
}

type ItemView = GroupView['items'][number]

/** The deployments tell how they are; the group's own actor hears of it a moment later. */
export function groupView(group: GroupRow, deployments: DeploymentRow[]): GroupView {
  const status = statusOf(group.state) as GroupView['status']
  const states = new Map(deployments.map(deployment => [deployment.id, statusOf(deployment.state)]))
  return {
    id: group.id,
    project_id: group.project_id,
    status,
    items: group.items.map(item => itemView(item, states.get(item.deploymentId ?? ''), status)),
    created_at: group.created_at.toISOString(),
    finished_at: time(group.finished_at),
    ...errorView(status, group.error),
  }
}

function itemView(item: GroupRow['items'][number], state: string | undefined, groupStatus: string): ItemView {
  // `superseded` is no status of an item (T-13).
  const status = state === 'superseded' ? 'canceled' : (state ?? item.status)
  const reason = reasonOf(status, item.reason, groupStatus)
  return {
    service_id: item.serviceId,
    service_name: item.serviceName,
    deployment_id: item.deploymentId,
    status: status as ItemView['status'],
    layer: item.layer,
    ...(reason === null ? {} : { reason: reason as NonNullable<ItemView['reason']> }),
  }
}

// What the group noted about an item counts only once the item has really ended that way.
function reasonOf(status: string, noted: string | null, groupStatus: string): string | null {
  if (status === 'skipped') return noted ?? 'never_uploaded'
  if (status === 'blocked') return noted ?? 'dependency_failed'
  if (status === 'canceled') return groupStatus === 'superseded' ? 'superseded' : 'canceled'
  return null
}

function errorView(status: string, failure: Failure): Pick<DeploymentView, 'error'> {
  // A deployment that is still taking its traffic back knows its failure already; it is told when it has ended.
  if (status !== 'failed' || failure === null) return {}
  return { error: { code: failure.code as FailureCode, message: failureMessage(failure.code, failure.details) } }
}
