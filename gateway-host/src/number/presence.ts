const lastsMs = 60_000

/** Shows an account as available while it sends and for a minute after, and as unavailable else. */
export class Presence {
  readonly #show: (isAvailable: boolean) => Promise<void>
  readonly #lastsMs: number
  #timer: NodeJS.Timeout | null = null

  /** `show` reports it to the network; a failure has no consequence. */
  constructor(show: (isAvailable: boolean) => Promise<void>, forMs = lastsMs) {
    this.#show = show
    this.#lastsMs = forMs
  }

  /** The account sends something. */
  active(): void {
    if (this.#timer) clearTimeout(this.#timer)
    else this.#report(true)
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#report(false)
    }, this.#lastsMs)
    this.#timer.unref()
  }

  /** The connection has ended, and with it what others see. */
  end(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }

  #report(isAvailable: boolean): void {
    this.#show(isAvailable).catch(() => undefined)
  }
}
