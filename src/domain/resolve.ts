// Variables into environments (spec 2.5, D-37 to D-42). Every value is looked at once, sizes are added up before any text
// is put together, and only what is known to be shallow recurses: a hostile project costs what its text is long.
import { VARIABLES } from './limits.ts'
import type { ProjectModel, Variable } from './project-model.ts'
import { createRecipeBook, refuseUnsound, type FrozenPiece, type Leaf, type Recipe } from './recipes.ts'
import { SHARED } from './references.ts'
import { ResolveError, rotateCycle } from './resolve-error.ts'

export interface Environment {
  env: Record<string, string>
  /** Texts that nobody may read in a log. */
  secrets: string[]
  /** The same environment with its references to databases still open, for a later rollback (D-58). */
  frozen: FrozenVariable[]
}

export interface FrozenVariable {
  name: string
  /** True when the variable is sensitive, or anything inside is. */
  sensitive: boolean
  pieces: FrozenPiece[]
}

export interface Resolver {
  /** Environment of one app; PORT is always the service's own (D-39). Throws ResolveError. */
  environment(appName: string): Environment
  /**
   * One variable in clear (D-40 lets it be saved broken; reading it in clear says so). `name` is what errors call it.
   * `sensitive` tells whether the variable is, or anything inside. Throws ResolveError.
   */
  expand(variable: Variable): { text: string; sensitive: boolean }
  /** A frozen environment with the credentials of today. Throws ResolveError when a database is gone. */
  thaw(past: Pick<Environment, 'frozen' | 'secrets'>, port: number): Environment
}

interface Measures {
  /** References followed one inside the other. */
  depth: number
  bytes: number
  sensitive: boolean
}

/** A variable, or a shared one when it is inside others. */
interface Entry extends Measures {
  name: string
  recipe: Recipe
  leaves: Leaf[] | null
}

/** A resolver for one project as it is now. It remembers shared variables, so one serves all services of a group. */
export function createResolver(model: ProjectModel): Resolver {
  const book = createRecipeBook(model)
  const apps = new Map(model.apps.map(app => [app.name, app]))
  const shared = new Map(model.shared.map(variable => [variable.name, variable]))
  const recipes = new Map<string, Recipe>()
  const entries = new Map<string, Entry>()

  return {
    environment(appName) {
      const app = apps.get(appName)
      if (!app) throw new Error(`The project has no app "${appName}"`)
      try {
        const values = app.variables.map(variable => ({ ...variable, recipe: book.ofValue(variable.value) }))
        return assemble(values, app.port)
      } catch (error) {
        throw error instanceof ResolveError ? error.inService(appName) : error
      }
    },
    expand(variable) {
      const recipe = book.ofValue(variable.value)
      prepare([{ name: variable.name, recipe }])
      const entry = measure(variable.name, recipe, variable.sensitive)
      refuseOversized(entry)
      return { text: join(leavesOf(entry)), sensitive: entry.sensitive }
    },
    thaw(past, port) {
      const values = past.frozen.map(variable => ({ ...variable, recipe: book.ofFrozen(variable.pieces) }))
      const environment = assemble(values, port)
      return { ...environment, secrets: [...new Set([...environment.secrets, ...past.secrets])] }
    },
  }

  function assemble(values: { name: string; sensitive: boolean; recipe: Recipe }[], port: number): Environment {
    const inside = prepare(values)
    const own = values.map(({ name, recipe, sensitive }) => measure(name, recipe, sensitive))
    own.forEach(refuseOversized)
    refuseOversizedEnvironment(own)
    const env = own.map(entry => [entry.name, join(leavesOf(entry))] as const)
    return {
      env: Object.fromEntries([...env, ['PORT', String(port)]]),
      secrets: secretsOf([...own, ...inside]),
      frozen: own.map(entry => ({ name: entry.name, sensitive: entry.sensitive, pieces: freeze(leavesOf(entry)) })),
    }
  }

  /** Checks everything under these values and measures the shared variables among it, which it returns. */
  function prepare(values: readonly { name: string; recipe: Recipe }[]): Entry[] {
    const { order, cycle } = walk(values.flatMap(({ recipe }) => [...recipe.uses]))
    refuseUnsound([...values, ...order.map(name => ({ name: `${SHARED}.${name}`, recipe: recipeOf(name) }))])
    if (cycle) throw new ResolveError('reference_cycle', { references: rotateCycle(cycle) })
    return order.map(name => {
      const entry = entries.get(name) ?? measure(name, recipeOf(name), shared.get(name)?.sensitive ?? false)
      entries.set(name, entry)
      return entry
    })
  }

  /** Shared variables under these, each after the ones it uses, and the first cycle met. */
  function walk(names: readonly string[]): { order: string[]; cycle: string[] | null } {
    const order: string[] = []
    const seen = new Map<string, 'open' | 'done'>()
    let cycle: string[] | null = null
    for (const root of names) {
      const path: { name: string; uses: Iterator<string> }[] = []
      const enter = (name: string) => {
        seen.set(name, 'open')
        path.push({ name, uses: recipeOf(name).uses.values() })
      }
      if (!seen.has(root)) enter(root)
      for (let top = path.at(-1); top; top = path.at(-1)) {
        const next = top.uses.next()
        if (next.done) {
          seen.set(top.name, 'done')
          order.push(top.name)
          path.pop()
        } else if (!seen.has(next.value)) {
          enter(next.value)
        } else if (seen.get(next.value) === 'open') {
          cycle ??= path.slice(path.findIndex(step => step.name === next.value)).map(step => `${SHARED}.${step.name}`)
        }
      }
    }
    return { order, cycle }
  }

  function recipeOf(name: string): Recipe {
    let recipe = recipes.get(name)
    if (!recipe) recipes.set(name, (recipe = book.ofValue(shared.get(name)?.value ?? '')))
    return recipe
  }

  /** Adds up without putting together; the shared variables it uses have been measured before. */
  function measure(name: string, recipe: Recipe, sensitive: boolean): Entry {
    const entry = { name, recipe, leaves: null, depth: 0, bytes: 0, sensitive: sensitive || recipe.databases.size > 0 }
    for (const step of recipe.steps) {
      const inner = 'shared' in step ? entries.get(step.shared) : undefined
      const depth = 'shared' in step ? 1 + (inner?.depth ?? 0) : step.reference === null ? 0 : 1
      entry.depth = Math.max(entry.depth, depth)
      entry.bytes += 'shared' in step ? (inner?.bytes ?? 0) : Buffer.byteLength(step.text)
      if (inner?.sensitive) entry.sensitive = true
    }
    return entry
  }

  /**
   * What an entry expands to, without empty texts, so that there are never more leaves than bytes. Called only for
   * entries of bearable depth and size, and so is everything inside of them.
   */
  function leavesOf(entry: Entry): Leaf[] {
    if (entry.leaves) return entry.leaves
    const leaves: Leaf[] = []
    for (const step of entry.recipe.steps) {
      const inner = 'shared' in step ? entries.get(step.shared) : undefined
      if (inner) for (const leaf of leavesOf(inner)) leaves.push(leaf)
      else if ('text' in step && step.text !== '') leaves.push(step)
    }
    entry.leaves = leaves
    return leaves
  }

  /** Sensitive values, everything that holds one, and every variable of the databases that are used. */
  function secretsOf(used: readonly Entry[]): string[] {
    const secrets = new Set<string>()
    for (const entry of used) {
      if (entry.sensitive) secrets.add(join(leavesOf(entry)))
      for (const { variables } of entry.recipe.databases) Object.values(variables ?? {}).forEach(v => secrets.add(v))
    }
    secrets.delete('')
    return [...secrets]
  }
}

function refuseOversized(entry: Entry): void {
  const details = { references: referencesIn(entry.recipe), name: entry.name }
  if (entry.depth > VARIABLES.maxDepth) throw new ResolveError('reference_too_deep', details)
  if (entry.bytes > VARIABLES.maxExpandedBytes) throw new ResolveError('value_too_large', details)
}

/** The values count, names do not; the error names the largest. */
function refuseOversizedEnvironment(entries: readonly Entry[]): void {
  const total = entries.reduce((sum, entry) => sum + entry.bytes, 0)
  if (total <= VARIABLES.maxEnvironmentBytes) return
  const largest = entries.reduce((a, b) => (b.bytes > a.bytes ? b : a))
  const details = { references: referencesIn(largest.recipe), name: largest.name, reason: 'environment' as const }
  throw new ResolveError('value_too_large', details)
}

function referencesIn(recipe: Recipe): string[] {
  const references = recipe.steps.map(step => ('shared' in step ? `${SHARED}.${step.shared}` : step.reference))
  return [...new Set(references.filter(reference => reference !== null))]
}

function join(leaves: readonly Leaf[]): string {
  return leaves.map(leaf => leaf.text).join('')
}

function freeze(leaves: readonly Leaf[]): FrozenPiece[] {
  const pieces: FrozenPiece[] = []
  let text = ''
  for (const leaf of leaves) {
    if (!leaf.database || leaf.reference === null) {
      text += leaf.text
      continue
    }
    if (text !== '') pieces.push(text)
    text = ''
    pieces.push({ reference: leaf.reference })
  }
  if (text !== '') pieces.push(text)
  return pieces
}
