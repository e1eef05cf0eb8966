// Build and runtime logs: text that was masked before it was kept (decisions 2, D-47). Never cached.
import { readBuildLog, readRuntimeLog } from '../../../db/queries/logs.ts'
import { LOGS } from '../../domain/limits.ts'
import { badParameter, parameter } from '../pagination.ts'
import type { Answer, Read } from '../route.ts'

const RULE = 'um instante no formato RFC 3339, como 2030-01-31T12:00:00Z'
const RFC_3339 = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/

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

/** The parameter `since` as Postgres reads it; null without one; 400 when it is no instant. */
function readSince(query: URLSearchParams): string | null {
  const text = parameter(query, 'since', RULE)
  if (text === null) return null
  // An unescaped `+` of an offset arrives as a space.
  const [whole, date, time = '', fraction = '', zone = ''] = RFC_3339.exec(text.replace(' ', '+')) ?? []
  const day = new Date(`${date}T00:00:00Z`)
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date ?? ' ')
  // Year 0000 is no year of Postgres.
  if (!whole || !isDay || day.getUTCFullYear() < 1 || Number.isNaN(Date.parse(`${date}T${time}${zone}`))) {
    throw badParameter('since', RULE)
  }
  return `${date}T${time}${fraction}${zone}`
}
