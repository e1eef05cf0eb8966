// Uploads made in memory: file names and texts as a .tar.gz.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import tar from 'tar-stream'

/** Writes a .tar.gz with these files and answers its path. */
export async function tarball(file: string, files: Record<string, string>): Promise<string> {
  const pack = tar.pack()
  for (const [name, text] of Object.entries(files)) pack.entry({ name }, text)
  pack.finalize()
  await pipeline(Readable.from(pack), createGzip(), createWriteStream(file))
  return file
}
