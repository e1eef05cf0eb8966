// Volumes of services (spec 2.6, decisions 3.5, D-43).
import { z } from 'zod'
import { VOLUME } from '../../domain/limits.ts'
import { isMountPath } from '../../domain/names.ts'
import type { ErrorText } from '../errors.ts'
import { count, id, sample, shape, time } from './answers.ts'
import { object } from './fields.ts'

const MOUNT_PATH: ErrorText = 'invalid_request.mount_path'
const SIZE: ErrorText = 'invalid_request.size_gb'

const isSize = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= VOLUME.minGb && Number(value) <= VOLUME.maxGb

/** PUT volume. */
export const volumeBody = object({
  mount_path: z
    .string('um texto')
    .refine(isMountPath, { params: { error: MOUNT_PATH } })
    .meta({ description: 'A sub-folder of /app.', pattern: '^/app/.+$', maxLength: 256, examples: ['/app/dados'] }),
  size_gb: z
    .custom<number>(isSize, { params: { error: SIZE } })
    .meta({ type: 'integer', minimum: VOLUME.minGb, maximum: VOLUME.maxGb, description: 'Never shrinks.' }),
}).meta({ examples: [{ mount_path: '/app/dados', size_gb: 5 }] })
export type VolumeBody = z.output<typeof volumeBody>

export const volume = shape(
  'Volume',
  {
    id,
    service_id: id,
    service_name: z.string(),
    mount_path: z.string(),
    size_gb: count,
    used_mb: count,
    status: z.enum(['pending', 'attached']).meta({
      description: '`attached`: the version that runs has it as it is shown here.',
    }),
    created_at: time,
    updated_at: time,
  },
  {
    id: sample.id,
    service_id: sample.id,
    service_name: 'api',
    mount_path: '/app/dados',
    size_gb: 5,
    used_mb: 120,
    status: 'attached',
    created_at: sample.time,
    updated_at: sample.time,
  },
)
export type VolumeView = z.output<typeof volume>
