// What keeps variables from becoming an environment, in the order in which it is looked for (spec 2.5, rules 2, 4 and 5).
import { VARIABLES } from './limits.ts'
import type { Recipe } from './recipes.ts'
import { formatReference, SHARED } from './references.ts'
import { ResolveError, rotateCycle, type ResolveDetails } from './resolve-error.ts'

/** A variable of a service by its name, a shared one as `shared.X`: so errors call it. */
interface Named {
  readonly name: string
  readonly recipe: Recipe
}

interface Measured extends Named {
  readonly depth: number
  readonly bytes: number
}

/** Bad syntax comes before missing targets, and those before databases that only need time (T-23). */
export function refuseUnsound(values: readonly Named[]): void {
  const invalid = values.find(({ recipe }) => recipe.invalid)
  if (invalid) throw new ResolveError('invalid_reference', { references: [], name: invalid.name })
  refuseUnresolved('missing', values, {})
  refuseUnresolved('provisioning', values, { reason: 'database_provisioning' })
}

/** Names every reference that is at fault, and the first variable that has one. */
function refuseUnresolved(
  fault: 'missing' | 'provisioning',
  values: readonly Named[],
  details: Pick<ResolveDetails, 'reason'>,
): void {
  const first = values.find(({ recipe }) => recipe[fault].size > 0)
  if (!first) return
  const references = [...new Set(values.flatMap(({ recipe }) => [...recipe[fault]]))]
  throw new ResolveError('unresolved_reference', { references, name: first.name, ...details })
}

/** `cycle` holds the names of shared variables in their order (D-42). */
export function refuseCycle(cycle: readonly string[] | null): void {
  if (!cycle) return
  const references = cycle.map(variable => formatReference({ name: SHARED, variable }))
  throw new ResolveError('reference_cycle', { references: rotateCycle(references) })
}

/** One expanded value: at most 16 levels and 64 KiB (spec 2.5, rule 2). */
export function refuseOversized({ name, recipe, depth, bytes }: Measured): void {
  const details = { references: referencesIn(recipe), name }
  if (depth > VARIABLES.maxDepth) throw new ResolveError('reference_too_deep', details)
  if (bytes > VARIABLES.maxExpandedBytes) throw new ResolveError('value_too_large', details)
}

/** The environment: at most 256 KiB of values, names not counted (spec 2.5, rule 2). The error names the largest. */
export function refuseOversizedEnvironment(values: readonly Measured[]): void {
  const total = values.reduce((sum, value) => sum + value.bytes, 0)
  if (total <= VARIABLES.maxEnvironmentBytes) return
  const { name, recipe } = values.reduce((a, b) => (b.bytes > a.bytes ? b : a))
  throw new ResolveError('value_too_large', { references: referencesIn(recipe), name, reason: 'environment' })
}

function referencesIn({ ingredients }: Recipe): string[] {
  const references = ingredients.map(one =>
    'shared' in one ? formatReference({ name: SHARED, variable: one.shared }) : one.reference,
  )
  return [...new Set(references.filter(reference => reference !== null))]
}
