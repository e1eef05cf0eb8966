// How set-up speaks: one line a step, with the time it took; a step that had nothing to do says nothing.

/** Runs one step and announces it when it is done. The name is a noun: `docker engine`. */
export type Announce = <T>(name: string, step: () => Promise<T>) => Promise<T>

interface Output {
  line(text: string): void
  /** Shows what is being done until the next line replaces it; some steps take minutes. Nothing in a pipe. */
  transient(text: string): void
}

/** An announcer that writes `✓ docker engine … 12.3 s`; a failed step is marked and its error passed on. */
export function announcer(output: Output = standardError): Announce {
  return async (name, step) => {
    const startedAt = Date.now()
    output.transient(`· ${name} …`)
    try {
      const result = await step()
      output.line(`✓ ${name} … ${secondsSince(startedAt)}`)
      return result
    } catch (error) {
      output.line(`✗ ${name} … failed after ${secondsSince(startedAt)}`)
      throw error
    }
  }
}

const CLEAR_LINE = '\r\u001b[2K'

const standardError: Output = {
  line: text => process.stderr.write(`${process.stderr.isTTY ? CLEAR_LINE : ''}${text}\n`),
  transient: text => {
    if (process.stderr.isTTY) process.stderr.write(CLEAR_LINE + text)
  },
}

/** `12.3 s` */
export function secondsSince(startedAt: number): string {
  return `${((Date.now() - startedAt) / 1000).toFixed(1)} s`
}
