// Volumes: settings are rows; storage is made by the next deployment and destroyed by the service's actor.
import { lockProject, lockServices, lockTeam } from '../../../db/queries/locks.ts'
import { bumpService } from '../../../db/queries/variables.ts'
import {
  deleteVolume,
  findVolume,
  insertVolume,
  listVolumes,
  updateVolume,
  volumeGbOf,
  type VolumeRow,
} from '../../../db/queries/volumes.ts'
import { ask } from '../../actors/index.ts'
import { newId } from '../../domain/ids.ts'
import { planOf } from '../auth.ts'
import { refuseOpenDeployments } from '../deployment-trigger.ts'
import { ApiError, fieldError } from '../errors.ts'
import { listing, readPage } from '../pagination.ts'
import { refuseBeyond } from '../plan-quota.ts'
import type { Answer, Read, Write } from '../route.ts'
import type { VolumeBody, VolumeView } from '../schemas/volumes.ts'
import { freshService } from './services.ts'

type OfService = 'project' | 'service'

/** GET /projects/{p}/volumes: oldest first. */
export async function listVolumesOfProject({ db, project, query, keyring }: Read<'project'>): Promise<Answer> {
  const page = readPage(query, `volumes:${project.id}`, keyring)
  const rows = await listVolumes(db, project.id, page.after, page.limit + 1)
  return { body: listing(rows, page, keyring, row => row.id, volumeView) }
}

/** GET /projects/{p}/services/{s}/volume */
export async function showVolume({ db, service }: Read<OfService>): Promise<Answer> {
  return { body: volumeView(orNotFound(await findVolume(db, service.id))) }
}

/** PUT /projects/{p}/services/{s}/volume: created, or changed; the next deployment mounts it as it is then. */
export async function putVolume(call: Write<OfService, VolumeBody>): Promise<Answer> {
  const { db, project, body } = call
  // Before the volume is read: the sum of the plan counts one change after the other.
  await lockTeam(db, project.team_id)
  await lockProject(db, project.id)
  const service = await freshService(db, project.id, call.service.id)
  const before = await findVolume(db, service.id)
  if (before && body.size_gb < before.size_gb) throw fieldError('invalid_request.size_gb', 'size_gb', 'invalid')
  if (body.size_gb > (before?.size_gb ?? 0)) await refuseBeyondPlan(call, service.id, body.size_gb)
  const fields = { mountPath: body.mount_path, sizeGb: body.size_gb }
  if (!before) {
    await insertVolume(db, {
      ...fields,
      id: newId(),
      serviceId: service.id,
      projectId: project.id,
      teamId: project.team_id,
    })
    await bumpService(db, service.id)
  } else if (before.mount_path !== fields.mountPath || before.size_gb !== fields.sizeGb) {
    await updateVolume(db, before.id, fields)
    await bumpService(db, service.id)
  }
  const shown = volumeView(orNotFound(await findVolume(db, service.id)))
  if (before) return { body: shown }
  return { status: 201, body: shown, location: `/v1/projects/${project.id}/services/${service.id}/volume` }
}

/** DELETE /projects/{p}/services/{s}/volume: the instance stops first, then the data is destroyed (D-62). */
export async function removeVolume({ db, project, service: { id } }: Write<OfService>): Promise<Answer> {
  await lockProject(db, project.id)
  await lockServices(db, [id])
  const volume = orNotFound(await findVolume(db, id))
  await refuseOpenDeployments(db, [id])
  await deleteVolume(db, volume.id)
  await bumpService(db, id)
  await ask(db, id, { type: 'VOLUME_DELETED', volumeId: volume.id })
  return { status: 204 }
}

async function refuseBeyondPlan(call: Write<'project'>, serviceId: string, sizeGb: number): Promise<void> {
  const { db, project, token, config } = call
  const used = await volumeGbOf(db, project.team_id, serviceId)
  refuseBeyond('volumes_gb', { wanted: used + sizeGb, max: planOf(token, config).volumesGb, used })
}

function orNotFound(row: VolumeRow | null): VolumeRow {
  if (!row) throw new ApiError('not_found')
  return row
}

function volumeView(row: VolumeRow): VolumeView {
  return {
    id: row.id,
    service_id: row.service_id,
    service_name: row.service_name,
    mount_path: row.mount_path,
    size_gb: row.size_gb,
    used_mb: row.used_mb,
    status: row.attached ? 'attached' : 'pending',
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
