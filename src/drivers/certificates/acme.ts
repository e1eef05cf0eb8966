// Certificates from an ACME authority (RFC 8555) by HTTP-01: one order, one host, one challenge. What is signed with the
// account's key is made with jose; the request for the certificate with @peculiar/x509.
import 'reflect-metadata' // @peculiar/x509 cannot be loaded without it
import { webcrypto } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import https from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { Pkcs10CertificateRequestGenerator, SubjectAlternativeNameExtension } from '@peculiar/x509'
import {
  calculateJwkThumbprint,
  exportJWK,
  exportPKCS8,
  FlattenedSign,
  generateKeyPair,
  importPKCS8,
  type JWK,
} from 'jose'
import { DriverError, type CertificateIssuer } from '../contracts.ts'
import { createFile } from '../router/atomic-file.ts'
import { expiryOf } from './local.ts'

const POLL_MS = 500
const NONCE_TRIES = 10
const REQUEST_TIMEOUT_MS = 15_000
const LONGEST_ANSWER = 1024 * 1024
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

export interface AcmeSettings {
  /** Address of the directory. */
  directory: string
  email: string | null
  /** File with the root of the directory's own certificate; null = the system's roots. */
  ca: string | null
  /** File that keeps the account's key, mode 0600; made when missing. */
  keyFile: string
}

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

interface Directory {
  newNonce: string
  newAccount: string
  newOrder: string
}

interface Order {
  status: string
  authorizations: string[]
  finalize: string
  certificate?: string
  error?: unknown
}

interface Authorization {
  status: string
  challenges: { type: string; url: string; token: string; status: string; error?: { detail?: string } }[]
}

/** An issuer that asks the authority anew every time; the account is found again by its key. */
export function createAcmeIssuer(settings: AcmeSettings): CertificateIssuer {
  return {
    async issue(host, respond, signal) {
      const session = await openSession(settings, signal)
      const { url, body: order } = await session.order(host)
      for (const authorization of order.authorizations) await prove(session, authorization, respond)
      const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
      const request = await requestFor(host, keys)
      await session.post(order.finalize, { csr: request })
      const done = await session.until<Order>(url, now => now.status === 'valid')
      if (!done.certificate) throw refused('the order has no certificate')
      const chain = (await session.post(done.certificate, null)).text
      const pem = `${await exportPKCS8(keys.privateKey as never)}${chain.startsWith('\n') ? '' : '\n'}${chain}`
      return { pem, expiresAt: expiryOf(chain) }
    },
  }
}

async function prove(session: Session, authorization: string, respond: Parameters<CertificateIssuer['issue']>[1]) {
  const { status, challenges } = await session.read<Authorization>(authorization)
  if (status === 'valid') return
  const challenge = challenges.find(one => one.type === 'http-01')
  if (!challenge) throw refused('the authority offers no HTTP-01 challenge')
  await respond(challenge.token, `${challenge.token}.${session.thumbprint}`)
  try {
    await session.post(challenge.url, {})
    await session.until<Authorization>(authorization, now => now.status === 'valid')
  } finally {
    await respond(challenge.token, null)
  }
}

async function requestFor(host: string, keys: webcrypto.CryptoKeyPair): Promise<string> {
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: `CN=${host.length <= 64 ? host : 'custom domain'}`,
    keys: keys as never,
    signingAlgorithm: ALGORITHM,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: host }])],
  })
  return Buffer.from(request.rawData).toString('base64url')
}

interface Session {
  thumbprint: string
  /** `payload` null = a reading (POST-as-GET). */
  post(url: string, payload: object | null): Promise<Answer>
  read<T>(url: string): Promise<T>
  order(host: string): Promise<{ url: string; body: Order }>
  /** Reads until it is well; throws certificate_refused when it ends otherwise. */
  until<T extends { status: string }>(url: string, well: (now: T) => boolean): Promise<T>
}

async function openSession(settings: AcmeSettings, signal: AbortSignal): Promise<Session> {
  const ca = settings.ca === null ? undefined : await readFile(settings.ca)
  const ask = (method: string, url: string, body?: string) => exchange(method, url, body, ca, signal)
  const directory = JSON.parse((await ask('GET', settings.directory)).text) as Directory
  const key = await openKey(settings.keyFile)
  const { kty, crv, x, y } = await exportJWK(key)
  const jwk = { kty, crv, x, y } as JWK
  let account: string | null = null
  let nonce: string | null = null

  async function post(url: string, payload: object | null): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      nonce ??= header(await ask('HEAD', directory.newNonce), 'replay-nonce')
      const protectedHeader = { alg: 'ES256', nonce, url, ...(account === null ? { jwk } : { kid: account }) }
      const text = payload === null ? '' : JSON.stringify(payload)
      const signed = await new FlattenedSign(new TextEncoder().encode(text))
        .setProtectedHeader(protectedHeader)
        .sign(key)
      const answer = await ask('POST', url, JSON.stringify(signed))
      nonce = header(answer, 'replay-nonce')
      if (answer.status < 400) return answer
      // A nonce may be too old; the answer brings a fresh one.
      if (!answer.text.includes('badNonce') || attempt === NONCE_TRIES)
        throw refused(`${answer.status} ${detailOf(answer)}`)
    }
  }
  const read = async <T>(url: string): Promise<T> => JSON.parse((await post(url, null)).text) as T

  const contact = settings.email === null ? {} : { contact: [`mailto:${settings.email}`] }
  account = header(await post(directory.newAccount, { termsOfServiceAgreed: true, ...contact }), 'location')
  return {
    thumbprint: await calculateJwkThumbprint(jwk),
    post,
    read,
    async order(host) {
      const answer = await post(directory.newOrder, { identifiers: [{ type: 'dns', value: host }] })
      const url = header(answer, 'location')
      if (url === null) throw refused('an order without an address')
      return { url, body: JSON.parse(answer.text) as Order }
    },
    async until<T extends { status: string }>(url: string, well: (now: T) => boolean) {
      for (;;) {
        const now = await read<T>(url)
        if (well(now)) return now
        if (now.status === 'invalid') throw refused(JSON.stringify(now).slice(0, 500))
        await pause(POLL_MS, undefined, { signal })
      }
    },
  }
}

async function openKey(file: string) {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return importPKCS8(await createFile(file, await exportPKCS8(privateKey), 0o600), 'ES256', { extractable: true })
}

function exchange(
  method: string,
  url: string,
  body: string | undefined,
  ca: Buffer | undefined,
  signal: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const gone = (cause: Error) =>
      reject(
        signal.aborted
          ? cause
          : new DriverError('unavailable', `the ACME authority does not answer: ${cause.message}`, {
              temporary: true,
              cause,
            }),
      )
    const headers = { 'content-type': 'application/jose+json', 'user-agent': 'cais' }
    const options = {
      method,
      headers,
      signal,
      timeout: REQUEST_TIMEOUT_MS,
      agent: false as const,
      ...(ca ? { ca } : {}),
    }
    const request = https.request(url, options, response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length > LONGEST_ANSWER) request.destroy(new Error('an answer without end'))
      })
      response.on('error', gone)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    request.on('timeout', () => request.destroy(new Error('no answer in time')))
    request.on('error', gone)
    request.end(body)
  })
}

function header(answer: Answer, name: string): string | null {
  const value = answer.headers[name]
  return typeof value === 'string' ? value : null
}

function detailOf(answer: Answer): string {
  return answer.text.slice(0, 500)
}

function refused(why: string): DriverError {
  return new DriverError('certificate_refused', `the ACME authority refused: ${why}`)
}
