interface Answer {
  status: number
  headers: Headers
  body: unknown
}

/** What the API refused, or could not do. Decide by `code`; `message` is for people. */
export class ApiError extends Error {
  readonly status: number
  /** Such as `slug_taken`; empty when something before the API answered. */
  readonly code: string
  readonly details: Record<string, unknown>
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null

  constructor(request: { method: string; path: string }, { status, headers, body }: Answer) {
    const {
      error = '',
      message = '',
      details = {},
    } = (body ?? {}) as {
      error?: string
      message?: string
      details?: Record<string, unknown>
    }
    super(`${request.method} ${request.path} answered ${status} ${error}: ${message}`.trimEnd())
    this.name = 'ApiError'
    this.status = status
    this.code = error
    this.details = details
    this.requestId = headers.get('request-id')
    const seconds = headers.get('retry-after')
    this.retryAfterSeconds = seconds === null ? null : Number(seconds)
  }
}

interface Ended {
  id: string
  status: string
  error?: { code: string; message: string }
  items?: readonly { service_name: string; status: string; reason?: string }[]
}

/** What was waited for ended, and not `ready` (spec 6): `failed`, `blocked`, `canceled` or `superseded`. */
export class EndedBadly extends Error {
  readonly status: string
  /** Why, such as `build_oom` (spec 7.3); null when it did not fail by itself. */
  readonly code: string | null
  /** As it was read last. */
  readonly resource: unknown

  constructor(path: string, resource: Ended) {
    const { status, error, items = [] } = resource
    const parts = items
      .filter(item => item.status !== 'ready' && item.status !== 'skipped')
      .map(item => `${item.service_name} ${item.status}${item.reason ? ` (${item.reason})` : ''}`)
    const why = [error && `${error.code}: ${error.message}`, parts.join(', ')].filter(Boolean).join(' ')
    super(`${path} ended ${status}${why === '' ? '' : `: ${why}`}`)
    this.name = 'EndedBadly'
    this.status = status
    this.code = error?.code ?? null
    this.resource = resource
  }
}
