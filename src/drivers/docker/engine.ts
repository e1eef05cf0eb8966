// The connection to the Docker Engine: where it is, which API version both speak, and what its failures mean for us.
import http from 'node:http'
import Docker from 'dockerode'
import { DriverError } from '../contracts.ts'

const DEFAULT_SOCKET = '/var/run/docker.sock'
/** The newest API that this code was written against; an older engine is spoken to in its own version. */
const NEWEST_API = '1.47'

/**
 * A client for `unix:///path`, `/path` or `tcp://host:port`; null = DOCKER_HOST is not set, the usual socket. Nothing is
 * contacted: an engine that is down is found out by the first verb.
 */
export function connectDocker(address: string | null): Docker {
  return new Docker(engineTarget(address))
}

/** Why an answer of the engine was not a success, as the engine said it; 0 = no answer at all. */
export interface EngineFailure extends Error {
  statusCode?: number
  code?: string
}

/** HTTP status of a refusal by the engine; null for anything else. */
export function statusOf(error: unknown): number | null {
  return (error as EngineFailure | null)?.statusCode ?? null
}

/**
 * Runs one conversation with the engine in the version that both speak. A socket that does not answer becomes
 * DriverError docker_unavailable, temporary: it is never the application's fault (dataplane 10).
 */
export async function withEngine<T>(docker: Docker, what: string, talk: (docker: Docker) => Promise<T>): Promise<T> {
  try {
    await negotiate(docker)
    return await talk(docker)
  } catch (error) {
    if (isUnreachable(error)) {
      negotiated.delete(docker)
      throw unavailable(what, error)
    }
    throw error
  }
}

/** True for an error that says the engine is gone, not that it refused. */
export function isUnreachable(error: unknown): boolean {
  const failure = error as EngineFailure | null
  if (!failure || failure instanceof DriverError || failure.statusCode !== undefined) return false
  return ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EACCES', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND'].includes(
    failure.code ?? '',
  )
}

export function unavailable(what: string, cause?: unknown): DriverError {
  return new DriverError('docker_unavailable', `the Docker Engine did not answer: ${what}`, { temporary: true, cause })
}

/** A refusal that nobody foresaw; another try may find the engine in a better mood. */
export function refused(what: string, cause: unknown): DriverError {
  return new DriverError('docker_refused', `the Docker Engine refused: ${what}`, { temporary: true, cause })
}

const negotiated = new WeakMap<Docker, Promise<void>>()

// Pinning a version breaks on the next engine, and an unversioned path breaks on an old client (field L25).
function negotiate(docker: Docker): Promise<void> {
  const known = negotiated.get(docker)
  if (known) return known
  const asked = askVersion(docker).then(version => {
    const modem = docker.modem as { version?: string }
    modem.version = `v${older(version, NEWEST_API)}`
  })
  negotiated.set(docker, asked)
  asked.catch(() => negotiated.delete(docker))
  return asked
}

function askVersion(docker: Docker): Promise<string> {
  const modem = docker.modem as { socketPath?: string; host?: string; port?: string | number }
  const target = modem.socketPath ? { socketPath: modem.socketPath } : { host: modem.host, port: modem.port }
  return new Promise((resolve, reject) => {
    const request = http.get({ ...target, path: '/_ping', agent: false, timeout: 5000 }, response => {
      response.resume()
      response.on('error', reject)
      response.on('end', () => resolve(String(response.headers['api-version'] ?? NEWEST_API)))
    })
    request.on('timeout', () => request.destroy(Object.assign(new Error('no answer in 5 s'), { code: 'ETIMEDOUT' })))
    request.on('error', reject)
  })
}

function older(one: string, other: string): string {
  const number = (version: string): number => {
    const [major = 0, minor = 0] = version.split('.').map(Number)
    return major * 1000 + minor
  }
  return number(one) < number(other) ? one : other
}

function engineTarget(address: string | null): Docker.DockerOptions {
  if (address === null) return { socketPath: DEFAULT_SOCKET }
  if (address.startsWith('unix://')) return { socketPath: address.slice('unix://'.length) || DEFAULT_SOCKET }
  if (address.startsWith('/')) return { socketPath: address }
  const url = new URL(address.includes('//') ? address : `tcp://${address}`)
  return { protocol: 'http', host: url.hostname, port: url.port || '2375' }
}
