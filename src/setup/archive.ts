// A folder as tar.gz, the same bytes for the same content, so that its SHA-256 tells whether anything changed.
import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import tar from 'tar-stream'

const LEFT_OUT = new Set(['node_modules', '.git', '.DS_Store'])

/** Packs a folder; `sha256` is what the API shows as `source.sha256` of the deployment. */
export async function packFolder(folder: string): Promise<{ bytes: Buffer; sha256: string }> {
  const pack = tar.pack()
  const bytes = buffer(pack.pipe(createGzip({ level: 9 })))
  for (const name of await filesOf(folder)) {
    const file = path.join(folder, name)
    const executable = ((await stat(file)).mode & 0o100) !== 0
    pack.entry({ name, mode: executable ? 0o755 : 0o644, mtime: new Date(0) }, await readFile(file))
  }
  pack.finalize()
  const content = await bytes
  return { bytes: content, sha256: createHash('sha256').update(content).digest('hex') }
}

async function filesOf(folder: string, prefix = ''): Promise<string[]> {
  const entries = await readdir(path.join(folder, prefix), { withFileTypes: true })
  const found: string[] = []
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (LEFT_OUT.has(entry.name)) continue
    const name = path.posix.join(prefix, entry.name)
    if (entry.isDirectory()) found.push(...(await filesOf(folder, name)))
    else if (entry.isFile()) found.push(name)
  }
  return found
}
