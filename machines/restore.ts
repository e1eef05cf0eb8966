// A restore: a new database is provisioned by its own actor, filled from the backup, and only then ready. What can never
// succeed (a damaged or missing file) ends `failed` and takes the half-made database with it; the rest is tried again.
import { assign, setup } from 'xstate'
import { activity, failureOf, tell, type Failure } from './effects.ts'

const FIRST_DELAY_MS = 2_000
const LONGEST_DELAY_MS = 60_000
const TRIES = 10
const HOPELESS: readonly string[] = ['backup_damaged', 'backup_gone']

export interface RestoreInput {
  restoreId: string
  backupId: string
  databaseId: string
}

export interface RestoreContext extends RestoreInput {
  failures: number
  error: Failure | null
}

export type RestoreEvent = { type: 'PROVISIONED' | 'DATABASE_DELETED' }

export const restore = setup({
  types: {} as { context: RestoreContext; events: RestoreEvent; input: RestoreInput },
  actors: { restoreDatabase: activity('restoreDatabase') },
  actions: {
    tell,
    failed: assign(({ context }, error: Failure) => ({ failures: context.failures + 1, error })),
  },
  guards: {
    isHopeless: ({ context }, failure: Failure) => HOPELESS.includes(failure.code) || context.failures + 1 >= TRIES,
  },
  delays: {
    backoff: ({ context }) => Math.min(FIRST_DELAY_MS * 2 ** Math.max(0, context.failures - 1), LONGEST_DELAY_MS),
    restoreLimit: 4 * 60 * 60_000,
  },
}).createMachine({
  id: 'restore',
  version: '1',
  options: { maxIterations: 100 },
  initial: 'running',
  context: ({ input }) => ({ ...input, failures: 0, error: null }),
  states: {
    running: {
      initial: 'provisioning',
      on: {
        DATABASE_DELETED: {
          target: 'failed',
          actions: { type: 'failed', params: { code: 'database_deleted' } },
        },
      },
      states: {
        provisioning: { on: { PROVISIONED: 'filling' } },
        filling: {
          invoke: {
            id: 'restore',
            src: 'restoreDatabase',
            input: ({ context }) => ({ backupId: context.backupId, databaseId: context.databaseId }),
            onDone: {
              target: '#restore.ready',
              actions: [
                assign({ error: null }),
                {
                  type: 'tell',
                  params: ({ context, event }) => ({
                    to: context.databaseId,
                    event: { type: 'FILLED' as const, sizeMb: event.output.sizeMb },
                  }),
                },
              ],
            },
            onError: [
              {
                guard: { type: 'isHopeless', params: ({ event }) => failureOf(event.error) },
                target: '#restore.failed',
                actions: [
                  { type: 'failed', params: ({ event }) => failureOf(event.error) },
                  {
                    type: 'tell',
                    params: ({ context }) => ({ to: context.databaseId, event: { type: 'DISCARD' as const } }),
                  },
                ],
              },
              { target: 'waiting', actions: { type: 'failed', params: ({ event }) => failureOf(event.error) } },
            ],
          },
          after: { restoreLimit: { target: 'waiting', actions: { type: 'failed', params: { code: 'timeout' } } } },
        },
        waiting: { after: { backoff: 'filling' } },
      },
    },
    ready: { type: 'final' },
    failed: { type: 'final' },
  },
})
