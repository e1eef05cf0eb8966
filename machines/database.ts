// A tenant database (decision D-61): provisioning goes on until it succeeds; only then do references to it resolve.
import { assign, setup } from 'xstate'
import { activity, failureOf, type Failure } from './effects.ts'

const FIRST_DELAY_MS = 2_000
const LONGEST_DELAY_MS = 60_000

export interface DatabaseInput {
  databaseId: string
}

export interface DatabaseContext extends DatabaseInput {
  sizeMb: number
  failures: number
  lastFailure: Failure | null
}

export type DatabaseEvent = { type: 'RETRY' }

export const database = setup({
  types: {} as { context: DatabaseContext; events: DatabaseEvent; input: DatabaseInput },
  actors: { provisionDatabase: activity('provisionDatabase') },
  actions: {
    failed: assign(({ context }, failure: Failure) => ({ failures: context.failures + 1, lastFailure: failure })),
  },
  delays: {
    backoff: ({ context }) => Math.min(FIRST_DELAY_MS * 2 ** Math.max(0, context.failures - 1), LONGEST_DELAY_MS),
    provisionLimit: 5 * 60_000,
  },
}).createMachine({
  id: 'database',
  version: '1',
  options: { maxIterations: 100 },
  initial: 'provisioning',
  context: ({ input }) => ({ ...input, sizeMb: 0, failures: 0, lastFailure: null }),
  states: {
    provisioning: {
      initial: 'working',
      states: {
        working: {
          invoke: {
            id: 'provision',
            src: 'provisionDatabase',
            input: ({ context }) => ({ databaseId: context.databaseId }),
            onDone: {
              target: '#database.ready',
              actions: assign({ sizeMb: ({ event }) => event.output.sizeMb, lastFailure: null }),
            },
            onError: { target: 'waiting', actions: { type: 'failed', params: ({ event }) => failureOf(event.error) } },
          },
          after: { provisionLimit: { target: 'waiting', actions: { type: 'failed', params: { code: 'timeout' } } } },
        },
        waiting: { after: { backoff: 'working' }, on: { RETRY: 'working' } },
      },
    },
    ready: { initial: 'writable', states: { writable: {}, readOnly: {} } },
  },
})
