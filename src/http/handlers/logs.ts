// Build and runtime logs: text that was masked before it was kept (decisions 2, D-47). Never cached.
import { readBuildLog, readRuntimeLog } from '../../../db/queries/logs.ts'
import { LOGS } from '../../domain/limits.ts'
import { badParameter, parameter } from '../pagination.ts'
import type { Answer, Read } from '../route.ts'

const RULE = 'um instante no formato RFC 3339, como 2030-01-31T12:00:00Z'
const RFC_3339 =
  /^(\d{4}-\d\d-\d\d)[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/
/** An offset may lead out of the years that four digits, or Postgres, can say. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z')
const LATEST = Date.parse('9999-12-31T23:59:59Z')

/** GET …/deployments/{d}/logs */
export async function showBuildLog({ db, deployment }: Read<'project' | 'service' | 'deployment'>): Promise<Answer> {
  const { text, truncated } = await readBuildLog(db, deployment.id, LOGS.maxBytes)
  return { body: { text, truncated, next_since: null } }
}

/** GET /projects/{p}/services/{s}/logs: `next_since` continues where this answer ends. */
export async function showRuntimeLog({ db, service, query }: Read<'project' | 'service'>): Promise<Answer> {
  const since = readSince(query)
  const { text, truncated, next } = await readRuntimeLog(db, service.id, since, LOGS.maxBytes)
  return { body: { text, truncated, next_since: next } }
}

/** The parameter `since` in UTC, to the microsecond; null without one; 400 when it is no instant. */
function readSince(query: URLSearchParams): string | null {
  const text = parameter(query, 'since', RULE)
  if (text === null) return null
  // An unescaped `+` of an offset arrives as a space.
  const found = RFC_3339.exec(text.replace(' ', '+'))
  const day = Date.parse(`${found?.[1]}T00:00:00Z`)
  if (!found || Number.isNaN(day) || !new Date(day).toISOString().startsWith(found[1] ?? ' ')) {
    throw badParameter('since', RULE)
  }
  const [, , hours, minutes, seconds, fraction = '', sign, zoneHours = 0, zoneMinutes = 0] = found
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -60 : 60)
  const at = day + (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) - offset) * 1000
  const whole = new Date(Math.min(Math.max(at, EARLIEST), LATEST)).toISOString().slice(0, 19)
  return `${whole}.${fraction.padEnd(6, '0').slice(0, 6)}Z`
}
