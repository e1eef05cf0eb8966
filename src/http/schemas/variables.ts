// Bodies about variables (spec 2.5, D-38).
import { z } from 'zod'
import { VARIABLES } from '../../domain/limits.ts'
import { isStorableText, VARIABLE_NAME } from '../../domain/names.ts'
import { boolean, object, textOr, textWhere } from './fields.ts'

const BULK_RULE = `uma lista de 1 a ${VARIABLES.maxBulk} variáveis`
const VALUE_RULE = `um texto de até ${VARIABLES.maxRawBytes / 1024} KiB, sem o caractere nulo`

const value = textWhere(text => isStorableText(text) && Buffer.byteLength(text) <= VARIABLES.maxRawBytes, VALUE_RULE)
const name = textOr(text => VARIABLE_NAME.test(text), 'invalid_request.variable_name')

export const variableBody = object({ value, sensitive: boolean().optional() })

export const variablesBody = object({
  variables: z
    .array(object({ name, value, sensitive: boolean().optional() }), BULK_RULE)
    .min(1, BULK_RULE)
    .max(VARIABLES.maxBulk, BULK_RULE)
    .superRefine(refuseTwice),
})

export type VariableBody = z.output<typeof variableBody>
export type VariablesBody = z.output<typeof variablesBody>

function refuseTwice(variables: { name: string }[], context: z.RefinementCtx): void {
  const seen = new Set<string>()
  for (const [i, variable] of variables.entries()) {
    if (seen.has(variable.name)) {
      context.addIssue({ code: 'custom', path: [i, 'name'], params: { error: 'invalid_request.duplicate' } })
    }
    seen.add(variable.name)
  }
}
