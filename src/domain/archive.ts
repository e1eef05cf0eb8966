// Uploaded archives: read entry by entry, with every refusal of D-44, and never written to a disk.
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { ArchiveError, damaged } from './archive-error.ts'
import { tarEntries, tooLarge, tooMany, zipEntries, type RawEntry } from './archive-sources.ts'
import { createArchiveTree, linkTarget, relativeTarget, type ArchiveTree } from './archive-tree.ts'
import { quoted } from './failures.ts'
import { ARCHIVE } from './limits.ts'

export { ArchiveError }

export type ArchiveFormat = 'tar.gz' | 'zip'

export interface ArchiveEntry {
  /** Relative, without `.`, `..`, doubled or closing slashes. */
  path: string
  type: 'file' | 'directory' | 'symlink'
  /** Permission bits only. */
  mode: number
  /** Of a symlink; it leads to a place inside the tree. */
  linkTarget?: string
  /** Bytes of `content`. */
  size: number
  /** To be read before the next entry is asked for; what is left of it is skipped then. */
  content: Readable
}

export interface ArchiveSummary {
  format: ArchiveFormat
  entries: number
  /** Contents of all files. */
  expandedBytes: number
}

/** Reads a whole archive once, contents and checksums too. Throws ArchiveError. */
export async function checkArchive(file: string): Promise<ArchiveSummary> {
  const { format } = await recognize(file)
  let entries = 0
  let files = 0
  let expandedBytes = 0
  for await (const entry of readArchive(file)) {
    entries += 1
    expandedBytes += entry.size
    if (entry.type === 'file') files += 1
  }
  if (files === 0) throw new ArchiveError('ele não contém nenhum arquivo')
  return { format, entries, expandedBytes }
}

/**
 * The entries in their order; hard links come as symbolic ones. Throws ArchiveError as soon as something is wrong, and
 * after the last entry when a link leaves the tree, so only `checkArchive` tells whether all of it is acceptable.
 */
export async function* readArchive(file: string): AsyncGenerator<ArchiveEntry> {
  const { format, archiveBytes } = await recognize(file)
  const mostBytes = Math.min(ARCHIVE.maxExpandedBytes, archiveBytes * ARCHIVE.maxExpansion)
  const tree = createArchiveTree()
  let entries = 0
  let bytes = 0
  try {
    for await (const raw of format === 'zip' ? zipEntries(file) : tarEntries(file)) {
      if (++entries > ARCHIVE.maxEntries) throw tooMany()
      bytes += raw.size
      if (bytes > mostBytes) throw tooLarge()
      const entry = judge(raw, tree)
      if (entry) yield entry
    }
  } catch (error) {
    throw error instanceof ArchiveError || isOfTheMachine(error) ? error : damaged(error)
  }
  tree.checkLinks()
}

/** The entry as it may be used, or null when there is nothing to make of it. */
function judge(raw: RawEntry, tree: ArchiveTree): ArchiveEntry | null {
  const mode = raw.mode & 0o777
  switch (raw.kind) {
    case 'file':
      if (raw.path.endsWith('/')) throw damaged()
      return named({ path: tree.add(raw.path, 'file'), type: 'file', mode, size: raw.size, content: raw.content })
    case 'directory':
      return named({ path: tree.add(raw.path, 'directory'), type: 'directory', mode, size: 0, content: nothing() })
    case 'symlink': {
      const target = linkTarget(raw.path, raw.linkTarget)
      return named(linkEntry(tree.add(raw.path, { linkTarget: target }), target))
    }
    case 'hardlink': {
      const target = tree.hardLinkTarget(raw.path, raw.linkTarget)
      const path = tree.add(raw.path, 'file')
      if (path === target) return null
      const relative = relativeTarget(path, target)
      tree.add(path, { linkTarget: relative })
      return linkEntry(path, relative)
    }
    default:
      throw new ArchiveError(`"${quoted(raw.path)}" não é arquivo, pasta nem link`)
  }
}

function linkEntry(path: string, linkTarget: string): ArchiveEntry {
  return { path, type: 'symlink', mode: 0o777, linkTarget, size: 0, content: nothing() }
}

/** The root itself is no entry; nothing but a folder can stand in its place. */
function named(entry: ArchiveEntry): ArchiveEntry | null {
  if (entry.path !== '') return entry
  if (entry.type === 'directory') return null
  throw damaged()
}

function nothing(): Readable {
  return Readable.from([])
}

/** By content, not by name. */
async function recognize(file: string): Promise<{ format: ArchiveFormat; archiveBytes: number }> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    if (size === 0) throw new ArchiveError('ele está vazio')
    const start = Buffer.alloc(4)
    await handle.read(start, 0, 4, 0)
    if (start.subarray(0, 3).equals(Buffer.from([0x1f, 0x8b, 0x08]))) return { format: 'tar.gz', archiveBytes: size }
    const signature = start.toString('latin1')
    if (signature === 'PK\x03\x04' || signature === 'PK\x05\x06') return { format: 'zip', archiveBytes: size }
    throw new ArchiveError('ele não é um .tar.gz nem um .zip')
  } finally {
    await handle.close()
  }
}

/** A disk that cannot be read says nothing about the archive. */
function isOfTheMachine(error: unknown): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException
  return typeof code === 'string' && ['EIO', 'ENOENT', 'EACCES', 'EMFILE', 'ENFILE', 'ENOMEM'].includes(code)
}
