// Bodies about projects (decisions 3.1).
import { z } from 'zod'
import { projectName } from '../../domain/names.ts'
import { object, textWhere } from './fields.ts'

const RULE = 'um texto de 1 a 64 caracteres, sem caracteres de controle e com ao menos uma letra ou número'

export const projectBody = object({
  name: textWhere(value => projectName(value) !== null, RULE).transform(value => projectName(value) ?? value),
})
export type ProjectBody = z.output<typeof projectBody>

export const projectPatch = projectBody.partial()
export type ProjectPatch = z.output<typeof projectPatch>
