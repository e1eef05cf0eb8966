// Places where a crash test may kill the process: CAIS_FAILPOINT names one, and the process dies there by SIGKILL.
// `<kind>:<before>-><after>@before-commit|after-commit` for transitions, `<effect>@before-act|after-act|after-answer` for effects.
let armed: string | null = null

/** Arms one failpoint for the life of this process; null disarms. */
export function armFailpoint(name: string | null): void {
  armed = name
}

export function failpoint(name: string): void {
  if (armed === name) process.kill(process.pid, 'SIGKILL')
}

export const isArmed = (): boolean => armed !== null
