// Projects: bodies and answers (decisions 3.1).
import { z } from 'zod'
import { projectName } from '../../domain/names.ts'
import { id, sample, shape, time } from './answers.ts'
import { object, textWhere } from './fields.ts'

const RULE = 'um texto de 1 a 64 caracteres, sem caracteres de controle e com ao menos uma letra ou número'

export const projectBody = object({
  name: textWhere(value => projectName(value) !== null, RULE, { examples: ['Loja da Ana'] }).transform(
    value => projectName(value) ?? value,
  ),
})
export type ProjectBody = z.output<typeof projectBody>

export const projectPatch = projectBody.partial()
export type ProjectPatch = z.output<typeof projectPatch>

export const project = shape(
  'Project',
  { id, name: z.string(), slug: z.string(), created_at: time, updated_at: time },
  { id: sample.id, name: 'Loja da Ana', slug: 'loja-da-ana', created_at: sample.time, updated_at: sample.time },
)
export type ProjectView = z.output<typeof project>
