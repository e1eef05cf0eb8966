// Custom domains of public services (spec 2.9, decisions 3.13 and D-60). Requests ask and are told; who looks at the DNS is
// the domain's actor.
import { setTimeout as sleep } from 'node:timers/promises'
import { lockProject } from '../../../db/queries/locks.ts'
import {
  deleteDomain,
  findDomain,
  insertDomain,
  listDomains,
  takeVerification,
  type DomainRow,
} from '../../../db/queries/domains.ts'
import { ask, spawn, statusOf } from '../../actors/index.ts'
import { newProof, VERIFY_EVERY_SECONDS } from '../../domain/custom-domain.ts'
import { newId } from '../../domain/ids.ts'
import { customHostname } from '../../domain/names.ts'
import { domainView } from '../domain-views.ts'
import { ApiError, fieldError } from '../errors.ts'
import { listing, readPage } from '../pagination.ts'
import type { Answer, Read, Write } from '../route.ts'
import { HOSTNAME_RULE, type NewDomain } from '../schemas/domains.ts'
import { freshService } from './services.ts'

/** How long a request waits for the check that it asked for; a poll sees the rest. */
const CHECK_WAIT_MS = 6_000
/** A certificate that comes at once is still told by the same answer. */
const ISSUE_WAIT_MS = 2_000
const LOOK_EVERY_MS = 40

/** POST /projects/{p}/services/{s}/domains */
export async function createDomain(call: Write<'project' | 'service', NewDomain>): Promise<Answer> {
  const { db, project, config, body } = call
  await lockProject(db, project.id)
  const service = await freshService(db, project.id, call.service.id)
  if (service.visibility !== 'public') throw fieldError('invalid_request.private_domain', 'hostname', 'invalid')
  const hostname = customHostname(body.hostname, config.appsDomain)
  if (hostname === null) throw fieldError('invalid_request.rule', 'hostname', 'invalid', { regra: HOSTNAME_RULE })
  const id = newId()
  const { id: serviceId, team_id: teamId } = service
  await insertDomain(db, { id, serviceId, projectId: project.id, teamId, hostname, proof: newProof() })
  await spawn(db, { kind: 'domain', id, input: { domainId: id, serviceId, hostname } })
  const row = await freshDomain(call, serviceId, id)
  const location = `/v1/projects/${project.id}/services/${serviceId}/domains/${id}`
  return { status: 201, body: domainView(row, service, config), location }
}

/** GET /projects/{p}/services/{s}/domains: oldest first. */
export async function listOwnDomains({ db, service, query, keyring, config }: Read<'service'>): Promise<Answer> {
  const page = readPage(query, `domains:${service.id}`, keyring)
  const rows = await listDomains(db, service.id, page.after, page.limit + 1)
  const view = (row: DomainRow) => domainView(row, service, config)
  return { body: listing(rows, page, keyring, row => row.id, view) }
}

/** GET /projects/{p}/services/{s}/domains/{id} */
export async function showDomain({ service, domain, config }: Read<'service' | 'domain'>): Promise<Answer> {
  return { body: domainView(domain, service, config) }
}

/** POST /projects/{p}/services/{s}/domains/{id}/verify: asks for a check, once per minute. */
export async function verifyDomain(call: Write<'service' | 'domain'>): Promise<Answer> {
  const { db, service, domain, config } = call
  if (statusOf(domain.state) !== 'active') {
    const seconds = await takeVerification(db, domain.id, VERIFY_EVERY_SECONDS)
    if (seconds > 0) {
      const more = { details: { retry_after_seconds: seconds }, retryAfter: seconds }
      throw new ApiError('rate_limited.domain', { segundos: seconds }, more)
    }
    await ask(db, domain.id, { type: 'VERIFY' })
  }
  return { body: domainView(await freshDomain(call, service.id, domain.id), service, config) }
}

/** What came of the check, or where it stands after a while; `domain` is as it was before. */
export async function awaitCheck(call: Read<'service' | 'domain'>): Promise<Answer> {
  const { db, service, domain: before, config } = call
  if (statusOf(before.state) === 'active') return showDomain(call)
  const startedAt = Date.now()
  let issuingSince: number | null = null
  for (;;) {
    const now = await freshDomain({ db }, service.id, before.id)
    const at = Date.now()
    if (statusOf(now.state) === 'issuing') issuingSince ??= at
    const checking = now.state.endsWith('.checking') && at < startedAt + CHECK_WAIT_MS
    const issuing = statusOf(now.state) === 'issuing' && at < (issuingSince ?? at) + ISSUE_WAIT_MS
    if (!checking && !issuing) return { body: domainView(now, service, config) }
    await sleep(LOOK_EVERY_MS)
  }
}

/** DELETE /projects/{p}/services/{s}/domains/{id}: the host name is free at once; the router forgets it by and by. */
export async function removeDomain({ db, project, domain }: Write<'project' | 'domain'>): Promise<Answer> {
  await lockProject(db, project.id)
  if (!(await deleteDomain(db, domain.id))) throw new ApiError('not_found')
  await ask(db, domain.id, { type: 'DELETE' })
  return { status: 204 }
}

async function freshDomain({ db }: Pick<Read, 'db'>, serviceId: string, id: string): Promise<DomainRow> {
  const row = await findDomain(db, serviceId, id)
  if (!row) throw new ApiError('not_found')
  return row
}
