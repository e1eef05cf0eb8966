// What the platform last saw of its parts. Workers write it every few seconds; requests only read it.
import type { Db } from '../connect.ts'

export interface PartHealth {
  part: string
  healthy: boolean
  detail: string | null
  checked_at: Date
}

/** Writes down what was just seen of a part: docker, router, network, postgres, mariadb, sqlite, build-storage. */
export async function reportHealth(db: Db, part: string, healthy: boolean, detail: string | null): Promise<void> {
  await db.raw(
    `insert into part_health (part, healthy, detail, checked_at) values (:part, :healthy, :detail, now())
     on conflict (part) do update set healthy = :healthy, detail = :detail, checked_at = now()`,
    { part, healthy, detail },
  )
}

/** The last look at a part, if it is younger than `maxAgeSeconds`; a part that nobody watches has none. */
export async function findFreshHealth(db: Db, part: string, maxAgeSeconds: number): Promise<PartHealth | null> {
  const { rows } = await db.raw(
    `select * from part_health where part = :part and checked_at > now() - make_interval(secs => :maxAgeSeconds)`,
    { part, maxAgeSeconds },
  )
  return rows[0] ?? null
}

export async function listHealth(db: Db): Promise<PartHealth[]> {
  const { rows } = await db.raw('select * from part_health order by part')
  return rows
}
