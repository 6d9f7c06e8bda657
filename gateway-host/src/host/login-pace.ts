/** Logins a second of one process. */
export const loginsPerSecond = 5

/**
 * Spaces the logins of a process. Without it, all its numbers would log in at the same moment after an outage of the
 * network, which looks like an attack.
 */
export class LoginPace {
  readonly #perSecond: number
  readonly #nowMs: () => number
  /** When a whole second's logins are free again, if no more are taken. */
  #fullAtMs = Number.NEGATIVE_INFINITY

  constructor(perSecond: number, nowMs: () => number = () => performance.now()) {
    this.#perSecond = perSecond
    this.#nowMs = nowMs
  }

  /** Takes the next login, and returns in how many milliseconds it may begin. */
  take(): number {
    const nowMs = this.#nowMs()
    this.#fullAtMs = Math.max(this.#fullAtMs, nowMs) + 1000 / this.#perSecond
    return Math.max(0, this.#fullAtMs - nowMs - 1000)
  }
}
