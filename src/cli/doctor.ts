// `cais doctor`: every part looked at, one line each, and for each that is not well what to do about it.
import { readFile, stat, statfs } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { connect } from '../../db/connect.ts'
import { isMigrated } from '../../db/migrate.ts'
import { listHealth } from '../../db/queries/health.ts'
import type { Config } from '../config.ts'
import { connectDocker } from '../drivers/docker/engine.ts'
import { ensureControlDatabase, stopControlDatabase } from '../setup/control-database.ts'
import { installCommand, missingPackages, PACKAGES, type PackageName } from '../setup/debian-packages.ts'
import { dockerVersion } from '../setup/docker-engine.ts'
import { requestWithRoot } from '../setup/public-request.ts'
import { platformAnswers, platformUrl } from './platform.ts'

const FREE_BYTES_WANTED = 5 * 1024 ** 3
/** A part that nobody looked at for this long is not being looked after. */
const STALE_MS = 60_000
const BASE_IMAGES = ['cais/debian:12', 'cais/node:20', 'cais/node-build:20']

interface Finding {
  part: string
  ok: boolean
  says: string
  advice?: string
}

/** Prints a line a part; true when everything is well. */
export async function doctor(config: Config): Promise<boolean> {
  const running = await platformAnswers(config)
  const findings: Finding[] = [
    { part: 'node', ok: true, says: process.versions.node },
    ...(await lookAtData(config)),
    ...(config.runtime === 'docker' ? await lookAtMachine(config) : []),
    ...(await lookAtDatabase(config, running)),
    ...(await lookAtPlatform(config, running)),
  ]
  for (const { part, ok, says, advice } of findings) {
    process.stdout.write(`${ok ? '✓' : '✗'} ${part.padEnd(18)} ${says}\n`)
    if (!ok && advice) process.stdout.write(`  ${''.padEnd(18)} → ${advice}\n`)
  }
  const wrong = findings.filter(finding => !finding.ok).length
  process.stdout.write(wrong === 0 ? '\nEverything is well.\n' : `\n${wrong} of ${findings.length} checks failed.\n`)
  return wrong === 0
}

async function lookAtData(config: Config): Promise<Finding[]> {
  const folder = await stat(config.dataDir).catch(() => null)
  if (!folder)
    return [{ part: 'data', ok: false, says: `${config.dataDir} is not there`, advice: 'npm start makes it' }]
  const { bavail, bsize } = await statfs(config.dataDir)
  const free = bavail * bsize
  const findings: Finding[] = [
    {
      part: 'data',
      ok: free > FREE_BYTES_WANTED,
      says: `${config.dataDir}, ${(free / 1024 ** 3).toFixed(1)} GiB free`,
      advice: 'Builds and databases need room: 5 GiB free at least.',
    },
  ]
  for (const name of ['token', 'master.key', 'control.password']) {
    const file = await stat(path.join(config.dataDir, name)).catch(() => null)
    if (!file) continue
    const open = (file.mode & 0o077) !== 0
    const advice = `chmod 600 ${path.join(config.dataDir, name)}`
    if (open) findings.push({ part: name, ok: false, says: 'others may read it', advice })
  }
  return findings
}

async function lookAtMachine(config: Config): Promise<Finding[]> {
  const names = (Object.keys(PACKAGES) as PackageName[]).filter(name => name !== 'docker.io')
  const missing = await missingPackages(names)
  const version = await dockerVersion(config.dockerHost)
  const findings: Finding[] = [
    {
      part: 'programs',
      ok: missing.length === 0,
      says: missing.length === 0 ? names.join(', ') : `missing: ${missing.join(', ')}`,
      advice: installCommand(missing),
    },
    {
      part: 'docker',
      ok: version !== null,
      says: version ?? 'no engine answers',
      advice: config.dockerHost ? `Start the engine at ${config.dockerHost}.` : 'npm start installs and starts one.',
    },
  ]
  return version === null ? findings : [...findings, await lookAtBaseImages(config)]
}

async function lookAtBaseImages(config: Config): Promise<Finding> {
  const images = await connectDocker(config.dockerHost).listImages()
  const tags = new Set(images.flatMap(image => image.RepoTags ?? []))
  const missing = BASE_IMAGES.filter(tag => !tags.has(tag))
  const says = missing.length === 0 ? BASE_IMAGES.join(', ') : `missing: ${missing.join(', ')}`
  return { part: 'base images', ok: missing.length === 0, says, advice: 'npm run -s cais -- base-images build' }
}

async function lookAtDatabase(config: Config, running: boolean): Promise<Finding[]> {
  const part = 'control database'
  try {
    const { url, started } = await ensureControlDatabase(config)
    const db = connect(url, { max: 1, name: 'cais-doctor' })
    try {
      const migrated = await isMigrated(db).catch(() => false)
      const findings: Finding[] = [
        {
          part,
          ok: migrated,
          says: migrated ? 'answers, schema current' : 'schema is not current',
          advice: 'npm run -s cais -- migrate',
        },
      ]
      if (migrated && running) findings.push(...(await lookAtParts(db)))
      return findings
    } finally {
      await db.destroy()
      if (started) await stopControlDatabase(config)
    }
  } catch (error) {
    const advice = config.databaseUrl ? 'Check DATABASE_URL.' : `Read ${path.join(config.dataDir, 'control')}`
    return [{ part, ok: false, says: error instanceof Error ? error.message : String(error), advice }]
  }
}

async function lookAtParts(db: ReturnType<typeof connect>): Promise<Finding[]> {
  return (await listHealth(db)).map(({ part, healthy, detail, checked_at }) => {
    const stale = Date.now() - checked_at.getTime() > STALE_MS
    const says = stale ? `not looked at since ${checked_at.toISOString()}` : (detail ?? 'well')
    return {
      part: `part ${part}`,
      ok: healthy && !stale,
      says,
      advice: 'The platform repairs it by itself; its log says why it cannot.',
    }
  })
}

async function lookAtPlatform(config: Config, running: boolean): Promise<Finding[]> {
  if (running) {
    const ready = await fetch(`${platformUrl(config)}/readyz`)
    const findings: Finding[] = [
      {
        part: 'platform',
        ok: ready.ok,
        says: ready.ok ? `ready at ${platformUrl(config)}` : (await ready.text()).trim(),
      },
    ]
    return config.runtime === 'docker' ? [...findings, await lookAtPublicSide(config)] : findings
  }
  const taken = await listens(platformUrl(config))
  const says = taken ? `something else answers at ${platformUrl(config)}` : 'does not run'
  return [{ part: 'platform', ok: false, says, advice: taken ? 'Choose another PORT.' : 'npm start' }]
}

// Any name will do: a certificate that verifies shows that the router runs and is ours.
async function lookAtPublicSide(config: Config): Promise<Finding> {
  const part = 'public HTTPS'
  try {
    const ca = await readFile(path.join(config.dataDir, 'ca', 'root.crt'))
    const { protocol } = await requestWithRoot(config, `doctor.${config.appsDomain}`, ca)
    return { part, ok: true, says: `${config.publicAddress}:${config.httpsPort}, ${protocol} verified` }
  } catch (error) {
    return {
      part,
      ok: false,
      says: error instanceof Error ? error.message : String(error),
      advice: 'Is the port taken by another program?',
    }
  }
}

async function listens(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  return new Promise(resolve => {
    const connection = net.connect(Number(port), hostname)
    connection.once('error', () => resolve(false))
    connection.once('connect', () => {
      connection.destroy()
      resolve(true)
    })
  })
}
