// Group deployments: triggered, read, canceled. They are not listed (spec 2.8).
import { listDeploymentsOfGroup } from '../../../db/queries/deployments.ts'
import { findGroup } from '../../../db/queries/groups.ts'
import type { Db } from '../../../db/connect.ts'
import { groupView } from '../deployment-views.ts'
import { endGroup, triggerGroup } from '../group-trigger.ts'
import type { Answer, Read, Write } from '../route.ts'
import type { GroupView, NewGroup } from '../schemas/groups.ts'

/** POST /projects/{p}/deploy */
export async function createGroup(call: Write<'project', NewGroup>): Promise<Answer> {
  const { db, project, body } = call
  const { id } = await triggerGroup(call, project, body.services ?? null)
  return {
    status: 202,
    body: await viewOf(db, project.id, id),
    location: `/v1/projects/${project.id}/group-deployments/${id}`,
  }
}

/** GET /projects/{p}/group-deployments/{g} */
export async function showGroup({ db, project, group }: Read<'project' | 'group'>): Promise<Answer> {
  return { body: await viewOf(db, project.id, group.id) }
}

/** POST …/group-deployments/{g}/cancel: a finished group is answered unchanged. */
export async function cancelGroup({ db, project, group }: Write<'project' | 'group'>): Promise<Answer> {
  await endGroup(db, group.id, 'CANCEL')
  return { body: await viewOf(db, project.id, group.id) }
}

async function viewOf(db: Db, projectId: string, id: string): Promise<GroupView> {
  const group = await findGroup(db, projectId, id)
  if (!group) throw new Error(`the group ${id} is not there`)
  return groupView(group, await listDeploymentsOfGroup(db, id))
}
