// How snapshots that older versions of a machine wrote become snapshots of the next one: one pure function a version.
// Run lazily, at the first step after an upgrade of the platform.
import { versionOf, type Kind } from './index.ts'

type Upgrade = (snapshot: unknown) => unknown

/** UPGRADES[kind][n] turns version n into version n + 1. */
const UPGRADES: Record<Kind, Record<number, Upgrade>> = {
  deployment: {},
  group: {},
  service: {},
  database: {},
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
