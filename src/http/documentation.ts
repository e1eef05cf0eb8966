// What anybody may read without a token (D-10, D-23): /openapi.json, and /docs, a viewer served from here alone.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Context, Middleware } from 'koa'
import { matchesTag } from './dispatch.ts'
import { ApiError } from './errors.ts'
import { openApiOf } from './openapi.ts'
import { collectSchemas } from './openapi-schemas.ts'
import { routes } from './routes.ts'

interface Page {
  type: string
  body: Buffer
  etag: string
  cache: string
}

/** The document as it is served and committed. */
export function openApiText(): string {
  return `${JSON.stringify(openApiOf(routes, collectSchemas()), null, 2)}\n`
}

// The viewer sets styles by itself; scripts are files of ours only, and nothing is fetched from elsewhere.
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const VIEWER = `<!doctype html>
<html lang="pt-BR">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>API do Cais</title>
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="viewer"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`

const START = `SwaggerUIBundle({
  dom_id: '#viewer',
  url: '/openapi.json',
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'none',
  persistAuthorization: false,
})
`

const FROM_PACKAGE = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']
const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
}
const REVALIDATED = 'no-cache'
const KEPT_FOR_A_DAY = 'public, max-age=86400'

/** Answers /openapi.json, /docs and the files of the viewer; everything else goes on. */
export function documentation(): Middleware {
  const folder = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const pages = new Map<string, () => Promise<Page>>([
    ['/openapi.json', once(async () => pageOf(Buffer.from(openApiText()), 'application/json; charset=utf-8'))],
    ['/docs', once(async () => pageOf(Buffer.from(VIEWER), 'text/html; charset=utf-8'))],
    ['/docs/start.js', once(async () => pageOf(Buffer.from(START), typeOf('start.js')))],
    ...FROM_PACKAGE.map(name => [`/docs/${name}`, once(() => assetOf(folder, name))] as const),
  ])
  return async (ctx, next) => {
    const page = pages.get(ctx.path)
    if (!page) return next()
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') readOnly(ctx)
    else send(ctx, await page())
  }
}

/** Answers any method but GET and HEAD at an address that knows only these (D-09). */
export function readOnly(ctx: Context): void {
  ctx.set('Allow', 'GET, HEAD, OPTIONS')
  if (ctx.method !== 'OPTIONS') throw new ApiError('method_not_allowed', { metodo: ctx.method })
  ctx.status = 204
}

function send(ctx: Context, { type, body, etag, cache }: Page): void {
  ctx.set('Cache-Control', cache)
  ctx.set('ETag', etag)
  if (ctx.path.startsWith('/docs')) {
    ctx.set('Content-Security-Policy', CONTENT_SECURITY_POLICY)
    ctx.set('Referrer-Policy', 'no-referrer')
  }
  const known = ctx.get('If-None-Match')
  if (known !== '' && matchesTag(known, etag)) {
    ctx.status = 304
    return
  }
  ctx.set('Content-Type', type)
  ctx.body = body
}

async function assetOf(folder: string, name: string): Promise<Page> {
  return pageOf(await readFile(path.join(folder, name)), typeOf(name), KEPT_FOR_A_DAY)
}

function typeOf(name: string): string {
  return TYPES[path.extname(name)] ?? 'application/octet-stream'
}

function pageOf(body: Buffer, type: string, cache = REVALIDATED): Page {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  return { type, body, etag, cache }
}

/** Made at the first request, and kept. A failure is tried again by the next. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  const remake = async (): Promise<T> => {
    try {
      return await make()
    } catch (error) {
      made = null
      throw error
    }
  }
  return () => (made ??= remake())
}
