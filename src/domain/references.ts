// References in values, as text (spec 2.5; D-40, D-41): `${{name.VARIABLE}}`, and `$${{` for a literal `${{`. What they point
// at is targets.ts; what becomes of them is resolve.ts.

/** The name before the dot that means the project's shared variables. A service of this name can be, but not be referred to. */
export const SHARED = 'shared'

export interface Reference {
  /** A service, a database, or `shared`. */
  readonly name: string
  readonly variable: string
}

/** What a value is made of. `invalid` is a `${{` that does not begin a reference (D-41). */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reference'; readonly reference: Reference }
  | { readonly kind: 'invalid' }

const OPENING = '${{'
/** The names are those of services and variables (spec 2.3, 2.5). Sticky: looked for exactly where an opening is. */
const REFERENCE = /\$\{\{([a-z][a-z0-9-]{0,30})\.([A-Za-z_][A-Za-z0-9_]{0,255})\}\}/y

/**
 * Cuts a value into its parts, from left to right; never throws. Neighbouring text is one part.
 * `a ${{db.PGHOST}} $${{x}}` → text `a `, reference db.PGHOST, text ` ${{x}}`.
 */
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
    // One dollar sign more escapes the opening, and is itself not part of the text.
    if (opening > at && value[opening - 1] === '$') {
      text += value.slice(at, opening - 1) + OPENING
      at = opening + OPENING.length
      continue
    }
    text += value.slice(at, opening)
    endText()
    const found = referenceAt(value, opening)
    parts.push(found ? { kind: 'reference', reference: found.reference } : { kind: 'invalid' })
    at = opening + (found?.length ?? OPENING.length)
  }
  text += value.slice(at)
  endText()
  return parts
}

function referenceAt(value: string, opening: number): { reference: Reference; length: number } | null {
  REFERENCE.lastIndex = opening
  const found = REFERENCE.exec(value)
  if (!found) return null
  const [whole, name = '', variable = ''] = found
  return { reference: { name, variable }, length: whole.length }
}

// Outside of values a reference is written as its two names: `api.PRIVATE_URL`. So it is stored, and so clients are told.

/** `api.PRIVATE_URL` */
export function formatReference({ name, variable }: Reference): string {
  return `${name}.${variable}`
}

/** The other way round; for text that `formatReference` has made. */
export function readReference(reference: string): Reference {
  const name = nameOf(reference)
  return { name, variable: reference.slice(name.length + 1) }
}

/** The name before the dot. */
export function nameOf(reference: string): string {
  return reference.slice(0, reference.indexOf('.'))
}

/** Distinct references of a value in order of appearance; what cannot be parsed is left out (D-40). */
export function referencesOf(value: string): string[] {
  const references = parseValue(value).flatMap(part => (part.kind === 'reference' ? [part.reference] : []))
  return [...new Set(references.map(formatReference))]
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
    const { name, variable } = readReference(reference)
    if (name !== SHARED) continue
    for (const next of sharedReferences.get(variable) ?? []) reached.add(next)
  }
  return [...reached]
}

/** `depends_on` of a service (D-40): names in alphabetical order, without the service itself. */
export function dependsOn(self: string, reachable: Iterable<string>): string[] {
  return namesOf(reachable).filter(name => name !== self && name !== SHARED)
}
