// What opens a tenant's database, made when the database is born and at each rotation. It is sealed before it is written.
import { randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { DatabaseCredentials, DatabaseEngineName } from './database-variables.ts'

/**
 * Credentials of a new database. Names are opaque, since tenants of one engine can see each other's; they end up in SQL,
 * URLs and host names, so letters, digits and one separator are all they have.
 */
export async function newCredentials(engine: DatabaseEngineName, id: string): Promise<DatabaseCredentials> {
  if (engine === 'sqlite') return { databaseName: `d-${id}`, ...(await newToken()) }
  return { databaseName: `d_${id}`, user: `u_${id}`, password: newPassword() }
}

/** The same database with another secret; whatever a client has in its URL besides the secret stays. */
export async function rotatedCredentials(
  engine: DatabaseEngineName,
  current: DatabaseCredentials,
): Promise<DatabaseCredentials> {
  if (engine === 'sqlite') return { ...current, ...(await newToken()) }
  return { ...current, password: newPassword() }
}

/**
 * libSQL knows no users: `password` is a token, `user` the Ed25519 public key that alone verifies it (raw, base64url). The
 * private key signs this one token and is forgotten: nobody can ever make another that this key accepts.
 */
async function newToken(): Promise<{ user: string; password: string }> {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const { x } = await exportJWK(publicKey)
  if (x === undefined) throw new Error('an Ed25519 key without its only coordinate')
  const password = await new SignJWT({ a: 'rw' }).setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' }).sign(privateKey)
  return { user: x, password }
}

function newPassword(): string {
  return randomBytes(32).toString('base64url').replace(/[-_]/g, 'x')
}
