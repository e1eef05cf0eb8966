// Questions about the rest of the world go, as they came, to the resolvers of the host.
import dgram from 'node:dgram'
import { readFileSync } from 'node:fs'
import net from 'node:net'

const UDP_TRY_MS = 2000
const TCP_TRY_MS = 5000

/** Name servers of a resolv.conf, in order. */
export function parseResolvers(text: string): string[] {
  const found = [...text.matchAll(/^[ \t]*nameserver[ \t]+([0-9a-fA-F.:]+(%\S+)?)/gm)].map(match => match[1] ?? '')
  return found.filter(address => net.isIP(address.split('%')[0] ?? '') !== 0)
}

/** Resolvers that the host uses now; read each time, because DHCP changes them. */
export function hostResolvers(file = '/etc/resolv.conf'): string[] {
  return parseResolvers(readFileSync(file, 'utf8'))
}

/** Asks each resolver in turn, twice, and answers what the first one said; null when none did. */
export async function forwardUdp(message: Buffer, resolvers: string[]): Promise<Buffer | null> {
  for (const resolver of [...resolvers, ...resolvers]) {
    const answer = await askUdp(message, resolver)
    if (answer) return answer
  }
  return null
}

export async function forwardTcp(message: Buffer, resolvers: string[]): Promise<Buffer | null> {
  for (const resolver of resolvers) {
    const answer = await askTcp(message, resolver)
    if (answer) return answer
  }
  return null
}

/** A socket per question: its random port is what an attacker would have to guess. */
function askUdp(message: Buffer, resolver: string): Promise<Buffer | null> {
  return new Promise(resolve => {
    const socket = dgram.createSocket(net.isIPv6(resolver.split('%')[0] ?? '') ? 'udp6' : 'udp4')
    const finish = (answer: Buffer | null): void => {
      clearTimeout(timer)
      socket.removeAllListeners()
      socket.on('error', () => undefined)
      socket.close()
      resolve(answer)
    }
    const timer = setTimeout(() => finish(null), UDP_TRY_MS)
    socket.on('error', () => finish(null)) // unreachable: the next resolver is asked
    socket.on('message', answer => {
      if (answer.length > 12 && answer.readUInt16BE(0) === message.readUInt16BE(0)) finish(answer)
    })
    socket.connect(53, resolver, () => socket.send(message))
  })
}

function askTcp(message: Buffer, resolver: string): Promise<Buffer | null> {
  return new Promise(resolve => {
    const socket = net.connect({ host: resolver, port: 53 })
    const split = splitMessages(answer => finish(answer))
    const finish = (answer: Buffer | null): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(TCP_TRY_MS, () => finish(null))
    socket.on('error', () => finish(null))
    socket.on('close', () => resolve(null))
    socket.on('data', split)
    socket.write(withLength(message))
  })
}

/** DNS over TCP puts two bytes of length before each message. */
export function withLength(message: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(message.length)
  return Buffer.concat([length, message])
}

/** Takes bytes as they arrive and calls back with whole messages. */
export function splitMessages(onMessage: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  return chunk => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE(0)) {
      const end = 2 + rest.readUInt16BE(0)
      onMessage(rest.subarray(2, end))
      rest = rest.subarray(end)
    }
  }
}
