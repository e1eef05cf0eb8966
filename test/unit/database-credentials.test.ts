import { importJWK, jwtVerify } from 'jose'
import t from 'tap'
import { newCredentials, rotatedCredentials } from '../../src/domain/database-credentials.ts'

t.test('a database of SQL has a name, a user and a password that need no quoting', async t => {
  const made = await newCredentials('mariadb', '01m7y')
  t.match(made, { databaseName: 'd_01m7y', user: 'u_01m7y', password: /^[A-Za-z0-9]{43}$/ })
  const rotated = await rotatedCredentials('mariadb', made)
  t.match(rotated, { databaseName: made.databaseName, user: made.user })
  t.not(rotated.password, made.password)
})

t.test('the token of a libSQL database is verified by its own key, and by no later one', async t => {
  const made = await newCredentials('sqlite', '01m7y')
  t.equal(made.databaseName, 'd-01m7y')
  t.match((await verify(made.password, made.user)).payload, { a: 'rw' })
  const rotated = await rotatedCredentials('sqlite', made)
  t.equal(rotated.databaseName, made.databaseName)
  await t.rejects(verify(made.password, rotated.user), /signature verification failed/)
  await t.resolves(verify(rotated.password, rotated.user))
})

async function verify(token: string, x: string): ReturnType<typeof jwtVerify> {
  return jwtVerify(token, await importJWK({ kty: 'OKP', crv: 'Ed25519', x }, 'EdDSA'))
}
