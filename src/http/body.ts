// Request bodies (D-12 to D-14): strict JSON of bounded size, refused before it is read where the headers allow it.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { BODY } from '../domain/limits.ts'
import { ApiError, fieldError } from './errors.ts'

const JSON_TYPE = /^application\/json *(; *charset="?utf-8"? *)?$/i
const MULTIPART_TYPE = /^multipart\/form-data *;/i
const KIB = 1024

type Json = { [key: string]: unknown }

export function isMultipart(incoming: IncomingMessage): boolean {
  return MULTIPART_TYPE.test(incoming.headers['content-type'] ?? '')
}

/** True when the headers announce bytes; a chunked body may still turn out empty. */
export function announcesBody(incoming: IncomingMessage): boolean {
  return incoming.headers['transfer-encoding'] !== undefined || Number(incoming.headers['content-length'] ?? 0) > 0
}

/**
 * The JSON object in a body, or null when there is no body at all. 415 for another media type or an encoding, 413 over
 * `maxBytes`, 400 for anything that is not one JSON object in UTF-8.
 */
export async function readJson(incoming: IncomingMessage, maxBytes: number): Promise<Json | null> {
  if (!announcesBody(incoming)) return null
  refuseEncoding(incoming)
  if (!JSON_TYPE.test(incoming.headers['content-type'] ?? '')) {
    // Only a body with bytes needs a media type, and a chunked one shows whether it has any when it comes.
    await readBytes(incoming, 0, () => new ApiError('unsupported_media_type'))
    return null
  }
  const bytes = await readBytes(incoming, maxBytes, () => tooLarge(maxBytes))
  return bytes.length === 0 ? null : parseJson(bytes)
}

/** 415 for a body that was encoded, be it by nothing at all (`identity`). */
export function refuseEncoding(incoming: IncomingMessage): void {
  if (incoming.headers['content-encoding'] !== undefined) throw new ApiError('unsupported_media_type')
}

/** 413 that names the limit. */
export function tooLarge(maxBytes: number): ApiError {
  const mib = maxBytes / KIB / KIB
  return new ApiError('payload_too_large', { limite: mib >= 1 ? `${mib} MiB` : `${maxBytes / KIB} KiB` })
}

/** Asks a client that waits with its body (`Expect: 100-continue`) to send it; every reader calls this first. */
export function askForBody(incoming: IncomingMessage): void {
  const response = waiting.get(incoming)
  waiting.delete(incoming)
  response?.writeContinue()
}

/** Remembers that the client of this request waits to be asked for its body (D-24). */
export function waitForConsent(incoming: IncomingMessage, response: ServerResponse): void {
  waiting.set(incoming, response)
}
const waiting = new WeakMap<IncomingMessage, ServerResponse>()

async function readBytes(incoming: IncomingMessage, maxBytes: number, refusal: () => ApiError): Promise<Buffer> {
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) throw refusal()
  askForBody(incoming)
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      incoming.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose)
      finish()
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBytes) chunks.push(chunk)
      // The rest is read and thrown away, so that the answer is not lost to a closed connection.
      else settle(() => (incoming.resume(), reject(refusal())))
    }
    const onEnd = () => settle(() => resolve(Buffer.concat(chunks)))
    const onError = (error: Error) => settle(() => reject(error))
    const onClose = () => settle(() => reject(new ApiError('invalid_request.body')))
    incoming.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose)
  })
}

function parseJson(bytes: Buffer): Json {
  let value: unknown
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    value = JSON.parse(text)
    refuseTrickyJson(text)
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError('invalid_request.body')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ApiError('invalid_request.body')
  return value as Json
}

/**
 * What JSON.parse accepts and we do not: nesting beyond 16, a key twice in one object (readers disagree on which one
 * counts), and `__proto__`. One pass over text that is known to be JSON, so that every string in it has an end.
 */
function refuseTrickyJson(text: string): void {
  const open: (Set<string> | null)[] = []
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '{' || sign === '[') {
      open.push(sign === '{' ? new Set() : null)
      if (open.length > BODY.maxDepth) throw new ApiError('invalid_request.body')
    } else if (sign === '}' || sign === ']') {
      open.pop()
    } else if (sign === '"') {
      const end = endOfString(text, at)
      const siblings = open.at(-1)
      if (siblings && isKey(text, end)) refuseKey(JSON.parse(text.slice(at, end)) as string, siblings)
      at = end - 1
    }
  }
}

/** Where the string that begins here is over: the place behind its closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

const SPACE = /\s*/y

function isKey(text: string, end: number): boolean {
  SPACE.lastIndex = end
  SPACE.test(text)
  return text[SPACE.lastIndex] === ':'
}

function refuseKey(key: string, siblings: Set<string>): void {
  if (key === '__proto__') throw fieldError('invalid_request.unknown_field', key, 'unknown')
  if (siblings.has(key)) throw fieldError('invalid_request.duplicate', key, 'duplicate')
  siblings.add(key)
}
