// The public DNS, asked through the machine's resolvers or those of the configuration.
import { Resolver } from 'node:dns/promises'
import { DriverError, type NameLookup } from '../contracts.ts'

const TRY_MS = 2000
const TRIES = 2
/** Said of names and records that do not exist, by servers that did answer. */
const NOTHING_THERE = new Set(['ENODATA', 'ENOTFOUND'])

/** `servers`: addresses, each with a port where it is not 53; null = the machine's own. */
export function createNameLookup(servers: readonly string[] | null): NameLookup {
  // One resolver a question: what an earlier one has learnt about servers never decides.
  const ask = async <T>(name: string, question: (resolver: Resolver) => Promise<T[]>): Promise<T[]> => {
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
    if (servers) resolver.setServers(servers)
    try {
      return await question(resolver)
    } catch (cause) {
      const { code = 'unknown' } = cause as { code?: string }
      if (NOTHING_THERE.has(code)) return []
      throw new DriverError('dns_unavailable', `the name servers did not answer about ${name}: ${code}`, { cause })
    }
  }
  return {
    // A long text comes in several pieces.
    txt: async name => (await ask(name, resolver => resolver.resolveTxt(name))).map(pieces => pieces.join('')),
    cname: async name => (await ask(name, resolver => resolver.resolveCname(name))).map(withoutDot),
    addresses: async name => [
      ...(await ask(name, resolver => resolver.resolve4(name))),
      ...(await ask(name, resolver => resolver.resolve6(name))),
    ],
  }
}

const withoutDot = (name: string): string => name.replace(/\.$/, '').toLowerCase()
