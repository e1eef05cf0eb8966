import { z } from 'zod'
import { DOMAIN_PROBLEMS } from '../../domain/custom-domain.ts'
import { id, sample, shape, time } from './answers.ts'
import { object, text } from './fields.ts'

export const HOSTNAME_RULE =
  'um domínio como "loja.example.com", sem "*", que não seja um endereço IP nem fique sob o domínio da plataforma'

/** POST domains; what is a host name depends on the installation and is looked at by the handler. */
export const newDomain = object({ hostname: text(253, HOSTNAME_RULE).meta({ examples: ['loja.example.com'] }) })
export type NewDomain = z.output<typeof newDomain>

/** Decisions 3.13. */
export const domain = shape(
  'Domain',
  {
    id,
    service_id: id,
    hostname: z.string().meta({ description: 'Lower case, ASCII.' }),
    status: z.enum(['pending', 'issuing', 'active', 'failed']),
    dns: z
      .array(
        z.strictObject({ type: z.enum(['CNAME', 'A', 'AAAA']), name: z.string(), value: z.string(), ttl: z.int() }),
      )
      .meta({ description: 'Records that lead the host here; addresses for an apex.' }),
    verification: z
      .strictObject({ type: z.literal('TXT'), name: z.string(), value: z.string() })
      .meta({ description: 'Record that proves whose the host is.' }),
    last_checked_at: time.nullable(),
    last_error: z
      .strictObject({ code: z.enum(DOMAIN_PROBLEMS), message: z.string() })
      .nullable()
      .meta({ description: 'What the last check or certificate was missing.' }),
    verified_at: time.nullable(),
    created_at: time,
  },
  {
    id: sample.id,
    service_id: sample.id,
    hostname: 'loja.example.com',
    status: 'pending',
    dns: [{ type: 'CNAME', name: 'loja.example.com', value: 'loja-da-ana.apps.example.com', ttl: 300 }],
    verification: { type: 'TXT', name: '_web-verify.loja.example.com', value: 'cais-verify=Zm9vYmFy' },
    last_checked_at: null,
    last_error: null,
    verified_at: null,
    created_at: sample.time,
  },
)
export type DomainView = z.output<typeof domain>
