import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'

/** Replaces a file so that a reader, or a crash, sees the old text or the new one and nothing between. */
export async function replaceFile(file: string, text: string, mode = 0o644): Promise<void> {
  const draft = await writeDraft(file, text, mode)
  await rename(draft, file)
}

/** Replaces a file whose text is another one; a mounted file that has not changed thus stays the same file. */
export async function writeChanged(file: string, text: string, mode = 0o644): Promise<void> {
  if ((await readIfPresent(file)) !== text) await replaceFile(file, text, mode)
}

/** Creates a file whole, or leaves the one that somebody else created first. Answers the text that is there now. */
export async function createFile(file: string, text: string, mode = 0o644): Promise<string> {
  const draft = await writeDraft(file, text, mode)
  try {
    await link(draft, file)
    return text
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return await readFile(file, 'utf8')
  } finally {
    await rm(draft, { force: true })
  }
}

/** Text of a file, or null when there is none. */
export async function readIfPresent(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function writeDraft(file: string, text: string, mode: number): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true })
  const draft = `${file}.${randomBytes(6).toString('hex')}.draft`
  const handle = await open(draft, 'wx', mode)
  try {
    await handle.chmod(mode) // whatever the umask is
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  return draft
}
