// `cais keys rotate` and `cais keys rewrap` as an operator runs them: commands of their own, beside a platform that goes
// on serving and writing. Nobody is refused, nothing is lost, and what was before is not needed any more.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Knex } from 'knex'
import t from 'tap'
import { listDataKeys } from '../../db/queries/data-keys.ts'
import { readConfig } from '../../src/config.ts'
import { createSimulatedWorld } from '../../src/drivers/simulated/world.ts'
import { openWithAny } from '../../src/setup/keyring.ts'
import { Client, type Reply } from '../support/client.ts'
import { dump, foundIn } from '../support/dump.ts'
import { GENEROUS_LIMITS, startPlatformProcess, until, type RunningPlatform } from '../support/platform.ts'
import { freshDatabase } from '../support/postgres.ts'

const command = fileURLToPath(new URL('../../src/cli/cais.mjs', import.meta.url))

/** Runs `cais` with these words and answers what it printed; throws what it complained about. */
async function cais(env: Record<string, string>, words: string[], stdin = ''): Promise<string> {
  const child = spawn(process.execPath, [command, ...words], { env: { ...process.env, ...env } })
  child.stdin.end(stdin)
  const [out, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  if (code !== 0) throw new Error(`cais ${words.join(' ')} ended with ${code}: ${complaint}`)
  return out
}

function ok(reply: Reply): Reply['body'] {
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`)
  return reply.body
}

/** By the schema, not by the list that a rotation goes by. */
async function sealedColumns(db: Knex): Promise<{ table: string; column: string }[]> {
  const { rows } = await db.raw(
    `select table_name as "table", column_name as "column" from information_schema.columns
      where table_schema = 'public' and data_type = 'bytea' and table_name not in ('data_key', 'token')`,
  )
  return rows
}

/** A sealed value of every kind, and the secrets in them. */
async function fill(client: Client, db: Knex, env: Record<string, string>) {
  const planted: string[] = []
  const plant = () => {
    planted.push(`Pl4nted-${randomBytes(16).toString('hex')}`)
    return planted.at(-1) ?? ''
  }
  const project = await client.project('loja')
  const at = `/projects/${project.id}`
  const web = `${at}/services/web`
  const ready = (url: string) =>
    until(`${url} is ready`, async () => ok(await client.get(url)).status === 'ready', 60_000)
  const shared = plant()
  const variables = Array.from({ length: 50 }, (_, i) => ({ name: `OLD_${i}`, value: plant(), sensitive: true }))
  ok(await client.put(`${web}/variables`, { variables }))
  ok(await client.put(`${at}/shared-variables`, { variables: [{ name: 'SHARED', value: shared }] }))
  for (const name of ['db', 'old']) {
    const key = { 'idempotency-key': `database-${name}` }
    ok(await client.post(`${at}/databases`, { name, engine: 'postgres' }, key))
    await ready(`${at}/databases/${name}`)
    const { credentials } = ok(await client.post(`${at}/databases/${name}/credentials`))
    planted.push(credentials.find((each: { name: string }) => each.name === 'PGPASSWORD').value)
  }
  ok(await client.put(`${web}/variables/URL`, { value: '${{db.DATABASE_URL}} ${{shared.SHARED}}' }))
  ok(await client.patch(web, { source: { type: 'image', ref: 'simulated:ok' } }))
  const deployment = ok(await client.post(`${web}/deployments`, {}, { 'idempotency-key': 'deployment-1' })).id
  await ready(`${web}/deployments/${deployment}`)

  const repositories = ['--provider', 'github', '--account', 'ana', '--repositories', 'ana/loja']
  const { name: team } = ok(await client.get('/me')).team
  await cais(env, ['installation', 'create', '--team', team, ...repositories], plant())

  const { names } = createSimulatedWorld({ config: readConfig(env) })
  const domain = ok(await client.post(`${web}/domains`, { hostname: 'loja.example.com' }))
  names.setRecord('TXT', domain.verification.name, [domain.verification.value])
  for (const { type, name, value } of domain.dns) names.setRecord(type === 'CNAME' ? 'CNAME' : 'ADDRESS', name, [value])
  ok(await client.post(`${web}/domains/${domain.id}/verify`))
  const isActive = async () => ok(await client.get(`${web}/domains/${domain.id}`)).status === 'active'
  await until('the domain is active', isActive, 60_000)
  await client.delete(`${at}/databases/old`)
  for (const { table, column } of await sealedColumns(db)) {
    if (column === 'pending' || table === 'deleted_database') continue
    const { rows } = await db.raw('select 1 from ?? where ?? is not null limit 1', [table, column])
    if (rows.length === 0) throw new Error(`nothing is sealed in ${table}.${column}`)
  }
  return { at, web, deployment, shared, values: new Map(variables.map(({ name, value }) => [name, value])), planted }
}

/** Requests of every kind, one after the other in each lane, until it is told to end; what was written last is kept. */
function startTraffic(client: Client, { at, web }: { at: string; web: string }) {
  const written = new Map<string, string>()
  let requests = 0
  let going = true
  const lane = async (step: (i: number) => Promise<unknown>) => {
    for (let i = 0; going; i++, requests++) await step(i)
  }
  const write = (lane: number) => async (i: number) => {
    const [name, value] = [`NEW_${lane}_${i % 7}`, `value-${lane}-${i}`]
    ok(await client.put(`${web}/variables/${name}`, { value }))
    written.set(name, value)
  }
  const lanes = [
    write(1),
    write(2),
    async () => ok(await client.get(`${web}/variables?resolved=true&limit=100`)),
    async () => ok(await client.post(`${at}/databases/db/credentials`)),
    async (i: number) => {
      const { id } = ok(await client.post(`${at}/services`, { name: `s${i}`, resources: { memory_mb: 64 } }))
      ok(await client.delete(`${at}/services/${id}`))
    },
  ].map(lane)
  const ended = Promise.all(lanes)
  ended.catch(() => (going = false))
  const stop = async () => {
    going = false
    await ended
    return { written, requests }
  }
  return { stop, going: () => going }
}

async function clearValues(client: Client, web: string): Promise<Map<string, string>> {
  const values = new Map<string, string>()
  const at = { path: { project: web.split('/')[2] ?? '', service: 'web' }, query: { resolved: 'true' } } as const
  for await (const { name, value } of client.typed.pages('/v1/projects/{project}/services/{service}/variables', at)) {
    values.set(name, value ?? '')
  }
  return values
}

t.test(
  'new keys while the platform serves and writes, by the commands of an operator',
  { timeout: 300_000 },
  async t => {
    const { db, url: DATABASE_URL } = await freshDatabase(t)
    const DATA_DIR = t.testdir()
    const fixed = { DATA_DIR, DATABASE_URL, CAIS_RUNTIME: 'simulated', CAIS_STABILITY_MS: '0' }
    const env = { ...fixed, CAIS_LIMITS: GENEROUS_LIMITS }
    let platform: RunningPlatform | null = null
    t.teardown(async () => void (await platform?.kill()))
    const start = async () => {
      platform = await startPlatformProcess(env)
      if (!platform) throw new Error('the platform did not start')
      return new Client(`${platform.url}/v1`, (await readFile(path.join(DATA_DIR, 'token'), 'utf8')).trim())
    }
    const client = await start()
    const { at, web, deployment, shared, values, planted } = await fill(client, db, env)
    const masterKey = async () => (await readFile(path.join(DATA_DIR, 'master.key'), 'utf8')).trim()
    const oldMaster = await masterKey()

    const traffic = startTraffic(client, { at, web })
    t.match(await cais(env, ['keys', 'rotate']), /^data key 2 seals from now on; \d+ stored values were sealed anew\n$/)
    t.match(await cais(env, ['keys', 'rewrap']), /^rewrapped; the master key is in .*master\.key\n$/)
    t.match(
      await cais(env, ['keys', 'rotate']),
      /^data key 3 seals/,
      'the platform that began with the old master goes on',
    )
    t.ok(traffic.going(), 'and nobody was refused meanwhile')
    const { written, requests } = await traffic.stop()
    t.ok(written.size === 14 && requests > 50, `${requests} requests`)

    for (const { table, column } of await sealedColumns(db)) {
      const { rows } = await db.raw(
        'select count(*)::int as n from ?? where ?? is not null and substring(?? from 2 for 4) <> int4send(3)',
        [table, column, column],
      )
      t.equal(rows[0].n, 0, `${table}.${column} is sealed with the newest key`)
    }
    const newMaster = await masterKey()
    t.not(newMaster, oldMaster)
    const config = readConfig(env)
    await t.rejects(openWithAny({ ...config, masterKey: oldMaster }, await listDataKeys(db)), /CAIS_MASTER_KEY/)

    await platform!.kill()
    await db('data_key').where('id', '<', 3).delete()
    const after = await start()
    const expected = new Map([...values, ...written])
    const shown = await clearValues(after, web)
    for (const [name, value] of expected) t.equal(shown.get(name), value, name)
    t.match(shown.get('URL'), new RegExp(`^postgres.* ${shared}$`), 'what refers to a database and to shared variables')
    const rollback = ok(await after.post(`${web}/deployments/${deployment}/rollback`))
    const isReady = async () => ok(await after.get(`${web}/deployments/${rollback.id}`)).status === 'ready'
    await until('a version from before the keys is rolled back to', isReady, 60_000)
    const replayed = await after.post(
      `${at}/databases`,
      { name: 'db', engine: 'postgres' },
      { 'idempotency-key': 'database-db' },
    )
    t.equal(replayed.headers.get('idempotent-replay'), 'true')

    const { text: everything } = await dump(db)
    t.ok(everything.includes('OLD_49') && everything.includes(deployment), 'the dump is one')
    t.strictSame(foundIn(everything, [...planted, after.token, oldMaster, newMaster]), [])
  },
)
