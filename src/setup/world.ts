// The world of this installation: real parts, or the simulated one, and the parts that somebody must look after.
import path from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { World } from '../drivers/contracts.ts'
import { buildStoragePart } from './build-storage.ts'
import type { Part } from './parts.ts'

export interface OpenedWorld {
  world: World
  parts: Part[]
}

export async function openWorld(config: Config, log: Logger): Promise<OpenedWorld> {
  return config.runtime === 'simulated' ? openSimulated(config) : openReal(config, log)
}

async function openSimulated(config: Config): Promise<OpenedWorld> {
  const { createSimulatedWorld } = await import('../drivers/simulated/world.ts')
  const world = createSimulatedWorld({ config })
  const storage: Part = {
    name: 'build-storage',
    ensure: () => world.faults.perform('buildStorage', ['host'], () => undefined),
    health: well,
    stop: nothing,
  }
  const engines = Object.entries(world.databases).map(([name, engine]) => ({
    name,
    foundation: true,
    ensure: () => engine.ready(),
    health: well,
    stop: nothing,
  }))
  return { world, parts: [...engines, storage] }
}

const well = () => Promise.resolve({ healthy: true, detail: null })
const asHealth = ({ ok, detail }: { ok: boolean; detail: string }) => ({ healthy: ok, detail: ok ? null : detail })
const nothing = () => Promise.resolve()

// Imported late: `npm run dev` starts without loading a Docker client.
async function openReal(config: Config, _log: Logger): Promise<OpenedWorld> {
  const { connectDocker } = await import('../drivers/docker/engine.ts')
  const { createContainers } = await import('../drivers/docker/containers.ts')
  const { createBuilder } = await import('../drivers/builder/builder.ts')
  const { createAcmeIssuer } = await import('../drivers/certificates/acme.ts')
  const { createLocalIssuer } = await import('../drivers/certificates/local.ts')
  const { createNameLookup } = await import('../drivers/certificates/lookup.ts')
  const { openAuthority } = await import('../drivers/router/authority.ts')
  const { createRouter } = await import('../drivers/router/router.ts')
  const { createVolumes } = await import('../drivers/volumes/volumes.ts')
  const { createPostgresEngine } = await import('../drivers/databases/postgres.ts')
  const { createMariadbEngine } = await import('../drivers/databases/mariadb.ts')
  const { createLibsqlEngine } = await import('../drivers/databases/libsql.ts')
  const { CA_BUNDLE_PATH, CA_PATH } = await import('../drivers/docker/container-spec.ts')

  const docker = connectDocker(config.dockerHost)
  const authority = await openAuthority(path.join(config.dataDir, 'ca'), config.instance)
  const router = createRouter({ config, stateDir: path.join(config.dataDir, 'router'), authority })
  const engineDir = (name: string): string => path.join(config.dataDir, 'engines', name)
  const postgres = createPostgresEngine({ config, authority, stateDir: engineDir('postgres') })
  const mariadb = createMariadbEngine({ config, authority, stateDir: engineDir('mariadb') })
  const sqlite = createLibsqlEngine({ docker, config, authority, stateDir: engineDir('sqlite') })
  const files = { ca: authority.rootPath, caBundle: authority.bundlePath, resolvConf: router.resolvConfPath }
  const acmeKey = path.join(config.dataDir, 'ca', 'acme-account.key')
  const { acmeDirectory: directory, acmeEmail: email, acmeCa: ca } = config
  const certificates = directory
    ? createAcmeIssuer({ directory, email, ca, keyFile: acmeKey })
    : createLocalIssuer(authority, path.join(config.dataDir, 'ca', 'hosts'))
  const world: World = {
    certificates,
    names: createNameLookup(config.dnsServers),
    builder: createBuilder({ docker, config }),
    containers: createContainers({ docker, instance: config.instance, files }),
    volumes: createVolumes({ dir: path.join(config.dataDir, 'volumes') }),
    router,
    databases: { postgres, mariadb, sqlite },
    instanceTrust: {
      env: { PGSSLROOTCERT: CA_PATH, NODE_EXTRA_CA_CERTS: CA_BUNDLE_PATH, SSL_CERT_FILE: CA_BUNDLE_PATH },
    },
  }
  // The engine belongs to the machine: it is watched, never ended.
  const parts: Part[] = [
    { name: 'docker', foundation: true, ensure: async () => void (await docker.ping()), health: well, stop: nothing },
    {
      name: 'router',
      foundation: true,
      ensure: () => router.ensure(),
      health: async () => asHealth(await router.health()),
      stop: () => router.stop(),
    },
    buildStoragePart({ docker, dataDir: config.dataDir, floorMb: config.buildDiskFloorMb }),
    ...Object.entries({ postgres, mariadb, sqlite }).map(([name, engine]) => ({
      name,
      // The others take long to be made the first time, and nobody who asks for PostgreSQL should wait for them.
      foundation: name === 'postgres',
      ensure: () => engine.ensure(),
      health: () => engine.health(),
      stop: () => engine.stop(),
    })),
  ]
  return { world, parts }
}
