// References in variable values (spec 2.5, D-40, D-41): `${{name.VAR}}`, and `$${{` for a literal `${{`.

/** Prefix of the project's shared variables. A service of this name can exist but not be referenced. */
export const SHARED = 'shared'

export interface Reference {
  /** A service, a database, or `shared`. */
  readonly name: string
  readonly variable: string
}

/** What a value is made of. `invalid` is a `${{` that does not start a reference. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reference'; readonly reference: Reference }
  | { readonly kind: 'invalid' }

const OPENING = '${{'
const ESCAPED = '$${{'
const REFERENCE = /\$\{\{([a-z][a-z0-9-]{0,30})\.([A-Za-z_][A-Za-z0-9_]{0,255})\}\}/y

/** Cuts a value into its parts, from left to right; never throws. Adjacent text is one part. */
export function parseValue(value: string): Part[] {
  const parts: Part[] = []
  let text = ''
  let at = 0
  const endText = () => {
    if (text !== '') parts.push({ kind: 'text', text })
    text = ''
  }
  for (;;) {
    const opening = value.indexOf(OPENING, at)
    if (opening < 0) break
    if (opening > at && value[opening - 1] === '$') {
      text += value.slice(at, opening - 1) + OPENING
      at = opening + OPENING.length
      continue
    }
    text += value.slice(at, opening)
    endText()
    REFERENCE.lastIndex = opening
    const found = REFERENCE.exec(value)
    if (found) {
      const [whole, name = '', variable = ''] = found
      parts.push({ kind: 'reference', reference: { name, variable } })
      at = opening + whole.length
    } else {
      parts.push({ kind: 'invalid' })
      at = opening + OPENING.length
    }
  }
  text += value.slice(at)
  endText()
  return parts
}

/** The value that expands to exactly this text. */
export function escapeValue(text: string): string {
  return text.replaceAll(OPENING, () => ESCAPED)
}

/** `api.PRIVATE_URL` */
export function formatReference(reference: Reference): string {
  return `${reference.name}.${reference.variable}`
}

/** Distinct references of a value, as `api.PRIVATE_URL`, in order of appearance; what cannot be parsed is left out. */
export function referencesOf(value: string): string[] {
  const found = new Set<string>()
  for (const part of parseValue(value)) {
    if (part.kind === 'reference') found.add(formatReference(part.reference))
  }
  return [...found]
}

/** Distinct names before the dot, in alphabetical order: `references` of a variable (decisions 3.4). */
export function namesOf(references: Iterable<string>): string[] {
  return [...new Set(Array.from(references, nameOf))].sort()
}

/**
 * All references that a service depends on: its own and, through shared variables, theirs. `sharedReferences` maps the
 * name of a shared variable to the references of its value. Cycles and missing variables are no hindrance.
 */
export function reachableReferences(
  references: Iterable<string>,
  sharedReferences: ReadonlyMap<string, readonly string[]>,
): string[] {
  const reached = new Set(references)
  // A Set goes on over what is added while it is walked.
  for (const reference of reached) {
    if (nameOf(reference) !== SHARED) continue
    for (const next of sharedReferences.get(reference.slice(SHARED.length + 1)) ?? []) reached.add(next)
  }
  return [...reached]
}

/** `depends_on` of a service (D-40): names in alphabetical order, without the service itself. */
export function dependsOn(self: string, reachable: Iterable<string>): string[] {
  return namesOf(reachable).filter(name => name !== self && name !== SHARED)
}

/** The part before the dot of `api.PRIVATE_URL`. */
export function nameOf(reference: string): string {
  return reference.slice(0, reference.indexOf('.'))
}
