// Source to artifact.
import type { Performers } from '../actors/index.ts'
import { findFreshHealth } from '../../db/queries/health.ts'
import { createMasker } from '../domain/masking.ts'
import { uploadPath } from '../domain/uploads.ts'
import { DriverError, type BuildJob } from '../drivers/contracts.ts'
import { BuildQueue } from './build-queue.ts'
import { openBuildLog } from './build-log.ts'
import { readPlan, type Plan } from './plan.ts'
import type { Tools } from './tools.ts'

export function buildPerformer(tools: Tools): Performers['build'] {
  const queue = new BuildQueue(tools.config.concurrentBuilds)
  return async ({ deploymentId }, { signal }) => {
    const plan = await readPlan(tools, deploymentId)
    if (plan.settings.image !== null) return reuse(tools, plan.settings.image)
    await refuseWithoutStorage(tools)
    const job = jobOf(tools, plan)
    return queue.run(plan.teamId, () => build(tools, plan, job, signal), signal)
  }
}

async function build(tools: Tools, plan: Plan, job: BuildJob, signal: AbortSignal): Promise<{ image: string }> {
  const masker = createMasker(plan.environment.secrets)
  const log = await openBuildLog(tools, plan.deploymentId, line => masker.mask(line), signal)
  try {
    return await tools.world.builder.build(job, line => log.write(line), signal)
  } finally {
    await log.close()
  }
}

// A rollback runs the very artifact of its target.
async function reuse({ world }: Tools, image: string): Promise<{ image: string }> {
  if (await world.builder.has(image)) return { image }
  throw refused('a imagem da versão escolhida não existe mais')
}

function jobOf(tools: Tools, { deploymentId, serviceId, settings }: Plan): BuildJob {
  return {
    deploymentId,
    serviceId,
    source: sourceOf(tools, settings.source),
    builder: settings.builder,
    rootDir: settings.rootDir,
    buildCommand: settings.buildCommand,
    startCommand: settings.startCommand,
    user: settings.runAs,
    limits: { memoryMb: tools.config.buildMemoryMb, timeoutMs: tools.config.buildTimeoutMs },
  }
}

function sourceOf({ config }: Tools, source: Plan['settings']['source']): BuildJob['source'] {
  if (source === null) throw refused('nenhum arquivo foi enviado para este serviço')
  if (source.type === 'image') return { type: 'image', ref: source.ref }
  if (source.type === 'upload') return { type: 'upload', archivePath: uploadPath(config.dataDir, source.sha256) }
  throw refused('implantar a partir de um repositório git ainda não é possível')
}

const HEALTH_MAX_AGE_SECONDS = 30

// Items of a group come here long after their trigger.
async function refuseWithoutStorage({ db }: Tools): Promise<void> {
  const storage = await findFreshHealth(db, 'build-storage', HEALTH_MAX_AGE_SECONDS)
  if (!storage || storage.healthy) return
  const code = storage.detail?.startsWith('build_disk_full') ? 'build_disk_full' : 'build_storage_unavailable'
  throw new DriverError(code, `nothing can be built now: ${storage.detail ?? 'no reason is known'}`)
}

function refused(motivo: string): DriverError {
  return new DriverError('deploy_failed', `the build cannot begin: ${motivo}`, { details: { motivo } })
}
