// Variables: bodies and answers (spec 2.5, D-38; decisions 3.4).
import { z } from 'zod'
import { VARIABLES } from '../../domain/limits.ts'
import { isStorableText, VARIABLE_NAME } from '../../domain/names.ts'
import { count, sample, shape, time } from './answers.ts'
import { boolean, object, textOr, textWhere } from './fields.ts'

const BULK_RULE = `uma lista de 1 a ${VARIABLES.maxBulk} variáveis`
const VALUE_RULE = `um texto de até ${VARIABLES.maxRawBytes / 1024} KiB, sem o caractere nulo`

const value = textWhere(text => isStorableText(text) && Buffer.byteLength(text) <= VARIABLES.maxRawBytes, VALUE_RULE, {
  examples: ['${{api.PRIVATE_URL}}', 'x'],
  maxLength: VARIABLES.maxRawBytes,
})
const name = textOr(VARIABLE_NAME, 'invalid_request.variable_name', 'API_URL')

export const variableBody = object({ value, sensitive: boolean().optional() }).meta({
  examples: [{ value: '${{db.DATABASE_URL}}', sensitive: true }],
})

export const variablesBody = object({
  variables: z
    .array(object({ name, value, sensitive: boolean().optional() }), BULK_RULE)
    .min(1, BULK_RULE)
    .max(VARIABLES.maxBulk, BULK_RULE)
    .superRefine(refuseTwice),
}).meta({
  examples: [
    {
      variables: [
        { name: 'API_URL', value: '${{api.PRIVATE_URL}}' },
        { name: 'CHAVE', value: 'x', sensitive: true },
      ],
    },
  ],
})

export type VariableBody = z.output<typeof variableBody>
export type VariablesBody = z.output<typeof variablesBody>

export const variable = shape(
  'Variable',
  {
    name: z.string(),
    value: z.string().nullable().meta({ description: 'A constant mask without `resolved=true`.' }),
    error: z.string().optional().meta({ description: 'With `resolved=true`: why it does not expand.' }),
    sensitive: z.boolean(),
    references: z.array(z.string()).meta({ description: 'Names that the value refers to.' }),
    updated_at: time,
  },
  { name: 'DATABASE_URL', value: '********', sensitive: true, references: ['db'], updated_at: sample.time },
)
export const saved = shape('Saved', { updated: count }, { updated: 2 })

export type VariableView = z.output<typeof variable>

function refuseTwice(variables: { name: string }[], context: z.RefinementCtx): void {
  const seen = new Set<string>()
  for (const [i, variable] of variables.entries()) {
    if (seen.has(variable.name)) {
      context.addIssue({ code: 'custom', path: [i, 'name'], params: { error: 'invalid_request.duplicate' } })
    }
    seen.add(variable.name)
  }
}
