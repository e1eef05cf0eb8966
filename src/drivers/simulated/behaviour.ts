// What a simulated application does is written in its image reference: `simulated:<behaviour>[-<ms>]`, for example
// `simulated:exit-later-300`. Every other reference, and every upload, behaves well.

export interface Behaviour {
  name: string
  /** From the start (or the start of the build) until it happens. */
  afterMs: number
}

/** Each known behaviour, with the time that applies when the reference names none. */
const BEHAVIOURS: Record<string, number> = {
  ok: 5,
  slow: 2000, // answers late
  crash: 20, // exits with code 1 before the first answer
  oom: 20, // killed for its memory before the first answer
  readonly: 20, // writes to /app, and exits
  'no-http': 300, // never answers; the wait is cut to this time
  root: 0, // an image that runs as root
  'exit-later': 300, // answers, and exits with code 1 after every start
  'exit-once': 300, // answers, exits after the first start, then stays
  'build-slow': 2000,
  'build-oom': 5,
  'build-timeout': 5,
  'build-disk-full': 5,
  'build-storage': 5,
  'build-fail': 5,
  'build-root': 5,
  missing: 5, // no such image in the registry
}

/** Reads the behaviour out of an image reference. */
export function behaviourOf(ref: string | null): Behaviour {
  const found = /^simulated:([a-z-]+?)(?:-(\d+))?$/.exec(ref ?? '')
  const name = found?.[1] ?? 'ok'
  const usualMs = BEHAVIOURS[name]
  if (usualMs === undefined) return { name: 'ok', afterMs: 5 }
  return { name, afterMs: found?.[2] === undefined ? usualMs : Number(found[2]) }
}
