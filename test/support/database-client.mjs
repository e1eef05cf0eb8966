// A tenant's program: connects with the variables that a service gets, and nothing else. Run inside a network-room.
//   node database-client.mjs <driver> query     statements in STATEMENTS (JSON), rows of the last one to stdout as JSON
//   node database-client.mjs <driver> each      those of STATEMENTS that were not refused, as JSON
//   node database-client.mjs <driver> hold      one session: makes the file OPENED, then asks until it is refused
import { writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const { DATABASE_URL, LIBSQL_AUTH_TOKEN, STATEMENTS = '[]', OPENED = '' } = process.env

const drivers = {
  async pg() {
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString: DATABASE_URL })
    client.on('error', () => {}) // The next query tells.
    await client.connect()
    return { query: async sql => (await client.query(sql)).rows, end: () => client.end() }
  },
  async mysql2() {
    const { createConnection } = await import('mysql2/promise')
    const connection = await createConnection(DATABASE_URL)
    connection.on('error', () => {})
    return { query: async sql => (await connection.query(sql))[0], end: () => connection.end() }
  },
  async mariadb() {
    const { createConnection } = await import('mariadb')
    const connection = await createConnection(DATABASE_URL.replace('mysql:', 'mariadb:'))
    connection.on('error', () => {})
    return { query: sql => connection.query(sql), end: () => connection.end() }
  },
  libsql: () => libsql(DATABASE_URL),
  libsqlSocket: () => libsql(DATABASE_URL.replace('libsql:', 'wss:')),
}

async function libsql(url) {
  const { createClient } = await import('@libsql/client')
  const client = createClient({ url, authToken: LIBSQL_AUTH_TOKEN })
  await client.execute('select 1')
  // By itself the client connects anew where it can: only a transaction tells that its connection has ended.
  let held = null
  return {
    query: async sql => (await client.execute(sql)).rows,
    hold: async sql => (await (held ??= await client.transaction('deferred')).execute(sql)).rows,
    end: async () => client.close(),
  }
}

const [, , driver, mode] = process.argv
// Some drivers never answer when their first connection is closed at once: then there is nothing left to wait for, and Node
// ends, as if all were well or with 13.
let answered = false
process.on('exit', () => {
  if (answered || process.exitCode === 1) return
  console.error('closed, and the driver does not say so')
  process.exitCode = 1
})
try {
  const session = await drivers[driver]()
  if (mode === 'hold') {
    await (session.hold ?? session.query)('select 1')
    writeFileSync(OPENED, '')
    for (;;) {
      await (session.hold ?? session.query)('select 1')
      await pause(20)
    }
  }
  if (mode === 'each') {
    const accepted = []
    for (const sql of JSON.parse(STATEMENTS))
      await session.query(sql).then(
        () => accepted.push(sql),
        () => {},
      )
    console.log(JSON.stringify(accepted))
    answered = true
    process.exit(0)
  }
  let rows = []
  for (const sql of JSON.parse(STATEMENTS)) rows = await session.query(sql)
  console.log(JSON.stringify(rows, (_key, value) => (typeof value === 'bigint' ? Number(value) : value)))
  answered = true
  await session.end()
} catch (error) {
  console.error(
    `${error.code ?? ''} ${error.errno ?? ''} ${error.message} ${error.cause?.code ?? ''} ${error.cause?.message ?? ''}`,
  )
  answered = true
  process.exit(1)
}
