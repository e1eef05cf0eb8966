// A final backup as a file: compressed while it streams, whole or absent, and read back before anybody trusts it.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { PassThrough, Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createBrotliCompress, createBrotliDecompress } from 'node:zlib'
import { DriverError, type BackupFile } from '../contracts.ts'

const TAIL_BYTES = 4096
const BATCH_BYTES = 256 * 1024
/**
 * Brotli 1 makes files as small as gzip 1 does, and of hexadecimal binary data smaller ones, in half to a quarter of the
 * processor time (200 to 290 MB/s): its time is taken from the applications of this machine.
 */
const compressor = () =>
  createBrotliCompress({ chunkSize: BATCH_BYTES, params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
const decompressor = () => createBrotliDecompress({ chunkSize: BATCH_BYTES })
const bytesOf = (file: string) => createReadStream(file, { highWaterMark: BATCH_BYTES })

/**
 * Streams `dump` into `file`, replacing it, and reads the result back: it must decompress, and its text must pass
 * `isComplete`, which sees its end. `exited` is the fate of the program that writes the dump. What fails leaves no file.
 */
export async function writeBackup(
  file: string,
  dump: Readable,
  exited: Promise<void>,
  isComplete: (tail: string) => boolean,
  signal: AbortSignal,
): Promise<BackupFile> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.draft`
  await rm(draft, { force: true })
  try {
    const sink = createWriteStream(draft, { mode: 0o600, flags: 'wx' })
    await Promise.all([pipeline(dump, inBatches, compressor(), sink, { signal }), exited])
    await flush(draft)
    const { sha256, tail } = await readThrough(draft, signal)
    if (!isComplete(tail)) throw new DriverError('backup_incomplete', 'the dump ended early', { temporary: true })
    await rename(draft, file)
    return { path: file, sizeBytes: (await stat(file)).size, sha256 }
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** The text of a backup. Throws backup_damaged, before the first byte of it, when the file is not what was written. */
export async function readBackup(backup: BackupFile, signal: AbortSignal): Promise<Readable> {
  await verifyBackup(backup, signal)
  const text = new PassThrough()
  pipeline(bytesOf(backup.path), decompressor(), text, { signal }).catch(error => text.destroy(error))
  return text
}

/** Throws backup_damaged unless the file holds the bytes that were written. */
export async function verifyBackup(backup: BackupFile, signal: AbortSignal): Promise<void> {
  const hash = createHash('sha256')
  try {
    await pipeline(bytesOf(backup.path), hash, { signal })
  } catch (cause) {
    signal.throwIfAborted()
    throw new DriverError('backup_damaged', `the backup ${backup.path} cannot be read`, { cause })
  }
  if (hash.digest('hex') !== backup.sha256) throw damaged('its checksum is another')
}

// A server may send every word of a row by itself, and each piece given to a compressor costs a task of its own.
async function* inBatches(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let bytes = 0
  for await (const piece of pieces) {
    held.push(piece)
    bytes += piece.length
    if (bytes < BATCH_BYTES) continue
    yield Buffer.concat(held, bytes)
    held = []
    bytes = 0
  }
  yield Buffer.concat(held, bytes)
}

async function readThrough(file: string, signal: AbortSignal): Promise<{ sha256: string; tail: string }> {
  const hash = createHash('sha256')
  const hashed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  let tail: Buffer = Buffer.alloc(0)
  try {
    await pipeline(
      bytesOf(file),
      hashed,
      decompressor(),
      async text => {
        for await (const chunk of text) tail = Buffer.concat([tail, chunk as Buffer]).subarray(-TAIL_BYTES)
      },
      { signal },
    )
  } catch (error) {
    signal.throwIfAborted()
    throw damaged((error as Error).message, error)
  }
  return { sha256: hash.digest('hex'), tail: tail.toString() }
}

async function flush(file: string): Promise<void> {
  const handle = await open(file)
  await handle.sync().finally(() => handle.close())
}

function damaged(why: string, cause?: unknown): DriverError {
  return new DriverError('backup_damaged', `the backup cannot be used: ${why}`, { cause })
}
