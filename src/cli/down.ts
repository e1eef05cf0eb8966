// `cais down`: everything of this installation stopped, in the order in which nothing is missed by what still runs.
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type Docker from 'dockerode'
import type { Config } from '../config.ts'
import { removeAllImages } from '../drivers/builder/builder.ts'
import { createLibsqlEngine } from '../drivers/databases/libsql.ts'
import { createMariadbEngine } from '../drivers/databases/mariadb.ts'
import { createPostgresEngine } from '../drivers/databases/postgres.ts'
import { connectDocker, statusOf } from '../drivers/docker/engine.ts'
import { removeBridge } from '../drivers/docker/networks.ts'
import { openAuthority } from '../drivers/router/authority.ts'
import { unmountVolumes } from '../drivers/volumes/volumes.ts'
import { createRouter } from '../drivers/router/router.ts'
import { announcer } from '../setup/announce.ts'
import { stopControlDatabase } from '../setup/control-database.ts'
import { platformAnswers } from './platform.ts'

const STOP_GRACE_SECONDS = 10

/**
 * Stops applications, router, engines and the control database of this DATA_DIR and CAIS_INSTANCE; `purge` also removes
 * its networks, images and data. Throws while the control plane runs: it would start everything again.
 */
export async function down(config: Config, { purge }: { purge: boolean }): Promise<void> {
  if (await platformAnswers(config)) {
    throw new Error('The control plane of this installation runs. Stop it first (Ctrl-C where it was started).')
  }
  const announce = announcer()
  if (config.runtime === 'docker') await stopDataPlane(config, purge, announce)
  await announce('control database stopped', () => stopControlDatabase(config))
  if (purge) await announce(`${config.dataDir} removed`, () => removeData(config))
  else process.stderr.write(`Data stays in ${config.dataDir}; the next start brings everything back.\n`)
}

async function stopDataPlane(config: Config, purge: boolean, announce: ReturnType<typeof announcer>): Promise<void> {
  const docker = connectDocker(config.dockerHost)
  const filters = { label: [`cais.instance=${config.instance}`] }
  const containers = await docker.listContainers({ all: true, filters })
  await announce(`${containers.length} applications stopped`, () => removeContainers(docker, containers))
  const authority = await openAuthority(path.join(config.dataDir, 'ca'), config.instance)
  const stateDir = path.join(config.dataDir, 'router')
  await announce('router stopped', () => createRouter({ config, stateDir, authority }).stop())
  const engineDir = (name: string): string => path.join(config.dataDir, 'engines', name)
  const engines = {
    postgres: createPostgresEngine({ config, authority, stateDir: engineDir('postgres') }),
    mariadb: createMariadbEngine({ config, authority, stateDir: engineDir('mariadb') }),
    libSQL: createLibsqlEngine({ docker, config, authority, stateDir: engineDir('sqlite') }),
  }
  for (const [name, engine] of Object.entries(engines)) await announce(`${name} engine stopped`, () => engine.stop())
  await announce('volumes unmounted', () => unmountVolumes(path.join(config.dataDir, 'volumes')))
  const networks = await docker.listNetworks({ filters })
  await announce(`${networks.length} networks removed`, async () => {
    for (const network of networks) await removeBridge(docker, network.Name)
  })
  if (!purge) return
  const images = await docker.listImages({ filters })
  await announce(`${images.length} images removed`, async () => {
    for (const image of images) await absentIsFine(docker.getImage(image.Id).remove({ force: true }))
    // Images obtained from elsewhere have our name without our label; stages and steps have neither, only a record.
    await removeAllImages({ docker, config })
  })
}

async function removeContainers(docker: Docker, containers: readonly Docker.ContainerInfo[]): Promise<void> {
  await Promise.all(
    containers.map(async ({ Id }) => {
      await absentIsFine(docker.getContainer(Id).stop({ t: STOP_GRACE_SECONDS }))
      await absentIsFine(docker.getContainer(Id).remove({ force: true, v: true }))
    }),
  )
}

// 304: stopped already. 404: gone already. 409: an image that another installation uses too, or a removal under way.
async function absentIsFine(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (![304, 404, 409].includes(statusOf(error) ?? 0)) throw error
  })
}

// Only a folder that this platform has made: a mistyped DATA_DIR must not cost anybody a home.
async function removeData(config: Config): Promise<void> {
  const ours = await Promise.all(
    ['token', 'control.password', 'master.key'].map(name =>
      readFile(path.join(config.dataDir, name)).catch(() => null),
    ),
  )
  if (ours.every(file => file === null))
    throw new Error(`${config.dataDir} does not look like data of this platform; it stays.`)
  await rm(config.dataDir, { recursive: true, force: true })
}
