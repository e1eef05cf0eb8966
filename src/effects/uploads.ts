// Archives that nobody can ask for any more: no service and no deployment names them, or they were never kept.
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { deleteUnusedUpload, listUnknownUploads, listUnusedUploads, lockUpload } from '../../db/queries/uploads.ts'
import { uploadsFolder } from '../domain/uploads.ts'
import type { Tools } from './tools.ts'

/** A file that young may belong to a request that has not ended, or is being tried again. */
const UNUSED_FOR_MS = 60 * 60_000
/** Half-received files of killed processes, and files whose row was lost with the connection. */
const UNKNOWN_FOR_MS = 24 * 60 * 60_000

/** Answers the names of the files that it removed. */
export async function removeUnusedUploads(tools: Tools): Promise<string[]> {
  const { db, config } = tools
  const folder = uploadsFolder(config.dataDir)
  const old = await oldFiles(folder, UNKNOWN_FOR_MS)
  const removed: string[] = []
  for (const name of [...(await listUnusedUploads(db, UNUSED_FOR_MS)), ...(await listUnknownUploads(db, old))])
    if (await remove(tools, folder, name)) removed.push(name)
  return removed
}

async function oldFiles(folder: string, minAgeMs: number): Promise<string[]> {
  const names = await readdir(folder).catch(nothingIfAbsent)
  const old: string[] = []
  for (const name of names ?? []) if ((await ageOf(path.join(folder, name))) >= minAgeMs) old.push(name)
  return old
}

/** Under the lock that a request holds from its row to its file: neither is without the other afterwards. */
async function remove({ db }: Tools, folder: string, name: string): Promise<boolean> {
  const file = path.join(folder, name)
  return db.transaction(async trx => {
    await lockUpload(trx, name)
    if ((await ageOf(file)) < UNUSED_FOR_MS) return false
    if (!(await deleteUnusedUpload(trx, name, UNUSED_FOR_MS))) return false
    await rm(file, { force: true })
    return true
  })
}

/** Milliseconds since the file was written; one that is not there is older than any. */
async function ageOf(file: string): Promise<number> {
  const found = await stat(file).catch(nothingIfAbsent)
  return found ? Date.now() - found.mtimeMs : Infinity
}

function nothingIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
