// The disk of one libSQL database: a file with a file system in it, mounted. What a tenant can fill ends with it.
import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, open, readFile, rename, rm, stat, truncate } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { DriverError } from '../contracts.ts'

const run = promisify(execFile)
const ENV = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }
const MIB = 1024 * 1024
/** Account of the server in its container. */
export const SERVER_ACCOUNT = 10001

export interface Volume {
  /** The server's own folder. It is there only while the volume is mounted, so nothing is ever written beneath it. */
  data: string
  /** Outside the volume; the server reads what we put there. */
  inbox: string
}

/** Room for the data, its log, and the log of changes (dataplane 6), and a little for a database of no size. */
const volumeMb = (quotaMb: number): number => 4 * quotaMb + 64

const placeOf = (folder: string): { image: string; mount: string } & Volume => {
  const mount = path.join(folder, 'mount')
  return {
    image: path.join(folder, 'disk.img'),
    mount,
    data: path.join(mount, 'data'),
    inbox: path.join(folder, 'inbox'),
  }
}

export const inboxOf = (folder: string): string => placeOf(folder).inbox

/**
 * Makes the volume, grows it when the quota has grown, and mounts it. Blocks are taken from the host's disk when they are
 * written. `vacate` is called before it is unmounted in order to grow: nobody may use it then.
 */
export async function ensureVolume(folder: string, quotaMb: number, vacate: () => Promise<void>): Promise<Volume> {
  const { image, mount, data, inbox } = placeOf(folder)
  const wantedBytes = volumeMb(quotaMb) * MIB
  const bytes = await sizeOf(image)
  const grows = bytes !== null && bytes < wantedBytes
  if (!grows && (await isMounted(mount))) return { data, inbox }
  await mkdir(mount, { recursive: true, mode: 0o711 })
  await mkdir(inbox, { recursive: true, mode: 0o711 })
  if (bytes === null) await makeImage(image, wantedBytes)
  if (grows) {
    await vacate()
    await releaseVolume(folder)
    await growImage(image, wantedBytes)
  }
  await system('mount', ['-o', 'loop,nosuid,nodev,noexec', image, mount])
  await mkdir(data, { recursive: true })
  await mkdir(path.join(data, 'tmp'), { recursive: true })
  for (const each of [data, path.join(data, 'tmp')]) {
    await chown(each, SERVER_ACCOUNT, SERVER_ACCOUNT)
    await chmod(each, 0o700)
  }
  return { data, inbox }
}

/** Unmounts; the data stays. Not mounted is success. */
export async function releaseVolume(folder: string): Promise<void> {
  const { mount } = placeOf(folder)
  // A container that was removed just now may hold it for a moment longer.
  for (const deadline = Date.now() + 5_000; await isMounted(mount); await pause(50))
    await system('umount', [mount]).catch(error => {
      if (Date.now() > deadline) throw error
    })
}

export async function removeVolume(folder: string): Promise<void> {
  await releaseVolume(folder)
  await rm(folder, { recursive: true, force: true })
}

async function makeImage(image: string, bytes: number): Promise<void> {
  const draft = `${image}.draft`
  await rm(draft, { force: true })
  const handle = await open(draft, 'wx', 0o600)
  await handle.truncate(bytes).finally(() => handle.close())
  await system('mkfs.ext4', ['-q', '-F', '-m', '0', draft])
  await rename(draft, image)
}

// The file is lengthened last, so that whoever is interrupted before begins anew.
async function growImage(image: string, bytes: number): Promise<void> {
  // 1: it had something to repair, and has.
  await system('e2fsck', ['-f', '-p', image], [1])
  await system('resize2fs', [image, `${bytes / 1024}K`])
  await truncate(image, bytes)
}

async function isMounted(mount: string): Promise<boolean> {
  const table = await readFile('/proc/self/mountinfo', 'utf8')
  const escaped = mount.replaceAll(' ', '\\040')
  return table.split('\n').some(line => line.split(' ')[4] === escaped)
}

async function system(program: string, args: string[], fineToo: readonly number[] = []): Promise<void> {
  await run(program, args, { env: ENV }).catch(cause => {
    if (fineToo.includes(cause.code)) return
    const message = `${program} failed: ${String(cause.stderr || cause.message)
      .trim()
      .slice(-500)}`
    throw new DriverError('unavailable', message, { temporary: true, cause })
  })
}

/** Null where there is no such file. */
async function sizeOf(file: string): Promise<number | null> {
  return stat(file).then(
    ({ size }) => size,
    error => {
      if (error.code === 'ENOENT') return null
      throw error
    },
  )
}
