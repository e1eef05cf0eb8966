// API tokens (D-70): the text carries a checksum, so a mistyped or guessed one never costs a read.
import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

export const SCOPES = [
  'projects:read',
  'projects:write',
  'databases:write',
  'env:write',
  'env:read',
  'env:reveal',
  'volumes:write',
  'deploy',
  'domains:write',
  'logs:read',
] as const

export type Scope = (typeof SCOPES)[number]

/** True for the name of a scope (spec 5). */
export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text)
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
export const DEFAULT_PREFIX = 'cais_'
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6

/** The text of a new token. It is shown once; only `hashToken` of it is stored. */
export function createToken(prefix = DEFAULT_PREFIX): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return prefix + secret + checksum(prefix + secret)
}

/** True when the text has the form and the checksum of a token; whether such a token exists is another question. */
export function isTokenText(text: string, prefix = DEFAULT_PREFIX): boolean {
  if (!text.startsWith(prefix)) return false
  const rest = text.slice(prefix.length)
  if (rest.length !== SECRET_LENGTH + CHECKSUM_LENGTH || !/^[0-9A-Za-z]+$/.test(rest)) return false
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
}

/** SHA-256 of the text: what is stored and looked up. */
export function hashToken(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}

/** The first characters, enough to tell tokens apart and useless to guess the rest. */
export function tokenPrefix(text: string, prefix = DEFAULT_PREFIX): string {
  return text.slice(0, prefix.length + 4)
}

/** CRC-32 in base 62, six digits. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
