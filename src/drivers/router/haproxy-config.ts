// HAProxy's configuration is static: routes are data in map files, changed through its runtime socket. So no deployment
// ever reloads it, and no connection notices a switch.

export interface HaproxySettings {
  /** Folder of sockets, maps and this configuration. */
  runDir: string
  /** Key, certificate and root in one file. */
  pemFile: string
  holdScript: string
  publicAddress: string
  httpsPort: number
  httpPort: number
  platformAddress: string
  privatePort: number
  maxConnections: number
  /** Account to become after binding; null = stay who we are. */
  user: { name: string; group: string } | null
}

export const MAPS = ['private', 'public', 'target'] as const
export type MapName = (typeof MAPS)[number]

export const mapFile = (runDir: string, map: MapName): string => `${runDir}/maps/${map}.map`
export const adminSocket = (runDir: string): string => `${runDir}/admin.sock`
export const probeSocket = (runDir: string): string => `${runDir}/probe.sock`
/** Answers to ACME challenges by path: only the running HAProxy has any. */
export const challengeFile = (runDir: string): string => `${runDir}/maps/challenge.map`
/** Certificates of custom hosts: a file each, and the list that names them. */
export const hostFile = (runDir: string, host: string): string => `${runDir}/hosts/${host}.pem`
export const hostList = (runDir: string): string => `${runDir}/hosts/hosts.list`
const againSocket = (runDir: string): string => `${runDir}/again.sock`

/** Marks an answer that the router gave in the service's stead; one that comes from a service is taken away. */
export const ROUTER_HEADER = 'x-cais-router'

/** How long a request waits for a service whose target is `hold`. */
const HOLD_MS = 30_000
const HOLD_STEP_MS = 20
/** How long a request that did not reach its instance waits for the route to lead elsewhere before it is sent again. */
const ANOTHER_MS = 1_000

/** One connection in front takes two descriptors, and HAProxy needs some of its own. */
export function connectionsFor(descriptors: number): number {
  return Math.max(200, Math.min(8000, Math.floor((descriptors - 500) / 2.4)))
}

const say = (status: number, why: string, text: string, header = ''): string =>
  `status ${status} content-type "text/plain; charset=utf-8" string "${text}\\n" hdr ${ROUTER_HEADER} ${why}${header}`

const UNKNOWN_HOST = say(404, 'unknown-host', 'Nenhum serviço responde por este endereço.')
const NO_INSTANCE = say(503, 'no-instance', 'Este serviço não está no ar neste momento.', ' hdr retry-after 5')

/** Text of haproxy.cfg. A target is `address:port:service port`, with `hold` or `none` in place of the address. */
export function renderHaproxyConfig(s: HaproxySettings): string {
  const share = Math.floor(s.maxConnections * 0.7) // neither side can take the last connection from the other
  const lookup = (map: MapName): string => `map_str("${mapFile(s.runDir, map)}")`
  const target = `	http-request set-var(txn.to) var(txn.service),${lookup('target')}
	http-request lua.hold if { var(txn.to) -m beg hold: }
	http-request return ${NO_INSTANCE} if !{ var(txn.to) -m found } || { var(txn.to) -m beg none: hold: }
	http-request set-var(txn.target) var(txn.to),field(1,:,2)
	http-request track-sc0 var(txn.target) table targets
`
  const route = `	unique-id-format %[var(txn.service)]|%[var(txn.to)]
${target}	http-request disable-l7-retry unless METH_SAFE
	use_backend pooled if METH_SAFE
	default_backend fresh
`
  const toInstance = `	timeout connect 1s
	http-request set-dst var(txn.to),field(1,:)
	http-request set-dst-port var(txn.to),field(2,:)
	server instance 0.0.0.0:0
`
  // The second server is this HAProxy itself: a request that did not reach its instance is routed anew, once.
  const orAgain = `	balance first
	option redispatch 1
	server again unix@${againSocket(s.runDir)} send-proxy-v2 proxy-v2-options unique-id
	http-response del-header ${ROUTER_HEADER} unless { srv_id 2 }
`
  return `global
	stats socket "${adminSocket(s.runDir)}" mode 600 level admin
	stats timeout 30s
	maxconn ${s.maxConnections}
	hard-stop-after 1h
${s.user ? `\tuser ${s.user.name}\n\tgroup ${s.user.group}\n` : ''}	lua-load-per-thread "${s.holdScript}"
	ssl-default-bind-options ssl-min-ver TLSv1.2

defaults
	mode http
	timeout connect 3s
	timeout client 5m
	timeout server 15m
	timeout tunnel 24h
	timeout http-request 30s
	timeout http-keep-alive 65s
	retries 2
	http-error ${say(502, 'bad-answer', 'O serviço não deu uma resposta válida.')}
	http-error ${say(503, 'no-answer', 'Não foi possível conectar ao serviço.', ' hdr retry-after 5')}
	http-error ${say(504, 'no-answer', 'O serviço demorou demais para responder.')}

frontend public
	bind ${s.publicAddress}:${s.httpsPort} ssl crt "${s.pemFile}" crt-list "${hostList(s.runDir)}" alpn h2,http/1.1
	maxconn ${share}
	acl METH_SAFE method GET HEAD OPTIONS
	http-request set-var(txn.service) req.hdr(host),lower,field(1,:),${lookup('public')}
	http-request return ${UNKNOWN_HOST} if !{ var(txn.service) -m found }
	http-request del-header forwarded
	http-request del-header x-real-ip
	http-request set-header X-Forwarded-For %[src]
	http-request set-header X-Forwarded-Proto https
	http-request set-header X-Forwarded-Host %[req.hdr(host)]
	http-request set-header X-Forwarded-Port ${s.httpsPort}
${route}
frontend plain
	bind ${s.publicAddress}:${s.httpPort}
	maxconn ${share}
	http-request set-var(txn.answer) path,map_str("${challengeFile(s.runDir)}") if { path -m beg /.well-known/acme-challenge/ }
	http-request return status 200 content-type text/plain lf-string %[var(txn.answer)] if { var(txn.answer) -m found }
	http-request set-var(txn.host) req.hdr(host),lower,field(1,:)
	http-request return ${UNKNOWN_HOST} if !{ var(txn.host),${lookup('public')} -m found }
	http-request redirect location https://%[var(txn.host)]${s.httpsPort === 443 ? '' : `:${s.httpsPort}`}%[pathq] code 308

# Connections come here by destination NAT: \`dst\` is the address of the service that the client asked for.
frontend private
	bind ${s.platformAddress}:${s.privatePort}
	maxconn ${share}
	acl METH_SAFE method GET HEAD OPTIONS
	acl right_port dst_port,strcmp(txn.port) eq 0
	tcp-request connection set-var(sess.service) dst,${lookup('private')}
	tcp-request connection set-var(sess.port) var(sess.service),${lookup('target')},field(3,:)
	tcp-request connection reject if !{ dst_port,strcmp(sess.port) eq 0 }
	option forwardfor
	http-request set-header X-Forwarded-Proto http unless { req.hdr(x-forwarded-proto) -m found }
	http-request set-header X-Forwarded-Host %[req.hdr(host)] unless { req.hdr(x-forwarded-host) -m found }
	http-request set-var(txn.service) var(sess.service)
	http-request set-var(txn.port) var(txn.service),${lookup('target')},field(3,:)
	http-request return ${NO_INSTANCE} if !right_port
${route}
frontend probe
	bind unix@${probeSocket(s.runDir)} mode 600
	acl METH_SAFE method GET HEAD OPTIONS
	http-request set-var(txn.service) req.hdr(x-cais-service)
	http-request del-header x-cais-service
${route}
# What did not reach its instance: that one has crashed, and in a moment another serves, or the same again.
frontend again
	bind unix@${againSocket(s.runDir)} mode 600${s.user ? ` user ${s.user.name}` : ''} accept-proxy
	http-request set-var(txn.service) fc_pp_unique_id,field(1,|)
	http-request set-var(txn.failed) fc_pp_unique_id,field(2,|)
	http-request lua.await_another
${target}	default_backend last

# Safe methods reuse connections, and are asked again when an instance closes one in that moment.
backend pooled
	http-reuse safe
	retry-on conn-failure empty-response
${toInstance}${orAgain}
# What must not be asked twice gets a connection of its own, which no idle timeout can close under it.
backend fresh
	option http-server-close
	http-reuse never
	retry-on conn-failure
${toInstance}${orAgain}
# Only connecting is tried for longer: a request that kills its instance must not kill the next one many times.
backend last
	option http-server-close
	http-reuse never
	retry-on conn-failure
	retries 4
${toInstance}	http-response del-header ${ROUTER_HEADER}

# Requests and tunnels in flight to each instance.
backend targets
	stick-table type string len 32 size 100k expire 1h store conn_cur
`
}

/** Text of the Lua actions that let a request wait: while its target is `hold`, or is the one it could not reach. */
export function renderHoldScript(runDir: string): string {
  return `local targets = Map.new("${mapFile(runDir, 'target')}", Map._str)
core.register_action("hold", { "http-req" }, function(txn)
  local service = txn:get_var("txn.service")
  for _ = 1, ${HOLD_MS / HOLD_STEP_MS} do
    local to = targets:lookup(service)
    if to == nil or to:sub(1, 5) ~= "hold:" then
      txn:set_var("txn.to", to or "none:0:0")
      return
    end
    core.msleep(${HOLD_STEP_MS})
  end
end, 0)
core.register_action("await_another", { "http-req" }, function(txn)
  local service, failed = txn:get_var("txn.service"), txn:get_var("txn.failed")
  if not failed then return end
  for _ = 1, ${ANOTHER_MS / HOLD_STEP_MS} do
    if targets:lookup(service) ~= failed then return end
    core.msleep(${HOLD_STEP_MS})
  end
end, 0)
`
}
