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

const atOnce = 20

/**
 * Limits how many linked numbers without a proxy a host takes: many logins at one moment from one address look
 * suspicious. After a start it takes some at once, and the rest of its capacity over the window, at uneven distances.
 */
export class DirectPace {
  readonly #perMs: number
  readonly #random: () => number
  readonly #nowMs: () => number
  #room = atOnce
  #atMs: number

  /** A window of 0 limits nothing. */
  constructor(
    { capacity, windowMs }: { readonly capacity: number; readonly windowMs: number },
    random: () => number = Math.random,
    nowMs: () => number = () => performance.now(),
  ) {
    this.#perMs = Math.max(capacity - atOnce, 1) / windowMs
    this.#random = random
    this.#nowMs = nowMs
    this.#atMs = nowMs()
  }

  /** Returns how many may be taken now. */
  get room(): number {
    const nowMs = this.#nowMs()
    if (this.#perMs === Number.POSITIVE_INFINITY) return this.#perMs
    this.#room = Math.min(atOnce, this.#room + (nowMs - this.#atMs) * this.#perMs)
    this.#atMs = nowMs
    return Math.max(0, Math.floor(this.#room))
  }

  /** So many were taken. */
  take(count: number): void {
    for (let taken = 0; taken < count; taken++) this.#room -= 0.5 + this.#random()
  }
}
