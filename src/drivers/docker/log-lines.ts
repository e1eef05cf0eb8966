// The engine's multiplexed log (8-byte header per message) as lines with their nanosecond stamps.
import { Readable } from 'node:stream'
import type Docker from 'dockerode'
import { LOGS } from '../../domain/limits.ts'
import type { LogLine } from '../contracts.ts'
import { statusOf } from './engine.ts'

const HEADER_BYTES = 8
const LINE_FEED = 0x0a

export interface LogOptions {
  /** Exclusive, RFC 3339; null = from the start. */
  since: string | null
  follow: boolean
  tail?: number
}

/** Lines of a container, oldest first; ends when it exits (with `follow`), when it is gone, or quietly when aborted. */
export async function* logLines(
  container: Docker.Container,
  options: LogOptions,
  signal: AbortSignal,
): AsyncIterable<LogLine> {
  const after = options.since === null ? '' : nanosecondStamp(options.since)
  const stream = await open(container, options, after)
  if (!stream) return
  const stop = (): void => void stream.destroy()
  signal.addEventListener('abort', stop, { once: true })
  try {
    if (signal.aborted) return
    // The engine's own `since` is inclusive and rounds: what was already seen is left out here.
    for await (const line of linesOf(stream)) if (line.at > after) yield line
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', stop)
    stream.destroy()
  }
}

async function open(container: Docker.Container, options: LogOptions, after: string): Promise<Readable | null> {
  const wanted = {
    stdout: true,
    stderr: true,
    timestamps: true,
    ...(after ? { since: unixSeconds(after) as unknown as number } : {}),
    ...(options.tail ? { tail: options.tail } : {}),
  }
  try {
    if (options.follow) return (await container.logs({ ...wanted, follow: true })) as Readable
    return Readable.from([await container.logs({ ...wanted, follow: false })])
  } catch (error) {
    if (statusOf(error) === 404) return null
    throw error
  }
}

interface OpenLine {
  at: string
  parts: Buffer[]
  bytes: number
}

/**
 * Lines of one multiplexed stream. Long lines come in several messages; each carries a stamp, the first one counts. A line
 * is told as soon as it is too long, and what follows of it is dropped: as a line of its own it could show half a secret.
 */
export async function* linesOf(stream: AsyncIterable<unknown>): AsyncIterable<LogLine> {
  const open = new Map<number, OpenLine>()
  for await (const { channel, message } of messagesOf(stream)) {
    const space = message.indexOf(' ')
    const line = open.get(channel) ?? { at: nanosecondStamp(message.toString('latin1', 0, space)), parts: [], bytes: 0 }
    const isTold = line.bytes > LOGS.maxReadBytes
    line.bytes += message.length - space - 1
    if (!isTold) line.parts.push(message.subarray(space + 1))
    const isComplete = message.at(-1) === LINE_FEED
    if (!isTold && (isComplete || line.bytes > LOGS.maxReadBytes)) yield told(line)
    if (isComplete) open.delete(channel)
    else open.set(channel, line)
  }
  for (const line of open.values()) if (line.bytes <= LOGS.maxReadBytes) yield told(line)
}

function told({ at, parts }: OpenLine): LogLine {
  return {
    at,
    text: Buffer.concat(parts)
      .toString('utf8')
      .replace(/\r?\n$/, ''),
  }
}

async function* messagesOf(stream: AsyncIterable<unknown>): AsyncIterable<{ channel: number; message: Buffer }> {
  let pending: Buffer = Buffer.alloc(0)
  for await (const chunk of stream) {
    pending = pending.length === 0 ? (chunk as Buffer) : Buffer.concat([pending, chunk as Buffer])
    let offset = 0
    while (pending.length - offset >= HEADER_BYTES) {
      const end = offset + HEADER_BYTES + pending.readUInt32BE(offset + 4)
      if (end > pending.length) break
      yield { channel: pending[offset] ?? 1, message: pending.subarray(offset + HEADER_BYTES, end) }
      offset = end
    }
    pending = pending.subarray(offset)
  }
}

/** RFC 3339 in UTC with exactly nine digits: such stamps compare as text. */
export function nanosecondStamp(stamp: string): string {
  const [, fraction = ''] = /\.(\d+)/.exec(stamp) ?? []
  const seconds = new Date(stamp.replace(/\.\d+/, ''))
  if (Number.isNaN(seconds.getTime())) return ''
  return `${seconds.toISOString().slice(0, 19)}.${fraction.padEnd(9, '0').slice(0, 9)}Z`
}

// An RFC 3339 text is refused with 500; seconds with a fraction are not.
function unixSeconds(stamp: string): string {
  return `${Date.parse(`${stamp.slice(0, 19)}Z`) / 1000}.${stamp.slice(20, 29)}`
}
