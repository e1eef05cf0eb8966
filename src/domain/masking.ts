// Sensitive values as logs show them (spec 2.10, C-126).
import { createAutomaton } from './automaton.ts'
import { formsOf } from './secret-forms.ts'

/** What a sensitive value looks like from outside, whatever its length. */
export const MASK = '********'

/**
 * More text than this is not looked for: about 60 MB of memory. A whole environment of secrets fits with room to spare;
 * beyond it, encoded forms of the longest secrets are the first to be left out.
 */
const MOST_UNITS = 2 * 1024 * 1024

export interface Masker {
  /** What can be shown after this chunk: all but an end that may be the start of a secret. */
  push(chunk: string): string
  /** What was held back. The masker is then as new. */
  end(): string
  /** A complete text, masked on its own; what is being pushed is not touched. */
  mask(text: string): string
}

/**
 * A masker for these secrets, in every form that `formsOf` knows; time is linear in the text. Everything that belongs to
 * a secret is covered: where secrets overlap or touch, one mask stands for all of them. Chunks make no difference.
 */
export function createMasker(secrets: readonly string[]): Masker {
  const automaton = createAutomaton(textsOf(secrets))
  let stream = createStream()
  return {
    push: chunk => stream.push(chunk),
    end: () => {
      const rest = stream.end()
      stream = createStream()
      return rest
    },
    mask: text => {
      const once = createStream()
      return once.push(text) + once.end()
    },
  }

  function createStream() {
    const held = createHeldText()
    /** Secrets found and not yet written out; disjoint, in order. */
    const found: { start: number; end: number }[] = []
    let node = 0
    let read = 0
    /** Where the last mask that was written out ends. */
    let maskedTo = -1

    return {
      push(chunk: string): string {
        held.append(chunk)
        for (let i = 0; i < chunk.length; i++) {
          node = automaton.step(node, chunk.charCodeAt(i))
          read += 1
          const length = automaton.matched(node)
          if (length > 0) remember(read - length, read)
        }
        return release(read - automaton.depth(node))
      },
      end: () => release(read),
    }

    function remember(start: number, end: number): void {
      let from = start
      for (let last = found.at(-1); last && last.end >= from; last = found.at(-1)) {
        from = Math.min(from, last.start)
        found.pop()
      }
      found.push({ start: from, end })
    }

    /** Writes out what is decided: no secret still to be found starts before `limit`. */
    function release(limit: number): string {
      let out = ''
      let written = 0
      for (const { start, end } of found) {
        if (start >= limit) break
        out += held.take(start)
        if (start > maskedTo) out += MASK
        held.skip(end)
        maskedTo = end
        written += 1
      }
      found.splice(0, written)
      return out + held.take(limit)
    }
  }
}

/** The text between what was written out and what was read, without ever being copied together. */
function createHeldText() {
  const chunks: string[] = []
  /** Position of the first unit of the first chunk that is still held, and how much of it is gone. */
  let position = 0
  let offset = 0

  return {
    append(chunk: string): void {
      if (chunk !== '') chunks.push(chunk)
    },
    take: (to: number): string => advance(to, true),
    skip: (to: number): void => void advance(to, false),
  }

  function advance(to: number, keep: boolean): string {
    let out = ''
    while (position < to) {
      const chunk = chunks[0]
      if (chunk === undefined) throw new RangeError(`nothing is held between ${position} and ${to}`)
      const length = Math.min(to - position, chunk.length - offset)
      if (keep) out += chunk.slice(offset, offset + length)
      position += length
      offset += length
      if (offset < chunk.length) break
      chunks.shift()
      offset = 0
    }
    return out
  }
}

function textsOf(secrets: readonly string[]): string[] {
  const forms = [...new Set(secrets)].sort((a, b) => a.length - b.length).map(formsOf)
  const plainFirst = [...forms.map(([plain]) => plain), ...forms.flatMap(([, ...encoded]) => encoded)]
  let units = 0
  return [...new Set(plainFirst)].filter(text => text !== undefined && (units += text.length) <= MOST_UNITS) as string[]
}
