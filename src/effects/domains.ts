// Custom domains: what their zone says, their certificate, and what the router knows of them.
import {
  deleteDomain,
  findDomainPlan,
  keepCertificate,
  listCertificates,
  type DomainPlan,
} from '../../db/queries/domains.ts'
import type { Performers } from '../actors/index.ts'
import { problemWith, verificationName } from '../domain/custom-domain.ts'
import { DriverError } from '../drivers/contracts.ts'
import { applyRoute, inTurn } from './route.ts'
import type { Tools } from './tools.ts'

/** Of its life; the local authority makes another one when less than a third is left. */
const RENEW_AFTER = 0.7
const SOONEST_RENEWAL_MS = 60_000

/** TXT and routing, one look. */
export function checkPerformer(tools: Tools): Performers['checkDomain'] {
  return async ({ domainId }) => {
    const { hostname, proof, service_name: serviceName } = await readDomain(tools, domainId)
    const { names } = tools.world
    const [txt, cname, addresses] = await Promise.all([
      names.txt(verificationName(serviceName, hostname)),
      names.cname(hostname),
      names.addresses(hostname),
    ])
    const { appsDomain, publicIps } = tools.config
    const problem = problemWith({ txt, cname, addresses }, { proof, appsDomain, publicIps })
    return { at: new Date().toISOString(), problem }
  }
}

/** Sealed with the answer, in its transaction: a repeat after a crash asks for another one, and nothing is lost. */
export function issuePerformer(tools: Tools): Performers['issueCertificate'] {
  return async ({ domainId }, job) => {
    const { hostname } = await readDomain(tools, domainId)
    const { router } = tools.world
    const respond: typeof router.challenge = (token, answer) => router.challenge(token, answer)
    const { pem, expiresAt } = await tools.world.certificates.issue(hostname, respond, job.signal)
    const certificate = tools.keyring.seal(pem, domainId)
    job.alongside(async trx => void (await keepCertificate(trx, { id: domainId, certificate, expiresAt })))
    const left = Date.parse(expiresAt) - Date.now()
    return { renewMs: Math.max(SOONEST_RENEWAL_MS, Math.floor(left * RENEW_AFTER)) }
  }
}

/** The certificate first: a host that is routed can be greeted. */
export function publishPerformer(tools: Tools): Performers['publishDomain'] {
  return async ({ serviceId }) => {
    await syncCertificates(tools)
    await applyRoute(tools, serviceId)
    return { published: true }
  }
}

export function withdrawDomainPerformer(tools: Tools): Performers['withdrawDomain'] {
  return async ({ serviceId }) => {
    await applyRoute(tools, serviceId)
    await syncCertificates(tools)
    return { withdrawn: true }
  }
}

export function releasePerformer(_tools: Tools): Performers['releaseDomain'] {
  return async ({ domainId }, job) => {
    job.alongside(async trx => void (await deleteDomain(trx, domainId)))
    return { released: true }
  }
}

/** Makes the router have exactly the certificates of the control database. */
export async function syncCertificates(tools: Tools): Promise<void> {
  await inTurn(tools.world.router, async () => {
    const rows = await listCertificates(tools.db)
    const certificates = rows.map(row => ({ host: row.hostname, pem: tools.keyring.open(row.certificate, row.id) }))
    await tools.world.router.certify(certificates)
  })
}

async function readDomain({ db }: Tools, id: string): Promise<DomainPlan> {
  const plan = await findDomainPlan(db, id)
  if (plan) return plan
  throw new DriverError('gone', `domain ${id} was deleted`)
}
