// A dump of the control database, after an installation has been used in every way, shows no secret that was planted.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import t from 'tap'
import { dump, foundIn } from '../support/dump.ts'
import { until } from '../support/platform.ts'
import { startSimulated } from '../support/simulated-platform.ts'

void t.test('a dump of the control database shows none of fifty planted secrets', async t => {
  const { client, db, config } = await startSimulated(t)
  const planted: string[] = []
  const plant = () => {
    const secret = `Pl4nted/${randomBytes(15).toString('hex')}+${planted.length}`
    planted.push(secret)
    return secret
  }
  const { id } = await client.project('loja')
  const project = `/projects/${id}`
  const web = `${project}/services/web`
  const variables = (prefix: string) =>
    Array.from({ length: 20 }, (_, i) => ({ name: `${prefix}_${i}`, value: plant(), sensitive: i % 2 === 0 }))
  t.equal((await client.put(`${web}/variables`, { variables: variables('OWN') })).status, 200)
  t.equal((await client.put(`${project}/shared-variables`, { variables: variables('SHARED') })).status, 200)
  await client.put(`${web}/variables/MIXED`, { value: `a-${plant()}-\${{shared.SHARED_0}}` })
  const key = { 'idempotency-key': 'planted-1' }
  for (const engine of ['postgres', 'mariadb', 'sqlite']) {
    const made = await client.post(
      `${project}/databases`,
      { name: engine, engine },
      { 'idempotency-key': `db-${engine}` },
    )
    t.equal(made.status, 201, made.text)
    await until(
      `${engine} is ready`,
      async () => (await client.get(`${project}/databases/${engine}`)).body.status === 'ready',
    )
    const revealed = await client.post(`${project}/databases/${engine}/credentials`)
    t.equal(revealed.status, 200, revealed.text)
    planted.push(...passwordsIn(revealed.body))
    await client.put(`${web}/variables/URL_${engine.toUpperCase()}`, { value: `\${{${engine}.DATABASE_URL}}` })
  }
  const rotated = await client.post(`${project}/databases/postgres/rotate`)
  t.ok(rotated.status < 300, rotated.text)
  planted.push(...passwordsIn((await client.post(`${project}/databases/postgres/credentials`)).body))
  await client.patch(web, { source: { type: 'image', ref: 'registry.test/app:1' } })
  const deployed = await client.post(`${web}/deployments`, {}, key)
  t.equal(deployed.status, 202, deployed.text)
  const at = `${web}/deployments/${deployed.body.id}`
  await until('the deployment is ready', async () => (await client.get(at)).body.status === 'ready')
  // Something that fails, and something that is over.
  await client.put(`${web}/variables/BROKEN`, { value: `${plant()}\${{nobody.X}}` })
  await client.delete(`${web}/variables/BROKEN`)
  t.equal((await client.post(`${project}/deploy`)).status, 202)
  t.equal((await client.delete(`${project}/databases/sqlite`)).status, 204)

  planted.push(client.token, (await readFile(path.join(config.dataDir, 'master.key'), 'utf8')).trim())
  t.ok(planted.length >= 45, `${planted.length} secrets`)
  const { text, tables } = await dump(db)
  t.ok(tables > 15 && text.includes('OWN_0') && text.includes(deployed.body.id), 'the dump is one')
  t.strictSame(foundIn(text, planted), [])
})

/** The secrets among the variables that a database offers. */
function passwordsIn(body: { credentials: { name: string; value: string }[] }): string[] {
  const secrets = body.credentials.filter(({ name }) => /PASSWORD|TOKEN/.test(name)).map(({ value }) => value)
  if (secrets.length === 0) throw new Error('nothing was revealed')
  return secrets
}
