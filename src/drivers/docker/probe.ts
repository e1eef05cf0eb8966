// One look at a health path, from outside the container. Redirects are not followed: 3xx already passes (D-32).
import http from 'node:http'

export interface Target {
  address: string
  port: number
  path: string
  host: string
}

export interface Seen {
  healthy: boolean
  /** For people, pt-BR: what was seen. */
  text: string
  timedOut: boolean
}

/** Asks once, on a connection of its own. Never throws but for `signal`: what went wrong is the answer. */
export function probe(target: Target, timeoutMs: number, signal: AbortSignal): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const request = http.get({
      host: target.address,
      port: target.port,
      path: target.path,
      agent: false,
      headers: { host: target.host, 'user-agent': 'Cais-Health/1', accept: '*/*' },
      signal,
    })
    const timer = setTimeout(() => request.destroy(Object.assign(new Error('timeout'), { code: 'TIMEOUT' })), timeoutMs)
    request.on('close', () => clearTimeout(timer))
    request.on('response', response => {
      const status = response.statusCode ?? 0
      resolve({ healthy: status >= 200 && status < 400, text: `HTTP ${status}`, timedOut: false })
      request.destroy()
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (signal.aborted) reject(signal.reason as Error)
      else resolve({ healthy: false, text: inWords(error.code ?? '', timeoutMs), timedOut: error.code === 'TIMEOUT' })
    })
  })
}

function inWords(code: string, timeoutMs: number): string {
  if (code === 'TIMEOUT') return `sem resposta em ${timeoutMs / 1000} s`
  if (code === 'ECONNREFUSED') return 'conexão recusada'
  if (code === 'ECONNRESET') return 'conexão encerrada sem resposta'
  if (code.startsWith('HPE_')) return 'resposta que não é HTTP'
  return `sem conexão (${code || 'erro desconhecido'})`
}
