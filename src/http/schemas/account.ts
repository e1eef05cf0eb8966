// Answers about the caller (decisions 3.8, 3.9).
import { z } from 'zod'
import { PLANS, type PlanName } from '../../domain/limits.ts'
import { SCOPES } from '../../domain/tokens.ts'
import { count, id, sample, shape, time } from './answers.ts'

const plan = z.enum(Object.keys(PLANS) as [PlanName, ...PlanName[]])

export const me = shape(
  'Me',
  {
    token: z.strictObject({
      id,
      name: z.string(),
      prefix: z.string(),
      scopes: z.array(z.enum(SCOPES)),
      project_ids: z.array(id).nullable().meta({ description: 'Null: all projects of the team.' }),
      created_at: time,
      expires_at: time,
      last_used_at: time.nullable(),
    }),
    team: z.strictObject({ id, name: z.string(), plan }),
  },
  {
    token: {
      id: sample.id,
      name: 'ci',
      prefix: 'cais_4fGh',
      scopes: ['projects:read', 'deploy'],
      project_ids: null,
      created_at: sample.time,
      expires_at: sample.time,
      last_used_at: sample.time,
    },
    team: { id: sample.id, name: 'Loja', plan: 'hobby' },
  },
)

const use = z.strictObject({ used: count, max: count })

export const limits = shape(
  'Limits',
  {
    plan,
    services: use,
    memory_mb: use,
    volumes_gb: use,
    databases: use,
    deploys_per_hour: use,
    projects: use,
  },
  {
    plan: 'hobby',
    services: { used: 3, max: 10 },
    memory_mb: { used: 1536, max: 4096 },
    volumes_gb: { used: 0, max: 20 },
    databases: { used: 1, max: 3 },
    deploys_per_hour: { used: 4, max: 30 },
    projects: { used: 1, max: 5 },
  },
)

export type MeView = z.output<typeof me>
export type LimitsView = z.output<typeof limits>
