// A service body merged into what is there (D-36), and what the merge asks for.
import { SERVICE } from '../domain/limits.ts'
import type { ServiceFields, ServiceSource } from '../../db/queries/services.ts'
import { fieldError } from './errors.ts'
import type { ServicePatch } from './schemas/services.ts'
import { completeSource } from './schemas/services.ts'
import { validate } from './validation.ts'

/** The fields after the change; 400 when they do not fit together. `null` in the body brings a default back. */
export function mergeFields(before: ServiceFields, body: ServicePatch): ServiceFields {
  const after: ServiceFields = {
    name: body.name ?? before.name,
    ...mergeVisibility(before, body),
    port: chosen(body.port, before.port, SERVICE.defaultPort),
    source: mergeSource(before.source, body.source),
    ...mergeBuild(before, body.build),
    healthcheck_path: chosen(body.healthcheck_path, before.healthcheck_path, '/'),
    start_command: chosen(body.start_command, before.start_command, null),
    build_command: chosen(body.build_command, before.build_command, null),
    ...mergeResources(before, body.resources),
    auto_deploy: chosen(body.auto_deploy, before.auto_deploy, false),
  }
  if (after.auto_deploy && after.source?.type !== 'git') {
    throw fieldError('invalid_request.auto_deploy', 'auto_deploy', 'invalid')
  }
  return after
}

/** Names of the fields that differ. */
export function changedFields(before: ServiceFields, after: ServiceFields): (keyof ServiceFields)[] {
  const names = Object.keys(after) as (keyof ServiceFields)[]
  return names.filter(name => JSON.stringify(canonical(before[name])) !== JSON.stringify(canonical(after[name])))
}

function chosen<T>(wanted: T | null | undefined, before: T, whenNull: T): T {
  return wanted === undefined ? before : (wanted ?? whenNull)
}

// Turning a service private drops its slug; turning it public needs one in the same call.
function mergeVisibility(before: ServiceFields, body: ServicePatch): Pick<ServiceFields, 'visibility' | 'slug'> {
  const visibility = body.visibility ?? before.visibility
  if (visibility === 'private') {
    if (body.slug != null) throw fieldError('invalid_request.private_slug', 'slug', 'invalid')
    return { visibility, slug: null }
  }
  const slug = body.slug === undefined ? before.slug : body.slug
  if (slug === null) throw fieldError('invalid_request.public_slug', 'slug', 'required')
  return { visibility, slug }
}

function mergeBuild(before: ServiceFields, build: ServicePatch['build']): Pick<ServiceFields, 'builder' | 'run_as'> {
  if (build === null) return { builder: 'auto', run_as: null }
  return {
    builder: chosen(build?.builder, before.builder, 'auto'),
    run_as: chosen(build?.user, before.run_as, null),
  }
}

function mergeResources(
  before: ServiceFields,
  resources: ServicePatch['resources'],
): Pick<ServiceFields, 'memory_mb' | 'cpus'> {
  if (resources === null) return { memory_mb: SERVICE.defaultMemoryMb, cpus: SERVICE.defaultCpus }
  return {
    memory_mb: chosen(resources?.memory_mb, before.memory_mb, SERVICE.defaultMemoryMb),
    cpus: chosen(resources?.cpus, before.cpus, SERVICE.defaultCpus),
  }
}

function mergeSource(before: ServiceSource | null, wanted: ServicePatch['source']): ServiceSource | null {
  if (wanted === undefined) return before
  if (wanted === null) return null
  const replaces = wanted.type !== undefined && wanted.type !== before?.type
  const merged = replaces ? wanted : { ...before, ...wanted }
  const { source } = validate(completeSource, { source: merged }) as { source: ServiceSource }
  return source
}

function canonical(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
}
