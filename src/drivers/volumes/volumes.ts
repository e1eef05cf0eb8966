// A volume is an image file with a file system of its own, mounted by loop: its size is a fact that the kernel enforces, and
// no tenant can fill another's. DATA_DIR/volumes/<id>/image is mounted at …/<id>/mnt, and its folder `data` is bound.
import { execFile } from 'node:child_process'
import {
  access,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  statfs,
  truncate,
  writeFile,
} from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { DriverError, type Volumes } from '../contracts.ts'

const run = promisify(execFile)
const ID = /^[0-9a-z]{26}$/
const GIB = 1024 ** 3
const MIB = 1024 ** 2
const UNMOUNT_TRIES = 20
const UNMOUNT_PAUSE_MS = 100

interface Place {
  home: string
  image: string
  mount: string
  data: string
}

/** Volumes under `dir`. Wants root, and the mounts of the Docker Engine to be those of this process. */
export function createVolumes({ dir }: { dir: string }): Volumes {
  const inTurn = turns()
  const placeOf = (volumeId: string): Place => placeIn(dir, volumeId)

  return {
    ensure: ({ volumeId, sizeGb }) =>
      inTurn(volumeId, 'ensure', async () => {
        const place = placeOf(volumeId)
        await mkdir(place.mount, { recursive: true, mode: 0o711 })
        if (!(await exists(place.image))) await createImage(place, sizeGb * GIB)
        else if ((await stat(place.image)).size < sizeGb * GIB || (await exists(growing(place))))
          await grow(place, sizeGb * GIB)
        await mountImage(place)
        return { source: place.data }
      }),
    usage: volumeId =>
      inTurn(volumeId, 'usage', async () => {
        const place = placeOf(volumeId)
        if (!(await exists(place.image)) || (await exists(growing(place)))) return null
        await mountImage(place)
        const { blocks, bfree, bsize } = await statfs(place.mount)
        return Math.round(((blocks - bfree) * bsize) / MIB)
      }),
    remove: volumeId =>
      inTurn(volumeId, 'remove', async () => {
        const place = placeOf(volumeId)
        await unmount(place)
        await rm(place.home, { recursive: true, force: true })
      }),
    list: async () => (await readdir(dir).catch(whenMissing([]))).filter(name => ID.test(name)),
  }
}

/** Lets go of every volume under `dir`; their data stays. Nothing runs on them any more. */
export async function unmountVolumes(dir: string): Promise<string[]> {
  const ids = await createVolumes({ dir }).list()
  for (const id of ids) await unmount(placeIn(dir, id))
  return ids
}

function placeIn(dir: string, volumeId: string): Place {
  if (!ID.test(volumeId)) throw new DriverError('bad_volume', `"${volumeId}" is not the id of a volume`)
  const home = path.join(dir, volumeId)
  return { home, image: path.join(home, 'image'), mount: path.join(home, 'mnt'), data: path.join(home, 'mnt', 'data') }
}

// Sparse: space is taken as it is written. The file gets its name once it is whole.
async function createImage(place: Place, bytes: number): Promise<void> {
  const draft = `${place.image}.part`
  await rm(draft, { force: true })
  await writeFile(draft, '', { mode: 0o600 })
  await truncate(draft, bytes)
  await run('mkfs.ext4', ['-q', '-F', '-m', '0', '-E', 'lazy_itable_init=1', draft])
  await rename(draft, place.image)
}

/** Says that the file is larger than its file system, until it no longer is. */
const growing = (place: Place): string => path.join(place.home, 'growing')

// Offline. Whoever died in between finds the marker and does it again.
async function grow(place: Place, bytes: number): Promise<void> {
  await unmount(place)
  await writeFile(growing(place), '')
  if ((await stat(place.image)).size < bytes) await truncate(place.image, bytes)
  // 1: it had something to repair, and has.
  await run('e2fsck', ['-f', '-p', place.image]).catch((error: { code?: number }) => {
    if (error.code !== 1) throw error
  })
  await run('resize2fs', [place.image])
  await rm(growing(place))
}

async function mountImage(place: Place): Promise<void> {
  if (!(await isMounted(place))) {
    // Space that is freed inside goes back to the host: `discard`.
    const options = 'loop,nosuid,nodev,noatime,discard,errors=remount-ro'
    await run('mount', ['-t', 'ext4', '-o', options, place.image, place.mount])
  }
  await mkdir(place.data, { mode: 0o750 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

// The instance that was on it has just been stopped; the kernel may need a moment to let go.
async function unmount(place: Place): Promise<void> {
  for (let attempt = 1; await isMounted(place); attempt++) {
    try {
      await run('umount', [place.mount])
    } catch (error) {
      if (!(await isMounted(place))) return
      if (attempt === UNMOUNT_TRIES)
        throw new DriverError('volume_busy', `${place.mount} is in use`, { temporary: true, cause: error })
      await sleep(UNMOUNT_PAUSE_MS)
    }
  }
}

async function isMounted(place: Place): Promise<boolean> {
  const mount = await realpath(place.mount).catch(whenMissing(null))
  if (mount === null) return false
  const table = await readFile('/proc/self/mountinfo', 'utf8')
  return table.split('\n').some(line => line.split(' ')[4]?.replace(/\\040/g, ' ') === mount)
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    (error: unknown) => whenMissing(false)(error),
  )
}

function whenMissing<T>(value: T): (error: unknown) => T {
  return error => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return value
  }
}

/** One verb at a time for each volume; faults of the host are temporary. */
function turns() {
  const last = new Map<string, Promise<unknown>>()
  return async <T>(volumeId: string, verb: string, work: () => Promise<T>): Promise<T> => {
    const before = last.get(volumeId) ?? Promise.resolve()
    const turn = before.then(work, work)
    last.set(volumeId, turn)
    try {
      return await turn
    } catch (error) {
      if (error instanceof DriverError) throw error
      const message = `${verb} of volume ${volumeId} failed: ${error instanceof Error ? error.message : String(error)}`
      throw new DriverError('volume_unavailable', message, { temporary: true, cause: error })
    } finally {
      if (last.get(volumeId) === turn) last.delete(volumeId)
    }
  }
}
