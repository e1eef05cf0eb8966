// What a person sees while deployments run: one line per change of state, the tail of the build log, and on a terminal
// a last line that shows where everything stands. In a pipe the same lines, without colour and without the last one.
import { isOpen, type CaisClient } from '../client/index.ts'
import { secondsSince } from './announce.ts'

/** One service on its way: an item of a group, or a deployment by itself (`layer` null). */
export interface Item {
  name: string
  serviceId: string
  deploymentId: string | null
  status: string
  layer: number | null
  reason: string | null
}

const POLL_MS = 400
const LOG_LINES_PER_POLL = 4

export class Screen {
  readonly #out: NodeJS.WriteStream
  readonly #tty: boolean
  #transient = false

  constructor(out: NodeJS.WriteStream = process.stdout) {
    this.#out = out
    this.#tty = out.isTTY
  }

  line(text = ''): void {
    this.#clear()
    this.#out.write(`${text}\n`)
  }

  /** A line that the next one replaces; nothing in a pipe. */
  transient(text: string): void {
    if (!this.#tty) return
    this.#clear()
    this.#out.write(this.dim(this.fit(text)))
    this.#transient = true
  }

  fit(text: string): string {
    const width = (this.#tty ? this.#out.columns || 120 : 160) - 1
    return text.length > width ? `${text.slice(0, width - 1)}…` : text
  }

  dim = (text: string): string => this.#paint(2, text)
  green = (text: string): string => this.#paint(32, text)
  red = (text: string): string => this.#paint(31, text)
  bold = (text: string): string => this.#paint(1, text)

  #paint(code: number, text: string): string {
    return this.#tty ? `\u001b[${code}m${text}\u001b[0m` : text
  }

  #clear(): void {
    if (this.#transient) this.#out.write('\r\u001b[2K')
    this.#transient = false
  }
}

/** Polls until no item is open, showing every change; answers the last state. `poll` may fail while the platform restarts. */
export async function follow(
  screen: Screen,
  client: CaisClient,
  projectId: string,
  poll: () => Promise<{ open: boolean; items: Item[] }>,
): Promise<Item[]> {
  const startedAt = Date.now()
  const shown = new Map<string, string>()
  const logged = new Map<string, number>()
  for (;;) {
    const { open, items } = await poll()
    for (const item of items) {
      const before = shown.get(item.serviceId)
      shown.set(item.serviceId, item.status)
      // What it said while it was building comes before the news that it no longer is.
      const follows = item.deploymentId !== null && item.status !== 'queued'
      const leavesBuilding = before === 'building' && item.status !== 'building'
      if (follows && leavesBuilding) await showLog(screen, client, projectId, item, logged)
      if (before !== item.status && (before !== undefined || item.status !== 'queued')) {
        screen.line(stateLine(screen, item, startedAt))
      }
      if (follows && !leavesBuilding) await showLog(screen, client, projectId, item, logged)
    }
    if (!open) return items
    screen.transient(`  ${items.map(item => `${item.name} ${item.status}`).join(' · ')}   ${secondsSince(startedAt)}`)
    await new Promise(resolve => setTimeout(resolve, POLL_MS))
  }
}

function stateLine(screen: Screen, item: Item, startedAt: number): string {
  const paint = item.status === 'ready' ? screen.green : isOpen(item.status) ? (text: string) => text : screen.red
  const layer = item.layer === null ? '' : `layer ${item.layer}  `
  const after = isOpen(item.status) ? '' : `  ${secondsSince(startedAt)}`
  const reason = item.reason ? `  (${item.reason})` : ''
  return `  ${layer}${item.name.padEnd(8)} ${paint(item.status.padEnd(9))}${reason}${after}`.trimEnd()
}

async function showLog(
  screen: Screen,
  client: CaisClient,
  projectId: string,
  item: Item,
  logged: Map<string, number>,
): Promise<void> {
  const before = logged.get(item.serviceId) ?? 0
  if (before < 0) return
  const path = { project: projectId, service: item.serviceId, deployment: item.deploymentId ?? '' }
  const { text } = await client.get('/v1/projects/{project}/services/{service}/deployments/{deployment}/logs', { path })
  // A log that is complete is not asked for again.
  logged.set(item.serviceId, item.status === 'building' ? text.length : -1)
  const lines = text
    .slice(before)
    .split('\n')
    .filter(line => line.trim() !== '')
  if (lines.length > LOG_LINES_PER_POLL)
    screen.line(logLine(screen, item, `… ${lines.length - LOG_LINES_PER_POLL} lines`))
  for (const line of lines.slice(-LOG_LINES_PER_POLL)) screen.line(logLine(screen, item, line))
}

const indent = (item: Item): string => ' '.repeat(item.layer === null ? 2 : 11)
const logLine = (screen: Screen, item: Item, text: string): string =>
  screen.dim(screen.fit(`${indent(item)}${item.name.padEnd(8)} │ ${text}`))
