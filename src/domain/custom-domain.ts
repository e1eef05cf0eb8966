// What a person writes into their zone for a custom domain, and what the platform finds there (decisions 3.13, D-60).
import { randomBytes } from 'node:crypto'
import ipaddr from 'ipaddr.js'

/** One check per domain (D-60). */
export const VERIFY_EVERY_SECONDS = 60
const TTL_SECONDS = 300
/** Labels below a country's domain under which names are registered, as in `loja.com.br`. */
const SECOND_LEVEL = new Set(
  'com net org gov edu mil co ac ind art blog eco emp eng adv med mus tur tv inf srv rec wiki app dev log ne or go'.split(
    ' ',
  ),
)

export interface DnsRecord {
  type: 'CNAME' | 'A' | 'AAAA'
  name: string
  value: string
  ttl: number
}

/** What the TXT record of a new domain must say. */
export function newProof(): string {
  return `cais-verify=${randomBytes(24).toString('base64url')}`
}

/** Name of the TXT record (T-18). */
export function verificationName(serviceName: string, hostname: string): string {
  return `_${serviceName}-verify.${hostname}`
}

/** True for a name at which no CNAME may stand: one label below a registry's. */
export function isApex(hostname: string): boolean {
  const labels = hostname.split('.')
  if (labels.length === 2) return true
  const [, second = '', country = ''] = labels
  return labels.length === 3 && country.length === 2 && SECOND_LEVEL.has(second)
}

/** The records that lead a host to the platform: addresses for an apex, else the service's own public name. */
export function routingRecords(hostname: string, target: string, publicIps: readonly string[]): DnsRecord[] {
  const record = (type: DnsRecord['type'], value: string): DnsRecord => ({
    type,
    name: hostname,
    value,
    ttl: TTL_SECONDS,
  })
  if (!isApex(hostname)) return [record('CNAME', target)]
  return publicIps.map(address => record(ipaddr.parse(address).kind() === 'ipv6' ? 'AAAA' : 'A', address))
}

export interface Seen {
  txt: string[]
  cname: string[]
  addresses: string[]
}

/** What keeps a domain from being verified; null when TXT and routing are there. */
export function problemWith(seen: Seen, wanted: { proof: string; appsDomain: string; publicIps: readonly string[] }) {
  if (!seen.txt.some(text => text.trim() === wanted.proof)) return 'txt_missing'
  const { appsDomain } = wanted
  if (seen.cname.some(name => name === appsDomain || name.endsWith(`.${appsDomain}`))) return null
  const ours = new Set(wanted.publicIps.map(canonical))
  return seen.addresses.some(address => ours.has(canonical(address))) ? null : 'routing_missing'
}

const MESSAGES = {
  txt_missing: 'O registro TXT de verificação não foi encontrado ou tem outro valor.',
  routing_missing: 'O domínio ainda não aponta para a plataforma. Confira o registro CNAME, A ou AAAA.',
  dns_unavailable: 'Os servidores de DNS do domínio não responderam.',
  certificate_refused: 'A autoridade certificadora recusou o certificado deste domínio.',
  certificate_failed: 'Não foi possível emitir o certificado deste domínio.',
} as const
export type DomainProblem = keyof typeof MESSAGES
export const DOMAIN_PROBLEMS = Object.keys(MESSAGES) as [DomainProblem, ...DomainProblem[]]

/** The problem as clients see it: what nobody foresaw is a certificate that could not be issued. */
export function domainProblem(code: string): { code: DomainProblem; message: string } {
  const known = (Object.hasOwn(MESSAGES, code) ? code : 'certificate_failed') as DomainProblem
  return { code: known, message: MESSAGES[known] }
}

function canonical(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.parse(address).toNormalizedString() : address
}
