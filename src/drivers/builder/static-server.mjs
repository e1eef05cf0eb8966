// Serves one folder over HTTP: the runtime of the `static` builder. Copied into images as it is; only Node.js is needed.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import http from 'node:http'
import path from 'node:path'
import { pipeline } from 'node:stream'

const root = await realpath(process.argv[2] ?? '.')
const port = Number(process.env.PORT || 8080)

const types = {
  avif: 'image/avif',
  css: 'text/css; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  gif: 'image/gif',
  htm: 'text/html; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  map: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ogg: 'audio/ogg',
  otf: 'font/otf',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  ttf: 'font/ttf',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
  wav: 'audio/wav',
  webm: 'video/webm',
  webmanifest: 'application/manifest+json',
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
  xml: 'application/xml; charset=utf-8',
  zip: 'application/zip',
}

const server = http.createServer((request, response) => {
  serve(request, response).catch(error => {
    console.error(error)
    if (response.headersSent) response.destroy()
    else answer(response, 500, 'Erro interno\n')
  })
})
server.listen(port, '0.0.0.0', () => console.log(`serving ${root} on port ${port}`))
process.on('SIGTERM', () => {
  server.close(() => process.exit(0))
  server.closeIdleConnections()
})

async function serve(request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return answer(response, 405, 'Método não permitido\n', { allow: 'GET, HEAD' })
  const [rawPath, query] = split(request.url)
  const wanted = decode(rawPath)
  if (wanted === null) return answer(response, 400, 'Endereço inválido\n')

  // Hidden files stay hidden, but for the folder that is meant to be asked for.
  if (wanted.split('/').some(part => part.startsWith('.') && part !== '.well-known'))
    return answer(response, 404, 'Não encontrado\n')

  const found = await find(wanted)
  if (found?.folder) {
    // The first character is doubled otherwise: `//host` would be another site.
    const target = `/${rawPath.replace(/^\/+/, '')}/`
    return answer(response, 308, '', { location: query === null ? target : `${target}?${query}` })
  }
  if (found) return send(request, response, 200, found)

  // A page of an application that routes in the browser has no file; a picture that is missing is missing.
  const page = path.extname(wanted) === '' && (request.headers.accept ?? '*/*').match(/text\/html|\*\/\*/)
  const fallback = page ? await file('/index.html') : null
  const missing = await file('/404.html')
  if (missing) return send(request, response, 404, missing)
  if (fallback && wanted !== '/') return send(request, response, 200, fallback)
  return answer(response, 404, 'Não encontrado\n')
}

function split(url) {
  const index = url.indexOf('?')
  return index < 0 ? [url, null] : [url.slice(0, index), url.slice(index + 1)]
}

// null = not a path: broken escapes, a null byte, or a way out.
function decode(rawPath) {
  let decoded
  try {
    decoded = decodeURIComponent(rawPath)
  } catch {
    return null
  }
  if (!decoded.startsWith('/') || decoded.includes('\0') || decoded.includes('\\')) return null
  const parts = decoded.split('/')
  return parts.includes('..') ? null : decoded
}

async function find(wanted) {
  if (wanted.endsWith('/')) return file(`${wanted}index.html`)
  const exact = await file(wanted)
  if (exact) return exact
  if (await file(`${wanted}/index.html`)) return { folder: true }
  return file(`${wanted}.html`)
}

// Links are followed only while they stay inside the folder.
async function file(name) {
  try {
    const real = await realpath(path.join(root, name))
    if (!real.startsWith(root + path.sep)) return null
    const info = await stat(real)
    return info.isFile() ? { path: real, size: info.size } : null
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'ENAMETOOLONG'].includes(error.code)) return null
    throw error
  }
}

// The image never changes while it runs, so a file is read once for its tag.
const tags = new Map()
async function tagOf(filePath) {
  const known = tags.get(filePath)
  if (known) return known
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(filePath)) hash.update(chunk)
  const tag = `"${hash.digest('base64url').slice(0, 22)}"`
  tags.set(filePath, tag)
  return tag
}

async function send(request, response, status, found) {
  const extension = path.extname(found.path).slice(1).toLowerCase()
  const tag = await tagOf(found.path)
  // Where bundlers put files that carry a hash of their content in the name; everything else is asked for again.
  const fixed = /\/(assets|_astro|_next\/static|static\/(js|css|media))\/.*[.-](?=[\w-]*\d)[\w-]{8,}\.\w+$/.test(
    found.path,
  )
  const headers = {
    'content-type': types[extension] ?? 'application/octet-stream',
    'cache-control': fixed ? 'public, max-age=31536000, immutable' : 'no-cache',
    'x-content-type-options': 'nosniff',
    etag: tag,
  }
  const seen = (request.headers['if-none-match'] ?? '').split(/\s*,\s*/).map(value => value.replace(/^W\//, ''))
  if (status === 200 && (seen.includes(tag) || seen.includes('*'))) {
    response.writeHead(304, headers)
    return response.end()
  }
  const range = status === 200 ? rangeOf(request.headers.range, found.size) : null
  if (range === 'bad') return answer(response, 416, '', { 'content-range': `bytes */${found.size}` })
  const [first, last] = range ?? [0, found.size - 1]
  const length = { 'content-length': last - first + 1, 'accept-ranges': 'bytes' }
  const part = range ? { 'content-range': `bytes ${first}-${last}/${found.size}` } : {}
  response.writeHead(range ? 206 : status, { ...headers, ...length, ...part })
  if (request.method === 'HEAD' || found.size === 0) return response.end()
  pipeline(createReadStream(found.path, { start: first, end: last }), response, () => {})
}

// One range, as players of video ask for; several are answered with the whole file.
function rangeOf(header, size) {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (from === undefined || (from === '' && to === '')) return null
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  return first > last || first >= size ? 'bad' : [first, last]
}

function answer(response, status, text, headers = {}) {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...headers,
  })
  response.end(response.req.method === 'HEAD' ? undefined : text)
}
