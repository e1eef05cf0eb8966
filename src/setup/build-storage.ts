// Where builds write: the folder of the Docker Engine and that of uploads. Below the floor no new build begins (C-125).
import { mkdir, statfs } from 'node:fs/promises'
import path from 'node:path'
import type Docker from 'dockerode'
import type { Part } from './parts.ts'

const MIB = 1024 * 1024

export interface BuildStorageOptions {
  docker: Docker
  dataDir: string
  floorMb: number
}

/** The detail of an unwell part begins with the code that a refused deployment fails with (spec 7.3). */
export function buildStoragePart({ docker, dataDir, floorMb }: BuildStorageOptions): Part {
  const uploads = path.join(dataDir, 'uploads')
  return {
    name: 'build-storage',
    ensure: async () => void (await mkdir(uploads, { recursive: true, mode: 0o700 })),
    health: async () => {
      try {
        const { DockerRootDir: root } = (await docker.info()) as { DockerRootDir?: string }
        const free = await Promise.all([uploads, ...(root ? [root] : [])].map(freeMb))
        const least = Math.min(...free)
        if (least >= floorMb) return { healthy: true, detail: null }
        return { healthy: false, detail: `build_disk_full: ${Math.floor(least)} MB free, ${floorMb} MB wanted` }
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        return { healthy: false, detail: `build_storage_unavailable: ${reason}` }
      }
    },
    stop: () => Promise.resolve(),
  }
}

// An engine on another machine has a folder that is not here; what cannot be seen is not judged.
async function freeMb(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return (bavail * bsize) / MIB
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Number.POSITIVE_INFINITY
    throw error
  }
}
