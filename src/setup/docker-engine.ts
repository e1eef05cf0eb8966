// The Docker Engine of this machine: found, or installed by the caller and started here. One that answers is never touched.
import { spawn, type ChildProcess } from 'node:child_process'
import { access, mkdir, open, readFile, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { connectDocker, withEngine } from '../drivers/docker/engine.ts'
import { uplinkMtu } from '../drivers/docker/networks.ts'

const DAEMON_CONFIG = '/etc/docker/daemon.json'
const DOCKERD_LOG = '/var/log/dockerd.log'
const CONTAINERD_SOCKET = '/run/containerd/containerd.sock'
/** A first start formats its folders; on a small machine that takes a while. */
const START_TIMEOUT_MS = 90_000

/** Version of the engine that answers at `unix:///path` or `tcp://host:port` (null: the usual socket); null when none does. */
export async function dockerVersion(address: string | null): Promise<string | null> {
  const docker = connectDocker(address)
  try {
    return (await withEngine(docker, 'asking its version', () => docker.version())).Version
  } catch {
    return null // Whatever the reason, there is no engine to use; `doctor` and the caller say what that means.
  }
}

/**
 * Starts the installed engine and waits until it answers; answers its version. Only as root on Linux. Throws with the last
 * line of its log when it ends instead, and after 90 s in any case.
 */
export async function startDocker(): Promise<string> {
  await writeDaemonConfig()
  const daemon = (await isThere('/run/systemd/system')) ? await startWithSystemd() : await startDetached()
  for (const deadline = Date.now() + START_TIMEOUT_MS; ;) {
    const version = await dockerVersion(null)
    if (version) return version
    if (daemon.hasEnded()) throw new Error(`The Docker Engine ended at once. ${await daemon.lastWords()}`)
    if (Date.now() > deadline)
      throw new Error(`The Docker Engine did not answer within 90 s. ${await daemon.lastWords()}`)
    await new Promise(resolve => setTimeout(resolve, 200))
  }
}

/** A daemon on its way up, as far as it can be watched. */
interface Daemon {
  hasEnded(): boolean
  lastWords(): Promise<string>
}

// live-restore: applications outlive the engine. The pools stay clear of those of the platform (10.201 and 10.202); the
// engine's own bridge is taken from them too, because a fixed `bip` would be believed even where the host lives in it.
async function writeDaemonConfig(): Promise<void> {
  if (await isThere(DAEMON_CONFIG)) return
  const mtu = await uplinkMtu()
  const config = {
    'live-restore': true,
    'userland-proxy': false,
    'log-driver': 'local',
    'log-opts': { 'max-size': '10m', 'max-file': '3' },
    ...(mtu < 1500 ? { mtu } : {}),
    'default-address-pools': [{ base: '10.203.0.0/16', size: 24 }],
  }
  await mkdir('/etc/docker', { recursive: true })
  await writeFile(DAEMON_CONFIG, `${JSON.stringify(config, null, 2)}\n`, { flag: 'wx' })
}

async function startWithSystemd(): Promise<Daemon> {
  await new Promise<void>((resolve, reject) => {
    const child = spawn('systemctl', ['enable', '--now', 'docker'], { stdio: 'ignore' })
    child.once('error', reject)
    // Its exit code is not the answer: the engine is, and its log says more.
    child.once('close', () => resolve())
  })
  return { hasEnded: () => false, lastWords: async () => 'Read: journalctl -u docker' }
}

// containerd by itself: an engine that starts its own cannot come back after a kill -9 at the first try.
async function startDetached(): Promise<Daemon> {
  if (!(await listens(CONTAINERD_SOCKET))) await detach('containerd', [], '/var/log/containerd.log')
  const deadline = Date.now() + 20_000
  while (!(await listens(CONTAINERD_SOCKET))) {
    if (Date.now() > deadline) throw new Error('containerd did not start within 20 s. Read: /var/log/containerd.log')
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  const child = await detach('dockerd', [`--containerd=${CONTAINERD_SOCKET}`], DOCKERD_LOG)
  return {
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    lastWords: async () => {
      const lines = (await readFile(DOCKERD_LOG, 'utf8')).trimEnd().split('\n')
      return `It said last (${DOCKERD_LOG}): ${lines.at(-1)}`
    },
  }
}

// A killed daemon leaves its socket file behind, so being there is not enough.
async function listens(socket: string): Promise<boolean> {
  return new Promise(resolve => {
    const connection = net.connect(socket)
    connection.once('error', () => resolve(false))
    connection.once('connect', () => {
      connection.destroy()
      resolve(true)
    })
  })
}

async function detach(command: string, args: string[], logFile: string): Promise<ChildProcess> {
  const log = await open(logFile, 'a')
  try {
    const child = spawn(command, args, { detached: true, stdio: ['ignore', log.fd, log.fd] })
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject)
      child.once('spawn', resolve)
    })
    child.unref()
    return child
  } finally {
    await log.close()
  }
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
