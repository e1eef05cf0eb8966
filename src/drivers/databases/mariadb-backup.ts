// Dump and restore of one MariaDB database, by the programs that come with the server. A dump is text that a tenant has
// had a hand in: it is replayed as an account that may do no more than the tenant itself.
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { userInfo } from 'node:os'
import { Transform, type Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { DriverError, type BackupFile } from '../contracts.ts'
import { readBackup, writeBackup } from './backup-file.ts'

const ENV = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', HOME: '/nonexistent' }
const LARGEST_PACKET = '--max-allowed-packet=64M'

export async function dumpDatabase(
  socket: string,
  databaseName: string,
  file: string,
  signal: AbortSignal,
): Promise<BackupFile> {
  const content = ['--single-transaction', '--routines', '--triggers', '--hex-blob', '--skip-lock-tables']
  const options = ['--no-defaults', `--socket=${socket}`, `--user=${userInfo().username}`, LARGEST_PACKET]
  const dump = spawn('mariadb-dump', [...options, ...content, '--default-character-set=utf8mb4', databaseName], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: ENV,
    signal,
  })
  return writeBackup(file, dump.stdout, success(dump, 'mariadb-dump'), isComplete, signal)
}

/** Replays a dump into an empty database as `user`, through the socket. */
export async function replayDump(
  socket: string,
  target: { databaseName: string; user: string; password: string },
  backup: BackupFile,
  signal: AbortSignal,
): Promise<void> {
  const text = await readBackup(backup, signal)
  // The client has commands of its own that start programs: a text that can smuggle one in must not find them.
  const harmless = ['--binary-mode', '--sandbox', '--batch']
  const options = ['--no-defaults', `--socket=${socket}`, `--user=${target.user}`, LARGEST_PACKET, ...harmless]
  const client = spawn('mariadb', [...options, '--default-character-set=utf8mb4', target.databaseName], {
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { ...ENV, MYSQL_PWD: target.password }, // Read by us and root alone, and worth nothing a moment later.
    signal,
  })
  const ended = success(client, 'mariadb')
  // A client that gives up closes its input; its exit says why.
  const fed = pipeline(text, withoutDefiners(), client.stdin, { signal }).catch(async (error: Error) => {
    await ended
    throw error
  })
  await Promise.all([fed, ended])
}

const isComplete = (tail: string): boolean => /\n-- Dump completed[^\n]*\n$/.test(tail)

const DEFINER = /\sDEFINER\s*=\s*`(?:[^`]|``)*`@`(?:[^`]|``)*`/
const MAY_HAVE_DEFINER = /^(?:CREATE |\/\*!5\d{4} )/
const LINE_FEED = 10
const LONGEST_PREFIX = 10

/**
 * Leaves DEFINER out of CREATE lines and the conditional comments that continue them, so that whoever replays the dump owns
 * what it makes. Rows are passed on as they are: a text may well say DEFINER.
 */
export function withoutDefiners(): Transform {
  let line: Buffer[] = []
  let plain = false // The rest of this line is passed on.
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let start = 0
      while (start < chunk.length) {
        const feed = chunk.indexOf(LINE_FEED, start)
        const end = feed === -1 ? chunk.length : feed + 1
        const piece = chunk.subarray(start, end)
        start = end
        if (plain) this.push(piece)
        else {
          line.push(piece)
          const head = Buffer.concat(line)
          const known = head.length >= LONGEST_PREFIX || feed !== -1
          plain = known && !MAY_HAVE_DEFINER.test(head.subarray(0, LONGEST_PREFIX).toString('latin1'))
          if (plain || feed !== -1) {
            this.push(plain ? head : withoutDefiner(head))
            line = []
          }
        }
        if (feed !== -1) plain = false
      }
      done()
    },
    flush(done) {
      if (line.length > 0) this.push(withoutDefiner(Buffer.concat(line)))
      done()
    },
  })
}

// Byte for byte: latin1 keeps every byte what it was.
function withoutDefiner(line: Buffer): Buffer {
  return Buffer.from(line.toString('latin1').replace(DEFINER, ''), 'latin1')
}

/** Resolves when the program ended well. What it says is not passed on whole: it quotes rows. */
async function success(
  program: ChildProcessByStdio<Writable | null, Readable | null, Readable>,
  name: string,
): Promise<void> {
  let said = ''
  program.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4000)))
  const code = await new Promise<number | null>((resolve, reject) => {
    program.once('error', reject)
    program.once('close', resolve)
  })
  if (code === 0) return
  const reason = /(?:ERROR|error:?) (\d+)(?: \(\w+\))?(?: at line \d+)?/.exec(said)?.[0] ?? `exit code ${code}`
  throw new DriverError('unavailable', `${name} failed: ${reason}`, { temporary: true })
}
