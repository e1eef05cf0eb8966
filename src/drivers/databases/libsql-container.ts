// One server per libSQL database, locked up: any tenant can read and write files with readfile() and writefile(), so what a
// server sees must be its tenant's own. It has no way out, no neighbours, no shell and no other files.
import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { rootCertificates } from 'node:tls'
import { promisify } from 'node:util'
import type Docker from 'dockerode'
import tar from 'tar-stream'
import { libsqlInterface } from '../../domain/addresses.ts'
import { DriverError } from '../contracts.ts'
import { statusOf } from '../docker/engine.ts'
import { ensureBridge, removeBridge } from '../docker/networks.ts'
import { SERVER_ACCOUNT, type Volume } from './libsql-volume.ts'

const run = promisify(execFile)
const MIB = 1024 * 1024
const RECIPE_LABEL = 'cais.recipe'
/** Raised when what the image or the container is made of changes: containers are then made anew. */
const RECIPE = '1'
export const IMAGE = `cais/sqld:${RECIPE}`
export const HTTP_PORT = 8080
export const ADMIN_PORT = 9090

/** Path of the server's program on this machine. Throws 'unavailable' where npm has none for it. */
export async function serverProgram(): Promise<string> {
  const name = `@sqld/${process.platform}-${process.arch}`
  try {
    return path.join(path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'sqld')
  } catch (cause) {
    const message = `the libSQL server is not installed: npm has ${name} as an optional package, or has none for this machine`
    throw new DriverError('unavailable', message, { temporary: true, cause })
  }
}

/** Makes the image from the program and the libraries that it is linked with on this machine; nothing else is in it. */
export async function ensureImage(docker: Docker): Promise<void> {
  const found = await docker.getImage(IMAGE).inspect().catch(ignoreGone)
  if (found?.Config.Labels?.[RECIPE_LABEL] === RECIPE) return
  const program = await serverProgram()
  const { stdout } = await run('ldd', [program])
  const libraries = [...stdout.matchAll(/(\/\S+) \(0x/g)].map(match => match[1] ?? '')
  const archive = tar.pack()
  const packed = packAll(archive, [[program, 'sqld'], ...libraries.map(file => [file, file.slice(1)] as const)])
  const changes = [
    `LABEL ${RECIPE_LABEL}=${RECIPE}`,
    'ENTRYPOINT ["/sqld"]',
    `USER ${SERVER_ACCOUNT}:${SERVER_ACCOUNT}`,
  ]
  const [repo = '', tag = ''] = IMAGE.split(':')
  const answer = await docker.importImage(archive as unknown as NodeJS.ReadableStream, {
    repo,
    tag,
    changes: changes.join('\n'),
  })
  await Promise.all([
    packed,
    new Promise<void>((resolve, reject) => {
      docker.modem.followProgress(answer, error => (error ? reject(error) : resolve()))
    }),
  ])
}

async function packAll(archive: tar.Pack, files: (readonly [from: string, to: string])[]): Promise<void> {
  // It connects to nobody, and does not start without knowing whom it would trust.
  archive.entry({ name: 'etc/ssl/certs/ca-certificates.crt', mode: 0o644 }, rootCertificates.join('\n'))
  for (const [from, to] of files) {
    const { size } = await stat(from)
    await pipeline(createReadStream(from), archive.entry({ name: to, size, mode: 0o755 }))
  }
  archive.finalize()
}

export async function ensureServersNetwork(docker: Docker, instance: string): Promise<void> {
  const name = libsqlInterface(instance)
  await ensureBridge(docker, {
    name,
    bridge: name,
    subnet: null,
    labels: { 'cais.instance': instance },
    isolated: true,
  })
}

export async function removeServersNetwork(docker: Docker, instance: string): Promise<void> {
  await removeBridge(docker, libsqlInterface(instance))
}

export interface ServerSpec {
  instance: string
  databaseId: string
  adminKey: string
  volume: Volume
}

const containerName = (instance: string, databaseId: string): string => `${instance}.db.${databaseId}`

/** Makes the server's container run; one that runs, of this recipe, is left alone. Answers its address. */
export async function ensureServer(docker: Docker, spec: ServerSpec): Promise<string> {
  const container = docker.getContainer(containerName(spec.instance, spec.databaseId))
  const found = await container.inspect().catch(ignoreGone)
  // Between an end and the next start Docker calls it running too, and it has no address.
  const runs = found?.State.Running && !found.State.Restarting
  if (runs && found.Config.Image === IMAGE) return addressOf(found)
  // Made anew rather than started again: its network or its mounts may be others by now.
  if (found) await removeServer(docker, spec.instance, spec.databaseId)
  await docker.createContainer(description(spec))
  await container.start()
  return addressOf(await container.inspect())
}

export async function removeServer(docker: Docker, instance: string, databaseId: string): Promise<void> {
  const container = docker.getContainer(containerName(instance, databaseId))
  // Time to write what it holds; then by force.
  await container.stop({ t: 5 }).catch(error => {
    if (statusOf(error) !== 304) ignoreGone(error)
  })
  await container.remove({ force: true, v: true }).catch(error => {
    if (statusOf(error) !== 409) ignoreGone(error)
  })
  await container.wait({ condition: 'removed' }).catch(ignoreGone)
}

/** Process id of the server, or null. */
export async function serverPid(docker: Docker, instance: string, databaseId: string): Promise<number | null> {
  const found = await docker.getContainer(containerName(instance, databaseId)).inspect().catch(ignoreGone)
  return found?.State.Pid || null
}

/** Ids of the databases that have a container. */
export async function listServers(docker: Docker, instance: string): Promise<string[]> {
  const filters = { label: [`cais.instance=${instance}`, 'cais.database'] }
  const found = await docker.listContainers({ all: true, filters })
  return found.map(container => container.Labels['cais.database'] ?? '')
}

function description({ instance, databaseId, adminKey, volume }: ServerSpec): Docker.ContainerCreateOptions {
  return {
    name: containerName(instance, databaseId),
    Image: IMAGE,
    User: `${SERVER_ACCOUNT}:${SERVER_ACCOUNT}`,
    Cmd: [
      '--db-path=/data/db',
      // Without namespaces the key is not kept, and a restart would let everybody in.
      '--enable-namespaces',
      '--disable-default-namespace',
      `--http-listen-addr=0.0.0.0:${HTTP_PORT}`,
      `--admin-listen-addr=0.0.0.0:${ADMIN_PORT}`,
      '--max-log-size=8',
      '--no-welcome',
    ],
    // The tenant can read this. It opens a port that only the host reaches.
    Env: [`LIBSQL_ADMIN_AUTH_KEY=${adminKey}`, 'SQLITE_TMPDIR=/data/tmp', 'RUST_LOG=error'],
    Labels: { 'cais.instance': instance, 'cais.database': databaseId },
    HostConfig: {
      NetworkMode: libsqlInterface(instance),
      ReadonlyRootfs: true,
      Mounts: [
        { Type: 'bind', Source: volume.data, Target: '/data' },
        { Type: 'bind', Source: volume.inbox, Target: '/inbox', ReadOnly: true },
      ],
      Memory: 256 * MIB,
      MemorySwap: 256 * MIB,
      NanoCpus: 1e9,
      PidsLimit: 64,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges:true'],
      Init: true,
      IpcMode: 'none',
      LogConfig: { Type: 'local', Config: { 'max-size': '1m', 'max-file': '2' } },
      RestartPolicy: { Name: 'unless-stopped' },
    },
  }
}

function addressOf(info: Docker.ContainerInspectInfo): string {
  const address = Object.values(info.NetworkSettings.Networks)[0]?.IPAddress
  if (address) return address
  throw new DriverError('unavailable', `the libSQL server ${info.Name.slice(1)} ended at once`, { temporary: true })
}

function ignoreGone(error: unknown): null {
  if (statusOf(error) === 404) return null
  throw error
}
