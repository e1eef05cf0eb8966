// What the platform says to one libSQL server: over HTTP, on addresses that only this host reaches.
import http from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { DriverError } from '../contracts.ts'
import { ADMIN_PORT, HTTP_PORT } from './libsql-container.ts'

export const START_MS = 10_000
const PATIENCE_MS = 2_000

export interface ServerAddress {
  address: string
  adminKey: string
  /** First label of the Host header: that is how the server tells databases apart. */
  namespace: string
}

export interface NamespaceSettings {
  /** Ed25519 public key, raw, base64url: what tokens are verified with. */
  jwtKey: string
  /** Pages beyond this are refused with SQLITE_FULL. Below 4096 bytes the server takes it for no limit at all. */
  maxBytes: number
}

/**
 * Makes the namespace exist with these settings. The whole configuration is sent each time, as the server replaces it whole:
 * one without a key would let everybody in.
 */
export async function configure(
  server: ServerAddress,
  settings: NamespaceSettings,
  options: { dumpUrl?: string; signal?: AbortSignal } = {},
): Promise<void> {
  const path = `/v1/namespaces/${server.namespace}`
  const wanted = { jwt_key: settings.jwtKey, max_db_size: `${settings.maxBytes}B` }
  const present = await askPatiently(server, 'GET', `${path}/config`)
  if (present.status === 404) {
    const restored = options.dumpUrl === undefined ? {} : { dump_url: options.dumpUrl }
    await admin(server, 'POST', `${path}/create`, { ...wanted, ...restored }, options.signal)
  } else if (present.status !== 200) throw unwilling('reading a configuration', present)
  const current = JSON.parse((await admin(server, 'GET', `${path}/config`)).body) as { jwt_key?: string }
  await admin(server, 'POST', `${path}/config`, { ...current, ...wanted })
  const after = JSON.parse((await admin(server, 'GET', `${path}/config`)).body) as { jwt_key?: string }
  if (after.jwt_key !== settings.jwtKey)
    throw new DriverError('unavailable', 'the key was not taken', { temporary: true })
}

/** Whether the server takes requests now. */
export async function answers(server: ServerAddress): Promise<boolean> {
  const request = adminRequest(server, 'GET', `/v1/namespaces/${server.namespace}/config`)
  return ask({ ...request, signal: AbortSignal.timeout(PATIENCE_MS) }).then(
    () => true,
    () => false,
  )
}

/** Removes the namespace and its data; none is success. */
export async function removeNamespace(server: ServerAddress): Promise<void> {
  const answer = await askPatiently(server, 'DELETE', `/v1/namespaces/${server.namespace}`)
  if (![200, 404].includes(answer.status)) throw unwilling('removing a database', answer)
}

/** Bytes of the pages in use: the file itself never shrinks, and a tenant may not VACUUM. */
export async function bytesInUse(server: ServerAddress, token: string): Promise<number> {
  const sql =
    'select ((select page_count from pragma_page_count()) - (select freelist_count from pragma_freelist_count()))' +
    ' * (select page_size from pragma_page_size())'
  const requests = [{ type: 'execute', stmt: { sql } }, { type: 'close' }]
  const answer = await ask(userRequest(server, token, 'POST', '/v2/pipeline'), JSON.stringify({ requests }))
  if (answer.status !== 200) throw unwilling('measuring', answer)
  const result = JSON.parse(answer.body) as {
    results: [{ response?: { result: { rows: [[{ value: string }]] } } }]
  }
  const value = result.results[0].response?.result.rows[0][0].value
  if (value === undefined) throw unwilling('measuring', answer)
  return Number(value)
}

/** The whole database as SQL text, as it streams. */
export async function dump(server: ServerAddress, token: string, signal: AbortSignal): Promise<http.IncomingMessage> {
  const options = { ...userRequest(server, token, 'GET', '/dump'), signal }
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.get(options, resolve).on('error', cause => reject(unreachable(cause)))
  })
  if (response.statusCode === 200) return response
  throw unwilling('dumping', { status: response.statusCode ?? 0, body: await text(response) })
}

interface Answer {
  status: number
  body: string
}

function userRequest(server: ServerAddress, token: string, method: string, path: string): http.RequestOptions {
  const headers = { host: `${server.namespace}.db.invalid`, authorization: `Bearer ${token}` }
  return { host: server.address, port: HTTP_PORT, method, path, headers, agent: false }
}

async function admin(
  server: ServerAddress,
  method: string,
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<Answer> {
  const answer = await ask(
    { ...adminRequest(server, method, path), ...(signal && { signal }) },
    body && JSON.stringify(body),
  )
  if (answer.status !== 200) throw unwilling(`${method} ${path}`, answer)
  return answer
}

function adminRequest(server: ServerAddress, method: string, path: string): http.RequestOptions {
  const headers = { authorization: `basic ${server.adminKey}`, 'content-type': 'application/json' }
  return { host: server.address, port: ADMIN_PORT, method, path, headers, agent: false }
}

/** As `ask`, for the first words to a server that may have been started a moment ago. */
async function askPatiently(server: ServerAddress, method: string, path: string): Promise<Answer> {
  for (const deadline = Date.now() + START_MS; ; await pause(20)) {
    try {
      return await ask(adminRequest(server, method, path))
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
  }
}

function ask(options: http.RequestOptions, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request(options, response => {
      text(response).then(
        body => resolve({ status: response.statusCode ?? 0, body }),
        cause => reject(unreachable(cause)),
      )
    })
    request.on('error', cause => reject(unreachable(cause)))
    request.end(body)
  })
}

function unreachable(cause: Error): DriverError {
  return new DriverError('unavailable', `the libSQL server does not answer: ${cause.message}`, {
    temporary: true,
    cause,
  })
}

// Its answers name nothing secret, and are short.
function unwilling(what: string, answer: Answer): DriverError {
  const message = `the libSQL server refused ${what}: ${answer.status} ${answer.body.slice(0, 300)}`
  return new DriverError('unavailable', message, { temporary: true })
}
