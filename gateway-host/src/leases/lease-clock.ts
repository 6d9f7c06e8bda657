/** The part of a lease during which its owner may act on it without a renewal. */
const safePart = 2 / 3

/**
 * Knows by the monotonic clock of this process whether its leases are certainly its own. A process that stood still
 * finds out here, before it sends what it had prepared.
 */
export class LeaseClock {
  readonly #leaseMs: number
  readonly #nowMs: () => number
  #renewedAtMs: number
  #waiting: (() => void)[] = []

  constructor(leaseMs: number, nowMs: () => number = () => performance.now()) {
    this.#leaseMs = leaseMs
    this.#nowMs = nowMs
    this.#renewedAtMs = nowMs()
  }

  /** Whether no other process can own the numbers now. */
  get isSafe(): boolean {
    return this.#nowMs() - this.#renewedAtMs < this.#leaseMs * safePart
  }

  /** All leases were renewed, by a statement that began then. */
  renewed(startedAtMs: number): void {
    this.#renewedAtMs = startedAtMs
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /**
   * Resolves while the leases are safe, or after the next renewal. The caller checks then whether its number was in it.
   */
  async safe(): Promise<void> {
    while (!this.isSafe) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}
