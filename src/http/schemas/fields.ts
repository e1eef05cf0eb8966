// The kinds of fields that bodies are made of. Each says its rule in pt-BR, which completes "O campo … deve ser …"; a
// field with a sentence of its own in decisions 8.1 names that line of the error table instead.
import { z } from 'zod'
import { isStorableText } from '../../domain/names.ts'
import type { ErrorText } from '../errors.ts'

/** Whole number within bounds; `8080.0` is one, `"8080"` is not. */
export function integer(min: number, max = Number.MAX_SAFE_INTEGER) {
  const rule =
    max === Number.MAX_SAFE_INTEGER ? `um número inteiro a partir de ${min}` : `um número inteiro de ${min} a ${max}`
  return z.int(rule).min(min, rule).max(max, rule)
}

/** Text that can be stored, up to `max` characters (not UTF-16 units). */
export function text(max: number, rule = `um texto de até ${max} caracteres`) {
  return z
    .string(rule)
    .refine(value => isStorableText(value) && [...value].length <= max, rule)
    .meta({ maxLength: max })
}

/** What the OpenAPI document says of a text beside its rule: as much of it as JSON Schema can say. */
interface Shown {
  examples: [string, ...string[]]
  pattern?: string
  maxLength?: number
}

/** Text that passes a test, described by its rule. */
export function textWhere(test: (value: string) => boolean, rule: string, shown: Shown) {
  return z
    .string(rule)
    .refine(test, rule)
    .meta({ description: rule, ...shown })
}

/** Text of a pattern; otherwise the line of the error table, whose `{valor}` is the text. */
export function textOr(pattern: RegExp, error: ErrorText, ...examples: string[]) {
  return z
    .string('um texto')
    .refine(value => pattern.test(value), { params: { error } })
    .meta({ pattern: pattern.source, examples })
}

/** One of some words. */
export function choice<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, `um destes valores: ${words.map(word => `"${word}"`).join(', ')}`)
}

export const boolean = () => z.boolean('verdadeiro ou falso (true ou false)')

/** An object that refuses fields it does not list. */
export function object<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, 'um objeto')
}
