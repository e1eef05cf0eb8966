// Volumes of the simulated world: a file that says how large it is and what has been written to it.
import path from 'node:path'
import { DriverError, type Volumes } from '../contracts.ts'
import { Folder } from './disk.ts'
import type { Faults } from './faults.ts'
import { runs, type Instances } from './instances.ts'

export interface SimulatedVolume {
  sizeGb: number
  /** What instances have left on it. */
  lines: string[]
  usedMb: number
}

export interface SimulatedVolumes extends Volumes {
  read(volumeId: string): SimulatedVolume | null
  /** A running instance writes a line. */
  write(volumeId: string, line: string, usedMb: number): void
}

export function simulatedVolumes(dir: string, instances: Instances, faults: Faults): SimulatedVolumes {
  const volumes = new Folder<SimulatedVolume>(path.join(dir, 'volumes'))
  const used = (volumeId: string): boolean =>
    instances.all().some(one => one.spec.volume?.volumeId === volumeId && runs(one))
  const busy = (volumeId: string): DriverError =>
    new DriverError('volume_busy', `an instance runs on volume ${volumeId}`, { temporary: true })

  function ensure(volumeId: string, sizeGb: number): { source: string } {
    const known = volumes.read(volumeId)
    if (known && known.sizeGb < sizeGb && used(volumeId)) throw busy(volumeId)
    const grown = Math.max(known?.sizeGb ?? 0, sizeGb)
    volumes.replace(volumeId, { lines: [], usedMb: 0, ...known, sizeGb: grown })
    return { source: path.join(dir, 'volumes', volumeId) }
  }

  function remove(volumeId: string): void {
    if (used(volumeId)) throw busy(volumeId)
    volumes.remove(volumeId)
  }

  return {
    ensure: ({ volumeId, sizeGb }) => faults.perform('ensureVolume', [volumeId], () => ensure(volumeId, sizeGb)),
    usage: id => faults.perform('volumeUsage', [id], () => volumes.read(id)?.usedMb ?? null),
    remove: id => faults.perform('removeVolume', [id], () => remove(id)),
    list: () => faults.perform('listVolumes', [], () => volumes.names()),
    read: id => volumes.read(id),
    write: (id, line, usedMb) => {
      const known = volumes.read(id)
      if (!known) throw new Error(`no volume ${id}`)
      volumes.replace(id, { ...known, lines: [...known.lines, line], usedMb })
    },
  }
}
