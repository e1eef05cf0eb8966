// Prepares orders every two seconds. Like every service it answers HTTP on $PORT: here, what it has done so far.
import http from 'node:http'
import pg from 'pg'

const { PORT = '8080', DATABASE_URL, API_URL, LOJA_NOME = 'Loja' } = process.env
const db = new pg.Pool({ connectionString: DATABASE_URL, max: 2 })
db.on('error', error => console.error('banco:', error.message))

const done = { prepared: 0, lastRunAt: null, lastError: null }

async function prepareOrders() {
  const api = await fetch(`${API_URL}/saude`, { signal: AbortSignal.timeout(5000) })
  if (!api.ok) throw new Error(`a api respondeu ${api.status}`)
  const { rowCount } = await db.query('update pedido set preparado_em = now() where preparado_em is null')
  if (rowCount > 0) console.log(`${LOJA_NOME}: ${rowCount} pedido(s) preparado(s)`)
  done.prepared += rowCount
}

let stopping = false
async function work() {
  while (!stopping) {
    try {
      await prepareOrders()
      done.lastError = null
    } catch (error) {
      // The api may not be up yet, or be in the middle of a switch: the next round tries again.
      done.lastError = error.message
      console.error('rodada falhou:', error.message)
    }
    done.lastRunAt = new Date().toISOString()
    await new Promise(resolve => setTimeout(resolve, 2000))
  }
}

const server = http.createServer((_request, response) => {
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.end(`${JSON.stringify(done)}\n`)
})

server.listen(Number(PORT), '0.0.0.0', () => console.log(`worker na porta ${PORT}`))
process.once('SIGTERM', () => {
  stopping = true
  server.close(() => db.end().then(() => process.exit(0)))
})
await work()
