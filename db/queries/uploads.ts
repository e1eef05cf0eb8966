// Archives sent by clients: the file is DATA_DIR/uploads/<sha256>, the row says that it may be used.
import type { Db } from '../connect.ts'

export interface UploadRow {
  sha256: string
  format: 'tar.gz' | 'zip'
  size_bytes: number
  created_at: Date
}

const UPLOAD_LOCK = 4_203_183

/** Until the end of the transaction nobody else stores or removes this content. */
export async function lockUpload(db: Db, sha256: string): Promise<void> {
  await db.raw('select pg_advisory_xact_lock(?, hashtext(?))', [UPLOAD_LOCK, sha256])
}

/** The same content sent twice is one row. Nobody removes it before the transaction ends. */
export async function insertUpload(
  db: Db,
  upload: { sha256: string; format: string; sizeBytes: number },
): Promise<void> {
  await lockUpload(db, upload.sha256)
  await db.raw(
    `insert into upload (sha256, format, size_bytes) values (:sha256, :format, :sizeBytes)
     on conflict (sha256) do nothing`,
    upload,
  )
}

export async function findUpload(db: Db, sha256: string): Promise<UploadRow | null> {
  const { rows } = await db.raw('select * from upload where sha256 = ?', [sha256])
  return rows[0] ?? null
}

/** The archive becomes the service's last one; a service without a source becomes an upload service (D-45). */
export async function useUpload(db: Db, serviceId: string, sha256: string): Promise<void> {
  await db.raw(
    `update service
        set upload_sha256 = :sha256,
            source = coalesce(source, jsonb_build_object('type', 'upload')),
            updated_at = now()
      where id = :serviceId`,
    { serviceId, sha256 },
  )
}

const UNUSED = `u.created_at < now() - make_interval(secs => :minAgeMs / 1000.0)
  and not exists (select 1 from service s where s.upload_sha256 = u.sha256)
  and not exists (select 1 from deployment d where d.source->>'sha256' = u.sha256)`

/** Archives older than this that no service and no deployment names. */
export async function listUnusedUploads(db: Db, minAgeMs: number): Promise<string[]> {
  const { rows } = await db.raw(`select u.sha256 from upload u where ${UNUSED}`, { minAgeMs })
  return rows.map((row: { sha256: string }) => row.sha256)
}

/** Those of these contents that have no row. */
export async function listUnknownUploads(db: Db, sha256s: string[]): Promise<string[]> {
  const { rows } = await db.raw(
    `select sha256 from unnest(cast(:sha256s as text[])) as f (sha256)
      where not exists (select 1 from upload u where u.sha256 = f.sha256)`,
    { sha256s },
  )
  return rows.map((row: { sha256: string }) => row.sha256)
}

/** Forgets a content that is locked, where nobody uses it. True when it has no row now, so that its file may go. */
export async function deleteUnusedUpload(db: Db, sha256: string, minAgeMs: number): Promise<boolean> {
  await db.raw(`delete from upload u where u.sha256 = :sha256 and ${UNUSED}`, { sha256, minAgeMs })
  return (await findUpload(db, sha256)) === null
}
