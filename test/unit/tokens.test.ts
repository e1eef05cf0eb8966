import t from 'tap'
import { createToken, hashToken, isScope, isTokenText, SCOPES, tokenPrefix } from '../../src/domain/tokens.ts'

t.test('a token has the form of D-70 and a checksum that catches every single mistake', async t => {
  const token = createToken()
  t.match(token, /^cais_[0-9A-Za-z]{38}$/)
  t.ok(isTokenText(token))
  t.not(createToken(), token)
  for (let i = 0; i < token.length; i++) {
    const wrong = token.slice(0, i) + (token[i] === 'x' ? 'y' : 'x') + token.slice(i + 1)
    t.notOk(isTokenText(wrong), `character ${i}`)
  }
  for (const no of ['', 'cais_', token.slice(1), `${token}0`, token.toUpperCase(), ` ${token}`])
    t.notOk(isTokenText(no))
})

t.test('an installation may have a prefix of its own', async t => {
  const token = createToken('casa_')
  t.ok(isTokenText(token, 'casa_'))
  t.notOk(isTokenText(token))
  t.notOk(isTokenText(token.replace('casa_', 'cais_')), 'the checksum covers the prefix')
  t.equal(tokenPrefix(token, 'casa_'), token.slice(0, 9))
})

t.test('only the hash is kept, and the scopes are those of the specification', async t => {
  t.equal(hashToken('abc').toString('hex'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  t.equal(SCOPES.length, 10)
  t.ok(isScope('env:reveal'))
  t.notOk(isScope('toString'))
})
