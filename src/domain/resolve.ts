// The reference resolver: from variables as they were saved to the environment of a service (spec 2.5; D-37 to D-42).
//
//   parse     a value into text and references                      references.ts
//   look up   what each reference points at in its project          targets.ts, recipes.ts
//   check     syntax, targets, cycles                               resolve-checks.ts, shared-variables.ts
//   measure   levels and bytes, added up and not put together       below; what is too large: resolve-checks.ts
//   expand    into text                                             below
//
// Nothing is expanded before it has been measured, every shared variable is looked at once, and only what is known to be
// shallow recurses: a hostile project costs what its text is long.
import type { ProjectModel, Variable } from './project-model.ts'
import { createRecipeBook, type FrozenValue, type Recipe, type Text } from './recipes.ts'
import { formatReference, SHARED } from './references.ts'
import { refuseCycle, refuseOversized, refuseOversizedEnvironment, refuseUnsound } from './resolve-checks.ts'
import { ResolveError } from './resolve-error.ts'
import { createSharedVariables } from './shared-variables.ts'

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
  pieces: FrozenValue
}

export interface Resolver {
  /** Environment of one app; PORT is always the service's own (D-39). Throws ResolveError. */
  environment(appName: string): Environment
  /**
   * One variable in clear (D-40 lets it be saved broken; reading it in clear says so). `name` is what errors call it.
   * `sensitive` tells whether the variable is, or anything inside. Throws ResolveError.
   */
  expand(variable: Variable): { text: string; sensitive: boolean }
  /** A frozen environment with the credentials of today (D-58). Throws ResolveError when a database is gone. */
  thaw(past: Pick<Environment, 'frozen' | 'secrets'>, port: number): Environment
}

/** A variable whose references have been looked up. */
interface Value {
  readonly name: string
  readonly sensitive: boolean
  readonly recipe: Recipe
}

interface Measured extends Value {
  /** The variable is, or anything inside. */
  readonly sensitive: boolean
  /** Levels: references followed one inside the other. */
  readonly depth: number
  /** Of the expanded text. */
  readonly bytes: number
}

/** A resolver for one project as it is now. It remembers shared variables, so one serves all services of a group. */
export function createResolver(model: ProjectModel): Resolver {
  const book = createRecipeBook(model)
  const shared = createSharedVariables(model, book)
  /** Shared variables that have been found sound, and what they expand to. */
  const measuredShared = new Map<string, Measured>()
  const expanded = new Map<Measured, Text[]>()

  return {
    environment(appName) {
      const app = model.apps.find(one => one.name === appName)
      if (!app) throw new Error(`The project has no app "${appName}"`)
      try {
        return assemble(app.variables.map(lookUp), app.port)
      } catch (error) {
        throw error instanceof ResolveError ? error.inService(appName) : error
      }
    },
    expand(variable) {
      const value = lookUp(variable)
      check([value])
      const measured = measure(value)
      refuseOversized(measured)
      return { text: textOf(measured), sensitive: measured.sensitive }
    },
    thaw(past, port) {
      const values = past.frozen.map(({ name, sensitive, pieces }) => ({
        name,
        sensitive,
        recipe: book.ofFrozen(pieces),
      }))
      const environment = assemble(values, port)
      return { ...environment, secrets: [...new Set([...environment.secrets, ...past.secrets])] }
    },
  }

  function assemble(own: readonly Value[], port: number): Environment {
    const inside = check(own)
    const values = own.map(measure)
    values.forEach(refuseOversized)
    refuseOversizedEnvironment(values)
    return {
      env: Object.fromEntries([...values.map(value => [value.name, textOf(value)]), ['PORT', String(port)]]),
      secrets: secretsOf([...values, ...inside]),
      frozen: values.map(value => ({ name: value.name, sensitive: value.sensitive, pieces: freeze(textsOf(value)) })),
    }
  }

  function lookUp({ name, value, sensitive }: Variable): Value {
    return { name, sensitive, recipe: book.ofValue(value) }
  }

  /** Refuses what is wrong with these values and everything under them. Answers the shared variables under them. */
  function check(values: readonly Value[]): Measured[] {
    const { order, cycle } = shared.neededBy(values.map(value => value.recipe))
    const under = order.map(variable => ({
      name: formatReference({ name: SHARED, variable }),
      sensitive: shared.isSensitive(variable),
      recipe: shared.recipeOf(variable),
    }))
    refuseUnsound([...values, ...under])
    refuseCycle(cycle)
    return order.map((variable, i) => {
      const measured = measuredShared.get(variable) ?? measure(under[i] as Value)
      measuredShared.set(variable, measured)
      return measured
    })
  }

  /** Adds up without putting together. The shared variables inside have been measured before. */
  function measure({ name, sensitive, recipe }: Value): Measured {
    const sum = { depth: 0, bytes: 0, sensitive: sensitive || recipe.databases.size > 0 }
    for (const ingredient of recipe.ingredients) {
      if ('shared' in ingredient) {
        const inner = measuredShared.get(ingredient.shared)
        sum.depth = Math.max(sum.depth, 1 + (inner?.depth ?? 0))
        sum.bytes += inner?.bytes ?? 0
        sum.sensitive ||= inner?.sensitive ?? false
      } else {
        sum.depth = Math.max(sum.depth, ingredient.reference === null ? 0 : 1)
        sum.bytes += Buffer.byteLength(ingredient.text)
      }
    }
    return { name, recipe, ...sum }
  }

  /**
   * What a value expands to, without empty texts, so that there are never more texts than bytes. Only for what has been
   * measured and is neither too deep nor too large; then neither is anything inside.
   */
  function textsOf(value: Measured): Text[] {
    const known = expanded.get(value)
    if (known) return known
    const texts: Text[] = []
    for (const ingredient of value.recipe.ingredients) {
      if ('text' in ingredient) {
        if (ingredient.text !== '') texts.push(ingredient)
        continue
      }
      const inner = measuredShared.get(ingredient.shared)
      if (inner) for (const text of textsOf(inner)) texts.push(text)
    }
    expanded.set(value, texts)
    return texts
  }

  function textOf(value: Measured): string {
    return textsOf(value)
      .map(({ text }) => text)
      .join('')
  }

  /** Sensitive values, everything that holds one, and every variable of the databases that are used. */
  function secretsOf(values: readonly Measured[]): string[] {
    const secrets = new Set<string>()
    for (const value of values) {
      if (value.sensitive) secrets.add(textOf(value))
      for (const { variables } of value.recipe.databases) Object.values(variables ?? {}).forEach(v => secrets.add(v))
    }
    secrets.delete('')
    return [...secrets]
  }
}

/** Neighbouring texts become one; what came from a database becomes its reference again. */
function freeze(texts: readonly Text[]): FrozenValue {
  const frozen: FrozenValue = []
  for (const { text, reference, database } of texts) {
    const last = frozen.at(-1)
    if (database && reference !== null) frozen.push({ reference })
    else if (typeof last === 'string') frozen[frozen.length - 1] = last + text
    else frozen.push(text)
  }
  return frozen
}
