// What is counted against a plan (decisions 6), and the one refusal when there is no room left.
import { ApiError } from './errors.ts'

/** As `details.resource` names it, and as the message does. */
const COUNTED = {
  services: 'serviços',
  memory_mb: 'memória em MB',
  cpus: 'CPUs por serviço',
  volumes_gb: 'volumes em GB',
  databases: 'bancos de dados',
  quota_mb: 'cota por banco em MB',
} as const

export interface Count {
  /** What would be in use. */
  wanted: number
  max: number
  /** What is in use; what belongs to one resource alone shows what was wanted of it. */
  used?: number
}

/** 422 `quota_exceeded` when more is wanted than the plan has. The team must be locked while its sums are looked at. */
export function refuseBeyond(resource: keyof typeof COUNTED, { wanted, max, used = wanted }: Count): void {
  if (wanted <= max) return
  const params = { recurso: COUNTED[resource], usado: used, max }
  throw new ApiError('quota_exceeded', params, { details: { resource, used, max } })
}
