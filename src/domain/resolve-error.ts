// Why an environment cannot be made (spec 2.5, rules 2, 4 and 5). Who finds it out: resolve-checks.ts and layers.ts.

export type ResolveCode =
  'unresolved_reference' | 'reference_cycle' | 'reference_too_deep' | 'value_too_large' | 'invalid_reference'

export interface ResolveDetails {
  /** Such as `api.PRIVATE_URL`: the missing ones, or the cycle in its order; never a part of a value. */
  references: string[]
  /** The variable at fault; `shared.X` when it is a shared one. */
  name?: string
  /** `database_provisioning`: the references would resolve once the databases are ready. */
  reason?: 'database_provisioning' | 'environment'
  /** The service whose environment was being resolved. */
  service?: string
}

/** HTTP answers 422 with `code` and `details`. */
export class ResolveError extends Error {
  readonly code: ResolveCode
  readonly details: ResolveDetails
  constructor(code: ResolveCode, details: ResolveDetails) {
    super(`${code}: ${details.name ?? ''} ${details.references.join(', ')}`.trim())
    this.name = 'ResolveError'
    this.code = code
    this.details = details
  }

  /** The same error, telling in whose environment it was met. */
  inService(service: string): ResolveError {
    return new ResolveError(this.code, { ...this.details, service })
  }
}

/** A cycle reads the same wherever it was entered: it starts at its smallest member. */
export function rotateCycle(references: readonly string[]): string[] {
  const smallest = references.reduce((best, reference, i) => (reference < (references[best] ?? '') ? i : best), 0)
  return [...references.slice(smallest), ...references.slice(0, smallest)]
}
