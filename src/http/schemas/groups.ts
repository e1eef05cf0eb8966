import { z } from 'zod'
import { GROUP } from '../../domain/limits.ts'
import { object } from './fields.ts'

const RULE = `uma lista de 1 a ${GROUP.maxServices} serviços, por nome ou id`

/** POST deploy (spec 4.2, D-46). */
export const newGroup = object({
  services: z.array(z.string('um texto'), RULE).min(1, RULE).max(GROUP.maxServices, RULE).optional(),
})
export type NewGroup = z.output<typeof newGroup>
