const stepsMs = [500, 1000, 2000, 5000, 10_000, 30_000] as const
const longestMs = 30_000

/** The waits between tries of something that must not be given up: up to 30 s. */
export class Backoff {
  #failures = 0

  /** Returns how long to wait after one more failure, in milliseconds. */
  next(): number {
    return stepsMs[this.#failures++] ?? longestMs
  }

  /** Begins with the shortest wait again. */
  reset(): void {
    this.#failures = 0
  }
}
