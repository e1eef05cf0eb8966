// Build and runtime logs. Lines are masked before they come here. Reads answer the newest `maxBytes`.
import type { Db } from '../connect.ts'

/** `text` is whole lines, each ending in a line feed. */
export async function appendBuildLog(db: Db, deploymentId: string, text: string): Promise<void> {
  await db.raw('insert into build_log (deployment_id, text) values (?, ?)', [deploymentId, text])
}

export async function readBuildLog(
  db: Db,
  deploymentId: string,
  maxBytes: number,
): Promise<{ text: string; truncated: boolean }> {
  const { rows } = await db.raw(
    `with sized as (
       select id, text, sum(octet_length(text)) over (order by id desc) as bytes
         from build_log where deployment_id = :deploymentId
     )
     select coalesce(string_agg(text, '' order by id) filter (where bytes <= :maxBytes), '') as text,
            coalesce(max(bytes) > :maxBytes, false) as truncated
       from sized`,
    { deploymentId, maxBytes },
  )
  return rows[0]
}

export interface RuntimeLine {
  /** RFC 3339 with nanoseconds, as the engine wrote it. */
  stamp: string
  text: string
}

/** Lines of one instance, in order; a line that was kept already is skipped, so sending them twice is safe. */
export async function appendRuntimeLines(
  db: Db,
  serviceId: string,
  deploymentId: string,
  lines: RuntimeLine[],
): Promise<void> {
  await db.raw(
    `insert into runtime_log (service_id, deployment_id, at, stamp, text)
     select :serviceId, :deploymentId, cast(line.stamp as timestamptz), line.stamp, line.text
       from unnest(cast(:stamps as text[]), cast(:texts as text[])) with ordinality as line (stamp, text, position)
      order by line.position
     on conflict (deployment_id, stamp) do nothing`,
    { serviceId, deploymentId, stamps: lines.map(line => line.stamp), texts: lines.map(line => line.text) },
  )
}

/** Where following the log of an instance resumes; null when nothing of it was kept. */
export async function lastRuntimeStamp(db: Db, deploymentId: string): Promise<string | null> {
  const { rows } = await db.raw('select max(stamp) as stamp from runtime_log where deployment_id = ?', [deploymentId])
  return rows[0]?.stamp ?? null
}

/**
 * Lines of a service after `since` (RFC 3339, exclusive; null = the last 10 minutes). `next` is the `since` that
 * continues this answer, in microseconds as Postgres keeps them.
 */
export async function readRuntimeLog(
  db: Db,
  serviceId: string,
  since: string | null,
  maxBytes: number,
): Promise<{ text: string; truncated: boolean; next: string }> {
  const { rows } = await db.raw(
    `with start as (
       select coalesce(cast(:since as timestamptz), now() - interval '10 minutes') as at
     ), sized as (
       select l.id, l.at, l.text, sum(octet_length(l.text) + 1) over (order by l.at desc, l.id desc) as bytes
         from runtime_log l, start where l.service_id = :serviceId and l.at > start.at
     )
     select coalesce(string_agg(text || E'\\n', '' order by at, id) filter (where bytes <= :maxBytes), '') as text,
            coalesce(max(bytes) > :maxBytes, false) as truncated,
            to_char(coalesce(max(sized.at), (select at from start)) at time zone 'UTC',
                    'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as next
       from sized`,
    { serviceId, since, maxBytes },
  )
  return rows[0]
}
