// Secrets at rest: AES-256-GCM under data keys, which are sealed themselves under the master key.
// A sealed value names its key and is bound to the row it belongs to, so it cannot be moved to another row.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const VERSION = 1
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16
/** Version (1) and key id (4): read before opening, and authenticated with the rest. */
const HEADER_BYTES = 5
const MASTER_KEY_ID = 0

export interface Keyring {
  /** Seals text for the row `about`. */
  seal(text: string, about: string): Buffer
  /** Seals so that the same text for the same row gives the same bytes: for what is shown and compared, not for secrets. */
  sealAlike(text: string, about: string): Buffer
  /** Opens what either of them made for the same row; throws when it was altered, moved, or its key is gone. */
  open(sealed: Buffer, about: string): string
  /** Learns of data keys made since; worth trying once when `open` threw UnknownDataKey. */
  refresh(): Promise<void>
}

export interface WrappedKey {
  id: number
  wrapped: Buffer
  /** False while others may not know the key yet: it opens, but does not seal. Default: true. */
  seals?: boolean
}

/** The value was sealed with a key that this keyring does not have: perhaps a newer one. */
export class UnknownDataKey extends Error {
  /** For effects: tried again, since running platforms learn of new keys every second. */
  readonly temporary = true

  constructor(id: number) {
    super(`The data key ${id} that sealed this value is not in the keyring`)
  }
}

/** A new data key, wrapped by the master key (64 hex digits), ready to be stored. */
export function createDataKey(masterKeyHex: string): Buffer {
  return encrypt(parseMasterKey(masterKeyHex), MASTER_KEY_ID, randomBytes(KEY_BYTES), 'data key')
}

/** The same data key under another master key. Throws when the present one does not open it. */
export function rewrapDataKey(presentHex: string, nextHex: string, row: WrappedKey): Buffer {
  return encrypt(parseMasterKey(nextHex), MASTER_KEY_ID, unwrap(parseMasterKey(presentHex), row), 'data key')
}

/**
 * Opens the stored data keys. The one with the highest id that may seal does, all of them open. Throws when there is none,
 * or when the master key is not the one that wrapped them.
 */
export function openKeyring(masterKeyHex: string, rows: readonly WrappedKey[]): Keyring {
  const masterKey = parseMasterKey(masterKeyHex)
  const keys = new Map(rows.map(row => [row.id, unwrap(masterKey, row)]))
  const newest = Math.max(...rows.filter(row => row.seals !== false).map(row => row.id))
  const sealingKey = keys.get(newest)
  if (!sealingKey) throw new Error('There is no data key to seal secrets with')
  return {
    seal: (text, about) => encrypt(sealingKey, newest, Buffer.from(text, 'utf8'), about),
    sealAlike: (text, about) => {
      const plain = Buffer.from(text, 'utf8')
      return encrypt(sealingKey, newest, plain, about, ivFor(sealingKey, plain, about))
    },
    open: (sealed, about) => {
      const id = readKeyId(sealed)
      const key = keys.get(id)
      if (!key) throw new UnknownDataKey(id)
      return decrypt(key, sealed, about).toString('utf8')
    },
    refresh: async () => {},
  }
}

function unwrap(masterKey: Buffer, row: WrappedKey): Buffer {
  if (!Number.isInteger(row.id) || row.id < 1 || row.id > 0xffffffff) throw new Error(`${row.id} is not a data key id`)
  try {
    return decrypt(masterKey, row.wrapped, 'data key')
  } catch (cause) {
    throw new Error(`The master key does not open the data key ${row.id}: is CAIS_MASTER_KEY the right one?`, { cause })
  }
}

function encrypt(key: Buffer, keyId: number, plain: Buffer, about: string, iv: Buffer = randomBytes(IV_BYTES)): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt8(VERSION, 0)
  header.writeUInt32BE(keyId, 1)
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.concat([header, Buffer.from(about, 'utf8')]))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([header, iv, cipher.getAuthTag(), body])
}

/** An initialization vector that depends on everything sealed, as in SIV: it returns only where all of that does. */
function ivFor(key: Buffer, plain: Buffer, about: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(Buffer.byteLength(about))
  const ivKey = Buffer.from(hkdfSync('sha256', key, '', 'initialization vectors', KEY_BYTES))
  return createHmac('sha256', ivKey).update(length).update(about).update(plain).digest().subarray(0, IV_BYTES)
}

function decrypt(key: Buffer, sealed: Buffer, about: string): Buffer {
  readKeyId(sealed)
  const header = sealed.subarray(0, HEADER_BYTES)
  const iv = sealed.subarray(HEADER_BYTES, HEADER_BYTES + IV_BYTES)
  const tag = sealed.subarray(HEADER_BYTES + IV_BYTES, HEADER_BYTES + IV_BYTES + TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.concat([header, Buffer.from(about, 'utf8')]))
  decipher.setAuthTag(tag)
  return Buffer.concat([decipher.update(sealed.subarray(HEADER_BYTES + IV_BYTES + TAG_BYTES)), decipher.final()])
}

function readKeyId(sealed: Buffer): number {
  if (sealed.length < HEADER_BYTES + IV_BYTES + TAG_BYTES) throw new Error('The sealed value is too short to be one')
  if (sealed.readUInt8(0) !== VERSION) throw new Error(`Sealed values of version ${sealed.readUInt8(0)} are unknown`)
  return sealed.readUInt32BE(1)
}

function parseMasterKey(hex: string): Buffer {
  if (!/^[0-9a-f]{64}$/i.test(hex)) throw new Error('The master key must be 64 hex digits')
  return Buffer.from(hex, 'hex')
}
