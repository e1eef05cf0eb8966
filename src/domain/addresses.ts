// Which address belongs to whom. Everything is computed from two pools and two numbers kept in Postgres, so nothing has
// to be remembered twice.
import { createHash } from 'node:crypto'
import ipaddr from 'ipaddr.js'

const PROJECT_PREFIX_BITS = 25
/** Addresses of the platform pool below this one are the platform's own. */
const FIRST_SERVICE_ADDRESS = 256

/** How many projects fit in this pool. */
export function projectCapacity(pool: string): number {
  return 2 ** (PROJECT_PREFIX_BITS - parsePool(pool, PROJECT_PREFIX_BITS).bits)
}

/** Network of the project with this index, as CIDR (/25). Throws RangeError outside the pool. */
export function projectSubnet(pool: string, index: number): string {
  checkIndex(index, projectCapacity(pool), pool)
  const base = parsePool(pool, PROJECT_PREFIX_BITS).first
  return `${format(base + index * 2 ** (32 - PROJECT_PREFIX_BITS))}/${PROJECT_PREFIX_BITS}`
}

/** First host of a network: the address that its bridge has. */
export function gatewayOf(cidr: string): string {
  return format(parsePool(cidr, 30).first + 1)
}

/** How many services fit in this pool. */
export function serviceCapacity(pool: string): number {
  return 2 ** (32 - parsePool(pool, 23).bits) - FIRST_SERVICE_ADDRESS - 1
}

/** The address that the private name of a service resolves to for ever. Throws RangeError outside the pool. */
export function serviceVip(pool: string, index: number): string {
  checkIndex(index, serviceCapacity(pool), pool)
  return format(parsePool(pool, 23).first + FIRST_SERVICE_ADDRESS + index)
}

/** Names and the private router listen here. */
export function platformAddress(pool: string): string {
  return format(parsePool(pool, 23).first + 1)
}

/** Tenant databases listen here. */
export function databaseAddress(pool: string): string {
  return format(parsePool(pool, 23).first + 2)
}

/** Start of the name of every interface of this installation: `c`, three characters of a hash, `-`. */
export function interfacePrefix(instance: string): string {
  const hash = createHash('sha256').update(instance).digest().readUInt32BE(0) % 36 ** 3
  return `c${hash.toString(36).padStart(3, '0')}-`
}

/** Name of a project's bridge interface and Docker network; 13 characters, Linux takes 15. */
export function networkName(instance: string, projectId: string): string {
  return interfacePrefix(instance) + projectId.slice(-8)
}

/** Bridge interface for builds, and its Docker network: they reach the Internet and nothing of ours. */
export function buildInterface(instance: string): string {
  return `${interfacePrefix(instance)}build`
}

/** Bridge interface of the libSQL servers, and its Docker network: only the host reaches them. */
export function libsqlInterface(instance: string): string {
  return `${interfacePrefix(instance)}libsql`
}

/** Interface that carries the platform's own addresses. */
export function platformInterface(instance: string): string {
  return `${interfacePrefix(instance)}plat`
}

/** Host name of a public service. */
export function publicDomain(slug: string, appsDomain: string): string {
  return `${slug}.${appsDomain}`
}

/** URL of a public service; the port shows only when it is not that of HTTPS. */
export function publicUrl(slug: string, appsDomain: string, httpsPort = 443): string {
  return `https://${publicDomain(slug, appsDomain)}${httpsPort === 443 ? '' : `:${httpsPort}`}`
}

function parsePool(cidr: string, mostBits: number): { first: number; bits: number } {
  if (!ipaddr.IPv4.isValidCIDR(cidr)) throw new RangeError(`"${cidr}" is not an IPv4 network`)
  const [, bits] = ipaddr.IPv4.parseCIDR(cidr)
  if (bits > mostBits) throw new RangeError(`"${cidr}" is too small: at least a /${mostBits} is needed`)
  const first = ipaddr.IPv4.networkAddressFromCIDR(cidr).octets.reduce((sum, octet) => sum * 256 + octet, 0)
  return { first, bits }
}

function checkIndex(index: number, capacity: number, pool: string): void {
  if (Number.isInteger(index) && index >= 0 && index < capacity) return
  throw new RangeError(`number ${index} does not fit in ${pool}, which holds ${capacity}`)
}

function format(address: number): string {
  return [24, 16, 8, 0].map(shift => Math.floor(address / 2 ** shift) % 256).join('.')
}
