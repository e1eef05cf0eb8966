// A value with the targets of its references found: what it will be made of, and what is wrong with it.
import { createLookup, type DatabaseModel, type ProjectModel, type Target } from './project-model.ts'
import { formatReference, nameOf, parseValue } from './references.ts'
import { ResolveError, type ResolveDetails } from './resolve-error.ts'

/** Text to put in as it is. `reference` tells where it came from, `null` for the value's own text. */
export interface Leaf {
  readonly text: string
  readonly reference: string | null
  readonly database: DatabaseModel | null
}

export type Step = Leaf | { readonly shared: string }

export interface Recipe {
  readonly steps: Step[]
  /** Distinct shared variables that it uses. */
  readonly uses: Set<string>
  readonly databases: Set<DatabaseModel>
  readonly invalid: boolean
  readonly missing: Set<string>
  readonly provisioning: Set<string>
}

/** Text, or a reference such as `db.DATABASE_URL`. */
export type FrozenPiece = string | { reference: string }

export interface RecipeBook {
  ofValue(value: string): Recipe
  ofFrozen(pieces: readonly FrozenPiece[]): Recipe
}

/** Makes recipes with what one project has; never throws. */
export function createRecipeBook(model: ProjectModel): RecipeBook {
  const lookup = createLookup(model)
  return {
    ofValue(value) {
      const parts = parseValue(value)
      const recipe = emptyRecipe(parts.some(part => part.kind === 'invalid'))
      for (const part of parts) {
        if (part.kind === 'text') addText(recipe, part.text)
        if (part.kind === 'reference') add(recipe, formatReference(part.reference), lookup(part.reference))
      }
      return recipe
    },
    ofFrozen(pieces) {
      const recipe = emptyRecipe(false)
      for (const piece of pieces) {
        if (typeof piece === 'string') addText(recipe, piece)
        else add(recipe, piece.reference, lookup(parseReference(piece.reference)))
      }
      return recipe
    },
  }
}

/**
 * Throws when one of these values cannot be resolved as it stands. Bad syntax comes before missing targets, and those
 * before databases that only need time.
 */
export function refuseUnsound(values: readonly { name: string; recipe: Recipe }[]): void {
  const invalid = values.find(({ recipe }) => recipe.invalid)
  if (invalid) throw new ResolveError('invalid_reference', { references: [], name: invalid.name })
  refuse(values, 'missing', {})
  refuse(values, 'provisioning', { reason: 'database_provisioning' })
}

function refuse(
  values: readonly { name: string; recipe: Recipe }[],
  problem: 'missing' | 'provisioning',
  details: Pick<ResolveDetails, 'reason'>,
): void {
  const first = values.find(({ recipe }) => recipe[problem].size > 0)
  if (!first) return
  const references = [...new Set(values.flatMap(({ recipe }) => [...recipe[problem]]))]
  throw new ResolveError('unresolved_reference', { references, name: first.name, ...details })
}

function emptyRecipe(invalid: boolean): Recipe {
  return { steps: [], uses: new Set(), databases: new Set(), invalid, missing: new Set(), provisioning: new Set() }
}

function addText(recipe: Recipe, text: string): void {
  recipe.steps.push({ text, reference: null, database: null })
}

function add(recipe: Recipe, reference: string, target: Target): void {
  switch (target.kind) {
    case 'shared':
      recipe.steps.push({ shared: target.variable.name })
      recipe.uses.add(target.variable.name)
      return
    case 'app':
      recipe.steps.push({ text: target.value, reference, database: null })
      return
    case 'database':
      recipe.steps.push({ text: target.value, reference, database: target.database })
      recipe.databases.add(target.database)
      return
    default:
      recipe[target.kind].add(reference)
  }
}

function parseReference(reference: string): { name: string; variable: string } {
  const name = nameOf(reference)
  return { name, variable: reference.slice(name.length + 1) }
}
