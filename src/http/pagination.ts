// Lists (D-05): items, next_cursor, has_more. A cursor is the key of the last item shown, sealed for the one list it
// was issued for, so it can neither be read nor carried elsewhere. The same page has the same cursor, hence the same
// ETag (D-07).
import { PAGE } from '../domain/limits.ts'
import type { Keyring } from '../domain/sealing.ts'
import { ApiError } from './errors.ts'

/** Which part of a list is asked for. Ask the database for `limit + 1` rows after the key: the extra one is has_more. */
export interface Page {
  /** Names the list: resource and owner, such as `services:<project id>`. */
  list: string
  limit: number
  /** Key of the last item already seen; null at the start. */
  after: string | null
}

export interface Listing {
  items: unknown[]
  next_cursor: string | null
  has_more: boolean
}

/** Reads `limit` and `cursor`; 400 when one is bad or the cursor belongs to another list. */
export function readPage(query: URLSearchParams, list: string, keyring: Keyring): Page {
  return { list, limit: readLimit(query), after: readCursor(query, list, keyring) }
}

/** The envelope of one page. `rows` may hold one more than the limit; `key` names the column that paging goes by. */
export function listing<Row>(
  rows: Row[],
  page: Page,
  keyring: Keyring,
  key: (row: Row) => string,
  view: (row: Row) => unknown,
): Listing {
  const shown = rows.slice(0, page.limit)
  const last = shown.at(-1)
  const more = rows.length > page.limit && last !== undefined
  return {
    items: shown.map(view),
    next_cursor: more ? keyring.sealAlike(key(last), `cursor:${page.list}`).toString('base64url') : null,
    has_more: more,
  }
}

/** The one value of a query parameter, or null; 400 when it is given twice. */
export function parameter(query: URLSearchParams, name: string, rule: string): string | null {
  const values = query.getAll(name)
  if (values.length > 1) throw badParameter(name, rule)
  return values[0] ?? null
}

/** 400 about a query parameter (D-06). */
export function badParameter(name: string, rule: string): ApiError {
  const details = { fields: [{ field: name, problem: 'invalid' }] }
  return new ApiError('invalid_request.parameter', { campo: name, regra: rule }, { details })
}

function readLimit(query: URLSearchParams): number {
  const rule = `um número inteiro de 1 a ${PAGE.maxLimit}`
  const text = parameter(query, 'limit', rule)
  if (text === null) return PAGE.defaultLimit
  const limit = Number(text)
  if (!/^\d{1,3}$/.test(text) || limit < 1 || limit > PAGE.maxLimit) throw badParameter('limit', rule)
  return limit
}

function readCursor(query: URLSearchParams, list: string, keyring: Keyring): string | null {
  const text = parameter(query, 'cursor', 'um cursor desta lista')
  if (text === null) return null
  const sealed = Buffer.from(text, 'base64url')
  // Decoding passes over what does not belong there; only the text that was issued counts.
  if (sealed.toString('base64url') !== text) throw new ApiError('invalid_request.cursor')
  try {
    return keyring.open(sealed, `cursor:${list}`)
  } catch {
    // Whatever is wrong with it, it was not issued for this list.
    throw new ApiError('invalid_request.cursor')
  }
}
