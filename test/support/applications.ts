// Applications that exist only in tests, as the archives that a customer would send.
import { crc32, gzipSync } from 'node:zlib'
import { buffer } from 'node:stream/consumers'
import tar from 'tar-stream'

/** One server whose variables decide how it behaves; without dependencies, so its builds are quick. */
const SERVER = `
const http = require('node:http')
const net = require('node:net')
const { PORT, VERSION = '0', MODE = '', START_MS = '0', STOP_MS = '0', SECRET = '', GREETING = '' } = process.env
console.log('versão', VERSION, MODE)
if (MODE === 'crash') { console.error('faltou a chave do pagamento'); process.exit(3) }
if (MODE === 'readonly') require('node:fs').writeFileSync('/app/cache.txt', 'x')
if (MODE === 'secret') {
  console.log('o segredo é ' + SECRET)
  console.log('em base64 ' + Buffer.from(SECRET).toString('base64'))
  console.error('no meio ' + Buffer.from('ab' + SECRET + 'cd').toString('base64'))
  process.stdout.write('em duas partes ' + SECRET.slice(0, 9))
  setTimeout(() => process.stdout.write(SECRET.slice(9) + '\\nfim dos segredos\\n'), 50)
}

const connect = to => new Promise(done => {
  const [host, port] = to.split(':')
  const socket = net.connect({ host, port: Number(port) })
  const end = said => { socket.destroy(); done(said) }
  socket.setTimeout(2000, () => end('timeout')).on('connect', () => end('open')).on('error', error => end(error.code))
})
const request = url => fetch(url, { signal: AbortSignal.timeout(20_000) })
  .then(async answer => ({ status: answer.status, body: await answer.text() }), error => ({ code: error.cause?.code ?? error.name }))
async function order(url) {
  const client = new (require('pg').Client)({ connectionString: url, connectionTimeoutMillis: 5000 })
  try {
    await client.connect()
    await client.query('create table if not exists pedido (id int generated always as identity, item text)')
    await client.query('insert into pedido (item) values ($1)', [GREETING])
    const { rows } = await client.query('select count(*)::int as total, max(item) as item from pedido')
    const { rows: [tls] } = await client.query('select ssl, version from pg_stat_ssl where pid = pg_backend_pid()')
    return { ...rows[0], tls }
  } catch (error) {
    return { error: error.message }
  } finally {
    await client.end().catch(() => {})
  }
}

const attempt = work => { try { return work() } catch (error) { return error.code } }
async function inside() {
  const fs = require('node:fs')
  const { blocks, bsize } = fs.statfsSync('/tmp')
  const folders = ['/', '/app', '/etc', '/usr', '/var', '/root', '/home']
  return {
    uid: process.getuid(),
    tmpMb: (blocks * bsize) / 2 ** 20,
    tmp: attempt(() => fs.writeFileSync('/tmp/x', 'x')),
    writable: folders.filter(folder => attempt(() => fs.writeFileSync(folder + '/x', 'x')) === undefined),
    root: fs.readFileSync('/proc/mounts', 'utf8').split('\\n').find(line => line.split(' ')[1] === '/').split(' ')[3].split(',')[0],
  }
}

function crash() {
  console.error('acabou o papel da impressora')
  process.exit(4)
}

const sleep = ms => new Promise(done => setTimeout(done, ms))
async function answer(path, query) {
  if (path === '/slow') await sleep(300)
  if (path === '/connect') return Object.fromEntries(await Promise.all(query.getAll('to').map(async to => [to, await connect(to)])))
  if (path === '/fetch') return request(query.get('url'))
  if (path === '/lookup') return require('node:dns').promises.lookup(query.get('name')).catch(error => ({ code: error.code }))
  if (path === '/inside') return inside()
  if (path === '/order') return order(query.get('url') ?? process.env.DATABASE_URL)
  return { version: Number(VERSION) }
}

const server = http.createServer(async (asked, reply) => {
  const { pathname, searchParams } = new URL(asked.url, 'http://x')
  asked.resume()
  if (pathname === '/missing') reply.statusCode = 404
  if (pathname === '/moved') reply.writeHead(302, { location: '/' })
  else reply.setHeader('content-type', 'application/json')
  if (MODE === 'one-answer') reply.on('finish', crash)
  reply.end(JSON.stringify(await answer(pathname, searchParams)))
  // The first answer that went through the router: the traffic is here, and the stability window runs.
  if (MODE === 'crash-later' && asked.headers['x-forwarded-for']) setTimeout(crash, 50)
})
server.keepAliveTimeout = 60_000
if (MODE === 'deaf') setInterval(() => console.log('ouvindo nada'), 5000)
else setTimeout(() => server.listen(Number(PORT) + (MODE === 'elsewhere' ? 1 : 0), '0.0.0.0'), Number(START_MS))
process.on('SIGTERM', () => setTimeout(() => process.exit(0), Number(STOP_MS)))
`

export const plainApp = {
  'package.json': JSON.stringify({ name: 'quitanda', scripts: { start: 'node server.js' } }),
  'server.js': SERVER,
}

/** With the driver of Postgres, installed by the build from the registry. */
export const databaseApp = {
  'package.json': JSON.stringify({
    name: 'estoque',
    scripts: { start: 'node server.js' },
    dependencies: { pg: '8.16.3' },
  }),
  'server.js': SERVER,
}

export const dockerfileApp = (user: string | null) => ({
  Dockerfile: `FROM cais/node:20\nWORKDIR /app\nCOPY server.js ./\n${user ? `USER ${user}\n` : ''}CMD ["node", "server.js"]\n`,
  'server.js': SERVER,
})

export const site = { 'index.html': '<!doctype html><title>Feira</title><h1>Feira de domingo</h1>\n' }

export async function tarGz(files: Record<string, string>): Promise<Buffer> {
  const pack = tar.pack()
  for (const [name, text] of Object.entries(files)) pack.entry({ name }, text)
  pack.finalize()
  return gzipSync(await buffer(pack))
}

/** A zip of stored members (APPNOTE 4.3). */
export function zip(files: Record<string, string>): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [path, text] of Object.entries(files)) {
    const [name, body] = [Buffer.from(path), Buffer.from(text)]
    // Version 2.0, UTF-8 names, no compression, midnight of 1980-01-01.
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x800, 2)
    common.writeUInt16LE(0x21, 8)
    common.writeUInt32LE(crc32(body), 10)
    common.writeUInt32LE(body.length, 14)
    common.writeUInt32LE(body.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name, body])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, tail, name]))
    locals.push(local)
    offset += local.length
  }
  const end = Buffer.alloc(18)
  end.writeUInt16LE(directory.length, 4)
  end.writeUInt16LE(directory.length, 6)
  end.writeUInt32LE(Buffer.concat(directory).length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, ...directory, Buffer.from('PK\x05\x06', 'latin1'), end])
}
