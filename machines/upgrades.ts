// How snapshots that older versions of a machine wrote become snapshots of the next one: one pure function a version.
// Run lazily, at the first step after an upgrade of the platform.
import { versionOf, type Kind } from './index.ts'

type Upgrade = (snapshot: unknown) => unknown

interface DatabaseV1 {
  value: string | { ready?: string; provisioning?: string }
  context: Record<string, unknown>
}

// A ready database is looked after now: it rests in a state inside of writable or readOnly, and remembers more.
function databaseWithALife(snapshot: unknown): unknown {
  const { value, context, ...rest } = snapshot as DatabaseV1
  const mode = typeof value === 'object' ? value.ready : undefined
  return {
    ...rest,
    value: mode === undefined ? value : { ready: { [mode]: 'resting' } },
    context: {
      restoreId: null,
      backupId: null,
      measureEveryMs: 5 * 60_000,
      readOnly: mode === 'readOnly',
      rotationsAsked: 0,
      rotationsTaken: 0,
      rotationsDone: 0,
      measureAsked: false,
      ...context,
    },
  }
}

/** UPGRADES[kind][n] turns version n into version n + 1. */
const UPGRADES: Record<Kind, Record<number, Upgrade>> = {
  deployment: {},
  group: {},
  service: {},
  database: { 1: databaseWithALife },
  backup: {},
  restore: {},
  domain: {},
}

/** The snapshot in the present version; throws when no way leads there. */
export function upgrade(kind: Kind, from: number, snapshot: unknown): unknown {
  let present = snapshot
  for (let version = from; version < versionOf(kind); version += 1) {
    const step = UPGRADES[kind][version]
    if (!step) throw new Error(`no upgrade of ${kind} leads from version ${version} to ${version + 1}`)
    present = step(present)
  }
  return present
}
