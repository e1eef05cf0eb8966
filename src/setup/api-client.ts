// The API as any client sees it: a token, JSON, and an error that says what the platform answered.
export interface Page<T> {
  items: T[]
  has_more: boolean
  next_cursor: string | null
}

export class ApiFailure extends Error {
  readonly status: number
  readonly code: string
  constructor(request: string, status: number, body: { error?: string; message?: string }) {
    super(`${request} answered ${status} ${body.error ?? ''}: ${body.message ?? ''}`.trimEnd())
    this.name = 'ApiFailure'
    this.status = status
    this.code = body.error ?? ''
  }
}

export class ApiClient {
  readonly #base: string
  readonly #token: string

  constructor(url: string, token: string) {
    this.#base = `${url}/v1`
    this.#token = token
  }

  async get<T>(path: string): Promise<T> {
    return this.#send<T>('GET', path)
  }

  async send<T>(method: 'POST' | 'PUT' | 'PATCH', path: string, body?: unknown): Promise<T> {
    return this.#send<T>(method, path, body === undefined ? undefined : JSON.stringify(body), {
      'Content-Type': 'application/json',
    })
  }

  /** Sends an archive as the multipart field `file`. */
  async upload<T>(path: string, name: string, archive: Buffer): Promise<T> {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(archive)], { type: 'application/gzip' }), name)
    return this.#send<T>('POST', path, form)
  }

  /** Every item of a list, page by page. */
  async list<T>(path: string): Promise<T[]> {
    const items: T[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page<T> = await this.get(`${path}?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
      items.push(...page.items)
      cursor = page.has_more ? page.next_cursor : null
    }
    return items
  }

  // 429 and 503 say when to come back; a client waits and repeats (spec 7.1).
  async #send<T>(
    method: string,
    path: string,
    body?: string | FormData,
    headers: Record<string, string> = {},
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const answer = await fetch(this.#base + path, {
        method,
        headers: { Authorization: `Bearer ${this.#token}`, ...headers },
        ...(body === undefined ? {} : { body }),
      })
      const text = await answer.text()
      if (answer.ok) return (text === '' ? null : JSON.parse(text)) as T
      const waitSeconds = Number(answer.headers.get('retry-after') ?? '0')
      const again = (answer.status === 503 || answer.status === 429) && waitSeconds <= 30 && attempt < 10
      if (!again) throw new ApiFailure(`${method} ${path}`, answer.status, errorBody(text))
      await new Promise(resolve => setTimeout(resolve, Math.max(1, waitSeconds) * 1000))
    }
  }
}

function errorBody(text: string): { error?: string; message?: string } {
  try {
    return JSON.parse(text) as { error?: string; message?: string }
  } catch {
    return { message: text.slice(0, 200) }
  }
}
