// A file that is asked for many small pieces. A zip has five for each of its entries, in two places at once (the list of
// them, and themselves), and every trip to the disk would cost more than all the rest of an entry.
import fs from 'node:fs'
import { Readable } from 'node:stream'
import yauzl from 'yauzl'

const WINDOW_BYTES = 256 * 1024
const WINDOWS = 2

interface Window {
  start: number
  bytes: Buffer
}

/** Reads ahead; owns the descriptor, which is closed with the last thing that is read. */
export class ArchiveFile extends yauzl.RandomAccessReader {
  readonly #fd: number
  /** The one that was used last comes first. */
  #windows: Window[] = []

  constructor(file: string) {
    super()
    this.#fd = fs.openSync(file, 'r')
  }

  get size(): number {
    return fs.fstatSync(this.#fd).size
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null, bytesRead?: number) => void,
  ): void {
    const known = this.#windows.find(
      ({ start, bytes }) => start <= position && position + length <= start + bytes.length,
    )
    if (known) {
      if (known !== this.#windows[0]) this.#windows.reverse()
      done(null, known.bytes.copy(target, offset, position - known.start, position - known.start + length))
      return
    }
    const ahead = Buffer.allocUnsafe(Math.max(WINDOW_BYTES, length))
    fs.read(this.#fd, ahead, 0, ahead.length, position, (error, bytesRead) => {
      if (error) return done(error)
      const fresh = { start: position, bytes: ahead.subarray(0, bytesRead) }
      this.#windows = [fresh, ...this.#windows].slice(0, WINDOWS)
      done(null, fresh.bytes.copy(target, offset, 0, length))
    })
  }

  /** `length` bytes from `position`; fewer where the file ends. */
  async piece(position: number, length: number): Promise<Buffer> {
    const target = Buffer.allocUnsafe(length)
    return new Promise((resolve, reject) => {
      this.read(target, 0, length, position, (error, bytesRead) => {
        if (error) reject(error)
        else resolve(target.subarray(0, bytesRead))
      })
    })
  }

  override _readStreamForRange(start: number, end: number): Readable {
    // A stream of the system would close the descriptor with itself.
    return Readable.from(this.#pieces(start, end))
  }

  async *#pieces(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end;) {
      const bytes = await this.piece(at, Math.min(WINDOW_BYTES, end - at))
      if (bytes.length === 0) return
      at += bytes.length
      yield bytes
    }
  }

  override close(done: (error: Error | null) => void): void {
    fs.close(this.#fd, error => done(error ?? null))
  }
}
