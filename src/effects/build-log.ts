// The log of a build, written while it is built: masked, in batches, the newest part kept.
import { LOGS } from '../domain/limits.ts'
import { clearBuildLog, trimBuildLog } from '../../db/queries/log-lines.ts'
import { appendBuildLog } from '../../db/queries/logs.ts'
import type { Tools } from './tools.ts'

const BATCH_MS = 150
const KEPT_BYTES = 4 * 1024 * 1024
const TRIM_EVERY_BYTES = 1024 * 1024
/** Readers get whole rows, so small ones let them have nearly all that they may. */
const ROW_LENGTH = 32 * 1024

export interface BuildLog {
  write(line: string): void
  /** Writes what is left. */
  close(): Promise<void>
}

/**
 * Starts the log of a deployment's build anew. Nothing is written once `signal` aborts: the next attempt may have begun.
 * A log that cannot be written does not fail the build.
 */
export async function openBuildLog(
  { db, log }: Tools,
  deploymentId: string,
  mask: (line: string) => string,
  signal: AbortSignal,
): Promise<BuildLog> {
  await clearBuildLog(db, deploymentId)
  let lines: string[] = []
  let untrimmed = 0
  let timer: NodeJS.Timeout | null = null
  let writing = Promise.resolve()

  async function append(text: string): Promise<void> {
    if (signal.aborted) return
    await appendBuildLog(db, deploymentId, text)
    untrimmed += text.length
    if (untrimmed < TRIM_EVERY_BYTES) return
    untrimmed = 0
    await trimBuildLog(db, deploymentId, KEPT_BYTES)
  }

  function flush(): void {
    timer = null
    const rows = rowsOf(lines)
    lines = []
    writing = writing
      .then(async () => {
        for (const text of rows) await append(text)
      })
      .catch((error: unknown) => log.error({ err: error, deploymentId }, 'lines of a build log were lost'))
  }

  return {
    write(line) {
      lines.push(storable(mask(line)))
      timer ??= setTimeout(flush, BATCH_MS)
    },
    async close() {
      if (timer) clearTimeout(timer)
      flush()
      await writing
    },
  }
}

function rowsOf(lines: readonly string[]): string[] {
  const rows: string[] = []
  for (const line of lines) {
    const last = rows.at(-1)
    if (last !== undefined && last.length + line.length < ROW_LENGTH) rows[rows.length - 1] = `${last}${line}\n`
    else rows.push(`${line}\n`)
  }
  return rows
}

/** A masked line as it is kept. Postgres keeps no NUL, and half a surrogate pair is no text. */
export function storable(line: string): string {
  const cut = line.length > LOGS.maxLineLength ? `${line.slice(0, LOGS.maxLineLength)} …` : line
  return Buffer.from(cut.replaceAll('\0', ''), 'utf8').toString('utf8')
}
