// The variables that a database offers to the services of its project (spec 2.4): exact names, exact forms.

export interface DatabaseCredentials {
  databaseName: string
  user: string
  /** sqlite: the access token. */
  password: string
}

export interface DatabasePlace {
  /** Host name that the engine's certificate is for, and that services resolve. */
  host: string
  port: number
  credentials: DatabaseCredentials
}

export type DatabaseEngineName = 'postgres' | 'mariadb' | 'sqlite'

/** Where the authority of this installation is found inside every container. */
const AUTHORITY_FILE = '/etc/cais/ca.pem'

export const ENGINE_PORTS = { postgres: 5432, mariadb: 3306, sqlite: 8443 } as const satisfies Record<
  DatabaseEngineName,
  number
>

/** Names of the variables of an engine, in the order of spec 2.4. */
export const DATABASE_VARIABLE_NAMES = {
  postgres: ['DATABASE_URL', 'PGHOST', 'PGPORT', 'PGUSER', 'PGPASSWORD', 'PGDATABASE'],
  mariadb: ['DATABASE_URL', 'MYSQL_HOST', 'MYSQL_PORT', 'MYSQL_USER', 'MYSQL_PASSWORD', 'MYSQL_DATABASE'],
  sqlite: ['LIBSQL_URL', 'LIBSQL_AUTH_TOKEN', 'DATABASE_URL'],
} as const satisfies Record<DatabaseEngineName, readonly string[]>

/** Host name of the database host of an installation. */
export function databaseHostName(instance: string): string {
  return `db.${instance}.internal`
}

/** All variables of a database, by name. Every one of them is sensitive. */
export function databaseVariables(engine: DatabaseEngineName, place: DatabasePlace): Record<string, string> {
  return VARIABLES[engine](place)
}

const VARIABLES: Record<DatabaseEngineName, (place: DatabasePlace) => Record<string, string>> = {
  postgres: ({ host, port, credentials: c }) => ({
    DATABASE_URL:
      `postgres://${encodeURIComponent(c.user)}:${encodeURIComponent(c.password)}@${host}:${port}/` +
      `${encodeURIComponent(c.databaseName)}?sslmode=verify-full&sslrootcert=${AUTHORITY_FILE}`,
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: c.user,
    PGPASSWORD: c.password,
    PGDATABASE: c.databaseName,
  }),
  mariadb: ({ host, port, credentials: c }) => ({
    DATABASE_URL:
      `mysql://${encodeURIComponent(c.user)}:${encodeURIComponent(c.password)}@${host}:${port}/` +
      `${encodeURIComponent(c.databaseName)}?ssl=true`,
    MYSQL_HOST: host,
    MYSQL_PORT: String(port),
    MYSQL_USER: c.user,
    MYSQL_PASSWORD: c.password,
    MYSQL_DATABASE: c.databaseName,
  }),
  // A libSQL server tells its databases apart by the first label of the host name.
  sqlite: ({ host, port, credentials: c }) => {
    const url = `libsql://${c.databaseName}.${host}:${port}`
    return { LIBSQL_URL: url, LIBSQL_AUTH_TOKEN: c.password, DATABASE_URL: url }
  },
}
