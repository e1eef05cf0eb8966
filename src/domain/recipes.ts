// A value with every reference looked up: what its text will be made of, and what is wrong with it.
import type { DatabaseModel, ProjectModel } from './project-model.ts'
import { formatReference, parseValue, readReference, type Reference } from './references.ts'
import { createLookup } from './targets.ts'

export interface Recipe {
  /** In the order of the value; what is wrong is not among them. */
  readonly ingredients: Ingredient[]
  /** Distinct shared variables among the ingredients. */
  readonly shared: Set<string>
  readonly databases: Set<DatabaseModel>
  /** A `${{` that begins no reference. */
  readonly invalid: boolean
  /** References without a target, such as `api.NOPE`. */
  readonly missing: Set<string>
  /** References to databases that only need time. */
  readonly provisioning: Set<string>
}

/** Text that is known, or the expansion of a shared variable. */
export type Ingredient = Text | { readonly shared: string }

export interface Text {
  readonly text: string
  /** Where it comes from, such as `db.PGHOST`; null = it is the value's own. */
  readonly reference: string | null
  readonly database: DatabaseModel | null
}

/** A value as a deployment keeps it: all in text but its references to databases, such as `db.DATABASE_URL` (D-58). */
export type FrozenValue = (string | { reference: string })[]

/** Makes recipes with what one project has; never throws. */
export interface RecipeBook {
  ofValue(value: string): Recipe
  ofFrozen(value: Readonly<FrozenValue>): Recipe
}

export function createRecipeBook(model: ProjectModel): RecipeBook {
  const lookup = createLookup(model)
  return {
    ofValue(value) {
      const parts = parseValue(value)
      const recipe = emptyRecipe(parts.some(part => part.kind === 'invalid'))
      for (const part of parts) {
        if (part.kind === 'text') addText(recipe, part.text)
        if (part.kind === 'reference') addTarget(recipe, part.reference)
      }
      return recipe
    },
    ofFrozen(value) {
      const recipe = emptyRecipe(false)
      for (const piece of value) {
        if (typeof piece === 'string') addText(recipe, piece)
        else addTarget(recipe, readReference(piece.reference))
      }
      return recipe
    },
  }

  function addTarget(recipe: Recipe, named: Reference): void {
    const target = lookup(named)
    const reference = formatReference(named)
    switch (target.kind) {
      case 'app':
        recipe.ingredients.push({ text: target.text, reference, database: null })
        return
      case 'database':
        recipe.ingredients.push({ text: target.text, reference, database: target.database })
        recipe.databases.add(target.database)
        return
      case 'shared':
        recipe.ingredients.push({ shared: target.variable })
        recipe.shared.add(target.variable)
        return
      default:
        recipe[target.kind].add(reference)
    }
  }
}

function emptyRecipe(invalid: boolean): Recipe {
  return {
    ingredients: [],
    shared: new Set(),
    databases: new Set(),
    invalid,
    missing: new Set(),
    provisioning: new Set(),
  }
}

function addText(recipe: Recipe, text: string): void {
  recipe.ingredients.push({ text, reference: null, database: null })
}
