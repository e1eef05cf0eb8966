// A tenant database (decision D-61): provisioning goes on until it succeeds; only then do references to it resolve. Then it
// is measured every few minutes, rotated when asked, and at its deletion suspended, backed up and dropped, in this order.
import { assign, setup } from 'xstate'
import { activity, failureOf, tell, type Failure, type Letter } from './effects.ts'

const FIRST_DELAY_MS = 2_000
const LONGEST_DELAY_MS = 60_000
const MEASURE_EVERY_MS = 5 * 60_000
const MINUTE_MS = 60_000

export interface DatabaseInput {
  databaseId: string
  /** The restore that fills this database before anybody may use it; null or absent = it starts empty. */
  restoreId?: string | null
  measureEveryMs?: number
}

export interface DatabaseContext {
  databaseId: string
  restoreId: string | null
  /** The final backup that must be ready before the data goes; null = none is wanted. */
  backupId: string | null
  measureEveryMs: number
  sizeMb: number
  readOnly: boolean
  /** How often ROTATE has come, how many of these the present rotation is for, and how many are done. */
  rotationsAsked: number
  rotationsTaken: number
  rotationsDone: number
  /** Somebody wants to know before the timer. */
  measureAsked: boolean
  failures: number
  lastFailure: Failure | null
}

export type DatabaseEvent =
  | { type: 'RETRY' | 'ROTATE' | 'MEASURE' | 'BACKED_UP' | 'DISCARD' }
  | { type: 'FILLED'; sizeMb: number }
  | { type: 'DELETE'; backupId: string | null }

const base = setup({
  types: {} as { context: DatabaseContext; events: DatabaseEvent; input: DatabaseInput },
  actors: {
    provisionDatabase: activity('provisionDatabase'),
    enforceQuota: activity('enforceQuota'),
    rotateCredential: activity('rotateCredential'),
    discardDatabase: activity('discardDatabase'),
    suspendDatabase: activity('suspendDatabase'),
    dropDatabase: activity('dropDatabase'),
  },
  actions: {
    tell,
    failed: assign(({ context }, failure: Failure) => ({ failures: context.failures + 1, lastFailure: failure })),
    succeeded: assign({ failures: 0, lastFailure: null }),
    rotationAsked: assign({ rotationsAsked: ({ context }) => context.rotationsAsked + 1 }),
    rotationTaken: assign({ rotationsTaken: ({ context }) => context.rotationsAsked }),
    rotated: assign({ rotationsDone: ({ context }) => context.rotationsTaken }),
    measureAsked: assign({ measureAsked: true }),
    measureTaken: assign({ measureAsked: false }),
    measured: assign((_, output: { sizeMb: number; readOnly: boolean; againMs: number }) => ({
      sizeMb: output.sizeMb,
      readOnly: output.readOnly,
      measureEveryMs: output.againMs,
    })),
    filled: assign(({ event }) => (event.type === 'FILLED' ? { sizeMb: event.sizeMb } : {})),
    deleted: assign(({ event }) => (event.type === 'DELETE' ? { backupId: event.backupId } : {})),
  },
  guards: {
    isRestored: ({ context }) => context.restoreId !== null,
    rotationWanted: ({ context }) => context.rotationsAsked > context.rotationsDone,
    measureWanted: ({ context }) => context.measureAsked,
    backupWanted: ({ context }) => context.backupId !== null,
    overQuota: (_, output: { readOnly: boolean }) => output.readOnly,
  },
  delays: {
    backoff: ({ context }) => Math.min(FIRST_DELAY_MS * 2 ** Math.max(0, context.failures - 1), LONGEST_DELAY_MS),
    measureEvery: ({ context }) => context.measureEveryMs,
    provisionLimit: 5 * MINUTE_MS,
    quotaLimit: 10 * MINUTE_MS,
    rotateLimit: 5 * MINUTE_MS,
    endLimit: 5 * MINUTE_MS,
  },
})

type Args = { context: DatabaseContext }
type Failed = { event: { error: unknown } }

const itself = ({ context }: Args) => ({ databaseId: context.databaseId })
const failed = { type: 'failed', params: ({ event }: Failed) => failureOf(event.error) } as const
const late = { type: 'failed', params: { code: 'timeout' } } as const

/** A restore is told what became of the database that it is to fill. */
const tellRestore = (type: 'PROVISIONED' | 'DATABASE_DELETED') =>
  ({
    type: 'tell',
    params: ({ context: c }: Args): Letter | null => (c.restoreId ? { to: c.restoreId, event: { type } } : null),
  }) as const

const tellBackup = {
  type: 'tell',
  params: ({ context: c }: Args): Letter | null => (c.backupId ? { to: c.backupId, event: { type: 'START' } } : null),
} as const

type Measured = { event: { output: { sizeMb: number; readOnly: boolean; againMs: number } } }
const output = ({ event }: Measured) => event.output
const measured = [{ type: 'measured', params: output }, 'succeeded'] as const

/** Looking after a database that is in use; the same whether it may grow or not. */
const watch = {
  initial: 'resting',
  states: {
    resting: {
      always: [
        { guard: 'rotationWanted', target: 'rotating' },
        { guard: 'measureWanted', target: 'measuring' },
      ],
      after: { measureEvery: 'measuring' },
    },
    measuring: {
      entry: 'measureTaken',
      always: { guard: 'rotationWanted', target: 'rotating' },
      invoke: {
        id: 'quota',
        src: 'enforceQuota',
        input: ({ context: c }: Args) => ({ databaseId: c.databaseId, readOnly: c.readOnly }),
        onDone: [
          { guard: { type: 'overQuota', params: output }, target: '#database.ready.readOnly', actions: measured },
          { target: '#database.ready.writable', actions: measured },
        ],
        onError: { target: 'resting', actions: failed },
      },
      after: { quotaLimit: { target: 'resting', actions: late } },
    },
    rotating: {
      entry: 'rotationTaken',
      invoke: {
        id: 'rotate',
        src: 'rotateCredential',
        input: itself,
        // Whoever rotates every few minutes must not escape the measuring by it.
        onDone: { target: 'measuring', actions: ['rotated', 'succeeded'] },
        onError: { target: 'pausing', actions: failed },
      },
      after: { rotateLimit: { target: 'pausing', actions: late } },
    },
    pausing: { after: { backoff: 'rotating' } },
  },
} as const

export const database = base.createMachine({
  id: 'database',
  version: '2',
  options: { maxIterations: 100 },
  initial: 'provisioning',
  context: ({ input }) => ({
    databaseId: input.databaseId,
    restoreId: input.restoreId ?? null,
    backupId: null,
    measureEveryMs: input.measureEveryMs ?? MEASURE_EVERY_MS,
    sizeMb: 0,
    readOnly: false,
    rotationsAsked: 0,
    rotationsTaken: 0,
    rotationsDone: 0,
    measureAsked: false,
    failures: 0,
    lastFailure: null,
  }),
  states: {
    provisioning: {
      initial: 'working',
      on: { DELETE: { target: 'deleting', actions: ['deleted', tellRestore('DATABASE_DELETED')] } },
      states: {
        working: {
          invoke: {
            id: 'provision',
            src: 'provisionDatabase',
            input: itself,
            onDone: [
              { guard: 'isRestored', target: 'filling', actions: [tellRestore('PROVISIONED'), 'succeeded'] },
              {
                target: '#database.ready',
                actions: [assign({ sizeMb: ({ event }) => event.output.sizeMb }), 'succeeded'],
              },
            ],
            onError: { target: 'waiting', actions: failed },
          },
          after: { provisionLimit: { target: 'waiting', actions: late } },
        },
        waiting: { after: { backoff: 'working' }, on: { RETRY: 'working' } },
        // The restore does the work; this one is told how it ended.
        filling: {
          on: { FILLED: { target: '#database.ready', actions: 'filled' }, DISCARD: 'discarding' },
        },
        discarding: {
          invoke: {
            id: 'discard',
            src: 'discardDatabase',
            input: itself,
            onDone: { target: '#database.deleting', actions: 'succeeded' },
            onError: { target: 'discardingLater', actions: failed },
          },
          after: { endLimit: { target: 'discardingLater', actions: late } },
        },
        discardingLater: { after: { backoff: 'discarding' } },
      },
    },
    ready: {
      initial: 'writable',
      on: {
        ROTATE: { actions: 'rotationAsked' },
        MEASURE: { actions: 'measureAsked' },
        DELETE: { target: 'deleting', actions: 'deleted' },
      },
      states: { writable: watch, readOnly: watch },
    },
    // From here on the API does not know it any more.
    deleting: {
      initial: 'suspending',
      states: {
        suspending: {
          invoke: {
            id: 'suspend',
            src: 'suspendDatabase',
            input: itself,
            onDone: [
              { guard: 'backupWanted', target: 'backingUp', actions: ['succeeded', tellBackup] },
              { target: 'dropping', actions: 'succeeded' },
            ],
            onError: { target: 'suspendingLater', actions: failed },
          },
          after: { endLimit: { target: 'suspendingLater', actions: late } },
        },
        suspendingLater: { after: { backoff: 'suspending' } },
        // For as long as it takes: without a backup the data stays.
        backingUp: { on: { BACKED_UP: 'dropping' } },
        dropping: {
          invoke: {
            id: 'drop',
            src: 'dropDatabase',
            input: itself,
            onDone: '#database.deleted',
            onError: { target: 'droppingLater', actions: failed },
          },
          after: { endLimit: { target: 'droppingLater', actions: late } },
        },
        droppingLater: { after: { backoff: 'dropping' } },
      },
    },
    deleted: { type: 'final' },
  },
})
