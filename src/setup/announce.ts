// How set-up speaks: one line a step, with the time it took; a step that had nothing to do says nothing.

/** Runs one step and announces it when it is done. The name is a noun: `docker engine`. */
export type Announce = <T>(name: string, step: () => Promise<T>) => Promise<T>

/** An announcer that writes `✓ docker engine … 12.3 s` to stderr; a failed step is marked and its error passed on. */
export function announcer(write: (text: string) => void = text => process.stderr.write(text)): Announce {
  return async (name, step) => {
    const startedAt = Date.now()
    try {
      const result = await step()
      write(`✓ ${name} … ${secondsSince(startedAt)}\n`)
      return result
    } catch (error) {
      write(`✗ ${name} … failed after ${secondsSince(startedAt)}\n`)
      throw error
    }
  }
}

/** `12.3 s` */
export function secondsSince(startedAt: number): string {
  return `${((Date.now() - startedAt) / 1000).toFixed(1)} s`
}
