// Answers about deployments and logs (decisions 3.6; section 2).
import { z } from 'zod'
import { id, sample, shape, time } from './answers.ts'
import { failure } from './errors.ts'

const source = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('upload'), sha256: z.string().nullable() }),
  z.strictObject({ type: z.literal('image'), ref: z.string() }),
  z.strictObject({ type: z.literal('git'), commit: z.string().nullable() }),
])

export const deployment = shape(
  'Deployment',
  {
    id,
    project_id: id,
    service_id: id,
    status: z.enum(['queued', 'building', 'deploying', 'ready', 'failed', 'blocked', 'canceled', 'superseded']),
    trigger: z.enum(['api', 'upload', 'git', 'rollback', 'group']),
    source,
    group_id: id.nullable(),
    rollback_of: id.nullable(),
    created_at: time,
    started_at: time.nullable(),
    finished_at: time.nullable(),
    error: failure.optional().meta({ description: 'Only of failed deployments.' }),
  },
  {
    id: sample.id,
    project_id: sample.id,
    service_id: sample.id,
    status: 'queued',
    trigger: 'upload',
    source: { type: 'upload', sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
    group_id: null,
    rollback_of: null,
    created_at: sample.time,
    started_at: null,
    finished_at: null,
  },
)
export type DeploymentView = z.output<typeof deployment>

export const logText = shape(
  'Log',
  {
    text: z.string(),
    truncated: z.boolean().meta({ description: 'True when only the newest part is shown.' }),
    next_since: z.string().nullable().meta({ description: 'Runtime logs: the `since` that continues here.' }),
  },
  { text: '12:00:00 listening on 8080\n', truncated: false, next_since: sample.time },
)
