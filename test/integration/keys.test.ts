// New keys for stored secrets while requests and other platforms go on, and what a dump of the control database shows.
import { randomBytes } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import t from 'tap'
import { listDataKeys, SEALED } from '../../db/queries/data-keys.ts'
import { createDataKey, openKeyring, rewrapDataKey, type Keyring } from '../../src/domain/sealing.ts'
import { rewrapDataKeys, rotateDataKey } from '../../src/setup/key-rotation.ts'
import { ensureKeyring, openWithAny } from '../../src/setup/keyring.ts'
import { freshDatabase } from '../support/postgres.ts'
import { startSimulated } from '../support/simulated-platform.ts'

void t.test('every sealed column is part of a rotation', async t => {
  const { db } = await freshDatabase(t)
  const { rows } = await db.raw(
    `select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and data_type = 'bytea' order by 1`,
  )
  const rotated = SEALED.map(({ table, column }) => `${table}.${column}`)
  t.strictSame(
    rows.map((row: { name: string }) => row.name),
    [...rotated, 'data_key.wrapped', 'token.hash'].sort(),
  )
})

void t.test('a rotation seals everything anew while requests read and write', async t => {
  const { client, db, config } = await startSimulated(t)
  const { id } = await client.project('loja')
  const path = `/projects/${id}/services/web`
  await client.put(`${path}/variables`, {
    variables: Array.from({ length: 200 }, (_, i) => ({ name: `OLD_${i}`, value: `old-${i}` })),
  })
  await client.patch(path, { source: { type: 'image', ref: 'registry.test/app:1' } })
  t.equal((await client.post(`${path}/deployments`)).status, 202)

  const written = new Map<string, string>()
  let rotating = true
  let reads = 0
  const writer = async (worker: number) => {
    for (let i = 0; rotating; i++) {
      const [name, value] = [`W${worker}_${i % 5}`, `value-${worker}-${i}`]
      const reply = await client.put(`${path}/variables/${name}`, { value })
      if (reply.status >= 300) throw new Error(reply.text)
      written.set(name, value)
    }
  }
  const reader = async () => {
    for (; rotating; reads++) {
      const reply = await client.get(`${path}/variables?resolved=true&limit=100`)
      if (reply.status !== 200) throw new Error(reply.text)
    }
  }
  const traffic = Promise.all([writer(0), writer(1), reader(), reader()])
  const rotation = await rotateDataKey(db, config).finally(() => (rotating = false))
  await traffic
  t.equal(rotation.keyId, 2)
  t.ok(rotation.resealed >= 201, `${rotation.resealed} values sealed anew`)
  t.ok(reads > 0 && written.size === 10)
  for (const { table, column } of SEALED) {
    const { rows } = await db.raw('select count(*)::int as n from ?? where substring(?? from 2 for 4) <> int4send(2)', [
      table,
      column,
    ])
    t.equal(rows[0].n, 0, `${table}.${column}`)
  }
  const shown = new Map<string, string>()
  for (let cursor = ''; ;) {
    const { body } = await client.get(`${path}/variables?resolved=true&limit=100${cursor}`)
    for (const item of body.items ?? body.variables) shown.set(item.name, item.value)
    if (!body.has_more) break
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
  }
  t.equal(shown.get('OLD_199'), 'old-199')
  for (const [name, value] of written) t.equal(shown.get(name), value, name)
})

void t.test('a keyring learns of a key before that key seals, and reads what it sealed', async t => {
  const { db } = await freshDatabase(t)
  const config = { dataDir: t.testdir(), masterKey: null }
  const [running, other] = [await ensureKeyring(db, config), await ensureKeyring(db, config)]
  const rotation = rotateDataKey(db, config, 100)
  while ((await listDataKeys(db)).length < 2) await running.refresh()
  const sealsFrom = (at: string) =>
    db('data_key')
      .where({ id: 2 })
      .update({ seals_from: db.raw(`now() + ?::interval`, [at]) })
  await sealsFrom('1 hour')
  await running.refresh()
  t.equal(keyOf(running), 1, 'known, and not yet sealing')
  await sealsFrom('0')
  await rotation
  await running.refresh()
  t.equal(keyOf(running), 2)
  const sealed = running.seal('x', 'row')
  t.throws(() => other.open(sealed, 'row'), /data key 2 .* not in the keyring/)
  await other.refresh()
  t.equal(other.open(sealed, 'row'), 'x')
})

void t.test('the same rotation twice at once, and again: every value opens, under the newest key', async t => {
  const { db } = await freshDatabase(t)
  const config = { dataDir: t.testdir(), masterKey: null }
  const keyring = await ensureKeyring(db, config)
  await db('team').insert({ id: 't', name: 't' })
  const rows = Array.from({ length: 450 }, (_, i) => `i${i}`)
  await db('git_installation').insert(
    rows.map(id => ({
      id,
      team_id: 't',
      provider: 'generic',
      account: id,
      base_url: 'https://git.test',
      auth: 'token',
      secret: keyring.seal(`secret of ${id}`, id),
      repositories: '[]',
    })),
  )
  await Promise.all([rotateDataKey(db, config, 0), rotateDataKey(db, config, 0)])
  await rotateDataKey(db, config, 0)
  await keyring.refresh()
  const stored = await db('git_installation').select('id', 'secret')
  t.equal(stored.length, 450)
  t.ok(stored.every(row => keyring.open(row.secret, row.id) === `secret of ${row.id}`))
  t.ok(stored.every(row => row.secret.readUInt32BE(1) === 4))
})

void t.test('a new master key takes the place of the old one, which opens nothing any more', async t => {
  const { db } = await freshDatabase(t)
  const config = { dataDir: t.testdir(), masterKey: null }
  const file = `${config.dataDir}/master.key`
  const running = await ensureKeyring(db, config)
  const sealed = running.seal('x', 'row')
  const old = (await readFile(file, 'utf8')).trim()
  t.equal(await rewrapDataKeys(db, config, null), 'rewrapped')
  t.not((await readFile(file, 'utf8')).trim(), old)
  t.equal((await stat(file)).mode & 0o777, 0o600)
  t.equal((await ensureKeyring(db, config)).open(sealed, 'row'), 'x')
  await t.rejects(openWithAny({ ...config, masterKey: old }, await listDataKeys(db)), /CAIS_MASTER_KEY/)
  await rotateDataKey(db, config, 0)
  await running.refresh()
  t.equal(keyOf(running), 2, 'a platform that started with the old master key learns of keys under the new one')

  const given = 'ab'.repeat(32)
  await Promise.all([
    rewrapDataKeys(db, config, given),
    rewrapDataKeys(db, config, given),
    rewrapDataKeys(db, config, null),
  ])
  t.equal((await ensureKeyring(db, config)).open(sealed, 'row'), 'x')
})

void t.test('a re-wrapping that died is finished by the next start, or begun anew', async t => {
  const { db } = await freshDatabase(t)
  const config = { dataDir: t.testdir(), masterKey: null }
  const file = `${config.dataDir}/master.key`
  const sealed = (await ensureKeyring(db, config)).seal('x', 'row')
  const next = randomBytes(32).toString('hex')
  // Died before the keys were re-wrapped: the next master key lies there and opens nothing.
  await writeFile(`${file}.new`, next)
  t.equal((await ensureKeyring(db, config)).open(sealed, 'row'), 'x')
  t.equal(await rewrapDataKeys(db, config, next), 'rewrapped')
  t.equal((await readFile(file, 'utf8')).trim(), next)
  // Died after that, before the file was put in its place.
  const last = randomBytes(32).toString('hex')
  await writeFile(`${file}.new`, last)
  for (const row of await listDataKeys(db)) {
    await db('data_key')
      .where({ id: row.id })
      .update({ wrapped: rewrapDataKey(next, last, row) })
  }
  t.equal((await ensureKeyring(db, config)).open(sealed, 'row'), 'x')
  t.equal((await readFile(file, 'utf8')).trim(), last)
})

void t.test('a master key from the environment is replaced by the one that is given, once', async t => {
  const { db } = await freshDatabase(t)
  const [present, next] = ['1c'.repeat(32), '2d'.repeat(32)]
  const config = { dataDir: t.testdir(), masterKey: present }
  const sealed = (await ensureKeyring(db, config)).seal('x', 'row')
  await t.rejects(rewrapDataKeys(db, config, null), /CAIS_NEW_MASTER_KEY/)
  t.equal(await rewrapDataKeys(db, config, next), 'rewrapped')
  t.equal(await rewrapDataKeys(db, config, next), 'done already')
  t.equal((await ensureKeyring(db, { ...config, masterKey: next })).open(sealed, 'row'), 'x')
  await t.rejects(ensureKeyring(db, config), /CAIS_MASTER_KEY/)
  t.throws(() => openKeyring(present, [{ id: 1, wrapped: createDataKey(next) }]))
})

const keyOf = (keyring: Keyring): number => keyring.seal('', '').readUInt32BE(1)
