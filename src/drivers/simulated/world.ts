// A whole world on disk, with failures to order: what `npm run dev` and most tests run on. Everything that it knows is
// under DATA_DIR/world, so it survives a kill -9 of the platform, as real containers do.
import fs from 'node:fs'
import path from 'node:path'
import type { Engine, ProjectNetwork, Route, World } from '../contracts.ts'
import { simulatedBuilder } from './builder.ts'
import { simulatedContainers } from './containers.ts'
import { simulatedEngine, type SimulatedEngine } from './databases.ts'
import { Folder } from './disk.ts'
import { Faults } from './faults.ts'
import { Instances, type SimulatedInstance } from './instances.ts'
import { simulatedCertificates, simulatedNames, type SimulatedNames } from './names.ts'
import { simulatedRouter } from './router.ts'
import { simulatedVolumes, type SimulatedVolumes } from './volumes.ts'

export interface SimulatedWorld extends World {
  faults: Faults
  names: SimulatedNames
  volumes: SimulatedVolumes
  databases: Record<Engine, SimulatedEngine>
  /** An instance exits at this moment. */
  exit(deploymentId: string, exitCode?: number, outOfMemory?: boolean): void
  /** An instance writes a line. */
  say(deploymentId: string, text: string): void
  /** Every watcher believes that it missed something. */
  breakWatch(): void
  instance(deploymentId: string): SimulatedInstance | null
  routes(): Route[]
  networks(): ProjectNetwork[]
  /** Custom hosts that have a certificate. */
  certified(): string[]
  /** The deployment that a request to this service would reach now. */
  serving(serviceId: string): string | null
  setInFlight(address: string, requests: number): void
}

/**
 * Opens (and creates, when missing) the simulated world of a data directory, or of an explicit folder.
 * `provisionMs` is how long a database takes to be created.
 */
export function createSimulatedWorld(
  options: { config: { readonly dataDir: string }; provisionMs?: number } | { dir: string; provisionMs?: number },
): SimulatedWorld {
  const dir = 'dir' in options ? options.dir : path.join(options.config.dataDir, 'world')
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 })
  const faults = new Faults(dir)
  const instances = new Instances(dir)
  const router = simulatedRouter(dir, instances, faults)
  const gaps = new Folder<number>(path.join(dir, 'gaps'))
  const provisionMs = options.provisionMs ?? 20
  return {
    builder: simulatedBuilder(dir, faults),
    containers: simulatedContainers(dir, instances, faults),
    volumes: simulatedVolumes(dir, instances, faults),
    router,
    certificates: simulatedCertificates(faults),
    names: simulatedNames(dir, faults),
    databases: {
      postgres: simulatedEngine(dir, 'postgres', faults, provisionMs),
      mariadb: simulatedEngine(dir, 'mariadb', faults, provisionMs),
      sqlite: simulatedEngine(dir, 'sqlite', faults, provisionMs),
    },
    instanceTrust: { env: { PGSSLROOTCERT: '/etc/cais/ca.pem', NODE_EXTRA_CA_CERTS: '/etc/cais/ca.pem' } },
    faults,
    exit: (id, exitCode = 1, outOfMemory = false) => instances.exit(id, exitCode, outOfMemory),
    say: (id, text) => instances.say(id, text),
    breakWatch: () => gaps.replace('gap', Date.now()),
    instance: id => instances.read(id),
    routes: () => router.routes(),
    networks: () => router.networks(),
    certified: () => router.certified(),
    serving: id => router.serving(id),
    setInFlight: (address, requests) => router.setInFlight(address, requests),
  }
}
