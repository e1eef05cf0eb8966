// Makes a machine ready: system packages, the Docker Engine, base images. Repeating it on a ready machine changes nothing.
import { readFile } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { secondsSince, type Announce } from './announce.ts'
import { ensureBaseImages } from './base-images.ts'
import {
  hasApt,
  installCommand,
  installPackages,
  missingPackages,
  PACKAGES,
  type PackageName,
} from './debian-packages.ts'
import { dockerVersion, startDocker } from './docker-engine.ts'

/** `data-plane`: packages and engine. `images`: what builds start from; wants an engine. `tests`: what only tests use. */
export type Need = 'data-plane' | 'images' | 'tests'

const WITHOUT_ENGINE: PackageName[] = ['haproxy', 'nftables', 'iproute2', 'mmdebstrap', 'e2fsprogs', 'postgresql-15']
/** What only tests use. */
const FOR_TESTS: PackageName[] = ['pebble', 'openssl']
/** Installed where that is possible; without them the platform runs, and one kind of database answers 503. */
const WELCOME: PackageName[] = ['mariadb-server', 'mariadb-client']
const CAP_NET_ADMIN = 12n

/**
 * Does what is missing and announces each step with the time it took; a ready machine gets one line. Throws an error that
 * names everything that is missing, and why, before anything is changed, where it may not or cannot install it.
 */
export async function prepareMachine(
  config: Config,
  { needs }: { needs: readonly Need[] },
  announce: Announce,
  say: (text: string) => void = text => process.stderr.write(text),
): Promise<void> {
  if (config.runtime === 'simulated' || needs.length === 0) return
  const startedAt = Date.now()
  const engine = await dockerVersion(config.dockerHost)
  const needed: PackageName[] = [...WITHOUT_ENGINE, ...(needs.includes('tests') ? FOR_TESTS : [])]
  if (!engine && !config.dockerHost) needed.unshift('docker.io')
  const welcome = (await mayInstall(config)) ? WELCOME : []
  const missing = await missingPackages([...needed, ...welcome])
  await refuseWhatCannotBeDone(config, { engine, missing })

  if (missing.length > 0) await announce(`system packages (${missing.join(', ')})`, () => installPackages(missing))
  const version = engine ?? (await announce('docker engine', startDocker))
  if (needs.includes('images')) await ensureBaseImages(config, announce)
  say(`✓ machine ready: docker engine ${version}, haproxy, nftables, postgresql … ${secondsSince(startedAt)}\n`)
}

interface Findings {
  engine: string | null
  missing: PackageName[]
}

async function refuseWhatCannotBeDone(config: Config, { engine, missing }: Findings): Promise<void> {
  const problems: string[] = []
  if (process.platform !== 'linux') problems.push(...notLinux(engine))
  else {
    if (!engine && config.dockerHost)
      problems.push(`No Docker Engine answers at DOCKER_HOST (${config.dockerHost}). Start it, or unset DOCKER_HOST.`)
    const root = process.getuid?.() === 0
    if (missing.length > 0) problems.push(...(await notInstallable(config, missing, root)))
    if (!engine && !config.dockerHost && !root)
      problems.push('No Docker Engine answers, and only root can start one: sudo systemctl start docker')
    if (!(await mayChangeNetworks()))
      problems.push(
        'Private networks and firewall rules of projects need root (or CAP_NET_ADMIN): run the same command with sudo.',
      )
  }
  if (problems.length === 0) return
  const list = problems.map(text => `  • ${text}`).join('\n')
  throw new Error(
    `This machine is not ready, and nothing was changed:\n${list}\nWithout Docker and without root, \`npm run dev\` runs the platform on a simulated world.`,
  )
}

async function mayInstall(config: Config): Promise<boolean> {
  return !config.noInstall && process.getuid?.() === 0 && (await hasApt())
}

async function notInstallable(config: Config, missing: PackageName[], root: boolean): Promise<string[]> {
  const list = missing.map(name => `${name} (${PACKAGES[name].purpose})`).join(', ')
  const command = installCommand(missing)
  if (config.noInstall) return [`Missing: ${list}. CAIS_NO_INSTALL is set; install them with:\n      ${command}`]
  if (!(await hasApt()))
    return [`Missing: ${list}. There is no apt-get here; install the same programs with your system's own packages.`]
  if (!root) return [`Missing: ${list}. Only root can install them:\n      sudo sh -c '${command}'`]
  return []
}

function notLinux(engine: string | null): string[] {
  const docker = engine
    ? `A Docker Engine answers (${engine}) and would be used.`
    : 'No Docker Engine answers: start Docker Desktop (or another engine) or set DOCKER_HOST.'
  return [
    docker,
    `Private names, public HTTPS and the separation of projects use Linux networking (nftables, haproxy, bridges), which ${process.platform} does not have. Use a Debian 12 machine or virtual machine.`,
  ]
}

async function mayChangeNetworks(): Promise<boolean> {
  const status = await readFile('/proc/self/status', 'utf8')
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'
  return ((BigInt(`0x${effective}`) >> CAP_NET_ADMIN) & 1n) === 1n
}
