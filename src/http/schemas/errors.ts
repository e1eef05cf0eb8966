// The one shape of every refusal (spec 7.1; decisions 8).
import { z } from 'zod'
import { FAILURE_CODES } from '../../domain/failures.ts'

export const fieldProblem = z.strictObject({
  field: z.string(),
  problem: z.enum(['unknown', 'misplaced', 'read_only', 'required', 'invalid', 'duplicate']),
})

export const error = z
  .strictObject({
    error: z.string().meta({ description: 'Stable code: decide by it.' }),
    message: z.string().meta({ description: 'For people, in Brazilian Portuguese; may change.' }),
    details: z
      .strictObject({
        fields: z.array(fieldProblem).optional().meta({ description: 'invalid_request: every field that is wrong.' }),
        references: z
          .array(z.string())
          .optional()
          .meta({ description: 'References that do not resolve, or the cycle.' }),
        services: z
          .array(z.string())
          .optional()
          .meta({ description: 'deploy_in_progress: the services that are busy.' }),
        name: z.string().optional().meta({ description: 'References: the variable at fault.' }),
        service: z.string().optional().meta({ description: 'References: the service whose variables were resolved.' }),
        reason: z.string().optional().meta({ description: 'References: `database_provisioning` or `environment`.' }),
        resource: z
          .string()
          .optional()
          .meta({ description: 'quota_exceeded: the limit of the plan that was reached.' }),
        used: z.number().optional(),
        max: z.number().optional(),
        requested: z.number().optional(),
        retry_after_seconds: z.int().optional().meta({ description: '422 rate_limited: the same as `Retry-After`.' }),
        error_code: z
          .enum(['build_storage_unavailable', 'build_disk_full'])
          .optional()
          .meta({ description: 'unavailable: what builds are waiting for.' }),
        deployment_id: z.string().optional().meta({ description: 'unavailable: the deployment that failed of it.' }),
      })
      .optional(),
  })
  .meta({ id: 'Error', examples: [{ error: 'not_found', message: 'Recurso não encontrado.' }] })

/** What `error.code` of a failed deployment or group says (spec 7.3). */
export const failure = z.strictObject({ code: z.enum(FAILURE_CODES), message: z.string() }).meta({
  id: 'Failure',
  examples: [{ code: 'build_oom', message: 'O build ficou sem memória. Reduza o consumo ou divida as etapas.' }],
})
