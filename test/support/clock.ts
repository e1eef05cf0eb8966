// The clock of this process, stopped: windows of time begin and end when a test says so, however slow the machine is.
interface Test {
  teardown(work: () => Promise<void> | void): void
}

export interface StoppedClock {
  /** Lets this many milliseconds pass at once. */
  pass(ms: number): void
}

/** Stops `Date.now()` until `t` ends. Timers go on by their own clock, and so does the control database. */
export function stopClock(t: Test): StoppedClock {
  const real = Date.now
  let now = real()
  Date.now = () => now
  t.teardown(() => {
    Date.now = real
  })
  return { pass: ms => void (now += ms) }
}
