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
