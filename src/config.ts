// The only file that reads the environment. Numbers of the specification are not configuration: domain/limits.ts.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { Limits } from './domain/limits.ts'
import { parseLimits } from './domain/operator-limits.ts'
import { DEFAULT_PREFIX } from './domain/tokens.ts'

const flag = z
  .enum(['0', '1', 'true', 'false', ''])
  .default('')
  .transform(v => v === '1' || v === 'true')
const port = z.coerce.number().int().min(1).max(65535)
const cidr = z.string().regex(/^\d+\.\d+\.\d+\.\d+\/\d+$/, 'must be a network such as 10.201.0.0/16')

const addresses = z
  .string()
  .transform(text => text.split(',').map(item => item.trim()))
  .pipe(z.array(z.string().regex(/^[0-9a-fA-F.:[\]]+$/, 'must be addresses, separated by commas')).min(1))

const schema = z.object({
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('.data'),
  /** Control database. Default: an embedded PostgreSQL under DATA_DIR. */
  DATABASE_URL: z.string().optional(),
  DOCKER_HOST: z.string().optional(),
  APPS_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]+$/)
    .default('apps.localhost'),
  HTTPS_PORT: port.default(443),
  HTTP_PORT: port.default(80),
  /** Address on which public HTTPS listens. */
  CAIS_PUBLIC_ADDRESS: z.string().default('127.0.0.1'),
  /** Public addresses that the A and AAAA records of custom domains name. Default: CAIS_PUBLIC_ADDRESS. */
  CAIS_PUBLIC_IPS: addresses.optional(),
  /** Resolvers that custom domains are checked with, as address or address:port. Default: the machine's own. */
  CAIS_DNS_SERVERS: addresses.optional(),
  /** Directory of an ACME authority. Default: certificates come from the local authority. */
  CAIS_ACME_DIRECTORY: z.url({ protocol: /^https$/ }).optional(),
  /** Contact for the ACME account. */
  CAIS_ACME_EMAIL: z.email().optional(),
  /** File with the root that signs the directory's own certificate, when the system does not know it. */
  CAIS_ACME_CA: z.string().optional(),
  CAIS_RUNTIME: z.enum(['docker', 'simulated']).default('docker'),
  /** 64 hex digits. Default: generated into DATA_DIR/master.key, mode 0600. */
  CAIS_MASTER_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be 64 hex digits')
    .optional(),
  /** The next master key, for `cais keys rewrap` only. */
  CAIS_NEW_MASTER_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be 64 hex digits')
    .optional(),
  /** What the text of every API token begins with. Tokens of another prefix are refused unread: set it once, at first. */
  CAIS_TOKEN_PREFIX: z
    .string()
    .regex(/^[a-z][a-z0-9]{0,11}_$/, 'must be up to 12 small letters and digits and a final underscore, such as cais_')
    .default(DEFAULT_PREFIX),
  /** Never install system packages. */
  CAIS_NO_INSTALL: flag,
  /** Name of this installation: label of its Docker objects, name of its interfaces and rules. */
  CAIS_INSTANCE: z
    .string()
    .regex(/^[a-z][a-z0-9]{0,11}$/)
    .default('cais'),
  /** Addresses of project networks (a /25 each) and of the platform's own (names, databases). */
  CAIS_PROJECT_POOL: cidr.default('10.201.0.0/16'),
  CAIS_PLATFORM_POOL: cidr.default('10.202.0.0/16'),
  /** How long a new instance must stay up before its deployment is `ready` (D-52). */
  CAIS_STABILITY_MS: z.coerce.number().int().min(0).default(2000),
  /** How often a database is measured against its quota (spec 2.4: every 5 minutes). */
  CAIS_MEASURE_MS: z.coerce
    .number()
    .int()
    .min(50)
    .default(5 * 60_000),
  CAIS_BUILD_MEMORY_MB: z.coerce.number().int().min(128).default(2048),
  CAIS_BUILD_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(1000)
    .default(15 * 60_000),
  /** Free space, MB, below which no new build begins (C-125). */
  CAIS_BUILD_DISK_FLOOR_MB: z.coerce.number().int().min(0).default(2048),
  /** Figures of plans and of request quotas that differ from the defaults: JSON, or the path of a file with it. */
  CAIS_LIMITS: z.string().default('').transform(readLimits),
  CAIS_CONCURRENT_BUILDS: z.coerce.number().int().min(1).default(2),
  CAIS_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  /** Crash tests: die by SIGKILL at this named point (see src/actors/failpoints.ts). */
  CAIS_FAILPOINT: z.string().optional(),
})

export interface Config {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  readonly databaseUrl: string | null
  readonly dockerHost: string | null
  readonly appsDomain: string
  readonly httpsPort: number
  readonly httpPort: number
  readonly publicAddress: string
  readonly publicIps: readonly string[]
  /** null = the machine's own. */
  readonly dnsServers: readonly string[] | null
  /** null = certificates of custom domains come from the local authority. */
  readonly acmeDirectory: string | null
  readonly acmeEmail: string | null
  readonly acmeCa: string | null
  readonly runtime: 'docker' | 'simulated'
  readonly masterKey: string | null
  readonly newMasterKey: string | null
  readonly tokenPrefix: string
  readonly noInstall: boolean
  readonly instance: string
  readonly projectPool: string
  readonly platformPool: string
  readonly stabilityMs: number
  readonly measureMs: number
  readonly buildMemoryMb: number
  readonly buildTimeoutMs: number
  readonly buildDiskFloorMb: number
  readonly limits: Limits
  readonly concurrentBuilds: number
  readonly logLevel: string
  readonly failpoint: string | null
}

/**
 * Reads and checks the whole environment; throws one error that names every bad variable. `defaults` stand in for what
 * the environment leaves out: `npm run dev` has others than `npm start`.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env, defaults: NodeJS.ProcessEnv = {}): Config {
  const parsed = schema.safeParse({ ...defaults, ...env })
  if (!parsed.success) {
    const lines = parsed.error.issues.map(issue => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new Error(`The configuration is not valid. Correct these environment variables:\n${lines.join('\n')}`)
  }
  const e = parsed.data
  return Object.freeze({
    port: e.PORT,
    host: e.HOST,
    dataDir: path.resolve(e.DATA_DIR),
    databaseUrl: e.DATABASE_URL || null,
    dockerHost: e.DOCKER_HOST || null,
    appsDomain: e.APPS_DOMAIN,
    httpsPort: e.HTTPS_PORT,
    httpPort: e.HTTP_PORT,
    publicAddress: e.CAIS_PUBLIC_ADDRESS,
    publicIps: e.CAIS_PUBLIC_IPS ?? [e.CAIS_PUBLIC_ADDRESS],
    dnsServers: e.CAIS_DNS_SERVERS ?? null,
    acmeDirectory: e.CAIS_ACME_DIRECTORY ?? null,
    acmeEmail: e.CAIS_ACME_EMAIL ?? null,
    acmeCa: e.CAIS_ACME_CA || null,
    runtime: e.CAIS_RUNTIME,
    masterKey: e.CAIS_MASTER_KEY || null,
    newMasterKey: e.CAIS_NEW_MASTER_KEY || null,
    tokenPrefix: e.CAIS_TOKEN_PREFIX,
    noInstall: e.CAIS_NO_INSTALL,
    instance: e.CAIS_INSTANCE,
    projectPool: e.CAIS_PROJECT_POOL,
    platformPool: e.CAIS_PLATFORM_POOL,
    stabilityMs: e.CAIS_STABILITY_MS,
    measureMs: e.CAIS_MEASURE_MS,
    buildMemoryMb: e.CAIS_BUILD_MEMORY_MB,
    buildTimeoutMs: e.CAIS_BUILD_TIMEOUT_MS,
    buildDiskFloorMb: e.CAIS_BUILD_DISK_FLOOR_MB,
    limits: e.CAIS_LIMITS,
    concurrentBuilds: e.CAIS_CONCURRENT_BUILDS,
    logLevel: e.CAIS_LOG_LEVEL,
    failpoint: e.CAIS_FAILPOINT || null,
  })
}

/** Throws inside a schema's transform are no issues of it: what is wrong is told to the schema instead. */
function readLimits(given: string, context: z.RefinementCtx): Limits {
  try {
    const isText = given.trim() === '' || given.trimStart().startsWith('{')
    return parseLimits(isText ? given : readFileSync(given, 'utf8'))
  } catch (error) {
    context.addIssue((error as Error).message)
    return z.NEVER
  }
}
