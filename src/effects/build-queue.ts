// At most so many builds at once; the next place goes to the team with the fewest builds running, then to who came first.

interface Waiting {
  team: string
  admit: () => void
}

export class BuildQueue {
  readonly #places: number
  readonly #waiting: Waiting[] = []
  readonly #running = new Map<string, number>()

  constructor(places: number) {
    this.#places = places
  }

  /** Waits for a place and does the work in it. Rejects when `signal` aborts before a place is free. */
  async run<T>(team: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#enter(team, signal)
    try {
      return await work()
    } finally {
      this.#leave(team)
    }
  }

  async #enter(team: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#taken() < this.#places) return this.#take(team)
    await new Promise<void>((resolve, reject) => {
      const waiting: Waiting = {
        team,
        admit: () => {
          signal.removeEventListener('abort', giveUp)
          this.#take(team)
          resolve()
        },
      }
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', giveUp, { once: true })
      this.#waiting.push(waiting)
    })
  }

  #leave(team: string): void {
    this.#running.set(team, this.#builds(team) - 1)
    const next = this.#waiting.toSorted((a, b) => this.#builds(a.team) - this.#builds(b.team))[0]
    if (!next) return
    this.#waiting.splice(this.#waiting.indexOf(next), 1)
    next.admit()
  }

  #take(team: string): void {
    this.#running.set(team, this.#builds(team) + 1)
  }

  #builds(team: string): number {
    return this.#running.get(team) ?? 0
  }

  #taken(): number {
    return [...this.#running.values()].reduce((sum, builds) => sum + builds, 0)
  }
}
