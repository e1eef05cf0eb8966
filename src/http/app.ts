// The API as one Koa application: middleware in the order in which a request meets it (D-15).
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa, { type Context, type Middleware } from 'koa'
import type { TokenRow } from '../../db/queries/teams.ts'
import { newId } from '../domain/ids.ts'
import { authenticate } from './auth.ts'
import { waitForConsent } from './body.ts'
import { documentation, readOnly } from './documentation.ts'
import { matchesTag, routing, tagOf, unrouted, type DeploysLeft, type Reply } from './dispatch.ts'
import { ApiError, refusalOf, usualWait } from './errors.ts'
import { Meter, quotaHeaders, requestQuotas, type RequestQuotas } from './rate-limit.ts'
import type { Parts, Route } from './route.ts'
import { routes } from './routes.ts'
import { refuseUnparsed } from './unparsed.ts'

export interface AppParts extends Parts {
  /** True once the control database is migrated and a worker picks work up. */
  ready: () => Promise<{ ok: boolean; detail: string }>
  /** Default: those of the configuration. */
  quotas?: RequestQuotas
  /** Default: the table. */
  routes?: readonly Route[]
}

const DEPLOY_WINDOW_SECONDS = 3600
const LONGEST_UPLOAD_MS = 30 * 60_000

/** The whole API. Nothing in it outlives a request but the request quotas. */
export function createApp(parts: AppParts): Koa {
  const app = new Koa()
  // Everything that a middleware throws is answered by `refusals`; what reaches Koa is a broken socket.
  app.on('error', error => parts.log.debug({ err: error }, 'response not delivered'))
  app.use(identity(parts))
  app.use(refusals(parts))
  app.use(health(parts))
  app.use(documentation())
  app.use(callers(parts))
  app.use(routing(parts.routes ?? routes, parts))
  app.use(unrouted)
  return app
}

/** Serves the application; port 0 picks a free one. */
export async function listen(app: Koa, port: number, host: string): Promise<{ server: Server; port: number }> {
  const answer = app.callback()
  // Hosts are not told apart, and a request without one deserves an answer in our shape.
  const server = createServer({ requireHostHeader: false, requestTimeout: LONGEST_UPLOAD_MS }, answer)
  server.on('checkContinue', (request, response) => {
    waitForConsent(request, response)
    void answer(request, response)
  })
  // Expectations that nobody knows are no reason to refuse what is asked for.
  server.on('checkExpectation', (request, response) => void answer(request, response))
  refuseUnparsed(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  return { server, port: (server.address() as AddressInfo).port }
}

/** Request-Id (D-04), the headers that every answer has, and one line in the log. */
function identity({ log }: AppParts): Middleware {
  return async (ctx, next) => {
    const startedAt = performance.now()
    ctx.state.requestId = newId()
    ctx.set('Request-Id', ctx.state.requestId)
    ctx.set('X-Content-Type-Options', 'nosniff')
    await next()
    const { requestId, route, token } = ctx.state
    const ms = Math.round(performance.now() - startedAt)
    // Never the query string: a token may have been put there by mistake (D-06).
    log.info(
      { requestId, method: ctx.method, path: ctx.path, route, token: token?.id, status: ctx.status, ms },
      'request',
    )
  }
}

/** Whatever was thrown becomes the one error shape. */
function refusals({ log }: AppParts): Middleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const refusal = refusalOf(error)
      const { requestId } = ctx.state
      if (!refusal) log.error({ requestId, err: error }, 'request failed')
      else if (!(error instanceof ApiError) && refusal.status === 503)
        log.warn({ requestId, err: error }, 'database away')
      refuse(ctx, refusal ?? new ApiError('internal_error', { request_id: requestId }))
    }
  }
}

function refuse(ctx: Context, error: ApiError): void {
  ctx.status = error.status
  if (error.status === 401) ctx.set('WWW-Authenticate', 'Bearer realm="api"')
  markFailure(ctx, error.retryAfter)
  sendJson(ctx, JSON.stringify(error.body))
}

/** What every failure carries, be it thrown or answered (D-20, D-24). */
function markFailure(ctx: Context, retryAfter: number | undefined): void {
  ctx.set('Content-Language', 'pt-BR')
  ctx.set('Cache-Control', 'no-store')
  if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter))
}

function sendJson(ctx: Context, body: string): void {
  ctx.set('Content-Type', 'application/json; charset=utf-8')
  ctx.body = body
}

/** /healthz: this process answers. /readyz: requests can be served and work is picked up. */
function health({ ready }: AppParts): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/healthz' && ctx.path !== '/readyz') return next()
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return readOnly(ctx)
    const { ok, detail } = ctx.path === '/healthz' ? { ok: true, detail: 'alive' } : await ready()
    const failure = ok ? null : new ApiError('unavailable', {}, { retryAfter: 1 })
    ctx.status = failure?.status ?? 200
    if (failure) markFailure(ctx, failure.retryAfter)
    else ctx.set('Cache-Control', 'no-store')
    sendJson(ctx, JSON.stringify({ ...failure?.body, ok, detail }))
  }
}

/** Everything below /v1: authentication and quotas precede routing (D-10). */
function callers(parts: AppParts): Middleware {
  const quotas = parts.quotas ?? requestQuotas(parts.config.limits.requests)
  const meters = {
    token: new Meter(quotas.token),
    address: new Meter(quotas.address),
    failures: new Meter(quotas.failedAuthentication),
  }
  return async (ctx, next) => {
    if (ctx.path !== '/v1' && !ctx.path.startsWith('/v1/')) throw new ApiError('not_found')
    const token = await authenticate(parts, ctx.req.headers.authorization)
    if (!token) {
      meters.failures.take(ctx.ip)
      throw new ApiError('unauthorized')
    }
    ctx.state.token = token
    try {
      meters.address.take(ctx.ip)
      meters.token.take(token.id)
      await next()
      const free = send(ctx, ctx.state.reply)
      if (free) {
        meters.address.giveBack(ctx.ip)
        meters.token.giveBack(token.id)
      }
    } finally {
      showQuotas(ctx, meters.token, token)
    }
  }
}

/** Writes the answer; true when it is free of charge: 304 and replays (D-07, D-18). */
function send(ctx: Context, reply: Reply): boolean {
  ctx.status = reply.status
  if (reply.location !== null) ctx.set('Location', reply.location)
  if (reply.replayed) ctx.set('Idempotent-Replay', 'true')
  if (reply.status >= 400) markFailure(ctx, usualWait(reply.status))
  if (reply.body === null) {
    if (reply.status === 204) ctx.body = null
    return reply.replayed
  }
  const isTagged = (ctx.method === 'GET' || ctx.method === 'HEAD') && !reply.noStore && reply.status < 400
  ctx.set('Cache-Control', isTagged ? 'private, no-cache' : 'no-store')
  if (isTagged) {
    const etag = tagOf(reply)
    ctx.set('ETag', etag)
    const known = ctx.get('If-None-Match')
    if (known !== '' && matchesTag(known, etag)) {
      ctx.status = 304
      return true
    }
  }
  sendJson(ctx, reply.body)
  return reply.replayed
}

function showQuotas(ctx: Context, meter: Meter, token: TokenRow): void {
  const shown = [quotaHeaders('token', meter.quota, meter.left(token.id))]
  const deploys: DeploysLeft | undefined = ctx.state.deploys
  if (deploys) {
    const { max, ...left } = deploys
    shown.push(quotaHeaders('deploys', { max, windowMs: DEPLOY_WINDOW_SECONDS * 1000 }, left))
  }
  ctx.set('RateLimit-Policy', shown.map(each => each.policy).join(', '))
  ctx.set('RateLimit', shown.map(each => each.state).join(', '))
}
