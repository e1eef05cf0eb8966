// Request quotas (decisions 6): windows of usually a minute, kept in memory. A restart forgets them, which only gives more.
import type { RequestLimits } from '../domain/limits.ts'
import { ApiError } from './errors.ts'

export interface Quota {
  max: number
  windowMs: number
}

export interface RequestQuotas {
  token: Quota
  address: Quota
  failedAuthentication: Quota
}

/** What the figures of an installation allow in each window. */
export function requestQuotas(limits: RequestLimits): RequestQuotas {
  const quota = (max: number): Quota => ({ max, windowMs: limits.windowSeconds * 1000 })
  return {
    token: quota(limits.perToken),
    address: quota(limits.perAddress),
    failedAuthentication: quota(limits.failedAuthenticationsPerAddress),
  }
}

interface Bucket {
  used: number
  endsAt: number
}

/** Counts uses per key in windows that begin at the first use. */
export class Meter {
  readonly quota: Quota
  readonly #buckets = new Map<string, Bucket>()
  #sweepAt = 0

  constructor(quota: Quota) {
    this.quota = quota
  }

  /** Takes one use; throws 429 with the wait when none is left. */
  take(key: string, now = Date.now()): void {
    const bucket = this.#bucket(key, now)
    if (bucket.used >= this.quota.max) {
      const seconds = Math.max(1, Math.ceil((bucket.endsAt - now) / 1000))
      throw new ApiError('rate_limited.requests', { segundos: seconds }, { retryAfter: seconds })
    }
    bucket.used++
  }

  /** Gives one use back: a 304 and a replay are free (D-07, D-18). */
  giveBack(key: string, now = Date.now()): void {
    const bucket = this.#bucket(key, now)
    bucket.used = Math.max(0, bucket.used - 1)
  }

  /** What is left, and the seconds until the window ends. */
  left(key: string, now = Date.now()): { remaining: number; seconds: number } {
    const bucket = this.#bucket(key, now)
    return { remaining: this.quota.max - bucket.used, seconds: Math.ceil((bucket.endsAt - now) / 1000) }
  }

  #bucket(key: string, now: number): Bucket {
    if (now >= this.#sweepAt) this.#sweep(now)
    const known = this.#buckets.get(key)
    if (known && known.endsAt > now) return known
    const fresh = { used: 0, endsAt: now + this.quota.windowMs }
    this.#buckets.set(key, fresh)
    return fresh
  }

  #sweep(now: number): void {
    for (const [key, bucket] of this.#buckets) if (bucket.endsAt <= now) this.#buckets.delete(key)
    this.#sweepAt = now + this.quota.windowMs
  }
}

/** The structured form of the IETF draft (D-21): `"token";q=600;w=60` and `"token";r=587;t=41`. */
export function quotaHeaders(name: string, quota: Quota, left: { remaining: number; seconds: number }) {
  return {
    policy: `"${name}";q=${quota.max};w=${quota.windowMs / 1000}`,
    state: `"${name}";r=${Math.max(0, left.remaining)};t=${left.seconds}`,
  }
}
