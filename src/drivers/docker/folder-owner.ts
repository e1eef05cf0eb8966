// The folder of a volume belongs to the user that the instance runs as.
import { execFile } from 'node:child_process'
import { chmod, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { DriverError } from '../contracts.ts'
import type { Identity } from './identity.ts'

const run = promisify(execFile)

/** Makes the folder, and what another user of it has left, the user's own. Nothing runs on it meanwhile. */
export async function giveFolder(folder: string, { uid, gid }: Identity): Promise<void> {
  try {
    const now = await stat(folder)
    if (now.uid === uid && now.gid === gid) return
    // Links are not followed: the tenant chose where they lead. The folder itself comes last, so that a repeat goes on.
    await run('find', ['-P', folder, '-depth', '-xdev', '-exec', 'chown', '-h', `${uid}:${gid}`, '{}', '+'])
    await chmod(folder, 0o750)
  } catch (error) {
    throw new DriverError('volume_unavailable', `the volume ${folder} cannot be given to its user`, {
      temporary: true,
      cause: error,
    })
  }
}
