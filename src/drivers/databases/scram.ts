// What PostgreSQL keeps instead of a password, computed here so that the password never travels in a statement, and so
// never into a log (as psql's \password does). RFC 5802, RFC 7677.
import { createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(pbkdf2)
const ITERATIONS = 4096

/** `SCRAM-SHA-256$<iterations>:<salt>$<stored key>:<server key>`, for `alter role … password`. */
export async function scramVerifier(password: string, salt: Buffer = randomBytes(16)): Promise<string> {
  // Without SASLprep, a password outside ASCII could be refused at login: ours never are.
  if (!/^[\x21-\x7e]+$/.test(password)) throw new TypeError('the password must be printable ASCII without spaces')
  const salted = await derive(password, salt, ITERATIONS, 32, 'sha256')
  const storedKey = createHash('sha256').update(hmac(salted, 'Client Key')).digest('base64')
  const serverKey = hmac(salted, 'Server Key').toString('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
