// Deployments of one service: triggered by a request, a file or a rollback, and read while they go their way.
import type { IncomingMessage } from 'node:http'
import { findDeployment, listDeployments } from '../../../db/queries/deployments.ts'
import type { ServiceRow } from '../../../db/queries/services.ts'
import { triggerDeployment, triggerRollback, type Triggered } from '../deployment-trigger.ts'
import { deploymentView } from '../deployment-views.ts'
import { ApiError } from '../errors.ts'
import { listing, readPage } from '../pagination.ts'
import type { ResourceName } from '../resources.ts'
import type { Answer, Read, Received, Write } from '../route.ts'
import { discardUpload, receiveArchive, refuseDeclaredSize, uploadSlots, type ReceivedArchive } from '../upload.ts'

/** The multipart form of POST deployments: the file, stored and looked into (D-44), before any state is read. */
export async function receiveFile(
  incoming: IncomingMessage,
  { config, token }: Read<ResourceName>,
): Promise<Received<{ upload: ReceivedArchive }>> {
  // Too large is too large at any time; too many is for now.
  refuseDeclaredSize(incoming)
  const leave = uploadSlots.enter(token.team_id, incoming, config.limits.requests.uploadsAtOncePerTeam)
  try {
    const upload = await receiveArchive(incoming, config.dataDir)
    return { body: { upload }, fingerprint: `file:${upload.sha256}`, discard: () => discardUpload(upload) }
  } finally {
    leave()
  }
}

type NoFields = Record<string, never>

/** POST /projects/{p}/services/{s}/deployments */
export async function createDeployment(
  call: Write<'project' | 'service', NoFields | { upload: ReceivedArchive }>,
): Promise<Answer> {
  const upload = 'upload' in call.body ? (call.body as { upload: ReceivedArchive }).upload : null
  return accepted(call, await triggerDeployment(call, call.service, upload))
}

/** POST …/deployments/{d}/rollback */
export async function rollBack(call: Write<'project' | 'service' | 'deployment'>): Promise<Answer> {
  return accepted(call, await triggerRollback(call, call.service, call.deployment))
}

/** GET /projects/{p}/services/{s}/deployments: newest first. */
export async function listDeploymentsOfService(call: Read<'project' | 'service'>): Promise<Answer> {
  const { db, service, query, keyring } = call
  const page = readPage(query, `deployments:${service.id}`, keyring)
  const rows = await listDeployments(db, service.id, page.after, page.limit + 1)
  return { body: listing(rows, page, keyring, row => row.id, deploymentView) }
}

/** GET …/deployments/{d} */
export async function showDeployment({ deployment }: Read<'project' | 'service' | 'deployment'>): Promise<Answer> {
  return { body: deploymentView(deployment) }
}

async function accepted(call: Write<'project' | 'service'>, { id, refused }: Triggered): Promise<Answer> {
  if (refused) {
    // Answered and not thrown: the deployment stays, as failed (C-125).
    const text = refused.code === 'build_disk_full' ? 'unavailable.build_disk' : 'unavailable.build_storage'
    const details = { error_code: refused.code, deployment_id: id }
    return { status: 503, body: new ApiError(text, {}, { details }).body }
  }
  const row = await findDeployment(call.db, call.service.id, id)
  if (!row) throw new Error(`the deployment ${id} that was just made is not there`)
  return {
    status: 202,
    body: deploymentView(row),
    location: deploymentPath(call.service, id),
  }
}

function deploymentPath(service: ServiceRow, id: string): string {
  return `/v1/projects/${service.project_id}/services/${service.id}/deployments/${id}`
}
