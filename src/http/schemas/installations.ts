import { z } from 'zod'
import { id, sample, shape, time } from './answers.ts'

/** Decisions 3.14. Secrets are never shown. */
export const installation = shape(
  'GitInstallation',
  {
    id,
    provider: z.enum(['github', 'gitlab', 'generic']),
    account: z.string(),
    repositories: z.array(z.strictObject({ full_name: z.string(), default_branch: z.string() })),
    created_at: time,
  },
  {
    id: sample.id,
    provider: 'github',
    account: 'ana',
    repositories: [{ full_name: 'ana/loja', default_branch: 'main' }],
    created_at: sample.time,
  },
)
export type InstallationView = z.output<typeof installation>
