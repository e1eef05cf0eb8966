// The three engines of the database host. A database is a file that remembers who may reach it.
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseEngine, Engine, TenantDatabase } from '../contracts.ts'
import { Folder } from './disk.ts'
import type { Faults } from './faults.ts'

const HOST = 'db.cais.internal'

export function simulatedEngine(dir: string, engine: Engine, faults: Faults, provisionMs: number): DatabaseEngine {
  const databases = new Folder<TenantDatabase>(path.join(dir, 'databases', engine))
  return {
    ready: () => faults.perform('databaseReady', [engine], () => {}),
    provision: tenant =>
      faults.perform('provision', [tenant.databaseId, engine], async () => {
        await sleep(provisionMs)
        databases.replace(tenant.databaseId, tenant)
        return { sizeMb: 8 }
      }),
    variables: tenant => variables(engine, tenant),
    drop: id => faults.perform('dropDatabase', [id, engine], () => void databases.remove(id)),
    list: () => faults.perform('listDatabases', [engine], () => databases.names()),
  }
}

function variables(engine: Engine, tenant: TenantDatabase): Record<string, string> {
  const { databaseName: name, user, password } = tenant
  if (engine === 'postgres')
    return {
      DATABASE_URL: `postgres://${user}:${password}@${HOST}:5432/${name}?sslmode=verify-full&sslrootcert=/etc/cais/ca.pem`,
      PGHOST: HOST,
      PGPORT: '5432',
      PGUSER: user,
      PGPASSWORD: password,
      PGDATABASE: name,
    }
  if (engine === 'mariadb')
    return {
      DATABASE_URL: `mysql://${user}:${password}@${HOST}:3306/${name}?ssl=true`,
      MYSQL_HOST: HOST,
      MYSQL_PORT: '3306',
      MYSQL_USER: user,
      MYSQL_PASSWORD: password,
      MYSQL_DATABASE: name,
    }
  const url = `libsql://${name}.${HOST}`
  return { LIBSQL_URL: url, LIBSQL_AUTH_TOKEN: password, DATABASE_URL: url }
}
