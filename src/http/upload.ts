// Archives on their way in: one part `file`, streamed to a temporary file with constant memory, hashed as it passes,
// and renamed to its content's name only when the trigger wants to keep it.
import { createHash, type Hash } from 'node:crypto'
import { mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import { ArchiveError, checkArchive, type ArchiveFormat } from '../domain/archive.ts'
import { newId } from '../domain/ids.ts'
import { ARCHIVE } from '../domain/limits.ts'
import { uploadPath, uploadsFolder } from '../domain/uploads.ts'
import { askForBody } from './body.ts'
import { ApiError, fieldError } from './errors.ts'

/** Room for boundaries and part headers around a file of the largest size. */
const ENVELOPE_BYTES = 64 * 1024
const TEMPORARY = '.part'

/** An upload that has been looked into and may be stored. */
export interface ReceivedArchive {
  /** Temporary file in the uploads folder, until `keepUpload` or `discardUpload`. */
  temporaryPath: string
  sha256: string
  sizeBytes: number
  format: ArchiveFormat
}

/** 413 from the declared size, before the body is read (D-24). Units: bytes of the whole request body. */
export function refuseDeclaredSize(request: IncomingMessage): void {
  if (Number(request.headers['content-length'] ?? 0) > ARCHIVE.maxBytes + ENVELOPE_BYTES) throw tooLarge()
}

/**
 * Reads a multipart body with exactly one part, `file`, into the uploads folder, and looks through the archive in it.
 * Refusals: 400 for other parts, no file, a broken body, or an archive that D-44 refuses; 413 above 512 MB. On a refusal
 * the rest of the body is discarded and nothing stays on disk.
 */
export async function receiveArchive(request: IncomingMessage, dataDir: string): Promise<ReceivedArchive> {
  refuseDeclaredSize(request)
  const folder = uploadsFolder(dataDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const temporaryPath = path.join(folder, newId() + TEMPORARY)
  askForBody(request)
  try {
    const { sha256, sizeBytes } = await readFilePart(request, temporaryPath)
    const { format } = await checkArchive(temporaryPath)
    return { temporaryPath, sha256, sizeBytes, format }
  } catch (error) {
    await rm(temporaryPath, { force: true })
    throw error instanceof ArchiveError ? badFile(error.motivo) : error
  }
}

/**
 * Gives the file its content's name; done already is done. The same content sent before is replaced by itself. Durable
 * when it returns.
 */
export async function keepUpload(upload: ReceivedArchive, dataDir: string): Promise<void> {
  const kept = uploadPath(dataDir, upload.sha256)
  await rename(upload.temporaryPath, kept).catch(async (error: NodeJS.ErrnoException) => {
    // A transaction that is tried again comes here a second time.
    if (error.code !== 'ENOENT') throw error
    await stat(kept)
  })
  const folder = await open(uploadsFolder(dataDir))
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Nothing stays; a file that was kept is no longer under its temporary name, so this does not touch it. */
export async function discardUpload(upload: ReceivedArchive): Promise<void> {
  await rm(upload.temporaryPath, { force: true })
}

/** Large uploads of one team at once (decisions 6); smaller ones are not counted. */
const LARGE_BYTES = 16 * 1024 * 1024

class UploadSlots {
  readonly #busy = new Map<string, number>()

  /** Takes a place for as long as the upload is read; 429 when the team has none left. Answers how to give it back. */
  enter(teamId: string, request: IncomingMessage, max: number): () => void {
    const size = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
    if (size < LARGE_BYTES) return () => {}
    const busy = this.#busy.get(teamId) ?? 0
    if (busy >= max) {
      throw new ApiError('rate_limited.requests', { segundos: 5 }, { retryAfter: 5 })
    }
    this.#busy.set(teamId, busy + 1)
    return () => this.#leave(teamId)
  }

  #leave(teamId: string): void {
    const left = (this.#busy.get(teamId) ?? 1) - 1
    if (left > 0) this.#busy.set(teamId, left)
    else this.#busy.delete(teamId)
  }
}

export const uploadSlots = new UploadSlots()

interface Written {
  sha256: string
  sizeBytes: number
}

function readFilePart(request: IncomingMessage, target: string): Promise<Written> {
  return new Promise((resolve, reject) => {
    const parser = openParser(request)
    let written: Promise<Written> | null = null
    let stream: BusboyFileStream | null = null
    let refused = false
    const refuse = (error: Error) => {
      if (refused) return
      refused = true
      // Not destroyed: the answer still has to go out on the same socket. Node discards what is still coming.
      request.unpipe(parser)
      request.resume()
      stream?.destroy(error)
      // The temporary file may be removed only after its writer has let go of it.
      const settled = written ? written.catch(() => {}) : Promise.resolve()
      void settled.then(() => reject(error))
    }
    let readBytes = 0
    request.on('data', (chunk: Buffer) => {
      readBytes += chunk.length
      if (readBytes > ARCHIVE.maxBytes + ENVELOPE_BYTES) refuse(tooLarge())
    })
    request.once('aborted', () => refuse(brokenBody()))
    request.on('error', refuse)
    parser.on('field', (name: string) => refuse(fieldError('invalid_request.unknown_field', String(name), 'unknown')))
    parser.on('file', (_name: string, file: BusboyFileStream) => {
      // Whoever reads it hears of the error as well; one that nobody reads any more must not end the process.
      file.on('error', () => {})
      if (stream) {
        file.resume()
        refuse(fieldError('invalid_request.duplicate', 'file', 'duplicate'))
        return
      }
      stream = file
      file.once('limit', () => refuse(tooLarge()))
      written = writeFile(file, target)
      written.catch((error: NodeJS.ErrnoException) => refuse(error.syscall ? diskError(error) : brokenBody()))
    })
    parser.on('error', () => refuse(brokenBody()))
    parser.once('finish', () => {
      if (written) written.then(resolve, reject)
      else refuse(fieldError('invalid_request.required', 'file', 'required'))
    })
    request.pipe(parser)
  })
}

function openParser(request: IncomingMessage): InstanceType<typeof Busboy> {
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
      // What is named `file` is the file, even without a file name; everything else is a part too many.
      isPartAFile: name => name === 'file',
      limits: { fileSize: ARCHIVE.maxBytes, fieldSize: 1024, headerPairs: 50, headerSize: 16 * 1024 },
    })
  } catch {
    throw brokenBody()
  }
}

async function writeFile(stream: BusboyFileStream, target: string): Promise<Written> {
  const hash = createHash('sha256')
  const file = await open(target, 'wx', 0o600)
  try {
    const sizeBytes = await copy(stream, file, hash)
    await file.sync()
    return { sha256: hash.digest('hex'), sizeBytes }
  } finally {
    await file.close()
  }
}

async function copy(stream: BusboyFileStream, file: FileHandle, hash: Hash): Promise<number> {
  let sizeBytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk)
    await file.writeFile(chunk)
    sizeBytes += chunk.length
  }
  return sizeBytes
}

const tooLarge = (): ApiError => new ApiError('payload_too_large', { limite: '512 MB' })
const badFile = (motivo: string): ApiError => fieldError('invalid_request.archive', 'file', 'invalid', { motivo })
const brokenBody = (): ApiError => badFile('o envio está incompleto ou mal formado')

function diskError(error: NodeJS.ErrnoException): Error {
  if (error.code !== 'ENOSPC') return new Error('cannot write an upload', { cause: error })
  return new ApiError('unavailable.build_disk', {}, { details: { error_code: 'build_disk_full' }, retryAfter: 60 })
}
