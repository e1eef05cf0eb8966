// What would only grow: answers kept for idempotency keys, effects long done, spent quotas, archives nobody names.
import { deleteOldDeployUses } from '../../db/queries/deployments.ts'
import { deleteOldEffects } from '../../db/queries/effects.ts'
import { expireAnswers } from '../../db/queries/idempotency.ts'
import { DEPLOY_WINDOW_MS, IDEMPOTENCY } from '../domain/limits.ts'
import { repeat } from './repeat.ts'
import type { Tools } from './tools.ts'
import { removeUnusedUploads } from './uploads.ts'

const EVERY_MS = 60 * 60_000
/** Long enough to see what happened last week. */
const EFFECTS_KEPT_DAYS = 7

/** Tidies up at once and every hour until `signal` aborts; a chore that fails keeps no other from being done. */
export async function housekeep(tools: Tools, signal: AbortSignal): Promise<void> {
  const { db, log } = tools
  const chores: Record<string, () => Promise<unknown>> = {
    'expire idempotency keys': () => expireAnswers(db, IDEMPOTENCY.windowMs),
    'delete old effects': () => deleteOldEffects(db, EFFECTS_KEPT_DAYS),
    'delete spent quotas': () => deleteOldDeployUses(db, DEPLOY_WINDOW_MS),
    'remove unused uploads': async () => {
      const removed = await removeUnusedUploads(tools)
      if (removed.length > 0) log.info({ removed }, 'removed uploads that nobody names')
    },
  }
  await Promise.all(Object.entries(chores).map(([name, chore]) => repeat(log, name, EVERY_MS, chore, signal)))
}
