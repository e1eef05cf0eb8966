// A service as its users see it (decision D-50), and what a crash after `ready` means: restarts with growing delay,
// five exits in ten minutes make it `failed`.
import { assign, setup } from 'xstate'
import { activity, effect, tell } from './effects.ts'

const EXITS_ALLOWED = 5
const EXIT_WINDOW_MS = 10 * 60_000
const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 60_000

export interface ServiceInput {
  serviceId: string
  projectId: string
}

export interface ServiceContext extends ServiceInput {
  /** The deployment whose instance serves, or should. */
  active: string | null
  /** Deployments that have not ended, oldest first. */
  open: string[]
  /** service.revision of the last deployment that became ready. */
  readyRevision: number | null
  /** True from an exit of the active instance until it runs again. */
  down: boolean
  /** When the active instance exited, milliseconds since 1970, within the last ten minutes. */
  exits: number[]
}

export type ServiceEvent =
  | { type: 'DEPLOYMENT_OPENED'; deploymentId: string }
  | { type: 'DEPLOYMENT_CLOSED'; deploymentId: string; outcome: string; revision: number }
  | { type: 'VOLUME_DELETED'; volumeId: string }
  | { type: 'REMOVE' }
  | { type: 'INSTANCE_EXITED'; deploymentId: string; at: number; exitCode: number | null; outOfMemory: boolean }

const without = (open: string[], id: string) => open.filter(other => other !== id)
const recent = (exits: number[], at: number) => [...exits, at].filter(time => time > at - EXIT_WINDOW_MS)

/** The same exit may be told twice: by the engine's event and by the reconciler. */
const isNewExit = (context: ServiceContext, event: ServiceEvent) =>
  event.type === 'INSTANCE_EXITED' && event.deploymentId === context.active && !context.exits.includes(event.at)

/** The next exit would be the one too many. */
const isOneTooMany = (context: ServiceContext, event: ServiceEvent) =>
  event.type === 'INSTANCE_EXITED' && recent(context.exits, event.at).length >= EXITS_ALLOWED

const base = setup({
  types: {} as { context: ServiceContext; events: ServiceEvent; input: ServiceInput },
  actors: { restartInstance: activity('restartInstance') },
  actions: {
    tell,
    withdrawInstance: effect('withdrawInstance'),
    removeVolume: effect('removeVolume'),
    removeService: effect('removeService'),
    opened: assign(({ context, event }) =>
      event.type === 'DEPLOYMENT_OPENED' ? { open: [...context.open, event.deploymentId] } : {},
    ),
    closed: assign(({ context, event }) => {
      if (event.type !== 'DEPLOYMENT_CLOSED') return {}
      const open = without(context.open, event.deploymentId)
      if (event.outcome !== 'ready') return { open }
      return { open, active: event.deploymentId, readyRevision: event.revision, down: false, exits: [] }
    }),
    exited: assign(({ context, event }) =>
      event.type === 'INSTANCE_EXITED' ? { down: true, exits: recent(context.exits, event.at) } : {},
    ),
    restarted: assign({ down: false }),
    withdrawn: assign({ active: null, down: false, exits: [] }),
  },
  guards: {
    isUp: ({ context, event }) => isNewExit(context, event) && !context.down,
    isNew: ({ context, event }) => isNewExit(context, event),
    isLastStraw: ({ context, event }) => isNewExit(context, event) && isOneTooMany(context, event),
    becameReady: ({ event }) => event.type === 'DEPLOYMENT_CLOSED' && event.outcome === 'ready',
    failedOutcome: ({ event }) => event.type === 'DEPLOYMENT_CLOSED' && event.outcome === 'failed',
    othersOpen: ({ context, event }) => 'deploymentId' in event && without(context.open, event.deploymentId).length > 0,
    serves: ({ context }) => context.active !== null,
    isDown: ({ context }) => context.down,
  },
  delays: {
    backoff: ({ context }) => Math.min(FIRST_DELAY_MS * 2 ** Math.max(0, context.exits.length - 1), LONGEST_DELAY_MS),
    restartLimit: 4 * 60_000,
  },
})

const withdraw = [
  {
    type: 'withdrawInstance',
    params: ({ context: c }: { context: ServiceContext }) =>
      c.active ? { deploymentId: c.active, serviceId: c.serviceId } : null,
  },
  'withdrawn',
] as const

/** The instance first, then the data: work of one lane is done in order (D-62). */
const loseVolume = [
  ...withdraw,
  {
    type: 'removeVolume',
    params: ({ context: c, event }: { context: ServiceContext; event: ServiceEvent }) =>
      event.type === 'VOLUME_DELETED' ? { volumeId: event.volumeId, serviceId: c.serviceId } : null,
  },
] as const

/** Keeping the active instance up; the same while a deployment is open and while none is. */
const keepUp = {
  initial: 'watching',
  states: {
    watching: { always: { guard: 'isDown', target: 'waiting' } },
    waiting: { after: { backoff: 'restarting' } },
    restarting: {
      invoke: {
        id: 'restart',
        src: 'restartInstance',
        input: ({ context: c }: { context: ServiceContext }) => ({
          serviceId: c.serviceId,
          deploymentId: c.active ?? '',
        }),
        onDone: { target: 'watching', actions: 'restarted' },
        onError: 'pausing',
      },
      after: { restartLimit: 'pausing' },
    },
    // Why the restart failed is told by INSTANCE_EXITED when the instance exits again; else the world was at fault.
    pausing: { after: { backoff: 'restarting' } },
  },
} as const

export const service = base.createMachine({
  id: 'service',
  version: '1',
  options: { maxIterations: 100 },
  initial: 'idle',
  context: ({ input }) => ({ ...input, active: null, open: [], readyRevision: null, down: false, exits: [] }),
  on: { REMOVE: { target: '.removed', actions: 'withdrawn' } },
  states: {
    idle: {
      on: {
        DEPLOYMENT_OPENED: { target: 'deploying', actions: 'opened' },
        VOLUME_DELETED: { actions: loseVolume },
      },
    },
    deploying: {
      ...keepUp,
      on: {
        DEPLOYMENT_OPENED: { actions: 'opened' },
        DEPLOYMENT_CLOSED: [
          { guard: 'othersOpen', target: '.watching', actions: 'closed' },
          { guard: 'becameReady', target: 'running', actions: 'closed' },
          { guard: 'serves', target: 'running', actions: 'closed' },
          { guard: 'failedOutcome', target: 'failed', actions: 'closed' },
          { target: 'idle', actions: 'closed' },
        ],
        INSTANCE_EXITED: [
          { guard: 'isLastStraw', target: '.watching', actions: withdraw },
          { guard: 'isUp', target: '.watching', actions: 'exited' },
          { guard: 'isNew', actions: 'exited' },
        ],
      },
    },
    running: {
      ...keepUp,
      on: {
        DEPLOYMENT_OPENED: { target: 'deploying', actions: 'opened' },
        INSTANCE_EXITED: [
          { guard: 'isLastStraw', target: 'failed', actions: withdraw },
          { guard: 'isUp', target: '.watching', actions: 'exited' },
          { guard: 'isNew', actions: 'exited' },
        ],
        VOLUME_DELETED: { target: 'idle', actions: loseVolume },
      },
    },
    failed: {
      on: {
        DEPLOYMENT_OPENED: { target: 'deploying', actions: 'opened' },
        VOLUME_DELETED: { target: 'idle', actions: loseVolume },
      },
    },
    // Its row is gone, so that nobody sees this state; what it left in the world goes by and by.
    removed: {
      type: 'final',
      entry: {
        type: 'removeService',
        params: ({ context: c }) => ({ serviceId: c.serviceId, projectId: c.projectId }),
      },
    },
  },
})
