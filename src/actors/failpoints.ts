// Places where a crash test may kill the process: CAIS_FAILPOINT names one, and the process dies there by SIGKILL.
// `<kind>:<before>-><after>@before-commit|after-commit` for transitions, `<effect>@before-act|after-act|after-answer` for effects.
import type { Db } from '../../db/connect.ts'
import type { Transitioned } from './step.ts'

let armed: string | null = null

/** Arms one failpoint for the life of this process; null disarms. */
export function armFailpoint(name: string | null): void {
  armed = name
}

export function failpoint(name: string): void {
  if (armed === name) process.kill(process.pid, 'SIGKILL')
}

/** Passes the points of these transitions: now, before the commit, and once `trx` has committed. */
export function passTransitions(trx: Db, taken: Transitioned[]): void {
  if (armed === null) return
  const pass = (where: string) => {
    for (const { kind, before, after } of taken) failpoint(`${kind}:${before}->${after}@${where}`)
  }
  pass('before-commit')
  if ('executionPromise' in trx)
    void (trx.executionPromise as Promise<unknown>).then(() => pass('after-commit'), ignoreRollback)
}

// A transaction that was rolled back has no `after-commit`; its error is the business of whoever opened it.
const ignoreRollback = () => undefined
