// One request below /v1, in the order of D-15: route, ownership, scope, idempotency key, body, then the handler. What
// changes something runs in one transaction with its idempotency key.
import { createHash } from 'node:crypto'
import Router, { type RouterContext } from '@koa/router'
import type { Knex } from 'knex'
import type { Context, Middleware } from 'koa'
import { lockProject, lockTeam } from '../../db/queries/locks.ts'
import { countDeploys } from '../../db/queries/deployments.ts'
import type { TokenRow } from '../../db/queries/teams.ts'
import { StaleOwner } from '../actors/index.ts'
import { DEPLOY_WINDOW_MS } from '../domain/limits.ts'
import { UnknownDataKey } from '../domain/sealing.ts'
import { audit } from './audit.ts'
import { planOf, requireScope } from './auth.ts'
import { announcesBody, isMultipart, readJson, refuseEncoding } from './body.ts'
import { ApiError, refusalOf } from './errors.ts'
import { claim, fingerprintOf, readKey, settle, type Claim, type KeptAnswer } from './idempotency.ts'
import { findResources, type ResourceName } from './resources.ts'
import type { Answer, Parts, Read, Received, Route } from './route.ts'
import { validate } from './validation.ts'

/** Everything that the answer to a request may need beyond its body. */
export interface Reply extends KeptAnswer {
  noStore: boolean
  /** See Answer.version. */
  version: string | null
  replayed: boolean
}

/** The routes below /v1; the reply to a request is left in `ctx.state.reply`. Every refusal is thrown as an ApiError. */
export function routing(routes: readonly Route[], parts: Parts): Middleware {
  const router = new Router({ prefix: '/v1', strict: true, sensitive: true })
  for (const route of routes) {
    const read = readOf(route, routes)
    router.register(route.path, [route.method], async ctx => {
      ctx.state.reply = await dispatch(parts, ctx, route, read)
    })
  }
  return router.routes() as Middleware
}

/** Where the tag of what a route changes is read: at its own path, or in the list that its resource is an item of. */
function readOf(route: Route, routes: readonly Route[]): Route | null {
  const reads = new Map(routes.filter(one => one.method === 'GET').map(one => [one.path, one]))
  return reads.get(route.path) ?? reads.get(route.path.replace(/\/:\w+$/, '')) ?? null
}

/** Comes after `routing`: 404, 405 with the methods that the path knows, or just these (D-09). */
export function unrouted(ctx: Context): void {
  const allowed = new Set((ctx as RouterContext).matched?.flatMap(layer => layer.methods))
  if (allowed.size === 0) throw new ApiError('not_found')
  ctx.set('Allow', [...allowed, 'OPTIONS'].sort().join(', '))
  if (ctx.method !== 'OPTIONS') throw new ApiError('method_not_allowed', { metodo: ctx.method })
  ctx.state.reply = replyOf({ status: 204 }, null)
}

async function dispatch(parts: Parts, ctx: RouterContext, route: Route, read: Route | null): Promise<Reply> {
  const params: Record<string, string> = ctx.params
  const token: TokenRow = ctx.state.token
  ctx.state.route = `${route.method} /v1${route.path}`
  const found = await findResources(parts.db, params, token)
  requireScope(token, route.scope)
  if (route.unrestricted && token.project_ids !== null) throw new ApiError('forbidden.restricted')
  const call: Read<ResourceName> = {
    ...parts,
    ...found,
    token,
    address: ctx.ip,
    params,
    query: new URLSearchParams(ctx.querystring),
  }
  if (route.body === null) return replyOf(await withKeys(parts, () => route.handle(call as never)), route)
  const work = () => write(parts, ctx, route, read, call)
  return route.triggers ? withDeploys(parts, ctx, token, work) : work()
}

async function write(
  parts: Parts,
  ctx: Context,
  route: Route,
  read: Route | null,
  call: Read<ResourceName>,
): Promise<Reply> {
  const key = route.method === 'POST' ? readKey(ctx.req.headers['idempotency-key']) : null
  const { body, fingerprint, discard } = await receive(ctx, route, call)
  const claimed = key === null || !route.remember ? null : { tokenId: call.token.id, key, fingerprint }
  try {
    const reply = await change(parts, ctx, route, read, { ...call, body }, claimed)
    const later = await route.settled?.(call)
    return later && !reply.replayed ? await replace(parts.db, replyOf(later, route), claimed) : reply
  } finally {
    await discard?.()
  }
}

/** Whatever a trigger answers, refusals and replays too, says what is left of the deploy quota (D-21). */
async function withDeploys(parts: Parts, ctx: Context, token: TokenRow, work: () => Promise<Reply>): Promise<Reply> {
  const note = async () => {
    ctx.state.deploys = await deploysLeft(parts, token).catch(error => {
      // What was triggered is triggered: its answer goes out without this.
      parts.log.warn({ requestId: ctx.state.requestId, err: error }, 'deploy quota not read')
    })
  }
  try {
    const reply = await work()
    await note()
    return reply
  } catch (error) {
    // Where the control database is away there is nothing to ask.
    if ((refusalOf(error)?.status ?? 500) < 500) await note()
    throw error
  }
}

/** What a team has left of its deploy quota, and the seconds until one use more. */
export interface DeploysLeft {
  max: number
  remaining: number
  seconds: number
}

async function deploysLeft({ db, config }: Parts, token: TokenRow): Promise<DeploysLeft> {
  const max = planOf(token, config).deploysPerHour
  const { used, seconds } = await countDeploys(db, token.team_id, DEPLOY_WINDOW_MS)
  return { max, remaining: max - used, seconds }
}

// What is answered after all is what a repeat with the same key gets.
async function replace(db: Knex, reply: Reply, claimed: Claim | null): Promise<Reply> {
  if (claimed) await db.transaction(trx => settle(trx, claimed, reply))
  return reply
}

async function receive(ctx: Context, route: Route, call: Read<ResourceName>): Promise<Received<unknown>> {
  if (route.receive && isMultipart(ctx.req) && announcesBody(ctx.req)) {
    refuseEncoding(ctx.req)
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
  parts: Parts,
  ctx: Context,
  route: Route,
  read: Route | null,
  call: Read<ResourceName> & { body: unknown },
  claimed: Claim | null,
): Promise<Reply> {
  return transact(parts, async trx => {
    const kept = claimed && (await claim(trx, claimed))
    if (kept) return { ...kept, noStore: false, version: null, replayed: true }
    const inside = { ...call, db: trx }
    await checkPrecondition(ctx, read, inside)
    const reply = replyOf(await route.handle(inside), route)
    if (route.audited !== null) await audit(inside, route.audited)
    if (claimed) await settle(trx, claimed, reply)
    return reply
  })
}

/** `If-Match` against the tag that GET answers now; 412 too where it would answer that there is nothing (D-08). */
async function checkPrecondition(
  ctx: Context,
  read: Route | null,
  call: Read<ResourceName> & { db: Knex.Transaction },
): Promise<void> {
  const wanted = ctx.get('If-Match')
  if (wanted === '' || (ctx.method !== 'PATCH' && ctx.method !== 'PUT')) return
  await lockTeam(call.db, call.token.team_id)
  await lockProject(call.db, call.project.id)
  const now = await findResources(call.db, call.params, call.token)
  const tag = read && (await currentTag(read, { ...call, ...now, query: new URLSearchParams() }))
  if (tag === null || !matchesTag(wanted, tag)) throw new ApiError('precondition_failed')
}

/** The entity tag of what the route reads; null when there is nothing. */
async function currentTag(read: Route, call: Read<ResourceName> & { db: Knex.Transaction }): Promise<string | null> {
  try {
    return tagOf(replyOf(await read.handle({ ...call, body: undefined }), read))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return null
    throw error
  }
}

/** True when a list of entity tags, or `*`, names this one; weak comparison. */
export function matchesTag(header: string, etag: string): boolean {
  return header
    .split(',')
    .some(tag => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag.replace(/^W\//, ''))
}

/** Weak entity tag of an answer (D-07): of its body, or of the state that the answer is a part of. */
export function tagOf({ body, version }: Pick<Reply, 'body' | 'version'>): string {
  return `W/"${createHash('sha256')
    .update(version ?? body ?? '')
    .digest('base64url')
    .slice(0, 27)}"`
}

function replyOf(answer: Answer, route: Route | null): Reply {
  return {
    status: answer.status ?? 200,
    body: answer.body === undefined ? null : JSON.stringify(answer.body),
    location: answer.location ?? null,
    noStore: route?.noStore === 'always' || (answer.noStore ?? false),
    version: answer.version ?? null,
    replayed: false,
  }
}

const DEADLOCK = '40P01'
const ATTEMPTS = 4

/**
 * One transaction. A deadlock, which Postgres resolves by ending one of the two, and an actor that a worker stepped
 * meanwhile are tried again: nothing of the first attempt is left.
 */
async function transact<T>(parts: Parts, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await withKeys(parts, () => parts.db.transaction(work))
    } catch (error) {
      const again = error instanceof StaleOwner || (error as { code?: string }).code === DEADLOCK
      if (!again || attempt === ATTEMPTS) throw error
    }
  }
}

/** Once more with the keys of now when something was sealed with a key that has just been made (`cais keys rotate`). */
async function withKeys<T>({ keyring }: Parts, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof UnknownDataKey)) throw error
    await keyring.refresh()
    return work()
  }
}
