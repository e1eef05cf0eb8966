// The private API: keeps orders in Postgres. DATABASE_URL is `${{db.DATABASE_URL}}`, whose sslmode is verify-full: a
// server that could not prove its name would be refused, and nothing here has to say so.
import http from 'node:http'
import pg from 'pg'

const { PORT = '8080', DATABASE_URL } = process.env
const db = new pg.Pool({ connectionString: DATABASE_URL, max: 5 })
db.on('error', error => console.error('banco:', error.message))

await db.query(`create table if not exists pedido (
  id           bigint generated always as identity primary key,
  feito_em     timestamptz not null default now(),
  preparado_em timestamptz
)`)

/** Writes one order, reads the totals, and asks the server itself whether this connection is encrypted. */
async function createOrder() {
  const client = await db.connect()
  try {
    const {
      rows: [pedido],
    } = await client.query('insert into pedido default values returning id, feito_em')
    const {
      rows: [totals],
    } = await client.query('select count(*)::int as total, count(preparado_em)::int as preparados from pedido')
    const {
      rows: [tls],
    } = await client.query('select ssl, version, cipher from pg_stat_ssl where pid = pg_backend_pid()')
    return { pedido, ...totals, banco: { tls: tls.ssl, versao: tls.version, cifra: tls.cipher } }
  } finally {
    client.release()
  }
}

const server = http.createServer(async (request, response) => {
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  try {
    if (request.method === 'GET' && request.url === '/saude') return response.end('{"ok":true}\n')
    if (request.method === 'POST' && request.url === '/pedidos') {
      return response.end(`${JSON.stringify(await createOrder())}\n`)
    }
    response.statusCode = 404
    response.end('{"erro":"não encontrado"}\n')
  } catch (error) {
    console.error('falhou:', error.message)
    response.statusCode = 500
    response.end(`${JSON.stringify({ erro: error.message })}\n`)
  }
})

server.listen(Number(PORT), '0.0.0.0', () => console.log(`api na porta ${PORT}`))
process.once('SIGTERM', () => server.close(() => db.end().then(() => process.exit(0))))
