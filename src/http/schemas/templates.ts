// The platform's catalogue (decisions 3.10): every object of a template is the body of an ordinary call, or part of one.
import { z } from 'zod'
import { TEMPLATES } from '../../domain/templates.ts'
import { count, id, shape } from './answers.ts'

const variable = z.strictObject({ name: z.string(), value: z.string(), sensitive: z.boolean() })

export const template = shape(
  'Template',
  {
    id,
    slug: z.string(),
    name: z.string(),
    description: z.string(),
    version: z.string(),
    databases: z.array(
      z.strictObject({ name: z.string(), engine: z.enum(['postgres', 'mariadb', 'sqlite']), quota_mb: count }),
    ),
    services: z.array(
      z.strictObject({
        name: z.string(),
        visibility: z.enum(['public', 'private']),
        port: z.int(),
        source: z.strictObject({ type: z.literal('image'), ref: z.string() }),
        healthcheck_path: z.string(),
        resources: z.strictObject({ memory_mb: z.int(), cpus: z.number() }),
        volume: z.strictObject({ mount_path: z.string(), size_gb: z.int() }).nullable(),
        variables: z.array(variable).meta({ description: 'Values may hold references.' }),
      }),
    ),
  },
  TEMPLATES[0],
)
export type TemplateView = z.output<typeof template>
