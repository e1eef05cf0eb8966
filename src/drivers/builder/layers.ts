// Which layers the builds of a deployment made or used, kept in a file: an interrupted build must be found again, too.
import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type Docker from 'dockerode'
import { statusOf } from '../docker/engine.ts'
import { unrecorded } from './refusal.ts'

export class LayerRecords {
  readonly #folder: string
  /** Layers of builds that run now: another deployment's removal must not take them away between two steps. */
  readonly #inUse = new Map<string, Set<string>>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Begins a build; `note` remembers a layer, `end` makes its layers removable. */
  async begin(deploymentId: string): Promise<{ note: (layer: string) => void; end: () => Promise<void> }> {
    await mkdir(this.#folder, { recursive: true })
    const layers = new Set<string>()
    this.#inUse.set(deploymentId, layers)
    let written: Promise<void> = Promise.resolve()
    return {
      note: layer => {
        if (layers.has(layer)) return
        layers.add(layer)
        written = written.then(() => appendFile(this.#file(deploymentId), `${layer}\n`))
        // `end` tells; until then nobody listens, and that must not be the end of the process.
        written.catch(() => {})
      },
      end: async () => {
        this.#inUse.delete(deploymentId)
        await written.catch((error: unknown) => {
          throw unrecorded(error)
        })
      },
    }
  }

  /** Deployments whose builds left a record, newest first. */
  async list(): Promise<string[]> {
    const names = await readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    return names.sort().reverse()
  }

  /** Removes layers of a deployment that nothing else is made from, the newest first. */
  async remove(docker: Docker, deploymentId: string): Promise<void> {
    const text = await readFile(this.#file(deploymentId), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return ''
      throw error
    })
    for (const layer of text.split('\n').filter(Boolean).reverse()) await this.#removeLayer(docker, layer)
    await rm(this.#file(deploymentId), { force: true })
  }

  async #removeLayer(docker: Docker, layer: string): Promise<void> {
    if ([...this.#inUse.values()].some(layers => layers.has(layer))) return
    try {
      const image = await docker.getImage(layer).inspect()
      // A name makes it somebody's: a base image, or another deployment's.
      if (image.RepoTags.length > 0 || image.RepoDigests.length > 0) return
      await docker.getImage(image.Id).remove()
    } catch (error) {
      // Gone already, or still the parent of something.
      if (statusOf(error) !== 404 && statusOf(error) !== 409) throw error
    }
  }

  #file(deploymentId: string): string {
    return path.join(this.#folder, deploymentId)
  }
}
