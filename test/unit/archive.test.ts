import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { crc32, deflateRawSync, gunzipSync, gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import tar from 'tar-stream'
import { checkArchive, readArchive } from '../../src/domain/archive.ts'

type Member = { name: string; body?: string | Buffer; type?: string; link?: string; mode?: number }

async function tarGz(members: Member[]): Promise<Buffer> {
  const pack = tar.pack()
  const bytes = buffer(pack as unknown as NodeJS.ReadableStream)
  for (const { name, body = '', type = 'file', link, mode = 0o644 } of members) {
    const header = { name, type, mode, ...(link === undefined ? {} : { linkname: link }) }
    pack.entry(header as Parameters<typeof pack.entry>[0], body)
  }
  pack.finalize()
  return gzipSync(await bytes)
}

/** A zip as Info-ZIP writes it on Unix. `lie` = the size that it declares. */
function zip(members: (Member & { lie?: number; flags?: number; sum?: number })[]): Buffer {
  const types: Record<string, number> = { file: 0o100000, directory: 0o040000, symlink: 0o120000, fifo: 0o010000 }
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let at = 0
  for (const { name, body = '', type = 'file', link, mode = 0o644, lie, flags = 0x800, sum } of members) {
    const plain = Buffer.from(link ?? body)
    const packed = deflateRawSync(plain)
    const file = Buffer.from(name)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(flags, 2)
    facts.writeUInt16LE(8, 4)
    facts.writeUInt32LE(sum ?? crc32(plain), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(lie ?? plain.length, 18)
    facts.writeUInt16LE(file.length, 22)
    locals.push(Buffer.from('PK\x03\x04'), facts, file, packed)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE((((types[type] ?? 0) | mode) << 16) >>> 0, 6)
    rest.writeUInt32LE(at, 10)
    centrals.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), facts, rest, file)
    at += 30 + file.length + packed.length
  }
  const central = Buffer.concat(centrals)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(members.length, 4)
  end.writeUInt16LE(members.length, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...locals, central, Buffer.from('PK\x05\x06'), end])
}

async function stored(t: Test, bytes: Buffer): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'cais-archive-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'upload')
  await writeFile(file, bytes)
  return file
}

async function refused(t: Test, bytes: Buffer, motivo: RegExp | string, what: string): Promise<void> {
  await t.rejects(checkArchive(await stored(t, bytes)), { name: 'ArchiveError', motivo }, what)
}

const GOOD: Member[] = [
  { name: './', type: 'directory', mode: 0o755 },
  { name: './package.json', body: '{}' },
  { name: 'bin//run', body: '#!/bin/sh', mode: 0o4755 },
  { name: 'src/', type: 'directory', mode: 0o2750 },
  { name: 'src/olá.txt', body: 'olá' },
  { name: 'src/link', type: 'symlink', link: '../bin/run' },
  { name: 'latest', type: 'symlink', link: 'src/./link' },
]

t.test('tar.gz and zip are recognised by content and read alike', async t => {
  for (const [format, bytes] of [
    ['tar.gz', await tarGz(GOOD)],
    ['zip', zip(GOOD)],
  ] as const) {
    const file = await stored(t, bytes)
    const summary = await checkArchive(file)
    t.match(summary, { format, entries: 6 })
    const seen: unknown[] = []
    for await (const { content, path, type, mode, linkTarget, size } of readArchive(file)) {
      seen.push([path, type, mode.toString(8), linkTarget ?? (await text(content)), size])
    }
    t.same(seen, [
      ['package.json', 'file', '644', '{}', 2],
      ['bin/run', 'file', '755', '#!/bin/sh', 9],
      ['src', 'directory', '750', '', 0],
      ['src/olá.txt', 'file', '644', 'olá', 4],
      ['src/link', 'symlink', '777', '../bin/run', 0],
      ['latest', 'symlink', '777', 'src/./link', 0],
    ])
  }
})

t.test('contents that are not read are skipped, and leaving early leaves nothing open', async t => {
  const big = Array.from({ length: 3 }, (_, i) => ({ name: `f${i}`, body: randomText(300_000 + i) }))
  for (const bytes of [await tarGz(big), zip(big)]) {
    const file = await stored(t, bytes)
    const names: string[] = []
    for await (const entry of readArchive(file)) names.push(entry.path)
    t.same(names, ['f0', 'f1', 'f2'])
    for await (const entry of readArchive(file)) {
      t.equal(entry.path, 'f0')
      break
    }
  }
})

t.test('D-44 what would leave the folder is refused', async t => {
  const rows: [what: string, members: Member[], motivo: RegExp][] = [
    ['..', [{ name: '../x' }], /contém "\.\."/],
    ['.. inside', [{ name: 'a/../b' }], /contém "\.\."/],
    ['absolute', [{ name: '/etc/passwd' }], /absoluto/],
    ['drive', [{ name: 'C:/x' }], /absoluto/],
    ['too long', [{ name: `${'a'.repeat(200)}/`.repeat(20) + 'b'.repeat(80) }], /4096 bytes/],
    ['link up', [{ name: 'l', type: 'symlink', link: '../x' }], /link "l" aponta para fora/],
    ['link to the root of the machine', [{ name: 'l', type: 'symlink', link: '/etc' }], /aponta para fora/],
    ['link up from below', [{ name: 'a/b/l', type: 'symlink', link: '../../../x' }], /aponta para fora/],
    [
      'links that leave together',
      [
        { name: 'a/b/up', type: 'symlink', link: '..' },
        { name: 'up2', type: 'symlink', link: 'a/b/up/..' },
        { name: 'out', type: 'symlink', link: 'up2/../x' },
      ],
      /link "out" aponta para fora/,
    ],
    [
      'a circle',
      [
        { name: 'a', type: 'symlink', link: 'b' },
        { name: 'b', type: 'symlink', link: 'a' },
      ],
      /lugar nenhum/,
    ],
    ['through a link', [{ name: 'd', type: 'symlink', link: 'e' }, { name: 'd/x' }], /passa por um link/],
    ['a link over a folder', [{ name: 'd/x' }, { name: 'd', type: 'symlink', link: 'e' }], /passa por um link/],
    ['through a file', [{ name: 'd' }, { name: 'd/x' }], /passa por um link ou por um arquivo/],
    ['a pipe', [{ name: 'p', type: 'fifo' }], /"p" não é arquivo, pasta nem link/],
  ]
  for (const [what, members, motivo] of rows) {
    await refused(t, await tarGz([{ name: 'ok' }, ...members]), motivo, `tar: ${what}`)
    await refused(t, zip([{ name: 'ok' }, ...members]), motivo, `zip: ${what}`)
  }
  await refused(t, await tarGz([{ name: 'd', type: 'character-device' }]), /não é arquivo/, 'a device')
  await refused(t, await tarGz([{ name: 'h', type: 'link', link: '../x' }]), /contém "\.\."/, 'a hard link up')
  await refused(
    t,
    await tarGz([{ name: 'h', type: 'link', link: 'gone' }]),
    /aponta para fora/,
    'a hard link to nothing',
  )
  await refused(t, zip([{ name: '..\\x' }]), /contém "\.\."/, 'a path of Windows')
})

t.test('what is no archive, or not all of one, is refused', async t => {
  const tarBytes = await tarGz(GOOD)
  const zipBytes = zip(GOOD)
  const rows: [what: string, bytes: Buffer, motivo: string][] = [
    ['empty', Buffer.alloc(0), 'ele está vazio'],
    ['text', Buffer.from('hello, this is text'), 'ele não é um .tar.gz nem um .zip'],
    ['one byte', Buffer.from([0x1f]), 'ele não é um .tar.gz nem um .zip'],
    ['text in gzip', gzipSync('x'.repeat(2000)), 'ele está corrompido ou incompleto'],
    ['half a tar.gz', tarBytes.subarray(0, tarBytes.length / 2), 'ele está corrompido ou incompleto'],
    ['half a tar', gzipSync(gunzipSync(tarBytes).subarray(0, 1500)), 'ele está corrompido ou incompleto'],
    ['half a zip', zipBytes.subarray(0, zipBytes.length / 2), 'ele está corrompido ou incompleto'],
    ['a wrong checksum', zip([{ name: 'a', body: 'b', sum: 1 }]), 'ele está corrompido ou incompleto'],
    ['a wrong size', zip([{ name: 'a', body: 'bbb', lie: 2 }]), 'ele está corrompido ou incompleto'],
    ['a password', zip([{ name: 'a', flags: 1 }]), 'ele está protegido por senha'],
    ['nothing in it', await tarGz([]), 'ele não contém nenhum arquivo'],
    ['only folders', zip([{ name: 'a/', type: 'directory' }]), 'ele não contém nenhum arquivo'],
  ]
  for (const [what, bytes, motivo] of rows) await refused(t, bytes, motivo, what)
})

t.test('D-44 what expands too much is refused while it expands', async t => {
  const zeros = Buffer.alloc(8 * 1024 * 1024)
  await refused(t, await tarGz([{ name: 'bomb', body: zeros }]), /200 vezes/, 'tar of zeros')
  await refused(t, zip([{ name: 'bomb', body: zeros }]), /200 vezes/, 'zip of zeros')
  await refused(t, zip([{ name: 'bomb', body: 'x', lie: 0xfffffff0 }]), /200 vezes/, 'a declared size is believed')
  const empty = gunzipSync(await tarGz([{ name: 'f' }])).subarray(0, 512)
  const many = gzipSync(Buffer.concat([...Array.from({ length: 200_001 }, () => empty), Buffer.alloc(1024)]))
  await refused(t, many, 'ele tem mais de 200.000 entradas', 'many entries')
  await refused(t, announcing(200_001), 'ele tem mais de 200.000 entradas', 'before any of them is read')
})

/** A zip of one entry whose zip64 record speaks of more. */
function announcing(entries: number): Buffer {
  const bytes = zip([{ name: 'a', body: 'b' }])
  const [list, end] = [bytes.subarray(0, -22), bytes.subarray(-22)]
  const record = Buffer.alloc(56)
  record.write('PK\x06\x06')
  record.writeBigUInt64LE(BigInt(entries), 32)
  record.writeBigUInt64LE(BigInt(end.readUInt32LE(16)), 48)
  const locator = Buffer.alloc(20)
  locator.write('PK\x06\x07')
  locator.writeBigUInt64LE(BigInt(list.length), 8)
  return Buffer.concat([list, record, locator, end])
}

t.test('a zip is read alike whether its entries are small or large, packed or not, and is always closed', async t => {
  const bodies = ['', 'x', randomText(70_000), 'y'.repeat(100_000), randomText(700_000)]
  const bytes = zip(bodies.map((body, i) => ({ name: `f${i}`, body })))
  const file = await stored(t, bytes)
  const seen: string[] = []
  for await (const entry of readArchive(file)) seen.push(await text(entry.content))
  t.ok(seen.every((body, i) => body === bodies[i]))
  await refused(t, zip([{ name: 'a', body: randomText(70_000), sum: 1 }]), /corrompido/, 'a large one with a wrong sum')
  await refused(t, zip([{ name: 'a', body: randomText(70_000), lie: 65_000 }]), /corrompido/, 'that says it is smaller')
  await refused(t, zip([{ name: 'a', body: 'bbb', lie: 4 }]), /corrompido/, 'a small one that says it is larger')
  for await (const entry of readArchive(file)) if (entry.path === 'f2') break
  const held = async () => (await Promise.all((await readdir('/proc/self/fd')).map(nameOf))).filter(isArchive)
  while ((await held()).length > 0) await new Promise(resolve => setImmediate(resolve))
  t.pass('no descriptor is left')
})

const nameOf = (fd: string): Promise<string> => readlink(`/proc/self/fd/${fd}`).catch(() => '')
const isArchive = (name: string): boolean => name.includes('cais-archive-')

t.test('a tar from before there was ustar is one too', async t => {
  const old = gunzipSync(await tarGz([{ name: 'a', body: 'b' }]))
  let sum = old
    .fill(0, 257, 512)
    .fill(' ', 148, 156)
    .subarray(0, 512)
    .reduce((all, byte) => all + byte, 0)
  old.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  t.match(await checkArchive(await stored(t, gzipSync(old))), { format: 'tar.gz', entries: 1, expandedBytes: 1 })
  sum += 1
  old.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  await refused(t, gzipSync(old), /corrompido/, 'with a wrong sum')
})

t.test('a hard link becomes a symbolic one', async t => {
  const file = await stored(
    t,
    await tarGz([
      { name: 'store/pkg/index.js', body: 'x' },
      { name: 'app/lib/index.js', type: 'link', link: 'store/pkg/index.js' },
    ]),
  )
  const links: unknown[] = []
  for await (const { path, type, linkTarget } of readArchive(file)) links.push([path, type, linkTarget])
  t.same(links[1], ['app/lib/index.js', 'symlink', '../../store/pkg/index.js'])
  await t.resolves(checkArchive(file))
})

function randomText(length: number): string {
  let seed = 1
  return Array.from({ length }, () => String.fromCharCode(33 + ((seed = (seed * 48271) % 2147483647) % 90))).join('')
}
