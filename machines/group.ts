// A group deployment: items in layers, at most four at once (decisions D-54, D-55). The deployments are actors of their own.
import { assign, setup } from 'xstate'
import { tell, type Failure, type Letter } from './effects.ts'

export const PARALLEL_ITEMS = 4

export type ItemStatus =
  'queued' | 'building' | 'deploying' | 'ready' | 'failed' | 'blocked' | 'canceled' | 'superseded' | 'skipped'
export type ItemReason = 'never_uploaded' | 'dependency_failed' | 'layer_not_reached' | 'canceled' | 'superseded'

export interface GroupItem {
  serviceId: string
  serviceName: string
  /** null only for a skipped item. */
  deploymentId: string | null
  layer: number
  /** Service ids inside this group. */
  dependsOn: string[]
  status: ItemStatus
  reason: ItemReason | null
  started?: boolean
}

export interface GroupInput {
  groupId: string
  projectId: string
  items: GroupItem[]
}

export interface GroupContext extends GroupInput {
  error: Failure | null
}

export type GroupEvent =
  { type: 'ITEM'; deploymentId: string; status: string } | { type: 'CANCEL' } | { type: 'SUPERSEDE' }

const BAD: ReadonlySet<string> = new Set(['failed', 'blocked', 'canceled', 'superseded'])
const GOOD: ReadonlySet<string> = new Set(['ready', 'skipped'])
const isSettled = (item: GroupItem) => BAD.has(item.status) || GOOD.has(item.status)
const isWaiting = (item: GroupItem) => item.status === 'queued' && !item.started

/** What is decided next: items that can no longer run are blocked, then the lowest open layer fills its four places. */
export function plan(items: GroupItem[]): {
  items: GroupItem[]
  start: string[]
  block: { id: string; reason: ItemReason }[]
} {
  const planned = blockUnreachable(items)
  const layer = Math.min(...planned.filter(item => !isSettled(item)).map(item => item.layer))
  let places = PARALLEL_ITEMS - planned.filter(item => !isSettled(item) && !isWaiting(item)).length
  const started = planned.map(item => {
    if (!isWaiting(item) || item.layer !== layer || places <= 0) return item
    places -= 1
    return { ...item, started: true }
  })
  return {
    items: started,
    start: ids(started.filter((item, i) => item.started && !items[i]?.started)),
    block: started
      .filter((item, i) => item.status === 'blocked' && items[i]?.status !== 'blocked')
      .map(item => ({ id: item.deploymentId ?? '', reason: item.reason ?? 'dependency_failed' })),
  }
}

function blockUnreachable(items: GroupItem[]): GroupItem[] {
  const bad = new Set(items.filter(item => BAD.has(item.status)).map(item => item.serviceId))
  if (bad.size === 0) return items
  const lowestBadLayer = Math.min(...items.filter(item => bad.has(item.serviceId)).map(item => item.layer))
  // Items come in layer order, so what an item depends on has been looked at before it.
  return [...items]
    .sort((a, b) => a.layer - b.layer)
    .map(item => {
      if (!isWaiting(item)) return item
      const depends = item.dependsOn.some(id => bad.has(id))
      if (depends) bad.add(item.serviceId)
      if (depends) return { ...item, status: 'blocked' as const, reason: 'dependency_failed' as const }
      if (item.layer > lowestBadLayer)
        return { ...item, status: 'blocked' as const, reason: 'layer_not_reached' as const }
      return item
    })
}

const ids = (items: GroupItem[]): string[] => items.flatMap(item => item.deploymentId ?? [])
const letter = (to: string, event: Letter['event']): Letter => ({ to, event })
const ends = (items: GroupItem[]) => items.filter(item => item.status === 'queued' || item.status === 'building')

/** D-55: what is queued or building ends canceled; what is already deploying finishes. */
const give = (reason: 'canceled' | 'superseded') => (items: GroupItem[]) =>
  items.map(item => (ends([item]).length > 0 ? { ...item, status: 'canceled' as const, reason } : item))

const base = setup({
  types: {} as { context: GroupContext; events: GroupEvent; input: GroupInput },
  actions: { tell },
  guards: {
    allGood: ({ context }) => context.items.every(item => GOOD.has(item.status)),
    allSettled: ({ context }) => context.items.every(isSettled),
  },
})

const cancelOpenItems = (reason: 'canceled' | 'superseded') =>
  base.enqueueActions(({ context, enqueue }) => {
    for (const id of ids(ends(context.items))) {
      enqueue({ type: 'tell', params: letter(id, { type: 'CANCEL' }) })
    }
    enqueue.assign({ items: give(reason)(context.items) })
  })

export const group = base
  .extend({
    actions: {
      advance: base.enqueueActions(({ context, enqueue }) => {
        const next = plan(context.items)
        enqueue.assign({ items: next.items })
        for (const id of next.start) enqueue({ type: 'tell', params: letter(id, { type: 'START' }) })
        for (const { id, reason } of next.block)
          enqueue({ type: 'tell', params: letter(id, { type: 'BLOCK', reason }) })
      }),
      cancelItems: cancelOpenItems('canceled'),
      supersedeItems: cancelOpenItems('superseded'),
      nameFailed: assign(({ context }) => {
        const failed = context.items.filter(item => item.status === 'failed').map(item => item.serviceName)
        const motivo = `não ficaram prontos: ${failed.join(', ')}`
        return { error: { code: 'deploy_failed', details: { motivo } } }
      }),
    },
  })
  .createMachine({
    id: 'group',
    version: '1',
    options: { maxIterations: 100 },
    initial: 'running',
    context: ({ input }) => ({ ...input, error: null }),
    states: {
      running: {
        entry: 'advance',
        always: [
          { guard: 'allGood', target: 'ready' },
          { guard: 'allSettled', target: 'failed', actions: 'nameFailed' },
        ],
        on: {
          ITEM: {
            actions: [
              assign(({ context, event }) => ({
                items: context.items.map(item =>
                  item.deploymentId === event.deploymentId && !isSettled(item)
                    ? { ...item, status: event.status as ItemStatus }
                    : item,
                ),
              })),
              'advance',
            ],
          },
          CANCEL: { target: 'canceled', actions: 'cancelItems' },
          SUPERSEDE: { target: 'superseded', actions: 'supersedeItems' },
        },
      },
      ready: { type: 'final' },
      failed: { type: 'final' },
      canceled: { type: 'final' },
      superseded: { type: 'final' },
    },
  })
