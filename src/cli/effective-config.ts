// The configuration as environment variables again: what `cais config` prints and what a copied command needs.
import { readConfig, type Config } from '../config.ts'

export interface Setting {
  name: string
  value: string
  isDefault: boolean
  secret: boolean
}

const NAMES = {
  port: 'PORT',
  host: 'HOST',
  dataDir: 'DATA_DIR',
  databaseUrl: 'DATABASE_URL',
  dockerHost: 'DOCKER_HOST',
  appsDomain: 'APPS_DOMAIN',
  httpsPort: 'HTTPS_PORT',
  httpPort: 'HTTP_PORT',
  publicAddress: 'CAIS_PUBLIC_ADDRESS',
  publicIps: 'CAIS_PUBLIC_IPS',
  dnsServers: 'CAIS_DNS_SERVERS',
  acmeDirectory: 'CAIS_ACME_DIRECTORY',
  acmeEmail: 'CAIS_ACME_EMAIL',
  acmeCa: 'CAIS_ACME_CA',
  runtime: 'CAIS_RUNTIME',
  masterKey: 'CAIS_MASTER_KEY',
  newMasterKey: 'CAIS_NEW_MASTER_KEY',
  tokenPrefix: 'CAIS_TOKEN_PREFIX',
  noInstall: 'CAIS_NO_INSTALL',
  instance: 'CAIS_INSTANCE',
  projectPool: 'CAIS_PROJECT_POOL',
  platformPool: 'CAIS_PLATFORM_POOL',
  stabilityMs: 'CAIS_STABILITY_MS',
  measureMs: 'CAIS_MEASURE_MS',
  buildDiskFloorMb: 'CAIS_BUILD_DISK_FLOOR_MB',
  buildMemoryMb: 'CAIS_BUILD_MEMORY_MB',
  buildTimeoutMs: 'CAIS_BUILD_TIMEOUT_MS',
  limits: 'CAIS_LIMITS',
  concurrentBuilds: 'CAIS_CONCURRENT_BUILDS',
  logLevel: 'CAIS_LOG_LEVEL',
  failpoint: 'CAIS_FAILPOINT',
} as const satisfies Record<keyof Config, string>

const WHEN_UNSET: Partial<Record<keyof Config, string>> = {
  dnsServers: '(those of this machine)',
  acmeDirectory: '(local authority)',
  databaseUrl: '(embedded PostgreSQL under DATA_DIR)',
  dockerHost: '(unix:///var/run/docker.sock)',
  masterKey: '(DATA_DIR/master.key)',
}

/** Every setting with its effective value; secrets are masked. */
export function environmentOf(config: Config): Setting[] {
  const defaults = readConfig({})
  return (Object.keys(NAMES) as (keyof Config)[]).map(key => ({
    name: NAMES[key],
    value: shown(key, config[key]),
    isDefault: JSON.stringify(config[key]) === JSON.stringify(defaults[key]),
    secret: key === 'masterKey' || key === 'newMasterKey' || key === 'databaseUrl',
  }))
}

function shown(key: keyof Config, value: Config[keyof Config]): string {
  if (value === null) return WHEN_UNSET[key] ?? '(not set)'
  if (key === 'masterKey' || key === 'newMasterKey') return '********'
  if (typeof value === 'object') return Array.isArray(value) ? value.join(',') : JSON.stringify(value)
  if (typeof value === 'boolean') return value ? '1' : '0'
  return key === 'databaseUrl' ? withoutPassword(String(value)) : String(value)
}

function withoutPassword(url: string): string {
  try {
    const parsed = new URL(url)
    if (parsed.password) parsed.password = '********'
    for (const name of parsed.searchParams.keys()) {
      if (/password/i.test(name)) parsed.searchParams.set(name, '********')
    }
    return parsed.toString()
  } catch {
    return '********'
  }
}
