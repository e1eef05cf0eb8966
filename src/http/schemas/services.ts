// Bodies about services (spec 2.3, D-30 to D-36). Creation and change take the same fields; `null` stands for the default.
import { z } from 'zod'
import { SERVICE } from '../../domain/limits.ts'
import { isBuildUser, isHealthPath, isImageRef, isSlug, isStorableText, SERVICE_NAME } from '../../domain/names.ts'
import { boolean, choice, integer, object, text, textOr, textWhere } from './fields.ts'

export const SOURCE_TYPES = ['upload', 'image', 'git'] as const
export const BUILDERS = ['auto', 'node', 'go', 'rust', 'python', 'static', 'dockerfile'] as const

const SLUG_RULE = 'um texto de até 40 letras minúsculas, números e hífens simples, sem hífen no começo ou no fim'
const FOLDER_RULE = 'uma pasta relativa, sem ".."'
const CPU_RULE = `um número a partir de ${SERVICE.minCpus}, em passos de ${SERVICE.cpuStep}`
const HEALTH_RULE = `um caminho que começa com uma "/", com até ${SERVICE.maxHealthPathLength} caracteres visíveis e sem "#"`

const ref = textWhere(isImageRef, 'uma imagem como "repositorio:tag" ou "repositorio:tag@sha256:…"')
const installationId = textWhere(
  value => value !== '' && value.length <= 64 && isStorableText(value),
  'o id de uma integração git',
)
const folder = textWhere(isFolder, FOLDER_RULE)
const patterns = z
  .array(
    text(256).refine(value => value !== '', 'um padrão de caminho'),
    'uma lista de padrões de caminho',
  )
  .max(SERVICE.maxWatchPaths, `uma lista de até ${SERVICE.maxWatchPaths} padrões de caminho`)
const repository = text(256, 'o nome de um repositório')

/** What a client sends: any of the fields, because a change is merged into what is there. */
const sourceFields = object({
  type: choice(SOURCE_TYPES).optional(),
  ref: ref.optional(),
  installation_id: installationId.optional(),
  repo: repository.nullish(),
  branch: repository.nullish(),
  root_dir: folder.nullish(),
  watch_paths: patterns.nullish(),
})

/** What a source is once merged: the fields of its type and no others (D-33). */
export const completeSource = object({
  source: z.discriminatedUnion(
    'type',
    [
      object({ type: z.literal('upload') }),
      object({ type: z.literal('image'), ref }),
      object({
        type: z.literal('git'),
        installation_id: installationId,
        repo: repository.nullable().default(null),
        branch: repository.nullable().default(null),
        root_dir: folder.nullable().default(null),
        watch_paths: patterns.nullish().transform(list => list ?? []),
      }),
    ],
    'um objeto com "type" upload, image ou git',
  ),
})

const name = textOr(value => SERVICE_NAME.test(value), 'invalid_request.name')
const command = text(SERVICE.maxCommandLength).nullish()

const optional = {
  visibility: choice(['public', 'private']).optional(),
  slug: textWhere(isSlug, SLUG_RULE).nullish(),
  port: integer(1, SERVICE.maxPort).nullish(),
  source: sourceFields.nullish(),
  build: object({
    builder: choice(BUILDERS).nullish(),
    user: textWhere(isBuildUser, 'um usuário numérico "uid" ou "uid:gid", nunca root').nullish(),
  }).nullish(),
  healthcheck_path: textWhere(isHealthPath, HEALTH_RULE).nullish(),
  start_command: command,
  build_command: command,
  resources: object({
    memory_mb: integer(SERVICE.minMemoryMb).nullish(),
    cpus: z.number(CPU_RULE).min(SERVICE.minCpus, CPU_RULE).refine(isCpuStep, CPU_RULE).nullish(),
  }).nullish(),
  auto_deploy: boolean().nullish(),
}

export const serviceBody = object({ name, kind: choice(['app']).default('app'), ...optional })
export const servicePatch = object({ name: name.optional(), ...optional })

export type ServiceBody = z.output<typeof serviceBody>
export type ServicePatch = z.output<typeof servicePatch>

function isFolder(value: string): boolean {
  if (value === '' || value.length > 512 || value.startsWith('/') || value.includes('\\')) return false
  return /^\P{C}*$/u.test(value) && !value.split('/').includes('..')
}

function isCpuStep(value: number): boolean {
  const steps = value / SERVICE.cpuStep
  return Math.abs(steps - Math.round(steps)) < 1e-6
}
