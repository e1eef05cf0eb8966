// The machines of databases, backups and restores on every path: what is shown, what is owed, and what never happens.
import t from 'tap'
import { initialTransition, transition, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate'
import { adjacencyMapToArray, getAdjacencyMap } from 'xstate/graph'
import { machines } from '../../machines/index.ts'
import { upgrade } from '../../machines/upgrades.ts'
import { restore as restoreSnapshot, statePath, statusOf } from '../../src/actors/restore.ts'

interface Action {
  type: string
  params?: unknown
}
type Event = { type: string; [name: string]: unknown }

const done = (id: string, output: object = {}): Event => ({ type: `xstate.done.actor.${id}`, actorId: id, output })
const failed = (id: string, code = 'unavailable'): Event => ({
  type: `xstate.error.actor.${id}`,
  actorId: id,
  error: { code, details: {} },
})
const quota = (sizeMb: number, readOnly: boolean) => done('quota', { sizeMb, readOnly, againMs: 300_000 })

function walk(machine: AnyStateMachine, input: object, events: Event[]) {
  let [snapshot, owed] = initialTransition(machine, input as never) as [AnyMachineSnapshot, Action[]]
  const asked: string[] = []
  const told: unknown[] = []
  const note = () => {
    for (const { type, params } of owed) {
      if (type === 'xstate.spawnChild') asked.push((params as { src: string }).src)
      if (type === 'tell' && params) told.push(params)
    }
  }
  note()
  for (const event of events) {
    ;[snapshot, owed] = transition(machine, snapshot, event as never) as [AnyMachineSnapshot, Action[]]
    note()
  }
  return { state: statePath(snapshot.value), context: snapshot.context as Record<string, unknown>, asked, told }
}

/** Every step that any of these events can make from any state that can be reached. */
function edgesOf(machine: AnyStateMachine, input: object, events: Event[]) {
  const timers = machine.events.filter(type => type.startsWith('xstate.after')).map(type => ({ type }))
  const all = [...events, ...timers]
  const missing = machine.events.filter(type => !all.some(event => event.type === type))
  const map = getAdjacencyMap(machine, {
    input: input as never,
    events: all as never,
    // The counters would make endlessly many states: what they are compared with is enough.
    serializeState: ({ value, context }: AnyMachineSnapshot) => {
      const {
        rotationsAsked: a,
        rotationsDone: d,
        measureAsked,
        readOnly,
        backupId,
      } = context as Record<string, unknown>
      return JSON.stringify([value, a !== d, measureAsked, readOnly, backupId])
    },
    stopWhen: snapshot => snapshot.status === 'done',
    limit: 50_000,
  })
  const edges = adjacencyMapToArray(map).map(({ state, event, nextState }) => ({
    from: statePath(state.value),
    to: statePath(nextState.value),
    event: (event as Event).type,
    before: state.context as Record<string, unknown>,
  }))
  return { edges, missing }
}

const databaseEvents = (restored: boolean): Event[] => [
  done('provision', { sizeMb: 7 }),
  done('rotate'),
  done('discard'),
  done('suspend'),
  done('drop'),
  quota(7, false),
  quota(70, true),
  ...['provision', 'quota', 'rotate', 'discard', 'suspend', 'drop'].map(id => failed(id)),
  { type: 'DELETE', backupId: 'b' },
  { type: 'DELETE', backupId: null },
  ...['RETRY', 'ROTATE', 'MEASURE', 'BACKED_UP'].map(type => ({ type })),
  ...(restored ? [{ type: 'DISCARD' }, { type: 'FILLED', sizeMb: 9 }] : []),
]

t.test('a database', async t => {
  const machine = machines.database as AnyStateMachine
  const after = (...events: Event[]) => walk(machine, { databaseId: 'd' }, events)
  const ready = done('provision', { sizeMb: 7 })

  t.test('moves from provisioning to ready to its end, never back, and drops nothing without its backup', async t => {
    const legal = new Set(['provisioning>ready', 'provisioning>deleting', 'ready>deleting', 'deleting>deleted'])
    for (const restoreId of [null, 'r']) {
      const events = [...databaseEvents(true)]
      const { edges, missing } = edgesOf(machine, { databaseId: 'd', restoreId }, events)
      t.strictSame(missing, [], 'every event is tried')
      t.ok(edges.length > 300, `${edges.length} steps`)
      const odd = edges.filter(
        ({ from, to }) => statusOf(from) !== statusOf(to) && !legal.has(`${statusOf(from)}>${statusOf(to)}`),
      )
      t.strictSame(odd, [])
      const dropped = edges.filter(({ from, to }) => to === 'deleting.dropping' && from === 'deleting.suspending')
      t.ok(
        dropped.every(({ before }) => before.backupId === null),
        'with a backup wanted, only BACKED_UP leads to the drop',
      )
      const early = edges.filter(({ to, from }) => to === 'deleting.dropping' && from === 'deleting.backingUp')
      t.ok(early.every(({ event }) => event === 'BACKED_UP'))
    }
  })

  t.test('is measured by the clock and when asked, and shows what came of it', async t => {
    const rested = after(ready)
    t.match(rested, { state: 'ready.writable.resting', context: { sizeMb: 7, readOnly: false } })
    t.equal(after(ready, { type: 'MEASURE' }).state, 'ready.writable.measuring')
    const over = after(ready, { type: 'xstate.after.measureEvery.database.ready.writable.resting' }, quota(70, true))
    t.match(over, { state: 'ready.readOnly.resting', context: { sizeMb: 70, readOnly: true } })
    const below = after(ready, { type: 'MEASURE' }, quota(70, true), { type: 'MEASURE' }, quota(7, false))
    t.match(below, { state: 'ready.writable.resting', context: { readOnly: false } })
  })

  t.test('rotates once for all who asked before it began, and is measured after it', async t => {
    const both = after(ready, { type: 'ROTATE' }, { type: 'ROTATE' })
    t.match(both, { state: 'ready.writable.rotating', context: { rotationsAsked: 2, rotationsTaken: 1 } })
    const first = after(ready, { type: 'ROTATE' }, { type: 'ROTATE' }, done('rotate'))
    t.match(first, { state: 'ready.writable.rotating', context: { rotationsDone: 1, rotationsTaken: 2 } })
    const last = after(ready, { type: 'ROTATE' }, { type: 'ROTATE' }, done('rotate'), done('rotate'))
    t.match(last, { state: 'ready.writable.measuring', context: { rotationsDone: 2 } })
    t.equal(
      after(ready, { type: 'MEASURE' }, { type: 'ROTATE' }).state,
      'ready.writable.rotating',
      'measuring gives way',
    )
    t.equal(after(ready, { type: 'ROTATE' }, failed('rotate')).state, 'ready.writable.pausing')
  })

  t.test('is suspended, backed up and dropped, in this order', async t => {
    const end = after(ready, { type: 'DELETE', backupId: 'b' }, done('suspend'), { type: 'BACKED_UP' }, done('drop'))
    t.equal(end.state, 'deleted')
    t.strictSame(end.asked, ['provisionDatabase', 'suspendDatabase', 'dropDatabase'])
    t.strictSame(end.told, [{ to: 'b', event: { type: 'START' } }])
  })

  t.test('of a restore waits to be filled, and is discarded when that fails', async t => {
    const restored = (...events: Event[]) => walk(machine, { databaseId: 'd', restoreId: 'r' }, [ready, ...events])
    t.match(restored(), { state: 'provisioning.filling', told: [{ to: 'r', event: { type: 'PROVISIONED' } }] })
    t.match(restored({ type: 'FILLED', sizeMb: 9 }), { state: 'ready.writable.resting', context: { sizeMb: 9 } })
    t.equal(restored({ type: 'DISCARD' }, done('discard')).state, 'deleting.suspending')
    t.match(restored({ type: 'DELETE', backupId: null }).told[1], { event: { type: 'DATABASE_DELETED' } })
  })

  t.test('of version 1 goes on where it stood', async t => {
    const old = { status: 'active', children: {}, historyValue: {}, tags: [] }
    const context = { databaseId: 'd', sizeMb: 7, failures: 0, lastFailure: null }
    const of = (value: unknown) => {
      const row = { id: 'd', kind: 'database', state: 'ready', version: 1, snapshot: { ...old, value, context } }
      return restoreSnapshot(row)
    }
    const [measuring] = transition(machine, of({ ready: 'writable' }) as never, { type: 'MEASURE' } as never)
    t.equal(statePath(measuring.value), 'ready.writable.measuring')
    t.equal(statePath(of({ provisioning: 'waiting' }).value), 'provisioning.waiting')
    t.match(upgrade('database', 1, { ...old, value: { ready: 'readOnly' }, context }), { context: { readOnly: true } })
  })
})

t.test('a backup', async t => {
  const machine = machines.backup as AnyStateMachine
  const input = { backupId: 'b', databaseId: 'd' }
  const START = { type: 'START' }

  t.test('runs, may fail and is tried again, is kept, and is removed: nothing else', async t => {
    const legal = new Set(['running>ready', 'running>failed', 'failed>ready', 'ready>expired', 'expired>removed'])
    const events = [START, { type: 'RETRY' }, done('backup'), failed('backup'), done('remove'), failed('remove')]
    const { edges, missing } = edgesOf(machine, input, events)
    t.strictSame(missing, [])
    const odd = edges.filter(
      ({ from, to }) => statusOf(from) !== statusOf(to) && !legal.has(`${statusOf(from)}>${statusOf(to)}`),
    )
    t.strictSame(odd, [])
    const kept = edges.filter(({ to, from }) => statusOf(to) === 'expired' && statusOf(from) === 'ready')
    t.ok(
      kept.every(({ event }) => event.includes('after.kept')),
      'only the clock ends it',
    )
  })

  t.test('tells its database only when it is ready', async t => {
    t.strictSame(walk(machine, input, [START, failed('backup'), { type: 'RETRY' }]).told, [])
    const end = walk(machine, input, [START, failed('backup'), { type: 'RETRY' }, done('backup')])
    t.match(end, { state: 'ready', told: [{ to: 'd', event: { type: 'BACKED_UP' } }] })
  })
})

t.test('a restore', async t => {
  const machine = machines.restore as AnyStateMachine
  const input = { restoreId: 'r', backupId: 'b', databaseId: 'd' }
  const filling = { type: 'PROVISIONED' }

  t.test('ends ready or failed on every path', async t => {
    const events = [
      filling,
      { type: 'DATABASE_DELETED' },
      done('restore', { sizeMb: 1 }),
      failed('restore'),
      failed('restore', 'backup_gone'),
    ]
    const { edges, missing } = edgesOf(machine, input, events)
    t.strictSame(missing, [])
    const ends = new Set(edges.map(({ to }) => statusOf(to)))
    t.strictSame([...ends].sort(), ['failed', 'ready', 'running'])
  })

  t.test('gives up what can never succeed, and everything after ten tries', async t => {
    const again = { type: 'xstate.after.backoff.restore.running.waiting' }
    t.match(walk(machine, input, [filling, failed('restore', 'backup_damaged')]), {
      state: 'failed',
      context: { error: { code: 'backup_damaged' } },
      told: [{ to: 'd', event: { type: 'DISCARD' } }],
    })
    const nine = Array.from({ length: 9 }, () => [failed('restore'), again]).flat()
    t.equal(walk(machine, input, [filling, ...nine]).state, 'running.filling')
    t.equal(walk(machine, input, [filling, ...nine, failed('restore')]).state, 'failed')
    t.match(walk(machine, input, [filling, ...nine, done('restore', { sizeMb: 3 })]), {
      state: 'ready',
      context: { error: null },
      told: [{ to: 'd', event: { type: 'FILLED', sizeMb: 3 } }],
    })
  })
})
