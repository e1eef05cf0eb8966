// The build context: what the archive holds, as the tar stream that the engine wants, without a copy on disk.
import { Readable } from 'node:stream'
import tar, { type Header, type Pack } from 'tar-stream'
import { readArchive } from '../../domain/archive.ts'
import { ignored } from './ignore.ts'
import type { BuildPlan } from './plan.ts'
import { insideRoot } from './project.ts'
import { unreadable } from './refusal.ts'

export const DOCKERFILE = '.cais.Dockerfile'

/** Streams the context. An archive that cannot be read destroys the stream with build_storage_error. */
export function contextOf(
  source: { archivePath: string; rootDir: string | null },
  plan: Pick<BuildPlan, 'dockerfile' | 'extra' | 'ignore'>,
): Readable {
  const pack = tar.pack()
  // A stream of Node's own: tar-stream's differ in how they end.
  const stream = Readable.from(pack)
  const closed = new AbortController()
  stream.once('close', () => closed.abort())
  fill(pack, source, plan, closed.signal).catch((error: unknown) => {
    // Closed by its reader: nobody is left to hear.
    if (!closed.signal.aborted) pack.destroy(unreadable(error))
  })
  return stream
}

async function fill(
  pack: Pack,
  { archivePath, rootDir }: { archivePath: string; rootDir: string | null },
  plan: Pick<BuildPlan, 'dockerfile' | 'extra' | 'ignore'>,
  closed: AbortSignal,
): Promise<void> {
  // The engine takes out of the context what this file names among itself and the Dockerfile: ours stay unseen.
  await add(pack, '.dockerignore', `${DOCKERFILE}\n.dockerignore\n`)
  await add(pack, DOCKERFILE, plan.dockerfile)
  for (const { path, text } of plan.extra) await add(pack, path, text)
  const own = new Set(['.dockerignore', DOCKERFILE, ...plan.extra.map(file => file.path)])
  const leftOut = ignored(plan.ignore)
  for await (const entry of readArchive(archivePath)) {
    closed.throwIfAborted()
    const name = insideRoot(entry.path, rootDir)
    if (name === null || own.has(name) || leftOut(name)) {
      entry.content.resume()
      continue
    }
    const header = headerOf(name, entry)
    if (entry.type === 'file') await copy(entry.content, pack, header, closed)
    else {
      entry.content.resume()
      pack.entry(header)
    }
  }
  pack.finalize()
}

interface Entry {
  type: 'file' | 'directory' | 'symlink'
  mode: number
  linkTarget?: string | undefined
  size: number
}

// One time for all: the engine's cache looks at content, and images of the same content stay the same.
function headerOf(name: string, entry: Entry): Partial<Header> & { name: string } {
  const common = { name, mode: modeOf(entry), uid: 0, gid: 0, mtime: new Date(0) }
  if (entry.type === 'symlink') return { ...common, type: 'symlink', linkname: entry.linkTarget ?? '' }
  return entry.type === 'directory' ? { ...common, type: 'directory' } : { ...common, type: 'file', size: entry.size }
}

// An archive made on a system without modes says 0.
function modeOf({ type, mode }: Entry): number {
  const plain = mode & 0o777
  if (type === 'directory') return plain | 0o700
  return plain === 0 ? 0o644 : plain | 0o400
}

async function copy(
  content: Readable,
  pack: Pack,
  header: Partial<Header> & { name: string },
  closed: AbortSignal,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const sink = pack.entry(header, error => (error ? reject(error) : resolve()))
    closed.addEventListener('abort', () => reject(closed.reason as Error), { once: true })
    content.on('error', reject)
    content.pipe(sink as unknown as NodeJS.WritableStream)
  })
}

async function add(pack: Pack, name: string, text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    pack.entry({ name, mode: 0o644, mtime: new Date(0) }, text, error => (error ? reject(error) : resolve()))
  })
}
