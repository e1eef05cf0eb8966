// The machines as pure functions: what we show, what we owe, and that nothing can stay open for ever.
import fc from 'fast-check'
import t from 'tap'
import { initialTransition, transition, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate'
import { adjacencyMapToArray, getAdjacencyMap } from 'xstate/graph'
import { machines } from '../../machines/index.ts'
import { plan, type GroupItem } from '../../machines/group.ts'
import { statePath, statusOf } from '../../src/actors/restore.ts'

const deploymentInput = {
  deploymentId: 'd',
  serviceId: 's',
  projectId: 'p',
  groupId: 'g',
  revision: 1,
  waitsFor: null,
  stabilityMs: 2000,
}
const done = (id: string, output: object) => ({ type: `xstate.done.actor.${id}`, actorId: id, output })
const failed = (id: string, code: string) => ({
  type: `xstate.error.actor.${id}`,
  actorId: id,
  error: { code, details: {} },
})

interface Action {
  type: string
  params?: unknown
}

/** Walks a machine from its first state; answers what polling says and what each step owed. */
function walk(machine: AnyStateMachine, input: object, events: { type: string }[]) {
  let [snapshot, owed] = initialTransition(machine, input as never) as [AnyMachineSnapshot, Action[]]
  for (const event of events)
    [snapshot, owed] = transition(machine, snapshot, event as never) as [AnyMachineSnapshot, Action[]]
  const told = owed
    .filter(action => action.type === 'tell' && action.params)
    .map(action => action.params as { to: string; event: object })
  return {
    state: statePath(snapshot.value),
    context: snapshot.context as Record<string, unknown>,
    owed,
    told,
    snapshot,
  }
}

const START = { type: 'START' }
const built = done('build', { image: 'sha256:1' })
const started = done('start', { address: '10.0.0.9', port: 8080 })
const switched = done('switchTraffic', { previous: 'before' })
const stable = { type: 'xstate.after.stability.deployment.deploying.stabilizing' }
const confirmed = done('confirm', { observedAt: 'now' })
const EXITED = { type: 'EXITED', exitCode: 3, outOfMemory: false }

t.test('a deployment', async t => {
  const machine = machines.deployment as AnyStateMachine
  const after = (...events: { type: string }[]) => walk(machine, deploymentInput, events)

  t.test('walks queued → building → deploying → ready and retires what served before', async t => {
    t.equal(after().state, 'queued')
    t.equal(after(START).state, 'building')
    t.equal(after(START, built).state, 'deploying.starting')
    t.equal(after(START, built, started, switched).state, 'deploying.stabilizing')
    const ready = after(START, built, started, switched, stable, confirmed)
    t.equal(ready.state, 'ready')
    t.match(
      ready.owed.find(action => action.type === 'retireInstance'),
      { params: { deploymentId: 'before' } },
    )
    t.match(ready.told, [
      { to: 's', event: { outcome: 'ready', revision: 1 } },
      { to: 'g', event: { status: 'ready' } },
    ])
  })

  t.test('flips traffic back when the new instance exits inside the stability window', async t => {
    for (const events of [[switched], [switched, stable]]) {
      const reverting = after(START, built, started, ...events, EXITED)
      t.equal(reverting.state, 'deploying.reverting')
      const end = after(START, built, started, ...events, EXITED, done('revertTraffic', { restored: 'before' }))
      t.match(end, { state: 'failed', context: { error: { code: 'crashed_after_start', details: { codigo: 3 } } } })
      t.notOk(
        end.owed.some(action => action.type === 'retireInstance' && action.params),
        'the old instance is left alone',
      )
    }
  })

  t.test('keeps the code of what failed', async t => {
    t.match(after(START, failed('build', 'build_oom')).context, { error: { code: 'build_oom' } })
    t.match(after(START, built, failed('start', 'activate_no_http')).context, { error: { code: 'activate_no_http' } })
  })

  t.test('waits for the deployment before it, whichever of START and RELEASED comes first', async t => {
    const waiting = { ...deploymentInput, waitsFor: 'older' }
    t.equal(walk(machine, waiting, [START]).state, 'queued')
    t.equal(walk(machine, waiting, [START, { type: 'RELEASED' }]).state, 'building')
    t.equal(walk(machine, waiting, [{ type: 'RELEASED' }, START]).state, 'building')
    const successor = after(START, built, { type: 'SUCCESSOR', deploymentId: 'next' } as never, failed('start', 'x'))
    t.match(successor.told[2], { to: 'next', event: { type: 'RELEASED', by: 'd' } })
  })

  t.test('of a service with a volume takes it first, and every failure from there on gives it back (D-53)', async t => {
    const exclusive = { ...deploymentInput, exclusive: true }
    const holding = walk(machine, exclusive, [START, built])
    t.equal(holding.state, 'deploying.takingVolume')
    const taken = done('takeVolume', { from: 'before' })
    t.equal(walk(machine, exclusive, [START, built, taken]).state, 'deploying.starting')
    for (const failure of [[failed('takeVolume', 'x')], [taken, failed('start', 'activate_app_crashed')]]) {
      t.equal(walk(machine, exclusive, [START, built, ...failure]).state, 'deploying.reverting')
    }
    t.equal(walk(machine, exclusive, [START, built, taken, started, switched, stable, confirmed]).state, 'ready')
  })

  t.test('fails before anything is built when nothing can be (C-125)', async t => {
    const end = after({ type: 'REFUSE', error: { code: 'build_disk_full' } } as never)
    t.match(end, { state: 'failed', context: { error: { code: 'build_disk_full' } } })
  })

  t.test('moves only along decision D-51', async t => {
    const legal = new Set(
      `queued>building building>deploying deploying>ready building>failed deploying>failed
       queued>canceled building>canceled queued>blocked queued>superseded queued>failed`.split(/\s+/),
    )
    const events = [
      START,
      { type: 'CANCEL' },
      { type: 'SUPERSEDE' },
      { type: 'BLOCK', reason: 'x' },
      { type: 'REFUSE', error: { code: 'build_disk_full' } },
      { type: 'RELEASED', by: 'x' },
      { type: 'SUCCESSOR', deploymentId: 'n' },
      EXITED,
      built,
      done('takeVolume', { from: null }),
      started,
      switched,
      confirmed,
      done('revertTraffic', { restored: null }),
      ...['build', 'takeVolume', 'start', 'switchTraffic', 'confirm', 'revertTraffic'].map(id => failed(id, 'x')),
      ...machine.events.filter(type => type.startsWith('xstate.after')).map(type => ({ type })),
    ]
    t.strictSame(
      machine.events.filter(type => !events.some(event => event.type === type)),
      [],
      'every event of the machine is tried',
    )
    const edges = [deploymentInput, { ...deploymentInput, exclusive: true }].flatMap(input =>
      adjacencyMapToArray(
        getAdjacencyMap(machine, {
          input,
          events: events as never,
          serializeState: snapshot => JSON.stringify(snapshot.value),
          stopWhen: snapshot => snapshot.status === 'done',
        }),
      ),
    )
    t.ok(edges.length > 100)
    for (const { state, nextState } of edges) {
      const [from, to] = [statusOf(statePath(state.value)), statusOf(statePath(nextState.value))]
      if (from !== to) t.ok(legal.has(`${from}>${to}`), `${from} → ${to}`)
    }
  })
})

t.test('every state from which work is awaited has a deadline that leads on (nothing waits for ever)', async t => {
  for (const machine of Object.values(machines) as AnyStateMachine[]) {
    for (const [id, node] of (machine as unknown as { idMap: Map<string, AnyStateMachine['root']> }).idMap) {
      if (node.invoke.length === 0) continue
      t.ok(node.after.length > 0, `${id} has a deadline`)
      for (const invoke of node.invoke) {
        t.ok(node.transitions.has(`xstate.done.actor.${invoke.id}`), `${id} takes the answer`)
        t.ok(node.transitions.has(`xstate.error.actor.${invoke.id}`), `${id} takes the failure`)
      }
    }
  }
})

t.test('a service', async t => {
  const machine = machines.service as AnyStateMachine
  const after = (...events: { type: string }[]) => walk(machine, { serviceId: 's', projectId: 'p' }, events)
  const opened = (deploymentId: string) => ({ type: 'DEPLOYMENT_OPENED', deploymentId })
  const closed = (deploymentId: string, outcome: string) => ({
    type: 'DEPLOYMENT_CLOSED',
    deploymentId,
    outcome,
    revision: 4,
  })
  const exit = (at: number) => ({ type: 'INSTANCE_EXITED', deploymentId: 'a', at, exitCode: 1, outOfMemory: false })
  const up = [opened('a'), closed('a', 'ready')]
  const restart = [{ type: 'xstate.after.backoff.service.running.waiting' }, done('restart', { address: '10.0.0.3' })]

  t.test('stops its instance before the data of a deleted volume goes, and is idle (D-62)', async t => {
    const end = after(...up, { type: 'VOLUME_DELETED', volumeId: 'v' } as never)
    t.match(end, { state: 'idle', context: { active: null } })
    const owed = end.owed.filter(action => action.params).map(action => action.type)
    t.strictSame(
      owed.filter(name => /withdraw|remove/i.test(name)),
      ['withdrawInstance', 'removeVolume'],
    )
    const idle = after({ type: 'VOLUME_DELETED', volumeId: 'v' } as never)
    t.match(idle, { state: 'idle' })
    t.ok(idle.owed.some(action => action.type === 'removeVolume'))
  })

  t.test('ends from every state when it is deleted, and owes the removal of what it left', async t => {
    for (const events of [[], [opened('a')], up]) {
      const end = after(...events, { type: 'REMOVE' })
      t.match(end, { state: 'removed', context: { active: null } })
      t.match(
        end.owed.find(action => action.type === 'removeService'),
        { params: { serviceId: 's', projectId: 'p' } },
      )
    }
  })

  t.test('shows idle, deploying, running and failed as D-50 says', async t => {
    t.equal(after().state, 'idle')
    t.equal(after(opened('a')).state, 'deploying.watching')
    t.match(after(...up), { state: 'running.watching', context: { active: 'a', readyRevision: 4 } })
    t.equal(after(opened('a'), closed('a', 'failed')).state, 'failed')
    t.equal(after(opened('a'), closed('a', 'canceled')).state, 'idle')
    t.match(after(...up, opened('b'), closed('b', 'failed')), { state: 'running.watching', context: { active: 'a' } })
    t.equal(
      after(...up, opened('b'), opened('c'), closed('b', 'ready')).state,
      'deploying.watching',
      'one is still open',
    )
  })

  t.test('restarts a crashed instance with growing delay', async t => {
    const crashed = after(...up, exit(1000))
    t.equal(crashed.state, 'running.waiting')
    const delays = [1, 2, 3].map(n => {
      const events = Array.from({ length: n }, (_, i) => [...(i > 0 ? restart : []), exit(1000 + i)]).flat()
      const raise = after(...up, ...events).owed.find(action => action.type === 'xstate.raise')
      return (raise?.params as { delay: number }).delay
    })
    t.strictSame(delays, [500, 1000, 2000])
    t.equal(after(...up, exit(1000), exit(1000)).state, 'running.waiting', 'the same exit told twice counts once')
  })

  t.test('fails at the fifth exit within ten minutes, and not when they are further apart', async t => {
    const exits = (gap: number) => Array.from({ length: 5 }, (_, i) => [exit(1_000_000 + i * gap), ...restart]).flat()
    const end = after(...up, ...exits(1000).slice(0, -restart.length))
    t.match(end, { state: 'failed', context: { active: null } })
    t.ok(end.owed.some(action => action.type === 'withdrawInstance'))
    t.equal(after(...up, ...exits(11 * 60_000)).state, 'running.watching')
  })
})

t.test('a group plans', async t => {
  const item = (n: number, more: Partial<GroupItem> = {}): GroupItem => ({
    serviceId: `s${n}`,
    serviceName: `s${n}`,
    deploymentId: `d${n}`,
    layer: 0,
    dependsOn: [],
    status: 'queued',
    reason: null,
    ...more,
  })

  t.test('four at once, the next layer only after the one before', async t => {
    const items = [...Array(6).keys()].map(n => item(n)).concat(item(9, { layer: 1 }))
    t.strictSame(plan(items).start, ['d0', 'd1', 'd2', 'd3'])
    const half = plan(items).items.map((it, i) => (i < 2 ? { ...it, status: 'ready' as const } : it))
    t.strictSame(plan(half).start, ['d4', 'd5'])
  })

  t.test('blocks dependents and later layers after a failure', async t => {
    const items = [
      item(0, { status: 'failed' }),
      item(1, { layer: 1, dependsOn: ['s0'] }),
      item(2, { layer: 1 }),
      item(3, { layer: 2, dependsOn: ['s1'] }),
    ]
    t.strictSame(plan(items).block, [
      { id: 'd1', reason: 'dependency_failed' },
      { id: 'd2', reason: 'layer_not_reached' },
      { id: 'd3', reason: 'dependency_failed' },
    ])
  })

  t.test('to an end, whatever the items do, and never breaks the rules on the way', async t => {
    const machine = machines.group as AnyStateMachine
    const graph = fc.array(
      fc.record({
        layer: fc.integer({ min: 0, max: 3 }),
        skipped: fc.boolean(),
        ends: fc.constantFrom('ready', 'ready', 'failed'),
      }),
      { minLength: 1, maxLength: 9 },
    )
    fc.assert(
      fc.property(graph, fc.infiniteStream(fc.nat(100)), (shape, chance) => {
        const items = shape.map((s, n) =>
          item(n, {
            layer: s.layer,
            ...(s.skipped ? { status: 'skipped', deploymentId: null } : {}),
            dependsOn: shape.flatMap((o, m) => (o.layer < s.layer && (n + m) % 3 === 0 ? [`s${m}`] : [])),
          }),
        )
        let [snapshot] = initialTransition(machine, { groupId: 'g', projectId: 'p', items } as never) as [
          AnyMachineSnapshot,
          Action[],
        ]
        for (let i = 0; snapshot.status === 'active'; i += 1) {
          if (i > 100) throw new Error('the group does not end')
          const now = (snapshot.context as { items: GroupItem[] }).items
          const running = now.filter(it => it.started && it.status === 'queued')
          if (running.length === 0 || running.length > 4) throw new Error(`${running.length} items run`)
          for (const it of running) {
            if (now.some(o => o.layer < it.layer && !['ready', 'skipped'].includes(o.status)))
              throw new Error('a layer began too early')
          }
          const it = running[(chance.next().value as number) % running.length] as GroupItem
          const status = shape[Number(it.serviceId.slice(1))]?.ends
          ;[snapshot] = transition(machine, snapshot, {
            type: 'ITEM',
            deploymentId: it.deploymentId,
            status,
          } as never) as [AnyMachineSnapshot, Action[]]
        }
        const end = (snapshot.context as { items: GroupItem[] }).items
        const good = end.every(it => ['ready', 'skipped'].includes(it.status))
        return (snapshot.value === 'ready') === good
      }),
      { numRuns: 300 },
    )
    t.pass('300 random groups ended')
  })

  t.test('superseded: queued and building items end canceled, deploying ones go on', async t => {
    const machine = machines.group as AnyStateMachine
    const items = [item(0), item(1), item(2, { layer: 1 })]
    const end = walk(machine, { groupId: 'g', projectId: 'p', items }, [
      { type: 'ITEM', deploymentId: 'd0', status: 'deploying' } as never,
      { type: 'ITEM', deploymentId: 'd1', status: 'building' } as never,
      { type: 'SUPERSEDE' },
    ])
    t.equal(end.state, 'superseded')
    t.strictSame(
      (end.context as unknown as { items: GroupItem[] }).items.map(it => it.status),
      ['deploying', 'canceled', 'canceled'],
    )
    t.strictSame(
      end.told.map(letter => letter.to),
      ['d1', 'd2'],
    )
  })

  t.test('ready at once when every item is skipped', async t => {
    t.equal(
      walk(
        machines.group as AnyStateMachine,
        { groupId: 'g', projectId: 'p', items: [item(0, { status: 'skipped', deploymentId: null })] },
        [],
      ).state,
      'ready',
    )
  })
})
