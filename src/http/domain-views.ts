// Custom domains as the API shows them (decisions 3.13).
import type { DomainRow } from '../../db/queries/domains.ts'
import type { ServiceRow } from '../../db/queries/services.ts'
import { statusOf } from '../actors/index.ts'
import type { Config } from '../config.ts'
import { domainProblem, routingRecords, verificationName } from '../domain/custom-domain.ts'
import type { DomainView } from './schemas/domains.ts'

export function domainView(row: DomainRow, service: Pick<ServiceRow, 'name' | 'slug'>, config: Config): DomainView {
  const target = `${service.slug ?? ''}.${config.appsDomain}`
  return {
    id: row.id,
    service_id: row.service_id,
    hostname: row.hostname,
    status: statusOf(row.state) as DomainView['status'],
    dns: routingRecords(row.hostname, target, config.publicIps),
    verification: { type: 'TXT', name: verificationName(service.name, row.hostname), value: row.proof },
    last_checked_at: row.last_checked_at,
    last_error: row.last_error && domainProblem(row.last_error.code),
    verified_at: row.verified_at,
    created_at: row.created_at.toISOString(),
  }
}
