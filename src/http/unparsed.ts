// What the HTTP parser refuses is answered in the one error shape too (D-25): a request that never was one, a body whose
// framing breaks off, a tunnel asked for.
import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { newId } from '../domain/ids.ts'
import { ApiError } from './errors.ts'

/** Node's server keeps the answer under way on its socket, and tells nobody else of it. */
type Connection = Duplex & { _httpMessage?: ServerResponse | null }

/** How long a client may take to read why, before the connection is gone. */
const LINGER_MS = 1000

/** Answers, in the order of the requests on a connection, what cannot be read as one; the connection ends with it. */
export function refuseUnparsed(server: Server): void {
  // A parser that has failed fails again with every byte that follows.
  const refused = new WeakSet<Duplex>()
  const refuseOnce = (socket: Duplex) => {
    if (refused.has(socket)) return
    refused.add(socket)
    refuseInTurn(socket)
  }
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy(error)
    else refuseOnce(socket)
  })
  server.on('connect', (_request, socket) => refuseOnce(socket))
}

function refuseInTurn(socket: Connection): void {
  const answering = socket._httpMessage ?? null
  if (answering === null) refuse(socket)
  // The bytes belong to a later request: the answers to those before it come first.
  else if (answering.req.complete) answering.once('finish', () => refuseInTurn(socket))
  else if (!answering.headersSent) refuse(socket)
  // They are of a body that nobody waits for any more.
  else answering.once('finish', () => socket.destroy())
}

function refuse(socket: Connection): void {
  if (!socket.writable) return void socket.destroy()
  socket.end(refusalText(), () => setTimeout(() => socket.destroy(), LINGER_MS).unref())
}

function refusalText(): string {
  const body = JSON.stringify(new ApiError('invalid_request.http').body)
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json; charset=utf-8',
    'Content-Language: pt-BR',
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `Request-Id: ${newId()}`,
    `Date: ${new Date().toUTCString()}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
