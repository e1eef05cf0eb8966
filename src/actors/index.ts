// The durable actor runtime: XState machines on Postgres. Transitions happen exactly once; effects at least once, idempotent
// and fenced; what was acknowledged is never lost.
export { ask, post, spawn, type Spawn, type Standing } from './deliver.ts'
export { StaleOwner } from './together.ts'
export { pump, pumpOnce } from './pump.ts'
export { perform, type Job, type Performers } from './perform.ts'
export { machineOf, restore, statePath, statusOf } from './restore.ts'
export { nextHint, openPresence, wakeHere, wakeOthers, type Presence } from './wake.ts'
export { armFailpoint, failpoint } from './failpoints.ts'
