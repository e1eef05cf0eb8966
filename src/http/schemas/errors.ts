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
      .looseObject({
        fields: z.array(fieldProblem).optional().meta({ description: 'invalid_request: every field that is wrong.' }),
        references: z
          .array(z.string())
          .optional()
          .meta({ description: 'References that do not resolve, or the cycle.' }),
        services: z
          .array(z.string())
          .optional()
          .meta({ description: 'deploy_in_progress: the services that are busy.' }),
        retry_after_seconds: z.int().optional(),
        error_code: z.string().optional(),
        deployment_id: z.string().optional(),
      })
      .optional(),
  })
  .meta({ id: 'Error', examples: [{ error: 'not_found', message: 'Recurso não encontrado.' }] })

/** What `error.code` of a failed deployment or group says (spec 7.3). */
export const failure = z.strictObject({ code: z.enum(FAILURE_CODES), message: z.string() }).meta({
  id: 'Failure',
  examples: [{ code: 'build_oom', message: 'O build ficou sem memória. Reduza o consumo ou divida as etapas.' }],
})
