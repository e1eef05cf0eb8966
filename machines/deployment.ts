// One deployment of one service (decisions D-51, D-52). Top-level states are the API's `status`; nested ones are ours.
import { assertEvent, assign, setup } from 'xstate'
import { activity, effect, failureOf, tell, type Failure, type Letter } from './effects.ts'

export interface DeploymentInput {
  deploymentId: string
  projectId: string
  serviceId: string
  groupId: string | null
  /** service.revision at the trigger: what `needs_redeploy` is measured against once this is ready. */
  revision: number
  /** A deployment of the same service that must end first (D-55). */
  waitsFor: string | null
  stabilityMs: number
  /** The service has a volume, which never has two instances on it (D-53). */
  exclusive?: boolean
}

export interface DeploymentContext extends DeploymentInput {
  exclusive: boolean
  started: boolean
  /** The deployment that waits for this one. */
  successor: string | null
  image: string | null
  address: string | null
  port: number | null
  /** The deployment that served before; its instance is retired once this one is ready. */
  previous: string | null
  exit: { exitCode: number | null; outOfMemory: boolean } | null
  error: Failure | null
}

export type DeploymentEvent =
  | { type: 'START' | 'CANCEL' | 'SUPERSEDE' }
  | { type: 'BLOCK'; reason: string }
  | { type: 'REFUSE'; error: Failure }
  | { type: 'RELEASED'; by: string }
  | { type: 'SUCCESSOR'; deploymentId: string }
  | { type: 'EXITED'; exitCode: number | null; outOfMemory: boolean }

const MINUTE = 60_000
const START_TOOK_TOO_LONG: Failure = {
  code: 'deploy_failed',
  details: { motivo: 'o início passou do tempo máximo' },
}

const tellGroup = (status: string) =>
  ({
    type: 'tell',
    params: ({ context: c }: { context: DeploymentContext }): Letter | null =>
      c.groupId ? { to: c.groupId, event: { type: 'ITEM', deploymentId: c.deploymentId, status } } : null,
  }) as const

/** Every way out says so to the service, the group and whoever waits. */
const closed = (outcome: string) =>
  [
    {
      type: 'tell',
      params: ({ context: c }: { context: DeploymentContext }): Letter => ({
        to: c.serviceId,
        event: { type: 'DEPLOYMENT_CLOSED', deploymentId: c.deploymentId, outcome, revision: c.revision },
      }),
    },
    tellGroup(outcome),
    {
      type: 'tell',
      params: ({ context: c }: { context: DeploymentContext }): Letter | null =>
        c.successor ? { to: c.successor, event: { type: 'RELEASED', by: c.deploymentId } } : null,
    },
  ] as const

const ids = ({ context: c }: { context: DeploymentContext }) => ({
  deploymentId: c.deploymentId,
  serviceId: c.serviceId,
})

export const deployment = setup({
  types: {} as { context: DeploymentContext; events: DeploymentEvent; input: DeploymentInput },
  actors: {
    build: activity('build'),
    takeVolume: activity('takeVolume'),
    start: activity('start'),
    switchTraffic: activity('switchTraffic'),
    confirm: activity('confirm'),
    revertTraffic: activity('revertTraffic'),
  },
  actions: {
    tell,
    retireInstance: effect('retireInstance'),
    cleanUp: effect('cleanUp'),
    fail: assign((_, error: Failure) => ({ error })),
    refused: assign(({ event }) => (event.type === 'REFUSE' ? { error: event.error } : {})),
    built: assign((_, image: string) => ({ image })),
    crashed: assign(({ event }) => {
      assertEvent(event, 'EXITED')
      const { exitCode, outOfMemory } = event
      const details = { codigo: exitCode, memoria: outOfMemory ? 1 : 0 }
      return { exit: { exitCode, outOfMemory }, error: { code: 'crashed_after_start', details } }
    }),
  },
  guards: {
    free: ({ context }) => context.waitsFor === null,
    wasStarted: ({ context }) => context.started,
    isExclusive: ({ context }) => context.exclusive,
  },
  // The performers have deadlines of their own and say more; these end what never answers.
  delays: {
    buildLimit: 20 * MINUTE,
    startLimit: 4 * MINUTE,
    switchLimit: 2 * MINUTE,
    stability: ({ context }) => context.stabilityMs,
  },
}).createMachine({
  id: 'deployment',
  version: '1',
  options: { maxIterations: 100 },
  initial: 'queued',
  context: ({ input }) => ({
    ...input,
    exclusive: input.exclusive ?? false,
    started: false,
    successor: null,
    image: null,
    address: null,
    port: null,
    previous: null,
    exit: null,
    error: null,
  }),
  states: {
    queued: {
      on: {
        START: [{ guard: 'free', target: 'building' }, { actions: assign({ started: true }) }],
        RELEASED: [
          { guard: 'wasStarted', target: 'building', actions: assign({ waitsFor: null }) },
          { actions: assign({ waitsFor: null }) },
        ],
        BLOCK: 'blocked',
        // Nothing can be built now (C-125).
        REFUSE: { target: 'failed', actions: 'refused' },
        CANCEL: 'canceled',
        SUPERSEDE: 'superseded',
      },
    },
    building: {
      entry: tellGroup('building'),
      invoke: {
        id: 'build',
        src: 'build',
        input: ids,
        onDone: [
          {
            guard: 'isExclusive',
            target: '#deployment.deploying.takingVolume',
            actions: { type: 'built', params: ({ event }) => event.output.image },
          },
          { target: 'deploying', actions: { type: 'built', params: ({ event }) => event.output.image } },
        ],
        onError: { target: 'failed', actions: { type: 'fail', params: ({ event }) => failureOf(event.error) } },
      },
      after: {
        buildLimit: {
          target: 'failed',
          actions: { type: 'fail', params: { code: 'build_timeout', details: { minutos: 20 } } },
        },
      },
      on: { CANCEL: 'canceled' },
    },
    deploying: {
      entry: tellGroup('deploying'),
      initial: 'starting',
      on: { SUCCESSOR: { actions: assign({ successor: ({ event }) => event.deploymentId }) } },
      states: {
        // From here until `ready` or the end of `reverting`, nobody else has an instance on the volume.
        takingVolume: {
          invoke: {
            id: 'takeVolume',
            src: 'takeVolume',
            input: ids,
            onDone: 'starting',
            onError: { target: 'reverting', actions: { type: 'fail', params: ({ event }) => failureOf(event.error) } },
          },
          after: {
            switchLimit: {
              target: 'reverting',
              actions: {
                type: 'fail',
                params: { code: 'deploy_failed', details: { motivo: 'o volume não foi liberado a tempo' } },
              },
            },
          },
        },
        starting: {
          invoke: {
            id: 'start',
            src: 'start',
            input: ({ context: c }) => ({ ...ids({ context: c }), image: c.image ?? '' }),
            onDone: {
              target: 'switching',
              actions: assign({ address: ({ event }) => event.output.address, port: ({ event }) => event.output.port }),
            },
            onError: [
              {
                guard: 'isExclusive',
                target: 'reverting',
                actions: { type: 'fail', params: ({ event }) => failureOf(event.error) },
              },
              {
                target: '#deployment.failed',
                actions: { type: 'fail', params: ({ event }) => failureOf(event.error) },
              },
            ],
          },
          after: {
            startLimit: [
              { guard: 'isExclusive', target: 'reverting', actions: { type: 'fail', params: START_TOOK_TOO_LONG } },
              { target: '#deployment.failed', actions: { type: 'fail', params: START_TOOK_TOO_LONG } },
            ],
          },
        },
        switching: {
          invoke: {
            id: 'switchTraffic',
            src: 'switchTraffic',
            input: ({ context: c }) => ({ ...ids({ context: c }), address: c.address ?? '', port: c.port ?? 0 }),
            onDone: { target: 'stabilizing', actions: assign({ previous: ({ event }) => event.output.previous }) },
            onError: { target: 'reverting', actions: { type: 'fail', params: ({ event }) => failureOf(event.error) } },
          },
          after: {
            switchLimit: {
              target: 'reverting',
              actions: {
                type: 'fail',
                params: { code: 'deploy_failed', details: { motivo: 'a troca de tráfego não respondeu' } },
              },
            },
          },
          on: { EXITED: { target: 'reverting', actions: 'crashed' } },
        },
        // The new instance has the traffic; the old one is kept warm.
        stabilizing: {
          after: { stability: 'confirming' },
          on: { EXITED: { target: 'reverting', actions: 'crashed' } },
        },
        confirming: {
          invoke: {
            id: 'confirm',
            src: 'confirm',
            input: ids,
            onDone: '#deployment.ready',
            onError: { target: 'reverting', actions: { type: 'fail', params: ({ event }) => failureOf(event.error) } },
          },
          after: {
            switchLimit: {
              target: 'reverting',
              actions: {
                type: 'fail',
                params: { code: 'deploy_failed', details: { motivo: 'a conferência não respondeu' } },
              },
            },
          },
          on: { EXITED: { target: 'reverting', actions: 'crashed' } },
        },
        // Failed already; the failure is told once the traffic is back where it was. The reconciler finishes what this cannot.
        reverting: {
          invoke: {
            id: 'revertTraffic',
            src: 'revertTraffic',
            input: ids,
            onDone: '#deployment.failed',
            onError: '#deployment.failed',
          },
          after: { switchLimit: '#deployment.failed' },
        },
      },
    },
    ready: {
      type: 'final',
      entry: [
        ...closed('ready'),
        {
          type: 'retireInstance',
          params: ({ context: c }) => (c.previous ? { deploymentId: c.previous, serviceId: c.serviceId } : null),
        },
      ],
    },
    failed: { type: 'final', entry: [...closed('failed'), { type: 'cleanUp', params: ids }] },
    blocked: { type: 'final', entry: closed('blocked') },
    canceled: { type: 'final', entry: [...closed('canceled'), { type: 'cleanUp', params: ids }] },
    superseded: { type: 'final', entry: closed('superseded') },
  },
})
