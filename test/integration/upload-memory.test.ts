// Four of the largest uploads at once, into a platform of its own process: memory stays where it was.
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import t from 'tap'
import { startPlatformProcess } from '../support/platform.ts'
import { freshDatabase } from '../support/postgres.ts'

const MIB = 1024 * 1024
const ALLOWED_GROWTH_BYTES = 96 * MIB
const UPLOADS = 4
const BLOCK = 65_535
/** The largest file that is taken (D-44), and what is in it: the rest is headers, of tar, of gzip and of its blocks. */
const FILE_BYTES = 512 * MIB
const CONTENT_BYTES = 511 * MIB

/** Incompressible, never twice the same run of bytes: one random block, moved on by one byte for each block. */
const NOISE = randomBytes(2 * MIB)

function* content(): Generator<Buffer> {
  const header = Buffer.alloc(512)
  header.write('noise.bin')
  header.write('0000644\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${CONTENT_BYTES.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.write('        0', 148)
  header.write('ustar\0' + '00', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  yield header
  for (let sent = 0, i = 0; sent < CONTENT_BYTES; i++) {
    const size = Math.min(BLOCK - 512, CONTENT_BYTES - sent)
    const start = (i * 4099) % (NOISE.length - BLOCK)
    yield NOISE.subarray(start, start + size)
    sent += size
  }
  yield Buffer.alloc(1024)
}

/** A gzip file of stored blocks: valid, and made without compressing anything. */
function* storedGzip(parts: Iterable<Buffer>, commentBytes: number): Generator<Buffer> {
  // Flag 0x10: a comment, ended by a zero byte, makes the file exactly as large as it should be.
  yield Buffer.from([0x1f, 0x8b, 8, 0x10, 0, 0, 0, 0, 0, 3])
  for (let left = commentBytes; left > 0; left -= BLOCK) yield Buffer.alloc(Math.min(left, BLOCK), ' ')
  yield Buffer.from([0])
  let [sum, size] = [0, 0]
  for (const part of parts) {
    sum = crc32(part, sum)
    size += part.length
    yield storedBlock(part, false)
  }
  const end = Buffer.alloc(8)
  end.writeUInt32LE(sum >>> 0, 0)
  end.writeUInt32LE(size >>> 0, 4)
  yield Buffer.concat([storedBlock(Buffer.alloc(0), true), end])
}

function storedBlock(part: Buffer, last: boolean): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt8(last ? 1 : 0, 0)
  head.writeUInt16LE(part.length, 1)
  head.writeUInt16LE(~part.length & 0xffff, 3)
  return Buffer.concat([head, part])
}

/** How long the comment has to be for a file of FILE_BYTES. */
function commentBytes(): number {
  let size = 0
  for (const part of storedGzip(content(), 0)) size += part.length
  return FILE_BYTES - size
}

interface Answer {
  status: number | undefined
  body: { source?: { sha256: string } }
}

/** Streams one upload; whole blocks are made only as fast as the platform takes them. */
async function upload(
  url: string,
  token: string,
  comment: number,
): Promise<Answer & { sent: string; sentBytes: number }> {
  const boundary = randomBytes(12).toString('hex')
  const hash = createHash('sha256')
  let sentBytes = 0
  function* body(): Generator<Buffer> {
    const disposition = 'Content-Disposition: form-data; name="file"; filename="app.tar.gz"'
    yield Buffer.from(`--${boundary}\r\n${disposition}\r\nContent-Type: application/gzip\r\n\r\n`)
    for (const chunk of storedGzip(content(), comment)) {
      hash.update(chunk)
      sentBytes += chunk.length
      yield chunk
    }
    yield Buffer.from(`\r\n--${boundary}--\r\n`)
  }
  const sending = request(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
  })
  const answered = once(sending, 'response')
  Readable.from(body(), { highWaterMark: 1 }).pipe(sending)
  const [response] = await answered
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('utf8')
  return { status: response.statusCode, body: JSON.parse(text), sent: hash.digest('hex'), sentBytes }
}

/** What the process has in memory, and the most that it ever had since `forgetPeak`: no sample misses that. */
async function memoryOf(pid: number): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') }
}

const forgetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5')

/** How many uploads are being received at this moment. */
async function arriving(dataDir: string): Promise<number> {
  const names = await readdir(path.join(dataDir, 'uploads')).catch(() => [])
  return names.filter(name => name.endsWith('.part')).length
}

void t.test('four uploads of 512 MB at once add at most 96 MiB of memory', { timeout: 280_000 }, async t => {
  const { url: databaseUrl } = await freshDatabase(t)
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'cais-memory-'))
  t.teardown(() => rm(dataDir, { recursive: true, force: true }))
  const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, CAIS_RUNTIME: 'simulated' }
  const platform = await startPlatformProcess(env)
  if (!platform) throw new Error('the platform did not start')
  t.teardown(() => platform.kill().then(() => {}))
  const token = (await readFile(path.join(dataDir, 'token'), 'utf8')).trim()
  const post = async (at: string, body: object) => {
    const response = await fetch(`${platform.url}/v1${at}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await response.json()) as { id: string }
  }
  const project = await post('/projects', { name: 'loja' })
  const services = ['a', 'b', 'c', 'd'].slice(0, UPLOADS)
  for (const name of services) await post(`/projects/${project.id}/services`, { name })

  const pid = platform.child.pid as number
  const comment = commentBytes()
  await forgetPeak(pid)
  const { now: before } = await memoryOf(pid)
  let together = 0
  let running = true
  const watch = async () => {
    for (; running; await delay(100)) together = Math.max(together, await arriving(dataDir))
  }
  const watching = watch()
  const startedAt = Date.now()
  const answers = await Promise.all(
    services.map(name =>
      upload(`${platform.url}/v1/projects/${project.id}/services/${name}/deployments`, token, comment),
    ),
  ).finally(() => (running = false))
  await watching
  for (const { status, body, sent, sentBytes } of answers) {
    t.equal(status, 202, JSON.stringify(body))
    t.equal(body.source?.sha256, sent)
    t.equal(sentBytes, FILE_BYTES)
  }
  t.equal(together, UPLOADS, 'all at once')
  const grown = (await memoryOf(pid)).peak - before
  t.comment(`${Math.round(grown / MIB)} MiB more than ${Math.round(before / MIB)}, in ${Date.now() - startedAt} ms`)
  t.ok(grown <= ALLOWED_GROWTH_BYTES, `${Math.round(grown / MIB)} MiB more`)
  t.strictSame(
    (await readdir(path.join(dataDir, 'uploads'))).filter(name => name.endsWith('.part')),
    [],
  )
})
