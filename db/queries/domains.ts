// Custom domains. Status, last error and times of checks are the actor's; the certificate is sealed about the id.
import type { Db } from '../connect.ts'

export interface DomainRow {
  id: string
  service_id: string
  project_id: string
  hostname: string
  proof: string
  created_at: Date
  /** Of the actor. */
  state: string
  checks: number
  last_checked_at: string | null
  last_error: { code: string } | null
  verified_at: string | null
}

const SHOWN = `d.id, d.service_id, d.project_id, d.hostname, d.proof, d.created_at, a.state,
  (a.snapshot->'context'->>'checks')::int as checks, a.snapshot->'context'->>'lastCheckedAt' as last_checked_at,
  a.snapshot->'context'->'lastError' as last_error, a.snapshot->'context'->>'verifiedAt' as verified_at`
/** One that is being released is not shown any more. */
const FROM = `domain d join actor a on a.id = d.id
  where split_part(a.state, '.', 1) in ('pending', 'issuing', 'active', 'failed')`

export async function findDomain(db: Db, serviceId: string, id: string): Promise<DomainRow | null> {
  const { rows } = await db.raw(`select ${SHOWN} from ${FROM} and d.service_id = :serviceId and d.id = :id`, {
    serviceId,
    id,
  })
  return rows[0] ?? null
}

/** Oldest first, those after `after` (an id; null = from the oldest). */
export async function listDomains(
  db: Db,
  serviceId: string,
  after: string | null,
  limit: number,
): Promise<DomainRow[]> {
  const { rows } = await db.raw(
    `select ${SHOWN} from ${FROM} and d.service_id = :serviceId and (cast(:after as text) is null or d.id > :after)
      order by d.id limit :limit`,
    { serviceId, after, limit },
  )
  return rows
}

/** 23505 on domain_hostname when anybody has this host name. */
export async function insertDomain(
  db: Db,
  domain: { id: string; serviceId: string; projectId: string; teamId: string; hostname: string; proof: string },
): Promise<void> {
  await db.raw(
    `insert into domain (id, service_id, project_id, team_id, hostname, proof)
     values (:id, :serviceId, :projectId, :teamId, :hostname, :proof)`,
    domain,
  )
}

/** The host name is free when this commits. False when somebody else deleted it. */
export async function deleteDomain(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db.raw('delete from domain where id = ?', [id])
  return (rowCount ?? 0) > 0
}

export async function listDomainIds(db: Db, serviceId: string): Promise<string[]> {
  const { rows } = await db.raw('select id from domain where service_id = ? order by id', [serviceId])
  return rows.map((row: { id: string }) => row.id)
}

export async function hasDomains(db: Db, serviceId: string): Promise<boolean> {
  const { rows } = await db.raw('select 1 from domain where service_id = ? limit 1', [serviceId])
  return rows.length > 0
}

/**
 * Takes the one verification per `everySeconds` of a domain; answers 0, or the whole seconds until the next one. Of
 * several callers at once one gets it.
 */
export async function takeVerification(db: Db, id: string, everySeconds: number): Promise<number> {
  const { rows } = await db.raw(
    `update domain set asked_at = clock_timestamp() where id = :id
        and (asked_at is null or asked_at <= clock_timestamp() - make_interval(secs => :everySeconds)) returning id`,
    { id, everySeconds },
  )
  if (rows.length > 0) return 0
  const { rows: waits } = await db.raw(
    `select extract(epoch from asked_at + make_interval(secs => :everySeconds) - clock_timestamp()) as wait
       from domain where id = :id`,
    { id, everySeconds },
  )
  return Math.max(1, Math.ceil(Number(waits[0]?.wait ?? 1)))
}

/** What checking a domain takes. */
export interface DomainPlan {
  id: string
  service_id: string
  hostname: string
  proof: string
  service_name: string
  certificate: Buffer | null
  expires_at: Date | null
}

export async function findDomainPlan(db: Db, id: string): Promise<DomainPlan | null> {
  const { rows } = await db.raw(
    `select d.id, d.service_id, d.hostname, d.proof, d.certificate, d.expires_at, s.name as service_name
       from domain d join service s on s.id = d.service_id where d.id = ?`,
    [id],
  )
  return rows[0] ?? null
}

/** From now on its host is routed and has this certificate. False when the domain was deleted meanwhile. */
export async function keepCertificate(
  db: Db,
  domain: { id: string; certificate: Buffer; expiresAt: string },
): Promise<boolean> {
  const { rowCount } = await db.raw(
    'update domain set certificate = :certificate, expires_at = :expiresAt where id = :id',
    domain,
  )
  return (rowCount ?? 0) > 0
}

/** Every host that has a certificate, in the order of ids. */
export async function listCertificates(db: Db): Promise<{ id: string; hostname: string; certificate: Buffer }[]> {
  const { rows } = await db.raw(
    'select id, hostname, certificate from domain where certificate is not null order by id',
  )
  return rows
}
