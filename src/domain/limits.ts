// Every number of the specification (section 8) and of the decisions (section 6 and the rules that name one).
const KIB = 1024
const MIB = 1024 * KIB
const GIB = 1024 * MIB

export interface Plan {
  readonly projects: number
  readonly services: number
  readonly databases: number
  /** Sum over all services of the team, running or not (D-35). */
  readonly memoryMb: number
  readonly cpusPerService: number
  /** Sum over all volumes of the team. */
  readonly volumesGb: number
  /** Over a rolling hour, per team (D-57). */
  readonly deploysPerHour: number
  /** Largest `quota_mb` of one database. */
  readonly databaseQuotaMb: number
}

export const PLANS = {
  hobby: plan([5, 10, 3, 4096, 2, 20, 30, 10240]),
  pro: plan([20, 50, 15, 32768, 8, 200, 120, 51200]),
  business: plan([100, 250, 60, 131072, 16, 1000, 600, 204800]),
} as const satisfies Record<string, Plan>

export type PlanName = keyof typeof PLANS

/** What the operator of an installation may change: see operator-limits.ts. */
export interface Limits {
  readonly plans: Readonly<Record<PlanName, Plan>>
  readonly requests: RequestLimits
}

/** True for the name of a plan. */
export function isPlanName(name: string): name is PlanName {
  return Object.hasOwn(PLANS, name)
}

export const SERVICE = {
  defaultMemoryMb: 512,
  minMemoryMb: 64,
  defaultCpus: 0.5,
  minCpus: 0.1,
  cpuStep: 0.05,
  defaultPort: 8080,
  maxPort: 65535,
  maxCommandLength: 1024,
  maxHealthPathLength: 256,
  maxWatchPaths: 50,
} as const

export const VOLUME = { minGb: 1, maxGb: 50 } as const

export const DATABASE = { defaultQuotaMb: 1024, minQuotaMb: 64, backupDays: 30 } as const

export const VARIABLES = {
  maxBulk: 200,
  maxRawBytes: 64 * KIB,
  maxExpandedBytes: 64 * KIB,
  maxEnvironmentBytes: 256 * KIB,
  /** References followed one inside the other, counted from the variable of the service. */
  maxDepth: 16,
} as const

export const GROUP = { parallelPerLayer: 4, maxServices: 100 } as const

export const ARCHIVE = {
  /** Larger uploads are 413 (D-44). */
  maxBytes: 536_870_912,
  maxEntries: 200_000,
  maxExpandedBytes: 4 * GIB,
  maxExpansion: 200,
  maxPathBytes: 4096,
} as const

export const BODY = { maxBytes: MIB, maxBulkVariablesBytes: 16 * MIB, maxDepth: 16 } as const

export const PAGE = { defaultLimit: 20, maxLimit: 100 } as const

export interface RequestLimits {
  /** Length of the window in which requests are counted. */
  readonly windowSeconds: number
  readonly perToken: number
  readonly perAddress: number
  readonly failedAuthenticationsPerAddress: number
  /** Of large archives. */
  readonly uploadsAtOncePerTeam: number
}

export const REQUESTS: RequestLimits = {
  windowSeconds: 60,
  perToken: 600,
  perAddress: 1200,
  failedAuthenticationsPerAddress: 30,
  uploadsAtOncePerTeam: 4,
}

export const IDEMPOTENCY = { windowMs: 24 * 60 * 60_000, waitForFirstMs: 10_000 } as const

export const DEPLOY_WINDOW_MS = 60 * 60_000

export const RUN = {
  tmpMb: 64,
  healthTimeoutMs: 120_000,
  drainMs: 10_000,
  /** Between SIGTERM and SIGKILL. */
  stopGraceMs: 30_000,
  /** How long the routers hold requests while a volume changes hands. */
  holdMs: 30_000,
  maxExitsInWindow: 5,
  exitWindowMs: 10 * 60_000,
  blockedSmtpPorts: [25, 465, 587],
} as const

export const LOGS = {
  defaultWindowMs: 10 * 60_000,
  maxBytes: MIB,
  /** UTF-16 units of a line that are kept. */
  maxLineLength: 128 * KIB,
  /** Of a line that are read: so much more than is kept that a secret at its end is seen whole. */
  maxReadBytes: 512 * KIB,
} as const

export const TOKEN = { defaultDays: 90, maxDays: 365, maxDaysWithReveal: 30 } as const

function plan(row: [number, number, number, number, number, number, number, number]): Plan {
  const [projects, services, databases, memoryMb, cpusPerService, volumesGb, deploysPerHour, databaseQuotaMb] = row
  return { projects, services, databases, memoryMb, cpusPerService, volumesGb, deploysPerHour, databaseQuotaMb }
}
