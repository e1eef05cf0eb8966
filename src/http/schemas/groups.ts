import { z } from 'zod'
import { GROUP } from '../../domain/limits.ts'
import { count, id, sample, shape, time } from './answers.ts'
import { failure } from './errors.ts'
import { object } from './fields.ts'

const RULE = `uma lista de 1 a ${GROUP.maxServices} serviços, por nome ou id`

/** POST deploy (spec 4.2, D-46). */
export const newGroup = object({
  services: z.array(z.string('um texto'), RULE).min(1, RULE).max(GROUP.maxServices, RULE).optional(),
}).meta({ examples: [{ services: ['api', 'web'] }] })
export type NewGroup = z.output<typeof newGroup>

/** Decisions 3.7. */
export const group = shape(
  'Group',
  {
    id,
    project_id: id,
    status: z.enum(['running', 'ready', 'failed', 'canceled', 'superseded']),
    items: z.array(
      z.strictObject({
        service_id: id,
        service_name: z.string(),
        deployment_id: id.nullable().meta({ description: 'Null for a skipped item.' }),
        status: z.enum(['queued', 'building', 'deploying', 'ready', 'failed', 'blocked', 'canceled', 'skipped']),
        layer: count,
        reason: z
          .enum(['never_uploaded', 'dependency_failed', 'layer_not_reached', 'canceled', 'superseded'])
          .optional(),
      }),
    ),
    created_at: time,
    finished_at: time.nullable(),
    error: failure.optional().meta({ description: 'Only of failed groups.' }),
  },
  {
    id: sample.id,
    project_id: sample.id,
    status: 'running',
    items: [
      { service_id: sample.id, service_name: 'api', deployment_id: sample.id, status: 'building', layer: 0 },
      { service_id: sample.id, service_name: 'web', deployment_id: sample.id, status: 'queued', layer: 1 },
    ],
    created_at: sample.time,
    finished_at: null,
  },
)
export type GroupView = z.output<typeof group>
