// The Docker Engine of this machine: found, or installed by the caller and started here. One that answers is never touched.
import { spawn } from 'node:child_process'
import { access, mkdir, open, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { connectDocker, withEngine } from '../drivers/docker/engine.ts'
import { uplinkMtu } from '../drivers/docker/networks.ts'

const DAEMON_CONFIG = '/etc/docker/daemon.json'
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

/** Starts the installed engine and waits until it answers; answers its version. Only as root on Linux. */
export async function startDocker(): Promise<string> {
  await writeDaemonConfig()
  const log = (await isThere('/run/systemd/system')) ? await startWithSystemd() : await startDetached()
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    const version = await dockerVersion(null)
    if (version) return version
    if (Date.now() > deadline) throw new Error(`The Docker Engine did not answer within 90 s. ${log}`)
    await new Promise(resolve => setTimeout(resolve, 200))
  }
}

// live-restore: applications outlive the engine. The pools stay clear of those of the platform (10.201 and 10.202).
async function writeDaemonConfig(): Promise<void> {
  if (await isThere(DAEMON_CONFIG)) return
  const mtu = await uplinkMtu()
  const config = {
    'live-restore': true,
    'userland-proxy': false,
    'log-driver': 'local',
    'log-opts': { 'max-size': '10m', 'max-file': '3' },
    ...(mtu < 1500 ? { mtu } : {}),
    bip: '10.200.0.1/24',
    'default-address-pools': [{ base: '10.203.0.0/16', size: 24 }],
  }
  await mkdir('/etc/docker', { recursive: true })
  await writeFile(DAEMON_CONFIG, `${JSON.stringify(config, null, 2)}\n`, { flag: 'wx' })
}

async function startWithSystemd(): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    const child = spawn('systemctl', ['enable', '--now', 'docker'], { stdio: 'ignore' })
    child.once('error', reject)
    // Its exit code is not the answer: the engine is, and its log says more.
    child.once('close', () => resolve())
  })
  return 'Read: journalctl -u docker'
}

// containerd by itself: an engine that starts its own cannot come back after a kill -9 at the first try.
async function startDetached(): Promise<string> {
  if (!(await listens(CONTAINERD_SOCKET))) await detach('containerd', [], '/var/log/containerd.log')
  const deadline = Date.now() + 20_000
  while (!(await listens(CONTAINERD_SOCKET))) {
    if (Date.now() > deadline) throw new Error('containerd did not start within 20 s. Read: /var/log/containerd.log')
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  await detach('dockerd', [`--containerd=${CONTAINERD_SOCKET}`], '/var/log/dockerd.log')
  return 'Read: /var/log/dockerd.log'
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

async function detach(command: string, args: string[], logFile: string): Promise<void> {
  const log = await open(logFile, 'a')
  try {
    const child = spawn(command, args, { detached: true, stdio: ['ignore', log.fd, log.fd] })
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject)
      child.once('spawn', resolve)
    })
    child.unref()
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
