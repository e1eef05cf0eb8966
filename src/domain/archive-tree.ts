// What an archive would leave on a disk, checked without touching one: paths, and where links lead (D-44).
import path from 'node:path'
import { ArchiveError, damaged } from './archive-error.ts'
import { quoted } from './failures.ts'
import { ARCHIVE } from './limits.ts'

/** Names take memory until the end; an archive of 200,000 files of usual names has a quarter of this. */
const MOST_PATH_BYTES = 64 * 1024 * 1024
/** Linux follows as many links before it gives up. */
const MOST_HOPS = 40
/** Components looked at while following all links of an archive. */
const MOST_LINK_STEPS = 20_000_000

type Node = 'file' | 'directory' | { linkTarget: string }

export interface ArchiveTree {
  /** The clean path of a new entry, '' for the root itself. Throws ArchiveError. */
  add(rawPath: string, node: Node): string
  /** The clean path of the earlier file that a hard link names. Throws ArchiveError. */
  hardLinkTarget(rawPath: string, rawTarget: string): string
  /** To be called after the last entry. Throws ArchiveError for links that leave the tree, alone or with others. */
  checkLinks(): void
}

export function createArchiveTree(): ArchiveTree {
  const nodes = new Map<string, Node>()
  let pathBytes = 0
  let linkSteps = 0

  return {
    add(rawPath, node) {
      const clean = cleanPath(rawPath)
      if (clean === '') return clean
      addFolders(clean)
      const before = nodes.get(clean)
      if (before && (before === 'directory') !== (node === 'directory')) throw conflict(clean)
      nodes.set(clean, node)
      return clean
    },
    hardLinkTarget(rawPath, rawTarget) {
      const target = cleanPath(rawTarget)
      if (nodes.get(target) !== 'file') throw leaves(rawPath)
      return target
    },
    checkLinks() {
      for (const [name, node] of nodes) if (typeof node === 'object') follow(name, node.linkTarget)
    },
  }

  /** A folder stays a folder: nothing is ever written through a link. */
  function addFolders(clean: string): void {
    pathBytes += Buffer.byteLength(clean)
    const folders: string[] = []
    for (let end = clean.lastIndexOf('/'); end > 0; end = clean.lastIndexOf('/', end - 1)) {
      const folder = clean.slice(0, end)
      const known = nodes.get(folder)
      if (known === 'directory') break
      if (known) throw conflict(clean)
      folders.push(folder)
    }
    for (const folder of folders) nodes.set(folder, 'directory')
    if (pathBytes > MOST_PATH_BYTES || nodes.size > 2 * ARCHIVE.maxEntries) {
      throw new ArchiveError('ele tem nomes demais')
    }
  }

  /** As the kernel does it: component by component, links replaced where they stand, `..` leading to the real parent. */
  function follow(link: string, target: string): void {
    const place = link.split('/').slice(0, -1)
    const ahead = target.split('/').reverse()
    if (target.startsWith('/')) throw leaves(link)
    for (let hops = 0; ahead.length > 0;) {
      if (++linkSteps > MOST_LINK_STEPS) throw new ArchiveError('ele tem links demais')
      const name = ahead.pop()
      if (name === undefined || name === '' || name === '.') continue
      if (name === '..') {
        if (place.pop() === undefined) throw leaves(link)
        continue
      }
      const node = nodes.get([...place, name].join('/'))
      if (typeof node !== 'object') {
        place.push(name)
        continue
      }
      if (++hops > MOST_HOPS) throw new ArchiveError(`o link "${quoted(link)}" não leva a lugar nenhum`)
      if (node.linkTarget.startsWith('/')) throw leaves(link)
      ahead.push(...node.linkTarget.split('/').reverse())
    }
  }
}

/** Relative target that makes a symbolic link of a hard link. */
export function relativeTarget(from: string, to: string): string {
  return path.posix.relative(path.posix.dirname(from), to)
}

/** A target that a link can have at all; where it leads is checked at the end. */
export function linkTarget(name: string, target: string): string {
  if (target === '' || target.includes('\0')) throw damaged()
  if (Buffer.byteLength(target) > ARCHIVE.maxPathBytes) throw leaves(name)
  return target
}

function cleanPath(raw: string): string {
  if (raw.includes('\0')) throw damaged()
  if (Buffer.byteLength(raw) > ARCHIVE.maxPathBytes) {
    throw new ArchiveError(`há um caminho com mais de ${ARCHIVE.maxPathBytes} bytes`)
  }
  if (raw.startsWith('/') || /^[A-Za-z]:[\\/]/.test(raw)) {
    throw new ArchiveError(`o caminho "${quoted(raw)}" é absoluto`)
  }
  const parts = raw.split('/')
  if (parts.includes('..')) throw new ArchiveError(`o caminho "${quoted(raw)}" contém ".."`)
  return parts.filter(part => part !== '' && part !== '.').join('/')
}

function leaves(link: string): ArchiveError {
  return new ArchiveError(`o link "${quoted(link)}" aponta para fora da pasta`)
}

function conflict(name: string): ArchiveError {
  return new ArchiveError(`o caminho "${quoted(name)}" passa por um link ou por um arquivo`)
}
