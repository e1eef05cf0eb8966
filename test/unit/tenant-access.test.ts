import t from 'tap'
import { readRules, renderAccess, writeRule } from '../../src/drivers/databases/access-rules.ts'
import { scramVerifier } from '../../src/drivers/databases/scram.ts'

t.test('the verifier is the one that PostgreSQL computes', async t => {
  // select rolpassword from pg_authid of a role made with password 'secret', on PostgreSQL 15.
  const verifier =
    'SCRAM-SHA-256$4096:KOQqBxlYGSL12EuCDUTPmg==$22ylO0Hz8dvXlJghwmefdD+npQE5sjerFKrUSuNyfds=:B6Qa8HTgF+iUl2wclGTTWpthneyeDKNE6ptCebL9Z8Q='
  const salt = Buffer.from(/:([^$]+)\$/.exec(verifier)?.[1] ?? '', 'base64')
  t.equal(await scramVerifier('secret', salt), verifier)
})

t.test('each verifier has a salt of its own, and a password that would need preparation is refused', async t => {
  t.not(await scramVerifier('secret'), await scramVerifier('secret'))
  await t.rejects(scramVerifier('segredo não'), /printable ASCII/)
})

t.test('access is for one role, to one database, from one network, over TLS', async t => {
  const folder = t.testdir()
  await writeRule(folder, { databaseId: '01b', databaseName: 'd_01b', user: 'u_01b', subnet: '10.201.0.128/25' })
  await writeRule(folder, { databaseId: '01a', databaseName: 'd_01a', user: 'u_01a', subnet: '10.201.0.0/25' })
  t.strictSame(
    renderAccess(await readRules(folder))
      .split('\n')
      .slice(1),
    [
      'local all "postgres" peer map=administrator',
      'hostssl "d_01a" "u_01a" 10.201.0.0/25 scram-sha-256',
      'local "d_01a" "u_01a" scram-sha-256',
      'hostssl "d_01b" "u_01b" 10.201.0.128/25 scram-sha-256',
      'local "d_01b" "u_01b" scram-sha-256',
      '',
    ],
  )
})

t.test('a rule that says more than a name is refused', async t => {
  const rule = { databaseId: '01a', databaseName: 'd_01a', user: 'u" 0.0.0.0/0 trust #', subnet: '10.201.0.0/25' }
  await t.rejects(writeRule(t.testdir(), rule))
})
