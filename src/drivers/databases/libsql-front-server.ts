// TLS in front of the libSQL servers: a program of its own, so that clients keep their connections while the platform is
// down or upgraded. The name that a client asks for chooses the database, its address must be of that database's project.
// Arguments: address, port, and what tells this version from others. In its folder: routes.json, server.crt, server.key.
import { readFileSync, rmSync, statSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import type { FrontRoutes, FrontRoute } from './libsql-front.ts'

const ROUTES_FILE = 'routes.json'
const CONTROL_SOCKET = 'control.sock'
const SERVER_PORT = 8080
const NOBODY = 65534
/** Connections of one database: one tenant cannot use up the program's files. */
const MAX_CONNECTIONS = 128

const [, , address, port] = process.argv
if (address === undefined || port === undefined)
  throw new Error('usage: libsql-front-server <address> <port> [version]')

let routes: FrontRoutes = { revision: '', routes: {} }
let identity = ''
const open = new Map<TLSSocket, { name: string; route: FrontRoute }>()
const agent = new http.Agent({ keepAlive: true, maxFreeSockets: 64 })

/** The routes as they are on disk now; connections that they no longer allow end. */
function refresh(): FrontRoutes {
  const file = statSync(ROUTES_FILE, { bigint: true })
  const seen = `${file.ino}.${file.mtimeNs}.${file.size}`
  if (seen === identity) return routes
  routes = JSON.parse(readFileSync(ROUTES_FILE, 'utf8')) as FrontRoutes
  identity = seen
  for (const [socket, { name, route }] of open) {
    const now = routes.routes[name]
    if (now?.generation !== route.generation || now.address !== route.address) socket.destroy()
  }
  return routes
}

function routeFor(socket: TLSSocket): { name: string; route: FrontRoute } | null {
  const name = String(socket.servername || '').split('.')[0] ?? ''
  const route = refresh().routes[name]
  const [subnet = '', bits] = route?.subnet.split('/') ?? []
  if (!route || !net.isIPv4(subnet)) return null
  const allowed = new net.BlockList()
  allowed.addSubnet(subnet, Number(bits))
  if (!allowed.check(socket.remoteAddress ?? '')) return null
  const others = [...open.values()].filter(each => each.name === name).length
  return others < MAX_CONNECTIONS ? { name, route } : null
}

const server = https.createServer({
  key: readFileSync('server.key'),
  cert: readFileSync('server.crt'),
  minVersion: 'TLSv1.2',
  requestTimeout: 0, // A transaction may be long.
  keepAliveTimeout: 65_000,
})
server.on('secureConnection', socket => {
  const found = routeFor(socket)
  if (!found) return socket.destroy()
  open.set(socket, found)
  socket.on('close', () => open.delete(socket))
})

server.on('request', (request, response) => {
  const found = open.get(request.socket as TLSSocket)
  if (!found) return request.destroy()
  const upstream = http.request({
    ...target(found),
    agent,
    method: request.method,
    path: request.url,
    headers: headersOf(request, found.name),
  })
  upstream.on('response', answer => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
    answer.on('error', () => response.destroy())
  })
  upstream.on('error', () => {
    if (response.headersSent) return response.destroy()
    response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' })
    response.end('{"error":"the database does not answer now"}')
  })
  response.on('close', () => upstream.destroy())
  request.pipe(upstream)
})

server.on('upgrade', (request, client: Duplex, head) => {
  const found = open.get(request.socket as TLSSocket)
  if (!found) return client.destroy()
  const { host, port: at } = target(found)
  const upstream = net.connect(at, host, () => {
    const headers = Object.entries({ ...headersOf(request, found.name), connection: 'Upgrade' })
    const lines = headers.map(([name, value]) => `${name}: ${String(value)}\r\n`)
    upstream.write(`${request.method} ${request.url} HTTP/1.1\r\n${lines.join('')}\r\n`)
    upstream.write(head)
    upstream.pipe(client)
    client.pipe(upstream)
  })
  for (const [one, other] of [
    [upstream, client],
    [client, upstream],
  ] as const) {
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
  }
})
server.on('tlsClientError', (_error, socket) => socket.destroy())
server.on('error', fail)

const target = ({ route }: { route: FrontRoute }): { host: string; port: number } => ({
  host: route.address,
  port: SERVER_PORT,
})

/** Compression costs the server 30 ms per answer; and the name is the one of the handshake, whatever the request says. */
function headersOf(request: http.IncomingMessage, name: string): http.OutgoingHttpHeaders {
  const { 'accept-encoding': _, connection: __, 'keep-alive': ___, ...headers } = request.headers
  return { ...headers, host: `${name}.db` }
}

// Whoever connects hears which routes are in force, after they are.
const control = net.createServer(socket => {
  socket.on('error', () => socket.destroy())
  socket.end(refresh().revision)
})
control.on('error', fail)

function fail(error: Error): never {
  console.error(error.message)
  process.exit(1)
}

/** The key is read; from here on nothing needs root. The working folder stays readable: its parents are not walked again. */
function dropPrivileges(): void {
  if (process.getuid?.() !== 0) return
  process.setgroups?.([])
  process.setgid?.(NOBODY)
  process.setuid?.(NOBODY)
}

refresh()
rmSync(CONTROL_SOCKET, { force: true })
server.listen(Number(port), address, () => control.listen(CONTROL_SOCKET, dropPrivileges))
