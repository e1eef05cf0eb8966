// The two formats as one sequence of raw entries. Nothing is judged here but the bytes themselves.
import { createReadStream } from 'node:fs'
import { PassThrough, Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, crc32, inflateRawSync } from 'node:zlib'
import tar, { type Extract, type Header } from 'tar-stream'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { ArchiveError, damaged } from './archive-error.ts'
import { ArchiveFile } from './archive-file.ts'
import { ARCHIVE } from './limits.ts'

type Source = Extract extends AsyncIterable<infer S> ? S : never

export interface RawEntry {
  path: string
  kind: 'file' | 'directory' | 'symlink' | 'hardlink' | 'other'
  mode: number
  size: number
  linkTarget: string
  /** To be read, or left, before the next entry is asked for. */
  content: Readable
}

const FOLDER_MODE = 0o755
const FILE_MODE = 0o644
const SMALL_BYTES = 64 * 1024
const STORED = 0
/** Also what was written before there was ustar; the checksum of each header is looked at all the same. */
const ANY_AGE: object = { allowUnknownFormat: true }

export async function* tarEntries(file: string): AsyncGenerator<RawEntry> {
  const extract = tar.extract(ANY_AGE)
  const reading = pipeline(createReadStream(file), createGunzip(), stopAfter(ARCHIVE.maxExpandedBytes), extract)
  // Awaited after the last entry; until then a failure comes out of the loop.
  reading.catch(() => {})
  try {
    for await (const entry of extract) {
      const { header } = entry
      const kind = tarKind(header.type)
      if (kind === 'directory' && header.size) throw damaged()
      const { content, copying } = header.size === 0 ? empty(entry) : copy(entry)
      yield {
        path: header.name,
        kind,
        mode: header.mode,
        size: header.size,
        linkTarget: header.linkname ?? '',
        content,
      }
      content.resume()
      await copying
    }
    await reading
  } finally {
    extract.destroy()
  }
}

interface Content {
  content: Readable
  /** Ends when the content has been read. */
  copying: Promise<void>
}

/** A stream of Node's own, because tar-stream's are not and its next entry depends on how this one ends. */
function copy(entry: Source): Content {
  const content = new PassThrough()
  const copying = pipeline(entry as unknown as NodeJS.ReadableStream, content)
  // Awaited before the next entry; whoever leaves before that does not want to know.
  copying.catch(() => {})
  return { content, copying }
}

/** Spares the many empty files and folders of an archive a stream. */
function empty(entry: Source): Content {
  entry.resume()
  return { content: Readable.from([]), copying: Promise.resolve() }
}

/** Types that tar-stream does not know, such as sparse files, come as null, whatever its declaration says. */
function tarKind(type: Header['type'] | null): RawEntry['kind'] {
  if (type === 'file' || type === 'contiguous-file') return 'file'
  if (type === 'directory' || type === 'symlink') return type
  return type === 'link' ? 'hardlink' : 'other'
}

/** Headers and padding count too, so that they are no way around the limit. */
function stopAfter(most: number): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length
      done(bytes > most ? tooLarge() : null, chunk)
    },
  })
}

/** The refusal of D-44 for what is too large once expanded. */
export function tooLarge(): ArchiveError {
  return new ArchiveError('ele passa de 4 GiB ou de 200 vezes o seu tamanho depois de expandido')
}

/** The refusal of D-44 for more entries than anybody needs. */
export function tooMany(): ArchiveError {
  return new ArchiveError('ele tem mais de 200.000 entradas')
}

export async function* zipEntries(file: string): AsyncGenerator<RawEntry> {
  const bytes = new ArchiveFile(file)
  const zip = await openZip(bytes)
  try {
    if (zip.entryCount > ARCHIVE.maxEntries) throw tooMany()
    for await (const entry of zip.eachEntry()) {
      if (entry.isEncrypted()) throw new ArchiveError('ele está protegido por senha')
      if (!entry.canDecodeFileData()) throw new ArchiveError('ele usa uma compressão que não é aceita')
      const name = yauzl.getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false)
      const { kind, mode } = zipKind(entry, name)
      const { content, copying } = await contentOf(zip, bytes, entry)
      const linkTarget = kind === 'symlink' ? await shortText(content, entry.uncompressedSize) : ''
      yield { path: name, kind, mode, size: entry.uncompressedSize, linkTarget, content }
      content.resume()
      await copying
    }
  } finally {
    zip.close()
  }
}

/** From here on `zip.close()` closes the file, once nothing is read from it any more. */
async function openZip(bytes: ArchiveFile): Promise<ZipFile> {
  try {
    return await yauzl.fromRandomAccessReaderPromise(bytes, bytes.size, { decodeStrings: false, autoClose: false })
  } catch (error) {
    await new Promise(resolve => bytes.close(resolve))
    throw error
  }
}

/** What is small is opened at once: most of an archive of sources is, and streams would cost ten times as much. */
async function contentOf(zip: ZipFile, bytes: ArchiveFile, entry: Entry): Promise<Content> {
  const isSmall = entry.compressedSize <= SMALL_BYTES && entry.uncompressedSize <= SMALL_BYTES
  if (isSmall) {
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
    const content = Readable.from([expand(entry, await bytes.piece(fileDataStart, entry.compressedSize))])
    return { content, copying: Promise.resolve() }
  }
  const content = new PassThrough()
  const copying = pipeline(await zip.openReadStreamPromise(entry), checkSum(entry.crc32), content)
  copying.catch(() => {})
  return { content, copying }
}

function expand({ compressionMethod, uncompressedSize, crc32: sum }: Entry, packed: Buffer): Buffer {
  const plain =
    compressionMethod === STORED ? packed : inflateRawSync(packed, { maxOutputLength: uncompressedSize + 1 })
  if (plain.length !== uncompressedSize || crc32(plain) !== sum) throw damaged()
  return plain
}

/** Systems that have modes keep them in the upper half of the attributes; the others say what is a folder by a slash. */
function zipKind(entry: Entry, name: string): { kind: RawEntry['kind']; mode: number } {
  const unix = entry.externalFileAttributes >>> 16
  const folder = name.endsWith('/')
  const types: Record<number, RawEntry['kind']> = { 0o100000: 'file', 0o040000: 'directory', 0o120000: 'symlink' }
  const type = unix & 0o170000
  const kind = type === 0 || folder ? (folder ? 'directory' : 'file') : (types[type] ?? 'other')
  return { kind, mode: (unix & 0o7777) === 0 ? (kind === 'directory' ? FOLDER_MODE : FILE_MODE) : unix & 0o7777 }
}

function checkSum(expected: number): Transform {
  let sum = 0
  return new Transform({
    transform(chunk: Buffer, _, done) {
      sum = crc32(chunk, sum)
      done(null, chunk)
    },
    flush: done => done(sum === expected ? null : damaged()),
  })
}

async function shortText(content: Readable, size: number): Promise<string> {
  if (size > ARCHIVE.maxPathBytes) throw new ArchiveError(`há um link com mais de ${ARCHIVE.maxPathBytes} bytes`)
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
