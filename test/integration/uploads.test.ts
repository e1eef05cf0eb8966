// Uploads over HTTP: what is accepted, what is refused before anything is stored, and the same file sent again.
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import t, { type Test } from 'tap'
import { findDeploymentPlan } from '../../db/queries/deployments.ts'
import { sendRaw, startApi, type Api } from '../support/api.ts'
import { form, refuse, settle, tarGz } from '../support/deployments.ts'

const MIB = 1024 * 1024
/** A zip that holds a file `a` with the letter a, stored. */
const ZIP = Buffer.from(
  '504b03041400000000000000210043beb7e80100000001000000010000006161504b0102140314000000000000002100' +
    '43beb7e8010000000100000001000000000000000000000080010000000061504b050600000000010001002f00000020' +
    '0000000000',
  'hex',
)

async function uploadService(t: Test): Promise<Api & { path: string; folder: string; files: () => Promise<string[]> }> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'cais-upload-'))
  t.teardown(() => rm(dataDir, { recursive: true, force: true }))
  const api = await startApi(t, { env: { DATA_DIR: dataDir } })
  const { id } = await api.client.project('loja')
  const folder = path.join(dataDir, 'uploads')
  const files = () => readdir(folder).catch(() => [])
  return { ...api, path: `/projects/${id}/services/web`, folder, files }
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

void t.test('C-110 an upload is stored by content, makes the service an upload service, and is deployed', async t => {
  const { client, db, path, folder, files } = await uploadService(t)
  const archive = await tarGz({ 'index.js': 'hello' })
  const reply = await client.post(`${path}/deployments`, form(archive))
  t.equal(reply.status, 202)
  t.match(reply.body, { status: 'queued', trigger: 'upload', source: { type: 'upload', sha256: sha256(archive) } })
  t.same(await files(), [sha256(archive)])
  t.same(await readFile(`${folder}/${sha256(archive)}`), archive)
  t.match((await client.get(path)).body, { source: { type: 'upload' }, status: 'deploying' })
  t.match((await client.get(`${path}/deployments`)).body.items, [{ id: reply.body.id, created_at: /Z$/ }])

  await refuse(db, reply.body.id, 'build', 'build_oom')
  const zip = await client.post(`${path}/deployments`, form(ZIP))
  t.equal(zip.status, 202, zip.text)
  t.equal((await files()).length, 2)
})

void t.test('D-45 {} deploys the last file again, and so does a group (C-138)', async t => {
  const { client, db, path } = await uploadService(t)
  const archive = await tarGz({ 'index.js': 'hello' })
  const first = await client.post(`${path}/deployments`, form(archive))
  await refuse(db, first.body.id, 'build', 'build_oom')
  await client.put(`${path}/variables/X`, { value: 'new' })
  const again = await client.post(`${path}/deployments`, {})
  t.match(again.body, { trigger: 'api', source: { type: 'upload', sha256: sha256(archive) } })
  await refuse(db, again.body.id, 'build', 'build_oom')
  const group = await client.post(path.replace('/services/web', '/deploy'))
  const item = group.body.items[0]
  t.match(item, { status: 'queued' })
  const plan = await findDeploymentPlan(db, item.deployment_id)
  t.match(plan?.settings, { source: { type: 'upload', sha256: sha256(archive) } })
})

void t.test('D-45 a file for an image service is 400 and is not kept', async t => {
  const { client, path, files } = await uploadService(t)
  await client.patch(path, { source: { type: 'image', ref: 'registry.test/app:1' } })
  const reply = await client.post(`${path}/deployments`, form(await tarGz({ a: 'a' })))
  t.match({ status: reply.status, error: reply.body.error }, { status: 400, error: 'invalid_request' })
  t.same(await files(), [])
})

void t.test(
  'C-111 no file, two files, another part, a text file, an empty file, a broken body: 400, nothing kept',
  async t => {
    const { client, db, path, files } = await uploadService(t)
    const archive = await tarGz({ a: 'a' })
    const two = form(archive)
    two.append('file', new Blob([archive as never]), 'b.tar.gz')
    const extra = form(archive)
    extra.append('name', 'web')
    const multipart = { 'content-type': 'multipart/form-data; boundary=b' }
    const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n'
    const refused: [string, FormData | string, Record<string, string>?][] = [
      ['no file', form(archive, 'archive')],
      ['two files', two],
      ['another part', extra],
      ['a text file', form('hello')],
      ['an empty file', form('')],
      ['half an archive', form(archive.subarray(0, archive.length - 20))],
      ['no parts', '--b--\r\n', multipart],
      ['cut short', `${head}half`, multipart],
      ['no boundary', 'x', { 'content-type': 'multipart/form-data; charset=utf-8' }],
      ['not multipart', 'hello', multipart],
    ]
    for (const [name, body, headers] of refused) {
      const reply = await client.post(`${path}/deployments`, body, headers)
      t.match({ status: reply.status, error: reply.body?.error }, { status: 400, error: 'invalid_request' }, name)
    }
    const encoded = await client.post(`${path}/deployments`, form(archive), { 'content-encoding': 'gzip' })
    t.match({ status: encoded.status, error: encoded.body.error }, { status: 415, error: 'unsupported_media_type' })
    t.same(await files(), [])
    t.equal((await db('deployment')).length, 0)
    t.equal((await client.get('/limits')).body.deploys_per_hour.used, 0)
  },
)

void t.test('C-112 an archive that leaves its folder is 400, with nothing stored', async t => {
  const { client, db, path, files } = await uploadService(t)
  for (const name of ['../x', '/etc/x']) {
    const reply = await client.post(`${path}/deployments`, form(await tarGz({ [name]: 'x' })))
    t.equal(reply.status, 400, name)
  }
  for (const header of [
    { name: 'l', type: 'symlink', linkname: '../../etc/passwd' },
    { name: 'h', type: 'link', linkname: '/etc/passwd' },
    { name: 'd', type: 'character-device' },
  ] as const) {
    const archive = pack()
    archive.entry({ name: 'index.html' }, 'hello')
    archive.entry(header)
    archive.finalize()
    const bytes = gzipSync(await buffer(archive as unknown as NodeJS.ReadableStream))
    const reply = await client.post(`${path}/deployments`, form(bytes))
    t.match({ status: reply.status, error: reply.body.error }, { status: 400, error: 'invalid_request' }, header.type)
  }
  const bomb = await client.post(`${path}/deployments`, form(await tarGz({ zeros: '\0'.repeat(4 * MIB) })))
  t.equal(bomb.status, 400, 'an expansion bomb')
  t.same(await files(), [])
  t.equal((await db('deployment')).length, 0)
})

void t.test(
  'C-113 C-114 the same key and file is a replay while the first runs; another file is a conflict',
  async t => {
    const { client, db, path, files } = await uploadService(t)
    const archive = await tarGz({ a: 'a' })
    const key = { 'idempotency-key': 'upload-1' }
    const first = await client.post(`${path}/deployments`, form(archive), key)
    t.equal(first.status, 202)
    await settle(db)
    const again = await client.post(`${path}/deployments`, form(archive), key)
    t.same([again.status, again.text, again.headers.get('idempotent-replay')], [202, first.text, 'true'])
    const other = await client.post(`${path}/deployments`, form(await tarGz({ b: 'b' })), key)
    t.match({ status: other.status, error: other.body.error }, { status: 422, error: 'idempotency_conflict' })
    const json = await client.post(`${path}/deployments`, {}, key)
    t.equal(json.status, 422)
    const fresh = await client.post(`${path}/deployments`, form(archive), { 'idempotency-key': 'upload-2' })
    t.match({ status: fresh.status, error: fresh.body.error }, { status: 409, error: 'deploy_in_progress' })
    t.same(await files(), [sha256(archive)], 'what was not used is gone')
  },
)

void t.test('C-115 twenty uploads at once make exactly one deployment', async t => {
  const { client, path, files } = await uploadService(t)
  const archives = await Promise.all(Array.from({ length: 20 }, (_, i) => tarGz({ a: String(i) })))
  const replies = await Promise.all(archives.map(archive => client.post(`${path}/deployments`, form(archive))))
  t.same(
    replies.map(reply => reply.status).sort(),
    replies.map((_, i) => (i === 0 ? 202 : 409)),
  )
  t.equal((await files()).length, 1)
})

/** Streams a multipart body without holding it; answers the status once it comes. */
async function stream(api: Api, url: string, bytes: number, headers: Record<string, string> = {}): Promise<number> {
  const head = Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n')
  const chunk = randomBytes(MIB)
  const parts = function* () {
    yield head
    for (let left = bytes; left > 0; left -= chunk.length) yield left < chunk.length ? chunk.subarray(0, left) : chunk
    yield Buffer.from('\r\n--b--\r\n')
  }
  const sent = request(`${api.url}/v1${url}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${api.client.token}`,
      'content-type': 'multipart/form-data; boundary=b',
      ...headers,
    },
  })
  Readable.from(parts()).pipe(sent)
  const [response] = (await once(sent, 'response')) as [{ statusCode: number; resume(): void }]
  response.resume()
  sent.destroy()
  return response.statusCode
}

void t.test(
  'C-111 512 MiB and one byte is 413: at once when declared, by counting when chunked; memory stays flat',
  async t => {
    const api = await uploadService(t)
    const url = `${api.path}/deployments`
    const declared = await sendRaw(
      api.port,
      `POST /v1${url} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${api.client.token}\r\nconnection: close\r\n` +
        `content-type: multipart/form-data; boundary=b\r\ncontent-length: ${513 * MIB}\r\nexpect: 100-continue\r\n\r\n`,
    )
    t.match(declared, /^HTTP\/1\.1 413 /, 'D-24 the body is never asked for')
    t.match(declared, /payload_too_large/)
    const before = process.memoryUsage().rss
    t.equal(await stream(api, url, 512 * MIB + 1), 413)
    t.ok(process.memoryUsage().rss - before < 200 * MIB, 'constant memory')
    t.same(await api.files(), [])
  },
)

void t.test('D-24 a client that waits is asked for its body only when it may send', async t => {
  const api = await uploadService(t)
  const ask = (token: string, url: string) =>
    sendRaw(
      api.port,
      `POST /v1${url} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n` +
        `content-type: multipart/form-data; boundary=b\r\ncontent-length: 7\r\nexpect: 100-continue\r\n\r\n--b--\r\n`,
    )
  const url = `${api.path}/deployments`
  t.match(await ask(api.client.token, url), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /)
  const reader = await api.newClient({ scopes: ['projects:read'] })
  t.match(await ask(reader.token, url), /^HTTP\/1\.1 403 /)
  t.match(await ask((await api.newTeam()).client.token, url), /^HTTP\/1\.1 404 /)
})

void t.test('an upload that is broken off leaves nothing', async t => {
  const api = await uploadService(t)
  const sent = request(`${api.url}/v1${api.path}/deployments`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${api.client.token}`,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': String(MIB),
    },
  })
  sent.on('error', () => {})
  sent.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nsome bytes')
  const until = async (look: (files: string[]) => boolean) => {
    while (!look(await api.files())) await new Promise(resolve => setImmediate(resolve))
  }
  await until(files => files.length === 1)
  sent.destroy()
  await until(files => files.length === 0)
  t.pass('the half is gone')
})
