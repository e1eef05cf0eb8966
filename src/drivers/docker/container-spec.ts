// What every instance is allowed (dataplane 3): nothing but its memory, its processors, 64 MB of /tmp and its network.
import type Docker from 'dockerode'
import type { InstanceSpec } from '../contracts.ts'
import { userOf, type Identity } from './identity.ts'
import { shellCommand } from './start-command.ts'

const MIB = 1024 * 1024

/** Files of the host that every instance sees, read-only; null = not there. */
export interface HostFiles {
  /** Own certificate authority, PEM. */
  ca: string | null
  /** System authorities and our own, PEM. */
  caBundle: string | null
  resolvConf: string | null
}

export const CA_PATH = '/etc/cais/ca.pem'
export const CA_BUNDLE_PATH = '/etc/cais/ca-bundle.pem'

export interface Placement {
  name: string
  instance: string
  files: HostFiles
}

/** The engine's description of one container of ours. */
export function containerSpec(
  spec: InstanceSpec,
  image: Docker.ImageInspectInfo,
  user: Identity,
  place: Placement,
): Docker.ContainerCreateOptions {
  const command = spec.startCommand ? shellCommand(spec.startCommand) : null
  const env = { ...command?.env, ...spec.env }
  const memory = spec.memoryMb * MIB
  return {
    name: place.name,
    Image: spec.image,
    User: userOf(user),
    ...(command ? { Entrypoint: command.entrypoint, Cmd: command.cmd } : {}),
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    Labels: {
      'cais.instance': place.instance,
      'cais.project': spec.projectId,
      'cais.service': spec.serviceId,
      'cais.deployment': spec.deploymentId,
    },
    StopSignal: 'SIGTERM',
    // Probed from outside; the image's own check would only take processor time from its tenant.
    Healthcheck: { Test: ['NONE'] },
    HostConfig: {
      NetworkMode: spec.network.name,
      ReadonlyRootfs: true,
      // Owned by the user it runs as: the engine keeps the mode of the image's /tmp, whatever `mode` says.
      Tmpfs: { '/tmp': `rw,exec,nosuid,nodev,size=64m,mode=1777,uid=${user.uid},gid=${user.gid}` },
      Mounts: [...fileMounts(place.files), ...volumeMount(spec), ...imageVolumes(image, spec, place)],
      Memory: memory,
      MemorySwap: memory,
      NanoCpus: Math.round(spec.cpus * 1e9),
      PidsLimit: 256,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges:true'],
      Init: true,
      IpcMode: 'none',
      LogConfig: { Type: 'local', Config: { 'max-size': '10m', 'max-file': '3' } },
      // The service's own machine decides about restarts.
      RestartPolicy: { Name: 'no' },
    },
  }
}

// `Mounts`, not `Binds`: a file that is missing must be an error, not a new folder on the host.
function fileMounts(files: HostFiles): Docker.MountSettings[] {
  const wanted: [string | null, string][] = [
    [files.resolvConf, '/etc/resolv.conf'],
    [files.ca, CA_PATH],
    [files.caBundle, CA_BUNDLE_PATH],
  ]
  return wanted.flatMap(([Source, Target]) => (Source ? [{ Type: 'bind', Source, Target, ReadOnly: true }] : []))
}

// The folder exists only while the volume is mounted: without it the start fails, and nothing is written to the host's disk.
function volumeMount({ volume }: InstanceSpec): Docker.MountSettings[] {
  return volume ? [{ Type: 'bind', Source: volume.source, Target: volume.mountPath, ReadOnly: false }] : []
}

// A VOLUME of the image would be an unlimited writable folder on the host's disk. Read-only it keeps the image's files.
function imageVolumes(image: Docker.ImageInspectInfo, spec: InstanceSpec, place: Placement): Docker.MountSettings[] {
  const paths = Object.keys((image.Config.Volumes ?? {}) as Record<string, unknown>)
  return paths
    .filter(
      path =>
        path !== spec.volume?.mountPath &&
        path !== '/tmp' &&
        path !== '/etc/resolv.conf' &&
        !path.startsWith('/etc/cais'),
    )
    .map((Target, index) => ({
      Type: 'volume',
      Source: `${place.name}.${index}`,
      Target,
      ReadOnly: true,
      VolumeOptions: {
        NoCopy: false,
        Labels: { 'cais.instance': place.instance },
        DriverConfig: { Name: 'local', Options: {} },
      },
    }))
}
