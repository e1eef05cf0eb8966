// The public front end: asks the private `api` for an order and shows what came back. No dependency at all.
import http from 'node:http'

const { PORT = '8080', API_URL, LOJA_NOME = 'Loja' } = process.env

/** One order through the private network: `API_URL` is `${{api.PRIVATE_URL}}`. */
async function order() {
  const answer = await fetch(`${API_URL}/pedidos`, { method: 'POST', signal: AbortSignal.timeout(10_000) })
  if (!answer.ok) throw new Error(`a api respondeu ${answer.status}`)
  return answer.json()
}

const escape = text => String(text).replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`)

const page = ({ loja, pedido, total, preparados, banco }) => `<!doctype html>
<html lang="pt-BR"><meta charset="utf-8"><title>${escape(loja)}</title>
<body style="font: 18px/1.6 system-ui; max-width: 40rem; margin: 4rem auto">
<h1>${escape(loja)}</h1>
<p>Seu pedido é o <b>nº ${pedido.id}</b>, feito às ${escape(pedido.feito_em)}.</p>
<p>Já são ${total} pedidos, e o worker preparou ${preparados}.</p>
<p>A api falou com o banco por ${escape(banco.tls ? `${banco.versao}, ${banco.cifra}` : 'uma conexão sem TLS')}.</p>
</body></html>
`

const server = http.createServer(async (request, response) => {
  if (request.url === '/saude') return response.end('ok\n')
  try {
    const body = { loja: LOJA_NOME, ...(await order()) }
    const html = (request.headers.accept ?? '').includes('text/html')
    response.setHeader('Content-Type', html ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8')
    response.end(html ? page(body) : `${JSON.stringify(body, null, 2)}\n`)
  } catch (error) {
    console.error('pedido falhou:', error.message)
    response.statusCode = 502
    response.setHeader('Content-Type', 'application/json; charset=utf-8')
    response.end(`${JSON.stringify({ loja: LOJA_NOME, erro: error.message })}\n`)
  }
})

server.listen(Number(PORT), '0.0.0.0', () => console.log(`web na porta ${PORT}`))
process.once('SIGTERM', () => server.close(() => process.exit(0)))
