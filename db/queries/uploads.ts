// Archives sent by clients: the file is DATA_DIR/uploads/<sha256>, the row says that it may be used.
import type { Db } from '../connect.ts'

export interface UploadRow {
  sha256: string
  format: 'tar.gz' | 'zip'
  size_bytes: number
  created_at: Date
}

/** The same content sent twice is one row. */
export async function insertUpload(
  db: Db,
  upload: { sha256: string; format: string; sizeBytes: number },
): Promise<void> {
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

/** Archives that no service and no deployment names, older than `minAgeMinutes`: the sweep may remove them. */
export async function listUnusedUploads(db: Db, minAgeMinutes: number): Promise<string[]> {
  const { rows } = await db.raw(
    `select u.sha256 from upload u
      where u.created_at < now() - make_interval(mins => :minAgeMinutes)
        and not exists (select 1 from service s where s.upload_sha256 = u.sha256)
        and not exists (select 1 from deployment d where d.source->>'sha256' = u.sha256)`,
    { minAgeMinutes },
  )
  return rows.map((row: { sha256: string }) => row.sha256)
}
