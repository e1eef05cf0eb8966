// A custom domain (decision D-60): checked when somebody asks, certified once TXT and routing are found, then served and
// renewed. One that is never verified is released after seven days.
import { assign, setup } from 'xstate'
import { activity, failureOf, type Failure } from './effects.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const UNVERIFIED_KEPT_MS = 7 * 24 * HOUR_MS
const FIRST_DELAY_MS = 2_000
const LONGEST_DELAY_MS = 5 * MINUTE_MS

export interface DomainInput {
  domainId: string
  serviceId: string
  hostname: string
  unverifiedMs?: number
}

export interface DomainContext {
  domainId: string
  serviceId: string
  hostname: string
  unverifiedMs: number
  /** How many checks have ended; whoever asked for one can tell that it is over. */
  checks: number
  /** RFC 3339, as the world told it. */
  lastCheckedAt: string | null
  verifiedAt: string | null
  lastError: Failure | null
  /** Until the certificate is issued again. */
  renewMs: number
  failures: number
}

export type DomainEvent = { type: 'VERIFY' | 'DELETE' }

interface Checked {
  at: string
  problem: string | null
}

const base = setup({
  types: {} as { context: DomainContext; events: DomainEvent; input: DomainInput },
  actors: {
    checkDomain: activity('checkDomain'),
    issueCertificate: activity('issueCertificate'),
    publishDomain: activity('publishDomain'),
    withdrawDomain: activity('withdrawDomain'),
    releaseDomain: activity('releaseDomain'),
  },
  actions: {
    checked: assign(({ context }, { at, problem }: Checked) => ({
      checks: context.checks + 1,
      lastCheckedAt: at,
      lastError: problem === null ? null : { code: problem },
      verifiedAt: problem === null ? at : context.verifiedAt,
    })),
    unchecked: assign(({ context }, failure: Failure) => ({ checks: context.checks + 1, lastError: failure })),
    failed: assign(({ context }, failure: Failure) => ({ failures: context.failures + 1, lastError: failure })),
    stumbled: assign({ failures: ({ context }) => context.failures + 1 }),
    issued: assign((_, output: { renewMs: number }) => ({ renewMs: output.renewMs, failures: 0, lastError: null })),
    succeeded: assign({ failures: 0, lastError: null }),
  },
  guards: {
    isProved: (_, checked: Checked) => checked.problem === null,
    isGone: (_, failure: Failure) => failure.code === 'gone',
  },
  delays: {
    backoff: ({ context }) => Math.min(FIRST_DELAY_MS * 2 ** Math.max(0, context.failures - 1), LONGEST_DELAY_MS),
    renewal: ({ context }) => context.renewMs,
    unverified: ({ context }) => context.unverifiedMs,
    renewAgain: HOUR_MS,
    checkLimit: 30_000,
    issueLimit: 5 * MINUTE_MS,
    workLimit: 2 * MINUTE_MS,
  },
})

type Args = { context: DomainContext }
type Failed = { event: { error: unknown } }
type Answer<T> = { event: { output: T } }

const itself = ({ context: c }: Args) => ({ domainId: c.domainId })
const here = ({ context: c }: Args) => ({ domainId: c.domainId, serviceId: c.serviceId })
const failure = ({ event }: Failed) => failureOf(event.error)
const failed = { type: 'failed', params: failure } as const
const late = { type: 'failed', params: { code: 'timeout' } } as const
const output = <T>({ event }: Answer<T>): T => event.output

/** Somebody asks for a check, and hears what it found; the same before the first one and after a failed certificate. */
const checking = {
  initial: 'resting',
  states: {
    resting: { on: { VERIFY: 'checking' } },
    checking: {
      invoke: {
        id: 'check',
        src: 'checkDomain',
        input: itself,
        onDone: [
          {
            guard: { type: 'isProved', params: output<Checked> },
            target: '#domain.issuing',
            actions: { type: 'checked', params: output<Checked> },
          },
          { target: 'resting', actions: { type: 'checked', params: output<Checked> } },
        ],
        onError: [
          { guard: { type: 'isGone', params: failure }, target: '#domain.removing' },
          { target: 'resting', actions: { type: 'unchecked', params: failure } },
        ],
      },
      after: { checkLimit: { target: 'resting', actions: { type: 'unchecked', params: { code: 'dns_unavailable' } } } },
    },
  },
} as const

export const domain = base.createMachine({
  id: 'domain',
  version: '1',
  options: { maxIterations: 100 },
  initial: 'pending',
  context: ({ input }) => ({
    domainId: input.domainId,
    serviceId: input.serviceId,
    hostname: input.hostname,
    unverifiedMs: input.unverifiedMs ?? UNVERIFIED_KEPT_MS,
    checks: 0,
    lastCheckedAt: null,
    verifiedAt: null,
    lastError: null,
    renewMs: HOUR_MS,
    failures: 0,
  }),
  on: { DELETE: '.removing' },
  states: {
    pending: { ...checking, after: { unverified: 'releasing' } },
    failed: checking,
    issuing: {
      initial: 'certifying',
      states: {
        certifying: {
          invoke: {
            id: 'issue',
            src: 'issueCertificate',
            input: itself,
            onDone: { target: 'publishing', actions: { type: 'issued', params: output<{ renewMs: number }> } },
            onError: [
              { guard: { type: 'isGone', params: failure }, target: '#domain.removing' },
              { target: '#domain.failed', actions: failed },
            ],
          },
          after: { issueLimit: { target: '#domain.failed', actions: late } },
        },
        publishing: {
          invoke: {
            id: 'publish',
            src: 'publishDomain',
            input: here,
            onDone: { target: '#domain.active', actions: 'succeeded' },
            onError: { target: 'publishingLater', actions: 'stumbled' },
          },
          after: { workLimit: { target: 'publishingLater', actions: 'stumbled' } },
        },
        publishingLater: { after: { backoff: 'publishing' } },
      },
    },
    active: {
      initial: 'serving',
      states: {
        serving: { after: { renewal: 'renewing' } },
        renewing: {
          invoke: {
            id: 'issue',
            src: 'issueCertificate',
            input: itself,
            onDone: { target: 'publishing', actions: { type: 'issued', params: output<{ renewMs: number }> } },
            onError: [
              { guard: { type: 'isGone', params: failure }, target: '#domain.removing' },
              { target: 'renewingLater', actions: failed },
            ],
          },
          after: { issueLimit: { target: 'renewingLater', actions: late } },
        },
        // A third of its life is left: there is time.
        renewingLater: { after: { renewAgain: 'renewing' } },
        publishing: {
          invoke: {
            id: 'publish',
            src: 'publishDomain',
            input: here,
            onDone: { target: 'serving', actions: 'succeeded' },
            onError: { target: 'publishingLater', actions: 'stumbled' },
          },
          after: { workLimit: { target: 'publishingLater', actions: 'stumbled' } },
        },
        publishingLater: { after: { backoff: 'publishing' } },
      },
    },
    // From here on the API does not know it any more.
    releasing: {
      initial: 'working',
      states: {
        working: {
          invoke: {
            id: 'release',
            src: 'releaseDomain',
            input: itself,
            onDone: '#domain.released',
            onError: 'later',
          },
          after: { workLimit: 'later' },
        },
        later: { entry: 'stumbled', after: { backoff: 'working' } },
      },
    },
    removing: {
      initial: 'working',
      states: {
        working: {
          invoke: { id: 'withdraw', src: 'withdrawDomain', input: here, onDone: '#domain.removed', onError: 'later' },
          after: { workLimit: 'later' },
        },
        later: { entry: 'stumbled', after: { backoff: 'working' } },
      },
    },
    released: { type: 'final' },
    removed: { type: 'final' },
  },
})
