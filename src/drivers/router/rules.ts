// The packet filter of one installation as one text: who may talk to whom. Loaded whole, in one transaction.
// Priorities are just before Docker's: a refusal in a table of ours is final, whatever Docker accepts afterwards.

const SMTP_PORTS = '25, 465, 587, 2525'
/** PostgreSQL, MariaDB, libSQL on the database host. */
const DATABASE_PORTS = '5432, 3306, 8443'
/** Nothing of these is the Internet: the host's networks, other projects, metadata services. */
const NOT_INTERNET = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16', // Azure's host agent
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
].join(', ')

export interface Firewall {
  /** Name of the table. */
  table: string
  /** Start of the names of the project bridges. */
  prefix: string
  /** Bridge on which builds run: Internet, but no project, no host. */
  buildInterface: string
  platformAddress: string
  databaseAddress: string
  privatePort: number
  /** Where public HTTPS listens, when containers may go there like everybody else; null for loopback. */
  publicAddress: string | null
  publicPorts: number[]
  /** IPv4 resolvers of the host, which builds ask directly. */
  resolvers: string[]
  networks: { name: string; subnet: string }[]
  /** Addresses of services, each with the bridge from which it may be reached. */
  services: { network: string; vip: string }[]
}

/** Text for `nft -f -` that replaces the table, whatever it was. */
export function renderRules(f: Firewall): string {
  const projects = `iifname "${f.prefix}*"`
  const build = `iifname "${f.buildInterface}"`
  return `table inet ${f.table} {
}
delete table inet ${f.table}
table inet ${f.table} {
	set nets {
		type ifname . ipv4_addr
		flags interval
${elements(f.networks.map(network => `"${network.name}" . ${network.subnet}`))}	}
	set own {
		type ifname . ipv4_addr
${elements(f.services.map(service => `"${service.network}" . ${service.vip}`))}	}
	chain sources {
		type filter hook prerouting priority mangle; policy accept;
		${build} return
		${projects} ct direction reply return
		${projects} meta nfproto ipv6 counter drop
		${projects} meta nfproto ipv4 iifname . ip saddr != @nets counter drop
	}
	chain names {
		type nat hook prerouting priority dstnat - 5; policy accept;
		meta l4proto tcp iifname . ip daddr @own dnat ip to ${f.platformAddress}:${f.privatePort}
	}
	chain input {
		type filter hook input priority filter - 5; policy accept;
		${build} jump from_build
		${projects} jump from_project
		iifname != "lo" ip daddr { ${f.platformAddress}, ${f.databaseAddress} } counter drop
	}
	chain from_build {
		ct state established,related accept
${resolverRules(f)}		counter reject with icmpx admin-prohibited
	}
	chain from_project {
		ct state established,related accept
		ip daddr ${f.platformAddress} meta l4proto { tcp, udp } th dport 53 accept
		ct status dnat ip daddr ${f.platformAddress} tcp dport ${f.privatePort} accept
		ip daddr ${f.databaseAddress} tcp dport { ${DATABASE_PORTS} } accept
${publicRule(f)}		counter reject with icmpx admin-prohibited
	}
	chain forward {
		type filter hook forward priority filter - 5; policy accept;
		${build} jump build_egress
		${projects} jump egress
		oifname "${f.prefix}*" ct state new counter drop
	}
	chain build_egress {
		ct state established,related accept
${resolverRules(f)}		jump internet
	}
	chain egress {
		ct state established,related accept
		iifname . ip daddr @nets accept
		jump internet
	}
	chain internet {
		meta nfproto ipv6 counter drop
		tcp dport { ${SMTP_PORTS} } counter reject with tcp reset
		ip daddr { ${NOT_INTERNET} } counter reject with icmpx admin-prohibited
		accept
	}
}
`
}

function elements(list: string[]): string {
  return list.length === 0 ? '' : `\t\telements = { ${list.join(', ')} }\n`
}

function resolverRules(f: Firewall): string {
  if (f.resolvers.length === 0) return ''
  return `\t\tip daddr { ${f.resolvers.join(', ')} } meta l4proto { tcp, udp } th dport 53 accept\n`
}

function publicRule(f: Firewall): string {
  if (f.publicAddress === null) return ''
  return `\t\tip daddr ${f.publicAddress} tcp dport { ${f.publicPorts.join(', ')} } accept\n`
}
