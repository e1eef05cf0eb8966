// What an upload holds, as far as a plan needs it: the names of its files and the text of a few small ones.
import { text } from 'node:stream/consumers'
import { readArchive } from '../../domain/archive.ts'
import { failed, unreadable } from './refusal.ts'

const TEXT_LIMIT = 1024 * 1024
const READ = new Set(['package.json', '.nvmrc', '.node-version', 'Dockerfile', '.dockerignore', 'pnpm-lock.yaml'])

export interface Project {
  /** Paths of files and links, relative to the root of the project. */
  files: ReadonlySet<string>
  /** Text of one of the few files that are read; null = not there. */
  text(name: string): string | null
}

/** Reads an archive once. Throws deploy_failed where `rootDir` is not a folder of it, build_storage_error where it cannot be read. */
export async function readProject(archivePath: string, rootDir: string | null, signal: AbortSignal): Promise<Project> {
  const files = new Set<string>()
  const texts = new Map<string, string>()
  try {
    for await (const entry of readArchive(archivePath)) {
      signal.throwIfAborted()
      const name = insideRoot(entry.path, rootDir)
      if (name && entry.type !== 'directory') files.add(name)
      if (name && entry.type === 'file' && READ.has(name) && entry.size <= TEXT_LIMIT)
        texts.set(name, await text(entry.content))
      else entry.content.resume()
    }
  } catch (error) {
    signal.throwIfAborted()
    throw unreadable(error)
  }
  if (files.size === 0)
    throw failed(rootDir ? `a pasta "${rootDir}" não existe no arquivo enviado` : 'o arquivo enviado está vazio')
  return { files, text: name => texts.get(name) ?? null }
}

/** Path relative to the project's root; null for what lies outside it, and for the root itself. */
export function insideRoot(path: string, rootDir: string | null): string | null {
  const clean = normal(path)
  const root = rootDir === null ? '' : normal(rootDir)
  if (root === '') return clean || null
  return clean.startsWith(`${root}/`) ? clean.slice(root.length + 1) : null
}

function normal(path: string): string {
  return path
    .split('/')
    .filter(part => part !== '' && part !== '.')
    .join('/')
}
