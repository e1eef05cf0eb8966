// What the platform needs from the world, as verbs without policy. Every verb done twice is a verb done once.
// Implementations: docker/, builder/, router/, databases/ (real) and simulated/ (a whole world on disk, with failures to order).

/**
 * A failure of the world. `code` is a code of spec 7.3 where the deployment fails because of it, else a short English word.
 * `temporary: true` asks for another try; only src/actors/perform.ts knows about retries. `details` hold no secrets.
 */
export class DriverError extends Error {
  readonly code: string
  readonly temporary: boolean
  readonly details: { [name: string]: string | number | null }
  constructor(
    code: string,
    message: string,
    options: { temporary?: boolean; details?: { [name: string]: string | number | null }; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'DriverError'
    this.code = code
    this.temporary = options.temporary ?? false
    this.details = options.details ?? {}
  }
}

/** Receives complete lines as they appear. Lines are masked by the receiver, before they touch a disk. */
export type LineSink = (line: string) => void

export interface BuildJob {
  deploymentId: string
  serviceId: string
  source: { type: 'upload'; archivePath: string } | { type: 'image'; ref: string }
  builder: 'auto' | 'node' | 'go' | 'rust' | 'python' | 'static' | 'dockerfile'
  rootDir: string | null
  buildCommand: string | null
  startCommand: string | null
  /** `uid[:gid]`, never root; null = the builder's own, or the image's own. */
  user: string | null
  limits: { memoryMb: number; timeoutMs: number }
}

/**
 * The answer names the image by id (`sha256:…`). Throws DriverError with a code of spec 7.3: build_oom, build_timeout,
 * build_disk_full, build_storage_error, build_storage_unavailable, image_requires_root, deploy_failed (details.motivo, pt-BR).
 */
export interface Builder {
  build(job: BuildJob, log: LineSink, signal: AbortSignal): Promise<{ image: string }>
  /** True while an image of this id is here. */
  has(image: string): Promise<boolean>
  /** Removes the image and whatever else the build of this deployment left. Nothing there is success. */
  remove(deploymentId: string): Promise<void>
  /** Deployment ids that own an image with our label. */
  list(): Promise<string[]>
}

export interface ProjectNetwork {
  projectId: string
  /** Name of the bridge interface and of the Docker network, at most 15 characters. */
  name: string
  /** CIDR, from the platform's pool. */
  subnet: string
}

export interface InstanceSpec {
  deploymentId: string
  serviceId: string
  projectId: string
  serviceName: string
  network: ProjectNetwork
  image: string
  /** `uid[:gid]` that overrides the image's own; null = the image's own, which must not be root. */
  user: string | null
  /** Replaces the image's command, run by `/bin/sh -c`; null = the image's own. */
  startCommand: string | null
  /** Whole environment, PORT included. */
  env: Record<string, string>
  memoryMb: number
  cpus: number
  /** Host folder that is bound at `mountPath`, and made the run user's own; null or absent = none. */
  volume?: { volumeId: string; source: string; mountPath: string } | null
}

export interface Instance {
  deploymentId: string
  serviceId: string
  projectId: string
  containerId: string
  running: boolean
  /** IPv4 on the project's network; null when not running. */
  address: string | null
  exitCode: number | null
  outOfMemory: boolean
  finishedAt: string | null
}

export interface LogLine {
  /** RFC 3339 with nanoseconds, as the engine wrote it. */
  at: string
  text: string
}

export interface Containers {
  ensureNetwork(network: ProjectNetwork): Promise<void>
  removeNetwork(name: string): Promise<void>
  /** Networks with our label. */
  listNetworks(): Promise<{ name: string; projectId: string }[]>
  /** Creates and starts the container of a deployment; one that already runs is returned as it is. */
  start(spec: InstanceSpec, signal: AbortSignal): Promise<Instance>
  /**
   * Waits for the first 2xx or 3xx of `path` (not followed), from outside the container, racing its exit (D-52).
   * Throws DriverError activate_app_crashed | activate_no_http | activate_readonly_write | image_requires_root with the
   * details that spec/decisions 8.2 names (codigo, caminho, porta, and `ultimo` = what was seen last).
   */
  healthy(
    deploymentId: string,
    probe: { port: number; path: string; host: string; timeoutMs: number },
    signal: AbortSignal,
  ): Promise<void>
  inspect(deploymentId: string): Promise<Instance | null>
  /** SIGTERM, and SIGKILL after `graceMs`. A container that is gone is success. */
  stop(deploymentId: string, graceMs: number): Promise<void>
  remove(deploymentId: string): Promise<void>
  /** All instances with our label, running or not. */
  list(): Promise<Instance[]>
  /** Lines after `since` (exclusive; null = all). With `follow` it goes on until the container exits or `signal` aborts. */
  logs(
    deploymentId: string,
    options: { since: string | null; follow: boolean },
    signal: AbortSignal,
  ): AsyncIterable<LogLine>
  /** Calls back when an instance of ours exits, until `signal` aborts; reconnects by itself and then calls `onGap`. */
  watch(onExit: (instance: Instance) => void, onGap: () => void, signal: AbortSignal): Promise<void>
}

/** Storage of one service, named by id for ever; its size is enforced by its own file system, not only declared. */
export interface Volumes {
  /**
   * Made where missing, grown to `sizeGb` where smaller (never shrunk), mounted. Answers the host folder to bind, which
   * exists only inside of the volume. Growing wants nobody on it: DriverError volume_busy, temporary, while somebody is.
   */
  ensure(volume: { volumeId: string; sizeGb: number }): Promise<{ source: string }>
  /** Space in use, MB, of a volume that exists (mounted again where it is not); null when there is none. */
  usage(volumeId: string): Promise<number | null>
  /** Data, mount and file gone; nothing there is success. */
  remove(volumeId: string): Promise<void>
  /** Ids of all volumes, mounted or not. */
  list(): Promise<string[]>
}

export interface Route {
  serviceId: string
  projectId: string
  serviceName: string
  /** The address that the private name resolves to for ever. */
  vip: string
  /** Port of the private name: the service's `port` as deployed. */
  port: number
  /** Host names answered over public HTTPS, lower case; empty for a private service. */
  hosts: string[]
  /** Where requests go: an instance, 'hold' (requests wait, up to 30 s), or null (503). */
  target: { address: string; port: number } | 'hold' | null
}

export interface Router {
  /** Makes the router's world exactly this: names, addresses, public hosts, targets, projects that may talk. */
  sync(world: { networks: ProjectNetwork[]; routes: Route[] }): Promise<void>
  /** One route, all its names in one step, without touching a connection. */
  set(route: Route, networks: ProjectNetwork[]): Promise<void>
  /** Requests and tunnels now in flight to this instance. */
  inFlight(target: { address: string; port: number }): Promise<number>
  /** One request to the service's current target through the router; status, or null when nothing answered. */
  probe(serviceId: string, path: string, host: string): Promise<number | null>
  /** Custom hosts with their certificates: exactly these, besides the platform's own. */
  certify(certificates: HostCertificate[]): Promise<void>
  /** What plain HTTP answers to the ACME challenge of this token, on any host; null takes it back. */
  challenge(token: string, answer: string | null): Promise<void>
}

export interface HostCertificate {
  /** Lower case, ASCII. */
  host: string
  /** Private key, certificate and chain. */
  pem: string
}

/** Certificates for custom hosts. */
export interface CertificateIssuer {
  /**
   * A certificate for one host; a repeat may answer the same one. `respond` makes an ACME challenge answerable. Throws
   * DriverError certificate_refused when the authority says no.
   */
  issue(host: string, respond: Router['challenge'], signal: AbortSignal): Promise<{ pem: string; expiresAt: string }>
}

/** The public DNS. No answer at all is DriverError dns_unavailable; a name without such records has none. */
export interface NameLookup {
  txt(name: string): Promise<string[]>
  /** Where a name points, one step, without a dot at the end. */
  cname(name: string): Promise<string[]>
  /** IPv4 and IPv6. */
  addresses(name: string): Promise<string[]>
}

export type Engine = 'postgres' | 'mariadb' | 'sqlite'

export interface TenantDatabase {
  databaseId: string
  /** Opaque names: tenants can see each other's. */
  databaseName: string
  user: string
  password: string
  /** Only containers of this subnet may connect. */
  subnet: string
  quotaMb: number
}

/** A final backup on disk: compressed, with the checksum of what was written. */
export interface BackupFile {
  path: string
  sizeBytes: number
  sha256: string
}

/** Every verb repairs what is half done: repeated, it ends in the same place. Faults of the engine are temporary. */
export interface DatabaseEngine {
  /** Throws DriverError('unavailable', …, {temporary: true}) with a clear English message when the engine cannot be used now. */
  ready(): Promise<void>
  /** Role, database, access rule. Repeating it repairs what is missing and sets the password again. */
  provision(tenant: TenantDatabase): Promise<{ sizeMb: number }>
  /** The variables of spec 2.4, exact names. */
  variables(tenant: TenantDatabase): Record<string, string>
  /** Database, role and access rule gone; nothing there is success. */
  drop(databaseId: string, names: { databaseName: string; user: string }): Promise<void>
  /** Database ids that have a role, database or rule of ours. */
  list(): Promise<string[]>
}

/** What a whole life of a database needs beyond its birth (issue "Databases"). */
export interface DatabaseLifecycle {
  /** `tenant` holds the new credential: when this returns it works, and the old one is refused, on open connections too. */
  rotate(tenant: TenantDatabase): Promise<void>
  /** Space in use, MB, after giving back what deletes have freed while the database is over its quota. */
  measure(tenant: TenantDatabase): Promise<{ sizeMb: number }>
  /** Writes that grow fail with the engine's own clear error; reads and deletes go on. A tenant cannot lift it. */
  setReadOnly(tenant: TenantDatabase, readOnly: boolean): Promise<void>
  /** Nobody gets in any more, open connections included; the data stays. */
  suspend(tenant: TenantDatabase): Promise<void>
  /** Streams a compressed dump to `path` (replacing it) and verifies it by listing or an integrity check. */
  backup(tenant: TenantDatabase, path: string, signal: AbortSignal): Promise<BackupFile>
  /** Fills a freshly provisioned database from a backup; a repeat starts from an empty database again. */
  restore(tenant: TenantDatabase, backup: BackupFile, signal: AbortSignal): Promise<{ sizeMb: number }>
}

export interface World {
  builder: Builder
  containers: Containers
  volumes: Volumes
  router: Router
  certificates: CertificateIssuer
  names: NameLookup
  databases: Partial<Record<Engine, DatabaseEngine & Partial<DatabaseLifecycle>>>
  /** Variables and read-only files that every instance gets so that TLS to the platform verifies by itself. */
  instanceTrust: { env: Record<string, string> }
}
