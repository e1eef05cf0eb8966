// Reads what tap says (TAP 14, one subtest a file) and keeps what a person wants to know: per file how many tests passed,
// and everything about those that did not.
export interface FileResult {
  name: string
  passed: number
  failed: number
  seconds: number
  /** The names of what failed, each with the lines tap wrote about it. */
  failures: { name: string; lines: string[] }[]
}

const POINT = /^( *)(not )?ok \d+(?: - (.*?))?(?: # (.*))?(?: \{)?$/

/** Feed it lines; it calls back at the end of each file. A test is what stands one level below its file. */
export class TapReader {
  readonly #onFile: (result: FileResult) => void
  #tests: { name: string; ok: boolean; lines: string[] }[] = []
  #pending: string[] = []

  constructor(onFile: (result: FileResult) => void) {
    this.#onFile = onFile
  }

  line(text: string): void {
    const point = POINT.exec(text)
    const depth = (point?.[1] ?? '').length
    if (!point || depth > 4) {
      this.#remember(text)
      return
    }
    const directive = point[4] ?? ''
    // Nothing may be left out: what a part needs and does not find is a failure that says so.
    const skipped = /^(?:SKIP|TODO)/i.test(directive)
    const result = { name: point[3] ?? '', ok: point[2] === undefined && !skipped, skipped }
    if (depth === 4) this.#endTest(result, text)
    else this.#endFile(result, directive)
  }

  // Lines before a test's own line are its subtest's; those after it, up to the next one, are its diagnosis.
  #remember(text: string): void {
    const last = this.#tests.at(-1)
    if (/^ {4,6}(?:---|\.\.\.)$/.test(text) || (last && /^ {6}/.test(text) && this.#pending.length === 0)) {
      if (last && !last.ok) last.lines.push(text)
      return
    }
    if (/^ {4}/.test(text)) this.#pending.push(text)
  }

  #endTest({ name, ok, skipped }: { name: string; ok: boolean; skipped: boolean }, text: string): void {
    const lines = ok ? [] : skipped ? [text.trim()] : this.#pending
    this.#tests.push({ name, ok, lines: [...lines] })
    this.#pending = []
  }

  #endFile({ name, ok }: { name: string; ok: boolean }, directive: string): void {
    const failures = this.#tests.filter(test => !test.ok).map(({ name, lines }) => ({ name, lines }))
    const passed = this.#tests.length - failures.length
    // A file that ended badly without a failed test crashed, timed out, or had nothing to say.
    if (!ok && failures.length === 0)
      failures.push({ name: 'the file ended badly', lines: [...this.#pending, directive] })
    if (this.#tests.length === 0 && ok) failures.push({ name: 'the file holds no test', lines: [] })
    this.#onFile({ name, passed, failed: failures.length, seconds: secondsIn(directive), failures })
    this.#tests = []
    this.#pending = []
  }
}

function secondsIn(directive: string): number {
  const [, value = '0', unit = 'ms'] = /time=([\d.]+)(ms|s|m)?/.exec(directive) ?? []
  return Number(value) * ({ ms: 0.001, s: 1, m: 60 }[unit] ?? 0.001)
}
