// The shared variables of a project as a graph: which of them a value needs, in which order, and where they go in circles.
import type { ProjectModel } from './project-model.ts'
import type { Recipe, RecipeBook } from './recipes.ts'

export interface SharedVariables {
  recipeOf(variable: string): Recipe
  isSensitive(variable: string): boolean
  /**
   * All that these values need, directly or through others, each after the ones that it uses itself; and the first cycle
   * met, in its order. What nobody needs may be as broken as it likes (D-40).
   */
  neededBy(recipes: Iterable<Recipe>): { order: string[]; cycle: string[] | null }
}

/** Every variable is parsed once, and only when it is needed. */
export function createSharedVariables(model: ProjectModel, book: RecipeBook): SharedVariables {
  const variables = new Map(model.shared.map(variable => [variable.name, variable]))
  const recipes = new Map<string, Recipe>()
  return { recipeOf, isSensitive: name => variables.get(name)?.sensitive ?? false, neededBy }

  function recipeOf(name: string): Recipe {
    const recipe = recipes.get(name) ?? book.ofValue(variables.get(name)?.value ?? '')
    recipes.set(name, recipe)
    return recipe
  }

  // Depth first, with a stack of its own: a chain may be as long as the project has variables.
  function neededBy(values: Iterable<Recipe>): { order: string[]; cycle: string[] | null } {
    const order: string[] = []
    const seen = new Map<string, 'open' | 'done'>()
    const path: { name: string; uses: Iterator<string> }[] = []
    let cycle: string[] | null = null
    const enter = (name: string) => {
      seen.set(name, 'open')
      path.push({ name, uses: recipeOf(name).shared.values() })
    }
    const follow = () => {
      for (let top = path.at(-1); top; top = path.at(-1)) {
        const next = top.uses.next()
        if (next.done) {
          seen.set(top.name, 'done')
          order.push(top.name)
          path.pop()
        } else if (!seen.has(next.value)) {
          enter(next.value)
        } else if (seen.get(next.value) === 'open') {
          cycle ??= path.slice(path.findIndex(step => step.name === next.value)).map(step => step.name)
        }
      }
    }
    for (const { shared } of values) {
      for (const name of shared) {
        if (seen.has(name)) continue
        enter(name)
        follow()
      }
    }
    return { order, cycle }
  }
}
