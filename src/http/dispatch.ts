// One request below /v1, in the order of D-15: route, ownership, scope, idempotency key, body, then the handler. What
// changes something runs in one transaction with its idempotency key.
import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { Context } from 'koa'
import { lockProject } from '../../db/queries/projects.ts'
import type { TokenRow } from '../../db/queries/teams.ts'
import { StaleOwner } from '../actors/index.ts'
import { requireScope } from './auth.ts'
import { announcesBody, isMultipart, readJson } from './body.ts'
import { ApiError } from './errors.ts'
import { claim, fingerprintOf, readKey, settle, type Claim, type KeptAnswer } from './idempotency.ts'
import { findResources, type ResourceName } from './resources.ts'
import { matchRoute, type Answer, type Parts, type Read, type Received, type Route } from './route.ts'
import { validate } from './validation.ts'

/** Everything that the answer to a request may need beyond its body. */
export interface Reply extends KeptAnswer {
  noStore: boolean
  replayed: boolean
  deploys: Answer['deploys']
}

/** Answers one authenticated request. `path` is what follows /v1. Throws ApiError for every refusal. */
export async function dispatch(
  routes: readonly Route[],
  parts: Parts,
  ctx: Context,
  path: string,
  token: TokenRow,
): Promise<Reply> {
  const match = matchRoute(routes, ctx.method, path)
  if ('allowed' in match) return refuseMethod(ctx, match.allowed)
  const { route, params } = match
  ctx.state.route = `${route.method} /v1${route.path}`
  const found = await findResources(parts.db, params, token)
  requireScope(token, route.scope)
  if (route.unrestricted && token.project_ids !== null) throw new ApiError('forbidden.restricted')
  const call: Read<ResourceName> = { ...parts, ...found, token, params, query: new URLSearchParams(ctx.querystring) }
  if (route.body === null) return replyOf(await route.handle(call as never))
  const key = route.method === 'POST' ? readKey(ctx.req.headers['idempotency-key']) : null
  const { body, fingerprint, discard } = await receive(ctx, route, call)
  const claimed = key === null || !route.remember ? null : { tokenId: token.id, key, fingerprint }
  try {
    return await change(routes, parts, ctx, path, route, { ...call, body }, claimed)
  } finally {
    await discard?.()
  }
}

function refuseMethod(ctx: Context, allowed: string[]): Reply {
  if (allowed.length === 0) throw new ApiError('not_found')
  ctx.set('Allow', allowed.join(', '))
  if (ctx.method !== 'OPTIONS') throw new ApiError('method_not_allowed', { metodo: ctx.method })
  return { status: 204, body: null, location: null, noStore: false, replayed: false, deploys: undefined }
}

async function receive(ctx: Context, route: Route, call: Read<ResourceName>): Promise<Received<unknown>> {
  if (route.receive && isMultipart(ctx.req) && announcesBody(ctx.req)) {
    const received = await route.receive(ctx.req, call)
    return { ...received, fingerprint: fingerprintOf(ctx.method, ctx.path, received.fingerprint) }
  }
  const json = await readJson(ctx.req, route.maxBodyBytes)
  if (json === null && !route.bodyOptional) throw new ApiError('invalid_request.body')
  const content = json ?? {}
  const fingerprint = fingerprintOf(ctx.method, ctx.path, content)
  return { body: validate(route.body as NonNullable<Route['body']>, content), fingerprint }
}

async function change(
  routes: readonly Route[],
  parts: Parts,
  ctx: Context,
  path: string,
  route: Route,
  call: Read<ResourceName> & { body: unknown },
  claimed: Claim | null,
): Promise<Reply> {
  return transact(parts.db, async trx => {
    const kept = claimed && (await claim(trx, claimed))
    if (kept) return { ...kept, noStore: false, replayed: true, deploys: undefined }
    const inside = { ...call, db: trx }
    await checkPrecondition(routes, ctx, path, inside)
    const reply = replyOf(await route.handle(inside))
    if (claimed) await settle(trx, claimed, reply)
    return reply
  })
}

/** `If-Match` against what GET of the same path answers now (D-08). */
async function checkPrecondition(
  routes: readonly Route[],
  ctx: Context,
  path: string,
  call: Read<ResourceName> & { db: Knex.Transaction },
): Promise<void> {
  const wanted = ctx.get('If-Match')
  if (wanted === '' || (ctx.method !== 'PATCH' && ctx.method !== 'PUT')) return
  await lockProject(call.db, call.project.id)
  const sibling = matchRoute(routes, 'GET', path)
  if ('allowed' in sibling) throw new ApiError('precondition_failed')
  const now = await findResources(call.db, call.params, call.token)
  const current = replyOf(
    await sibling.route.handle({ ...call, ...now, query: new URLSearchParams(), body: undefined }),
  )
  if (!matchesTag(wanted, etagOf(current.body ?? ''))) throw new ApiError('precondition_failed')
}

/** True when a list of entity tags, or `*`, names this one; weak comparison. */
export function matchesTag(header: string, etag: string): boolean {
  return header
    .split(',')
    .some(tag => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag.replace(/^W\//, ''))
}

/** Weak entity tag of a body (D-07). */
export function etagOf(body: string): string {
  return `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
}

function replyOf(answer: Answer): Reply {
  return {
    status: answer.status ?? 200,
    body: answer.body === undefined ? null : JSON.stringify(answer.body),
    location: answer.location ?? null,
    noStore: answer.noStore ?? false,
    replayed: false,
    deploys: answer.deploys,
  }
}

const DEADLOCK = '40P01'
const ATTEMPTS = 4

/**
 * One transaction. A deadlock, which Postgres resolves by ending one of the two, and an actor that a worker stepped
 * meanwhile are tried again: nothing of the first attempt is left.
 */
async function transact<T>(db: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(work)
    } catch (error) {
      const again = error instanceof StaleOwner || (error as { code?: string }).code === DEADLOCK
      if (!again || attempt === ATTEMPTS) throw error
    }
  }
}
