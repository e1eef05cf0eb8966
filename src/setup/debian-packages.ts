// System packages: what the platform runs besides itself, found by the file it needs, installed in one apt-get.
import { spawn } from 'node:child_process'
import { access, constants, mkdir, symlink, writeFile } from 'node:fs/promises'

interface DebianPackage {
  /** One of these being there is enough: the program may come from elsewhere than the package. */
  files: string[]
  /** What the platform does with it, for the person who has to install it. */
  purpose: string
}

const folders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']
const program = (name: string): string[] => folders.map(folder => `${folder}/${name}`)

export const PACKAGES = {
  'docker.io': { purpose: 'runs applications in containers', files: program('dockerd') },
  haproxy: { purpose: 'public HTTPS and private names', files: program('haproxy') },
  nftables: { purpose: 'keeps projects apart', files: program('nft') },
  iproute2: { purpose: "the platform's own addresses", files: program('ip') },
  mmdebstrap: { purpose: 'makes base images without a registry', files: program('mmdebstrap') },
  'postgresql-15': { purpose: 'databases of applications', files: ['/usr/lib/postgresql/15/bin/postgres'] },
  'mariadb-server': { purpose: 'databases of applications', files: program('mariadbd') },
  'mariadb-client': { purpose: 'backups of such databases', files: program('mariadb-dump') },
  e2fsprogs: { purpose: 'makes volumes', files: program('mkfs.ext4') },
  pebble: { purpose: 'an ACME authority for tests', files: program('pebble') },
  openssl: { purpose: 'looks at certificates in tests', files: program('openssl') },
} as const satisfies Record<string, DebianPackage>

export type PackageName = keyof typeof PACKAGES

/** Those of the named packages whose files are not on this machine. */
export async function missingPackages(names: readonly PackageName[]): Promise<PackageName[]> {
  const there = await Promise.all(names.map(name => anyExecutable(PACKAGES[name].files)))
  return names.filter((_, index) => !there[index])
}

/** True where `apt-get` is the way to install a program. */
export async function hasApt(): Promise<boolean> {
  return anyExecutable(program('apt-get'))
}

/** The command that a person would type for the same result. */
export function installCommand(names: readonly PackageName[]): string {
  return `apt-get update && apt-get install -y --no-install-recommends ${names.join(' ')}`
}

/**
 * Installs packages in one apt-get. Services are left to the machine's own policy (`policy-rc.d`): nothing is started
 * here but what Debian starts. Throws with the end of what apt-get said.
 */
export async function installPackages(names: readonly PackageName[]): Promise<void> {
  if (names.includes('postgresql-15')) await forbidDefaultCluster()
  if (names.includes('mariadb-server')) await maskService('mariadb')
  await aptGet('update')
  await aptGet('install', '-y', '--no-install-recommends', ...names)
}

// Debian's package would make and start a cluster on port 5432. The platform keeps its own, elsewhere.
async function forbidDefaultCluster(): Promise<void> {
  const file = '/etc/postgresql-common/createcluster.conf'
  if (await anyOf([file], constants.F_OK)) return
  await mkdir('/etc/postgresql-common', { recursive: true })
  await writeFile(file, '# Written by Cais before it installed postgresql-15.\ncreate_main_cluster = false\n')
}

// Debian's package would start a server of its own on port 3306. Where the administrator has one already, it stays as it is.
async function maskService(name: string): Promise<void> {
  const unit = `/etc/systemd/system/${name}.service`
  await mkdir('/etc/systemd/system', { recursive: true })
  await symlink('/dev/null', unit).catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
}

async function aptGet(...args: string[]): Promise<void> {
  const options = ['-q', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Dpkg::Options::=--force-confold']
  const child = spawn('apt-get', [...options, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', APT_LISTCHANGES_FRONTEND: 'none' },
  })
  const output: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code === 0) return
  const lines = Buffer.concat(output).toString().trimEnd().split('\n').slice(-25).join('\n')
  throw new Error(`apt-get ${args.join(' ')} failed (exit code ${code}). Its last lines:\n${lines}`)
}

async function anyExecutable(files: readonly string[]): Promise<boolean> {
  return anyOf(files, constants.X_OK)
}

async function anyOf(files: readonly string[], mode: number): Promise<boolean> {
  for (const file of files) {
    const found = await access(file, mode).then(
      () => true,
      () => false,
    )
    if (found) return true
  }
  return false
}
