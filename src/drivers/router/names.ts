// What a container hears when it asks for a name. Pure: a question and who asks go in, an answer comes out.
import dnsPacket, { type Packet, type Question } from 'dns-packet'
import ipaddr from 'ipaddr.js'

/** The file that the name server reads: names per source network, and those that every project may ask for. */
export interface NameBook {
  /** `*.name` stands for every name one label longer. */
  common: Record<string, string>
  projects: { subnet: string; names: Record<string, string> }[]
}

/** Finds the names that a source address may see. */
export interface NameIndex {
  /** Null when the address belongs to no project. */
  project(source: string): Map<string, string> | null
  common: Map<string, string>
}

const NOERROR = 0
const FORMERR = 1
const SERVFAIL = 2
const NXDOMAIN = 3
const NOTIMP = 4
const REFUSED = 5
const OPCODE_MASK = 0x7800

export function indexNames(book: NameBook): NameIndex {
  const bySubnet = new Map(book.projects.map(each => [subnetKey(each.subnet), new Map(Object.entries(each.names))]))
  const lengths = [...new Set(book.projects.map(each => ipaddr.IPv4.parseCIDR(each.subnet)[1]))]
  return {
    common: new Map(Object.entries(book.common)),
    project(source) {
      if (!ipaddr.IPv4.isValid(source)) return null
      for (const bits of lengths) {
        const names = bySubnet.get(subnetKey(`${source}/${bits}`))
        if (names) return names
      }
      return null
    },
  }
}

/** The answer to a query, as bytes; 'forward' when the host's resolvers know better; null when it deserves none. */
export function answerQuery(message: Buffer, source: string, index: NameIndex): Buffer | 'forward' | null {
  const query = decodeQuery(message)
  if (query === null) return null
  const [question, another] = query.questions ?? []
  if (((query.flags ?? 0) & OPCODE_MASK) !== 0) return reply(query, NOTIMP)
  if (!question || another) return reply(query, FORMERR)

  const names = index.project(source)
  const name = question.name.toLowerCase()
  const address = names?.get(name) ?? index.common.get(name) ?? index.common.get(name.replace(/^[^.]+/, '*'))
  if (address !== undefined) return reply(query, NOERROR, question, address)
  if (names === null) return reply(query, REFUSED) // nobody of ours: we are no resolver for the world
  if (!name.includes('.') || name.endsWith('.internal')) return reply(query, NXDOMAIN)
  if (question.type === 'AAAA') return reply(query, NOERROR) // containers have no IPv6: spare them the attempt
  return 'forward'
}

/** "I cannot tell now", for a query that nobody above answered. Null for what is not a query. */
export function failureAnswer(message: Buffer): Buffer | null {
  const query = decodeQuery(message)
  return query && reply(query, SERVFAIL)
}

function decodeQuery(message: Buffer): Packet | null {
  try {
    const packet = dnsPacket.decode(message)
    return packet.type === 'query' ? packet : null
  } catch {
    return null // not DNS: anybody may send anything to a port
  }
}

function reply(query: Packet, code: number, question?: Question, address?: string): Buffer {
  const isAddress = address !== undefined && question !== undefined && ['A', 'ANY'].includes(question.type)
  const recursion = (query.flags ?? 0) & dnsPacket.RECURSION_DESIRED
  const authority = code === NOERROR || code === NXDOMAIN ? dnsPacket.AUTHORITATIVE_ANSWER : 0
  return dnsPacket.encode({
    type: 'response',
    id: query.id ?? 0,
    flags: recursion | dnsPacket.RECURSION_AVAILABLE | authority | code,
    questions: query.questions ?? [],
    answers: isAddress ? [{ type: 'A', name: question.name, ttl: 0, data: address }] : [],
  })
}

function subnetKey(cidr: string): string {
  return `${ipaddr.IPv4.networkAddressFromCIDR(cidr).toString()}/${cidr.split('/')[1]}`
}
