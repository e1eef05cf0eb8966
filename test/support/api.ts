// The API on a free port over a fresh database, and a team with a token and its client. No worker runs: what a test needs
// from one, it does itself.
import { connect as openSocket } from 'node:net'
import type { Knex } from 'knex'
import pino from 'pino'
import { insertTeam, insertToken } from '../../db/queries/tokens.ts'
import { readConfig, type Config } from '../../src/config.ts'
import { newId } from '../../src/domain/ids.ts'
import type { PlanName } from '../../src/domain/limits.ts'
import { createDataKey, openKeyring, type Keyring } from '../../src/domain/sealing.ts'
import { createToken, hashToken, SCOPES, tokenPrefix, type Scope } from '../../src/domain/tokens.ts'
import { createApp, listen } from '../../src/http/app.ts'
import type { RequestQuotas } from '../../src/http/rate-limit.ts'
import type { Route } from '../../src/http/route.ts'
import { routes as table } from '../../src/http/routes.ts'
import { Client } from './client.ts'
import { freshDatabase } from './postgres.ts'

export { Client, type Reply } from './client.ts'

interface Test {
  teardown(work: () => Promise<void> | void): void
}

export interface Api {
  url: string
  port: number
  db: Knex
  databaseUrl: string
  keyring: Keyring
  config: Config
  /** Of the team that every test has. */
  teamId: string
  /** All scopes, all projects. */
  client: Client
  newTeam(plan?: PlanName): Promise<{ teamId: string; client: Client }>
  newClient(options?: TokenOptions): Promise<Client>
}

export interface TokenOptions {
  teamId?: string
  scopes?: readonly Scope[]
  projectIds?: readonly string[] | null
  days?: number
}

/** Quotas that no test meets by accident. */
const GENEROUS: RequestQuotas = {
  token: { max: 1_000_000, windowMs: 60_000 },
  address: { max: 1_000_000, windowMs: 60_000 },
  failedAuthentication: { max: 1_000_000, windowMs: 60_000 },
}
const MASTER_KEY = '5a'.repeat(32)

/** Starts an API for this test; it stops when the test ends. */
export async function startApi(
  t: Test,
  options: { quotas?: RequestQuotas; env?: Record<string, string>; db?: Knex; routes?: Route[] } = {},
): Promise<Api> {
  const { db, url: databaseUrl } = await freshDatabase(t)
  const keyring = openKeyring(MASTER_KEY, [{ id: 1, wrapped: createDataKey(MASTER_KEY) }])
  const config = readConfig({ APPS_DOMAIN: 'apps.test', DATABASE_URL: databaseUrl, ...options.env })
  const log = pino({ level: process.env.CAIS_LOG_LEVEL ?? 'silent' })
  const quotas = options.quotas ?? GENEROUS
  const ready = async () => ({ ok: true, detail: 'test' })
  const routes = options.routes ?? table
  const app = createApp({ db: options.db ?? db, keyring, config, log, quotas, ready, routes })
  const { server, port } = await listen(app, 0, '127.0.0.1')
  t.teardown(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  const url = `http://127.0.0.1:${port}`
  const newTeamId = async (plan: PlanName = 'hobby') => {
    const id = newId()
    await insertTeam(db, { id, name: `team ${id}`, plan })
    return id
  }
  const teamId = await newTeamId()
  const newClient = async (wanted: TokenOptions = {}) =>
    new Client(`${url}/v1`, await issueToken(db, { teamId, ...wanted }), { inDocument: options.routes === undefined })
  return {
    url,
    port,
    db,
    databaseUrl,
    keyring,
    config,
    teamId,
    client: await newClient(),
    newClient,
    newTeam: async plan => {
      const id = await newTeamId(plan)
      return { teamId: id, client: await newClient({ teamId: id }) }
    },
  }
}

/** A token of a team: all scopes and all projects unless told otherwise. */
export async function issueToken(db: Knex, { teamId, scopes, projectIds, days }: TokenOptions): Promise<string> {
  const text = createToken()
  await insertToken(db, {
    id: newId(),
    teamId: teamId ?? '',
    name: 'test',
    prefix: tokenPrefix(text),
    hash: hashToken(text),
    scopes: scopes ?? SCOPES,
    projectIds: projectIds ?? null,
    days: days ?? 1,
  })
  return text
}

/** Sends these bytes to the server as they are, and answers what comes back until it closes the connection. */
export async function sendRaw(port: number, bytes: string | Buffer): Promise<string> {
  const socket = openSocket(port, '127.0.0.1')
  socket.write(bytes)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
