// A final backup: made once nobody can write any more, tried again until it succeeds, kept for 30 days, and then removed.
// While it is `failed` the data is still there, and it goes on trying.
import { assign, setup } from 'xstate'
import { activity, effect, failureOf, tell, type Failure } from './effects.ts'

const FIRST_DELAY_MS = 5_000
const LONGEST_DELAY_MS = 10 * 60_000
const HOUR_MS = 60 * 60_000
/** The row's `expires_at` is a moment earlier, so that nobody is shown what is being removed. */
const KEPT_MS = 30 * 24 * HOUR_MS + 60_000

export interface BackupInput {
  backupId: string
  databaseId: string
}

export interface BackupContext extends BackupInput {
  failures: number
  lastFailure: Failure | null
}

export type BackupEvent = { type: 'START' | 'RETRY' }

const work = (context: BackupContext) => ({ backupId: context.backupId, databaseId: context.databaseId })

export const backup = setup({
  types: {} as { context: BackupContext; events: BackupEvent; input: BackupInput },
  actors: { backUpDatabase: activity('backUpDatabase'), removeBackup: activity('removeBackup') },
  actions: {
    tell,
    tellTeam: effect('tellTeam'),
    failed: assign(({ context }, failure: Failure) => ({ failures: context.failures + 1, lastFailure: failure })),
    succeeded: assign({ failures: 0, lastFailure: null }),
  },
  delays: {
    backoff: ({ context }) => Math.min(FIRST_DELAY_MS * 2 ** Math.max(0, context.failures - 1), LONGEST_DELAY_MS),
    kept: KEPT_MS,
    backupLimit: 4 * HOUR_MS,
    removeLimit: 5 * 60_000,
  },
}).createMachine({
  id: 'backup',
  version: '1',
  options: { maxIterations: 100 },
  initial: 'running',
  context: ({ input }) => ({ ...input, failures: 0, lastFailure: null }),
  states: {
    running: {
      initial: 'waiting',
      states: {
        // For the database to be suspended.
        waiting: { on: { START: 'working' } },
        working: {
          invoke: {
            id: 'backup',
            src: 'backUpDatabase',
            input: ({ context }) => work(context),
            onDone: { target: '#backup.ready', actions: 'succeeded' },
            onError: {
              target: '#backup.failed',
              actions: { type: 'failed', params: ({ event }) => failureOf(event.error) },
            },
          },
          after: {
            backupLimit: { target: '#backup.failed', actions: { type: 'failed', params: { code: 'timeout' } } },
          },
        },
      },
    },
    failed: {
      initial: 'waiting',
      entry: {
        type: 'tellTeam',
        params: ({ context }) => ({ subjectId: context.backupId, kind: 'backup.failed' as const }),
      },
      states: {
        waiting: { after: { backoff: 'working' }, on: { RETRY: 'working' } },
        working: {
          invoke: {
            id: 'backup',
            src: 'backUpDatabase',
            input: ({ context }) => work(context),
            onDone: { target: '#backup.ready', actions: 'succeeded' },
            onError: { target: 'waiting', actions: { type: 'failed', params: ({ event }) => failureOf(event.error) } },
          },
          after: { backupLimit: { target: 'waiting', actions: { type: 'failed', params: { code: 'timeout' } } } },
        },
      },
    },
    ready: {
      entry: {
        type: 'tell',
        params: ({ context }) => ({ to: context.databaseId, event: { type: 'BACKED_UP' } as const }),
      },
      after: { kept: 'expired' },
    },
    // From here on the API does not know it any more.
    expired: {
      initial: 'removing',
      states: {
        removing: {
          invoke: {
            id: 'remove',
            src: 'removeBackup',
            input: ({ context }) => ({ backupId: context.backupId }),
            onDone: '#backup.removed',
            onError: 'waiting',
          },
          after: { removeLimit: 'waiting' },
        },
        waiting: { after: { removeLimit: 'removing' } },
      },
    },
    removed: { type: 'final' },
  },
})
