// The name server: a program of its own, so that names resolve while the platform and dockerd are down or upgraded.
// Arguments: the address to listen on, and what tells this version from others. It reads names.json in its folder.
import dgram from 'node:dgram'
import { readFileSync, statSync } from 'node:fs'
import net from 'node:net'
import { forwardTcp, forwardUdp, hostResolvers, splitMessages, withLength } from './dns-forward.ts'
import { answerQuery, failureAnswer, indexNames, type NameBook, type NameIndex } from './names.ts'

const PORT = 53
const TCP_IDLE_MS = 10_000
const MAX_TCP_CONNECTIONS = 256
/** Questions of one source that may wait for the host's resolvers: one container cannot starve the others. */
const MAX_WAITING_PER_SOURCE = 100
const BOOK_FILE = 'names.json'
const NOBODY = 65534

const address = process.argv[2]
if (address === undefined) throw new Error('usage: dns-server <address> [generation]')

let known: { identity: string; index: NameIndex } | null = null
const waiting = new Map<string, number>()

/** The names as they are on disk at this moment: a look at the file costs less than missing a change of it. */
function currentNames(): NameIndex {
  const file = statSync(BOOK_FILE, { bigint: true })
  const identity = `${file.ino}.${file.mtimeNs}.${file.size}`
  if (known?.identity !== identity) {
    known = { identity, index: indexNames(JSON.parse(readFileSync(BOOK_FILE, 'utf8')) as NameBook) }
  }
  return known.index
}

type Forward = (message: Buffer, resolvers: string[]) => Promise<Buffer | null>

async function answer(message: Buffer, source: string, forward: Forward): Promise<Buffer | null> {
  const own = answerQuery(message, source, currentNames())
  if (own !== 'forward') return own
  const count = waiting.get(source) ?? 0
  if (count >= MAX_WAITING_PER_SOURCE) return failureAnswer(message)
  waiting.set(source, count + 1)
  try {
    return (await forward(message, hostResolvers())) ?? failureAnswer(message)
  } finally {
    const left = (waiting.get(source) ?? 1) - 1
    if (left === 0) waiting.delete(source)
    else waiting.set(source, left)
  }
}

/** A question that we fail at is logged and left without an answer; the next one may do better. */
const report = (error: unknown): void => console.error(new Date().toISOString(), error)

const udp = dgram.createSocket('udp4')
udp.on('message', (message, from) => {
  answer(message, from.address, forwardUdp)
    .then(reply => reply && udp.send(reply, from.port, from.address, error => error && report(error)))
    .catch(report)
})
udp.on('error', fail)

const tcp = net.createServer(socket => {
  socket.setTimeout(TCP_IDLE_MS, () => socket.destroy())
  socket.on('error', () => socket.destroy())
  const source = socket.remoteAddress ?? ''
  const split = splitMessages(message => {
    answer(message, source, forwardTcp)
      .then(reply => (reply && socket.writable ? socket.write(withLength(reply)) : socket.destroy()))
      .catch(report)
  })
  socket.on('data', split)
})
tcp.maxConnections = MAX_TCP_CONNECTIONS
tcp.on('error', fail)

function fail(error: Error): never {
  console.error(error.message)
  process.exit(1)
}

/** Port 53 needs root, answering does not. The working folder stays readable: its parents are not walked again. */
function dropPrivileges(): void {
  if (process.getuid?.() !== 0) return
  process.setgroups?.([])
  process.setgid?.(NOBODY)
  process.setuid?.(NOBODY)
}

currentNames()
udp.bind(PORT, address, () => tcp.listen(PORT, address, dropPrivileges))
