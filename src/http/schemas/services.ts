// Bodies about services (spec 2.3, D-30 to D-36). Creation and change take the same fields; `null` stands for the default.
import { z } from 'zod'
import { SERVICE } from '../../domain/limits.ts'
import {
  BUILD_USER,
  HEALTH_PATH,
  IMAGE_REF_LENGTH,
  isBuildUser,
  isHealthPath,
  isImageRef,
  isSlug,
  isStorableText,
  SERVICE_NAME,
  SLUG,
} from '../../domain/names.ts'
import { id, sample, shape, time } from './answers.ts'
import { boolean, choice, integer, object, text, textOr, textWhere } from './fields.ts'

export const SOURCE_TYPES = ['upload', 'image', 'git'] as const
export const BUILDERS = ['auto', 'node', 'go', 'rust', 'python', 'static', 'dockerfile'] as const

const SLUG_RULE = 'um texto de até 40 letras minúsculas, números e hífens simples, sem hífen no começo ou no fim'
const FOLDER_LENGTH = 512
const FOLDER_RULE = 'uma pasta relativa, sem ".."'
const USER_RULE = 'um usuário numérico "uid" ou "uid:gid", nunca root'
const CPU_RULE = `um número a partir de ${SERVICE.minCpus}, em passos de ${SERVICE.cpuStep}`
const HEALTH_RULE = `um caminho que começa com uma "/", com até ${SERVICE.maxHealthPathLength} caracteres visíveis e sem "#"`

const IMAGE_RULE = 'uma imagem como "repositorio:tag" ou "repositorio:tag@sha256:…"'
const ref = textWhere(isImageRef, IMAGE_RULE, { examples: ['nginx:1.27'], maxLength: IMAGE_REF_LENGTH })
const installationId = textWhere(
  value => value !== '' && value.length <= 64 && isStorableText(value),
  'o id de uma integração git',
  { examples: [sample.id], maxLength: 64 },
)
const folder = textWhere(isFolder, FOLDER_RULE, { examples: ['apps/web'], maxLength: FOLDER_LENGTH })
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

const name = textOr(SERVICE_NAME, 'invalid_request.name', 'api')
const command = text(SERVICE.maxCommandLength).nullish()

const optional = {
  visibility: choice(['public', 'private']).optional(),
  slug: textWhere(isSlug, SLUG_RULE, { examples: ['loja-da-ana'], pattern: SLUG.source }).nullish(),
  port: integer(1, SERVICE.maxPort).nullish(),
  source: sourceFields.nullish(),
  build: object({
    builder: choice(BUILDERS).nullish(),
    user: textWhere(isBuildUser, USER_RULE, { examples: ['1000', '1000:1000'], pattern: BUILD_USER.source }).nullish(),
  }).nullish(),
  healthcheck_path: textWhere(isHealthPath, HEALTH_RULE, {
    examples: ['/saude'],
    pattern: HEALTH_PATH.source,
  }).nullish(),
  start_command: command,
  build_command: command,
  resources: object({
    memory_mb: integer(SERVICE.minMemoryMb).nullish(),
    cpus: z
      .number(CPU_RULE)
      .min(SERVICE.minCpus, CPU_RULE)
      .refine(isCpuStep, CPU_RULE)
      .meta({ multipleOf: SERVICE.cpuStep, examples: [0.5, 0.1, 1] })
      .nullish(),
  }).nullish(),
  auto_deploy: boolean().nullish(),
}

export const serviceBody = object({ name, kind: choice(['app']).default('app'), ...optional }).meta({
  examples: [
    {
      name: 'api',
      kind: 'app',
      visibility: 'public',
      slug: 'api-da-ana',
      port: 8080,
      source: { type: 'image', ref: 'ghcr.io/ana/api:1.4' },
      healthcheck_path: '/saude',
      resources: { memory_mb: 256, cpus: 0.25 },
    },
  ],
})
export const servicePatch = object({ name: name.optional(), ...optional }).meta({
  examples: [{ healthcheck_path: '/saude', build: { builder: 'node' }, resources: { memory_mb: 1024 } }],
})

export type ServiceBody = z.output<typeof serviceBody>
export type ServicePatch = z.output<typeof servicePatch>

const shownSource = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('upload') }),
  z.strictObject({ type: z.literal('image'), ref: z.string() }),
  z.strictObject({
    type: z.literal('git'),
    installation_id: z.string(),
    repo: z.string().nullable(),
    branch: z.string().nullable(),
    root_dir: z.string().nullable(),
    watch_paths: z.array(z.string()),
  }),
])

/** Decisions 3.2. */
export const service = shape(
  'Service',
  {
    id,
    project_id: id,
    name: z.string(),
    kind: z.literal('app'),
    visibility: z.enum(['public', 'private']),
    slug: z.string().nullable(),
    port: z.int(),
    source: shownSource.nullable(),
    build: z.strictObject({ builder: z.enum(BUILDERS), user: z.string().nullable() }),
    healthcheck_path: z.string(),
    start_command: z.string().nullable(),
    build_command: z.string().nullable(),
    resources: z.strictObject({ memory_mb: z.int(), cpus: z.number() }),
    auto_deploy: z.boolean(),
    public_url: z.string().optional().meta({ description: 'Only of public services.' }),
    status: z.enum(['idle', 'deploying', 'running', 'failed']),
    needs_redeploy: z.boolean(),
    depends_on: z.array(z.string()).meta({ description: 'Names of the services and databases it refers to.' }),
    active_deployment_id: id.nullable(),
    created_at: time,
    updated_at: time,
  },
  {
    id: sample.id,
    project_id: sample.id,
    name: 'web',
    kind: 'app',
    visibility: 'public',
    slug: 'loja-da-ana',
    port: 8080,
    source: { type: 'upload' },
    build: { builder: 'auto', user: null },
    healthcheck_path: '/',
    start_command: null,
    build_command: null,
    resources: { memory_mb: 512, cpus: 0.5 },
    auto_deploy: false,
    public_url: 'https://loja-da-ana.apps.example.com',
    status: 'running',
    needs_redeploy: false,
    depends_on: ['api', 'db'],
    active_deployment_id: sample.id,
    created_at: sample.time,
    updated_at: sample.time,
  },
)
export type ServiceView = z.output<typeof service>

function isFolder(value: string): boolean {
  if (value === '' || value.length > FOLDER_LENGTH || value.startsWith('/') || value.includes('\\')) return false
  return /^\P{C}*$/u.test(value) && !value.split('/').includes('..')
}

function isCpuStep(value: number): boolean {
  const steps = value / SERVICE.cpuStep
  return Math.abs(steps - Math.round(steps)) < 1e-6
}
