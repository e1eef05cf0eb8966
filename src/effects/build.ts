// Source to artifact.
import type { Performers } from '../actors/index.ts'
import { createMasker } from '../domain/masking.ts'
import { uploadPath } from '../domain/uploads.ts'
import { DriverError, type BuildJob } from '../drivers/contracts.ts'
import { refuseBeyondPlan, refuseVanishedTargets, refuseWithoutStorage } from './build-conditions.ts'
import { BuildQueue } from './build-queue.ts'
import { openBuildLog } from './build-log.ts'
import { readPlan, type Plan } from './plan.ts'
import type { Tools } from './tools.ts'

export function buildPerformer(tools: Tools): Performers['build'] {
  const queue = new BuildQueue(tools.config.concurrentBuilds)
  return async ({ deploymentId }, { signal }) => {
    const plan = await readPlan(tools, deploymentId)
    await refuseVanishedTargets(tools, plan)
    await refuseBeyondPlan(tools, plan)
    const { image } = plan.settings
    // A rollback runs the very artifact of its target, as long as it is kept.
    if (image !== null && (await tools.world.builder.has(image))) return { image }
    await refuseWithoutStorage(tools)
    const job = jobOf(tools, plan)
    return queue.run(plan.teamId, () => build(tools, plan, job, signal), signal)
  }
}

async function build(tools: Tools, plan: Plan, job: BuildJob, signal: AbortSignal): Promise<{ image: string }> {
  const masker = createMasker(plan.environment.secrets)
  const log = await openBuildLog(tools, plan.deploymentId, line => masker.mask(line), signal)
  const before = plan.settings.image
  try {
    if (before !== null) log.write('A imagem desta versão não está mais guardada: ela é feita de novo, da mesma fonte.')
    const made = await tools.world.builder.build(job, line => log.write(line), signal)
    if (before !== null && job.source.type === 'image' && made.image !== before) throw moved(job.source.ref)
    return made
  } finally {
    await log.close()
  }
}

// An archive is what it was; a tag may lead elsewhere by now, and that would be no rollback.
function moved(ref: string): DriverError {
  return refused(
    `"${ref}" hoje é outra imagem, e a desta versão não está mais guardada; implante a referência com o digest dela`,
  )
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
  if (source === null) throw refused('nenhum arquivo foi enviado para este serviço; envie um .tar.gz ou .zip')
  if (source.type === 'image') return { type: 'image', ref: source.ref }
  if (source.type === 'upload') return { type: 'upload', archivePath: uploadPath(config.dataDir, source.sha256) }
  throw refused(
    'esta instalação ainda não constrói a partir de um repositório git; ' +
      'mude "source.type" para "upload" e envie um arquivo, ou use uma imagem',
  )
}

function refused(motivo: string): DriverError {
  return new DriverError('deploy_failed', `the build cannot begin: ${motivo}`, { details: { motivo } })
}
