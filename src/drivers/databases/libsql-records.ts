// What we know of each libSQL database: one file per database, written before anything of it is made and removed last, so
// that a restart knows them all and nothing is ever without an owner.
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { readIfPresent, replaceFile } from '../router/atomic-file.ts'

const recordSchema = z.object({
  databaseId: z.string().regex(/^[0-9a-z]+$/),
  namespace: z.string().regex(/^[a-z][0-9a-z-]{0,62}$/),
  /** Ed25519, raw, base64url. */
  publicKey: z.string().regex(/^[\w-]{43}$/),
  subnet: z.string().regex(/^\d+\.\d+\.\d+\.\d+\/\d+$/),
  quotaMb: z.number().int().positive(),
  readOnly: z.boolean(),
  /** False while nobody may come in: before it is ready, suspended, or being restored. */
  open: z.boolean(),
  /** Connections of an older generation are ended. */
  generation: z.number().int(),
  adminKey: z.string(),
  /** Of the container, when it was last seen. */
  address: z.string().nullable(),
})

export type LibsqlRecord = z.infer<typeof recordSchema>

export async function readRecords(folder: string): Promise<LibsqlRecord[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const files = (await readdir(folder)).filter(name => name.endsWith('.json')).sort()
  return Promise.all(files.map(async name => parse(await readFile(path.join(folder, name), 'utf8'))))
}

export async function readRecord(folder: string, databaseId: string): Promise<LibsqlRecord | null> {
  const text = await readIfPresent(path.join(folder, `${databaseId}.json`))
  return text === null ? null : parse(text)
}

export async function writeRecord(folder: string, record: LibsqlRecord): Promise<void> {
  await replaceFile(path.join(folder, `${record.databaseId}.json`), JSON.stringify(recordSchema.parse(record)), 0o600)
}

export async function removeRecord(folder: string, databaseId: string): Promise<void> {
  await rm(path.join(folder, `${databaseId}.json`), { force: true })
}

function parse(text: string): LibsqlRecord {
  return recordSchema.parse(JSON.parse(text))
}
