// A migrated control database of its own for each test, cloned from a template on one shared server.
import { createHash, randomBytes } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Knex } from 'knex'
import pg from 'pg'
import { connect } from '../../db/connect.ts'
import { migrate } from '../../db/migrate.ts'
import { ensureControlDatabase } from '../../src/setup/control-database.ts'

const project = fileURLToPath(new URL('../../', import.meta.url))
/** Any number, the same for all: one process makes the template, the others wait for it. */
const TEMPLATE_LOCK = 4_203_172

interface Test {
  teardown(work: () => Promise<void> | void): void
}

export interface FreshDatabase {
  url: string
  db: Knex
}

/**
 * A migrated database that nobody else uses; its pool is closed and it is dropped when `t` ends.
 * On CAIS_TEST_DATABASE_URL where that is set (a superuser's address), else on an embedded server in `.data-test/`, which the
 * first test that needs it starts and which stays for the next run.
 */
export async function freshDatabase(t: Test): Promise<FreshDatabase> {
  const server = await testServer()
  const template = await ensureTemplate(server)
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(server, client => client.query(`create database ${name} template ${template}`))
  const url = onDatabase(server, name)
  const db = connect(url, { name: 'test', max: 12 })
  t.teardown(async () => {
    await db.destroy()
    await administer(server, client => client.query(`drop database if exists ${name} with (force)`))
  })
  return { url, db }
}

/** Address of a database for administration on the shared test server. */
export async function testServer(): Promise<string> {
  if (process.env.CAIS_TEST_DATABASE_URL) return process.env.CAIS_TEST_DATABASE_URL
  const place = { dataDir: path.join(project, '.data-test'), databaseUrl: null }
  // Losing these databases in a power cut costs nothing, and waiting for the disk costs every test.
  const { url } = await ensureControlDatabase(place, {
    fsync: 'off',
    synchronous_commit: 'off',
    max_connections: '200',
  })
  return url
}

async function ensureTemplate(server: string): Promise<string> {
  const name = `template_${await schemaHash()}`
  await administer(server, async client => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount !== 0) return
    const draft = `draft_${randomBytes(6).toString('hex')}`
    await client.query(`create database ${draft}`)
    const db = connect(onDatabase(server, draft), { max: 1, name: 'template' })
    await migrate(db).finally(() => db.destroy())
    // Renamed when whole: a run that dies half-way leaves no template.
    await client.query(`alter database ${draft} rename to ${name}`)
  })
  return name
}

async function schemaHash(): Promise<string> {
  const folder = path.join(project, 'db', 'migrations')
  const hash = createHash('sha256')
  for (const file of (await readdir(folder)).sort()) hash.update(file).update(await readFile(path.join(folder, file)))
  return hash.digest('hex').slice(0, 12)
}

async function administer(server: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: server, application_name: 'test-admin' })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

function onDatabase(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
