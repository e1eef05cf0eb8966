// Snapshot ↔ row. A machine is never a live object: it is restored, takes a step, and is a row again.
import { createActor, type AnyMachineSnapshot, type AnyStateMachine, type StateValue } from 'xstate'
import { machines, type Kind } from '../../machines/index.ts'
import { upgrade } from '../../machines/upgrades.ts'
import type { ActorRow } from '../../db/queries/actors.ts'

/** The snapshot of an actor cannot be understood by this version of its machine: somebody has to look. */
export class SnapshotUnreadable extends Error {
  constructor(row: Pick<ActorRow, 'id' | 'kind' | 'state' | 'version'>, cause?: unknown) {
    super(
      `the snapshot of ${row.kind} ${row.id} (state "${row.state}", version ${row.version}) does not fit its machine`,
      {
        cause,
      },
    )
    this.name = 'SnapshotUnreadable'
  }
}

export const machineOf = (kind: string): AnyStateMachine => {
  const machine = (machines as Record<string, AnyStateMachine>)[kind]
  if (!machine) throw new Error(`no machine describes actors of kind "${kind}"`)
  return machine
}

/** The machine's snapshot from its row, upgraded when an older version wrote it. Throws SnapshotUnreadable. */
export function restore(row: Pick<ActorRow, 'id' | 'kind' | 'state' | 'version' | 'snapshot'>): AnyMachineSnapshot {
  const machine = machineOf(row.kind)
  let restored: AnyMachineSnapshot
  try {
    const snapshot = upgrade(row.kind as Kind, row.version, row.snapshot)
    restored = createActor(machine, { snapshot: snapshot as never, input: undefined as never }).getSnapshot()
  } catch (error) {
    throw new SnapshotUnreadable(row, error)
  }
  // A snapshot of a state that no longer exists does not throw; it comes back as an error.
  if (restored.status === 'error') throw new SnapshotUnreadable(row, restored.error)
  return restored
}

/** What a row keeps of a snapshot. */
export function toRow(
  kind: string,
  snapshot: AnyMachineSnapshot,
): { snapshot: string; state: string; status: 'active' | 'done' } {
  const machine = machineOf(kind)
  return {
    snapshot: JSON.stringify(machine.getPersistedSnapshot(snapshot)),
    state: statePath(snapshot.value),
    status: snapshot.status === 'active' ? 'active' : 'done',
  }
}

/** `{deploying: 'starting'}` → `deploying.starting`. */
export function statePath(value: StateValue): string {
  if (typeof value === 'string') return value
  const [outer, inner] = Object.entries(value)[0] ?? ['']
  return inner === undefined ? outer : `${outer}.${statePath(inner)}`
}

/** First word of a state path: what the API calls status. */
export const statusOf = (state: string): string => state.split('.')[0] ?? state
