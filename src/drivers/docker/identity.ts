// As whom an image's process runs, told before it runs: a name means what the image's own /etc/passwd says.
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type Docker from 'dockerode'
import tar from 'tar-stream'
import { statusOf } from './engine.ts'

export interface Identity {
  uid: number
  gid: number
}

/** As the engine takes it: `uid:gid`. */
export const userOf = (identity: Identity): string => `${identity.uid}:${identity.gid}`

export interface Accounts {
  users: { name: string; uid: number; gid: number }[]
  groups: { name: string; gid: number }[]
}

const NUMERIC = /^\d+$/

/** `10001` or `10001:10001` as numbers, taken at its word; null where the image's files have to be asked. */
export function numericIdentity(user: string): Identity | null {
  const [name = '', group] = user.split(':')
  if (!NUMERIC.test(name) || (group !== undefined && !NUMERIC.test(group))) return null
  return { uid: Number(name), gid: Number(group ?? 0) }
}

/** True where no look into the image is needed to know that it runs as root. */
export function isPlainlyRoot(user: string): boolean {
  const name = user.split(':')[0] ?? ''
  return name === '' || name === 'root' || (NUMERIC.test(name) && Number(name) === 0)
}

/**
 * What the engine will make of `user` in this image; null when it means root, or nobody. The engine looks a numeric user up as a
 * NAME first: an account called `10001` with uid 0 would be root, so an image with such a name is treated as one that wants it.
 */
export function resolveIdentity(user: string, accounts: Accounts): Identity | null {
  const [name = '', group] = user.split(':')
  if (accounts.users.some(account => NUMERIC.test(account.name))) return null
  const account = accounts.users.find(entry => entry.name === name || String(entry.uid) === name)
  const uid = account?.uid ?? (NUMERIC.test(name) ? Number(name) : 0)
  if (uid === 0) return null
  return { uid, gid: group === undefined ? (account?.gid ?? 0) : groupId(group, accounts) }
}

function groupId(group: string, accounts: Accounts): number {
  const known = accounts.groups.find(entry => entry.name === group)
  return known?.gid ?? (NUMERIC.test(group) ? Number(group) : 0)
}

/** The accounts of a container that was created, started or not. An image without such files has none. */
export async function accountsOf(docker: Docker, containerId: string): Promise<Accounts> {
  const [passwd, group] = await Promise.all([
    fileOf(docker, containerId, '/etc/passwd'),
    fileOf(docker, containerId, '/etc/group'),
  ])
  return {
    users: fields(passwd).map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) })),
    groups: fields(group).map(([name = '', , gid]) => ({ name, gid: Number(gid) })),
  }
}

function fields(file: string): string[][] {
  return file
    .split('\n')
    .map(line => line.split(':'))
    .filter(parts => parts.length >= 3)
}

// Links are followed as the engine will follow them when it looks the user up.
async function fileOf(docker: Docker, containerId: string, file: string, links = 5): Promise<string> {
  try {
    const archive = await docker.getContainer(containerId).getArchive({ path: file })
    for await (const entry of archive.pipe(tar.extract())) {
      if (entry.header.type === 'file') return await text(entry)
      entry.resume()
      if (entry.header.type === 'symlink' && links > 0)
        return await fileOf(
          docker,
          containerId,
          path.posix.resolve(path.posix.dirname(file), entry.header.linkname),
          links - 1,
        )
    }
    return ''
  } catch (error) {
    if (statusOf(error) === 404) return ''
    throw error
  }
}
