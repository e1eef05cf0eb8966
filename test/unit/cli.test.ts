import t from 'tap'
import { environmentOf } from '../../src/cli/effective-config.ts'
import { lifetimeDays, parseDays, parseScopes } from '../../src/cli/issue-token.ts'
import { table } from '../../src/cli/table.ts'
import { readConfig } from '../../src/config.ts'
import { SCOPES } from '../../src/domain/tokens.ts'

t.test('scopes are a list of names, or all of them', async t => {
  t.strictSame(parseScopes('all'), [...SCOPES])
  t.strictSame(parseScopes('deploy, logs:read,deploy'), ['deploy', 'logs:read'])
  t.throws(() => parseScopes('deploy,deplo'), /Not a scope: deplo\./)
  t.throws(() => parseScopes(''), /Not a scope/)
})

t.test('a token lives 90 days, at most 365, and at most 30 with env:reveal', async t => {
  t.equal(lifetimeDays(['deploy'], null), 90)
  t.equal(lifetimeDays(['deploy'], 365), 365)
  t.equal(lifetimeDays(['deploy', 'env:reveal'], null), 30)
  t.throws(() => lifetimeDays(['deploy'], 366), /1 to 365 days/)
  t.throws(() => lifetimeDays(['env:reveal'], 31), /1 to 30 days with the scope env:reveal/)
  t.throws(() => lifetimeDays(['deploy'], 0), /1 to 365/)
  t.equal(parseDays('90d'), 90)
  t.throws(() => parseDays('soon'), /not a lifetime/)
})

t.test('the effective configuration names every setting and shows no secret', async t => {
  const secrets = {
    CAIS_MASTER_KEY: 'ab'.repeat(32),
    DATABASE_URL: 'postgres://cais:geheim@db:5432/cais?password=geheim',
  }
  const settings = environmentOf(readConfig({ ...secrets, PORT: '4000' }))
  t.equal(settings.length, Object.keys(readConfig({})).length)
  t.match(
    settings.find(setting => setting.name === 'PORT'),
    { value: '4000', isDefault: false },
  )
  t.match(
    settings.find(setting => setting.name === 'HOST'),
    { value: '127.0.0.1', isDefault: true },
  )
  t.notMatch(JSON.stringify(settings), /geheim|abab/)
})

t.test('all bad variables are named at once', async t => {
  t.throws(() => readConfig({ PORT: 'x', CAIS_INSTANCE: 'Not OK' }), /PORT[^]*CAIS_INSTANCE/)
})

t.test('a table is as wide as its widest cells', async t => {
  t.equal(table(['A', 'B'], [['long cell', 'x']]), 'A          B\nlong cell  x\n')
})
