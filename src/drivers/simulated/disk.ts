// One small JSON file per object. Creating is exclusive (hard link of a complete file), changing is an atomic rename, so
// several processes may share the folder and a kill -9 at any moment leaves whole objects. Synchronous on purpose: the
// files are tiny, and within a process a verb then looks atomic.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

export class Folder<T> {
  readonly dir: string

  constructor(dir: string) {
    this.dir = dir
    fs.mkdirSync(dir, { recursive: true, mode: 0o700 })
  }

  /** False when an object of this name exists already. */
  create(name: string, value: T): boolean {
    const draft = this.#draft(value)
    try {
      fs.linkSync(draft, this.#file(name))
      return true
    } catch (error) {
      if (isCode(error, 'EEXIST')) return false
      throw error
    } finally {
      fs.rmSync(draft, { force: true })
    }
  }

  replace(name: string, value: T): void {
    fs.renameSync(this.#draft(value), this.#file(name))
  }

  read(name: string): T | null {
    try {
      return JSON.parse(fs.readFileSync(this.#file(name), 'utf8')) as T
    } catch (error) {
      if (isCode(error, 'ENOENT')) return null
      throw error
    }
  }

  /** True when this call removed it: of several callers one is told so. */
  remove(name: string): boolean {
    try {
      fs.unlinkSync(this.#file(name))
      return true
    } catch (error) {
      if (isCode(error, 'ENOENT')) return false
      throw error
    }
  }

  names(): string[] {
    return fs
      .readdirSync(this.dir)
      .filter(name => !name.startsWith('.'))
      .map(decodeURIComponent)
      .sort()
  }

  all(): T[] {
    return this.names()
      .map(name => this.read(name))
      .filter(value => value !== null)
  }

  /** Changes whenever the object was written; null when it is gone. */
  version(name: string): string | null {
    const stat = fs.statSync(this.#file(name), { throwIfNoEntry: false, bigint: true })
    return stat ? `${stat.ino}.${stat.mtimeNs}` : null
  }

  #file(name: string): string {
    return path.join(this.dir, encodeURIComponent(name))
  }

  #draft(value: T): string {
    const draft = path.join(this.dir, `.${process.pid}.${randomBytes(6).toString('hex')}`)
    fs.writeFileSync(draft, JSON.stringify(value), { mode: 0o600 })
    return draft
  }
}

/** Appends one line; the kernel keeps lines of several processes whole. */
export function appendLine(file: string, line: string): void {
  fs.appendFileSync(file, `${line}\n`, { mode: 0o600 })
}

export function readLines(file: string): string[] {
  try {
    return fs.readFileSync(file, 'utf8').split('\n').slice(0, -1)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return []
    throw error
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
