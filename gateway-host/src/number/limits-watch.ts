import type { AccountLimits } from '../engine/engine.ts'
import type { Vault } from '../vault/vault.ts'

const [everyMs, waitMs] = [3_600_000, 3000]

/**
 * Reports what the network allows an account: when it connects, each hour, and after the network refused a new
 * conversation. What has not changed is reported once for each connection.
 */
export class LimitsWatch {
  readonly #vault: Vault
  readonly #ask: () => Promise<AccountLimits>
  #reported = ''
  #timer: NodeJS.Timeout | null = null

  /** `ask` queries the network. */
  constructor(vault: Vault, ask: () => Promise<AccountLimits>) {
    this.#vault = vault
    this.#ask = ask
  }

  /** A connection has opened. */
  begin(): void {
    this.end()
    this.#reported = ''
    void this.refresh()
    this.#timer = setInterval(() => void this.refresh(), everyMs)
    this.#timer.unref()
  }

  /** The connection has ended. */
  end(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
  }

  /** Queries and reports the limits. Returns null when the network does not say; an old network knows no such query. */
  async refresh(): Promise<AccountLimits | null> {
    try {
      const limits = await this.#ask()
      this.report(limits)
      return limits
    } catch {
      return null
    }
  }

  /** The network named the limits. */
  report(limits: AccountLimits): void {
    const text = JSON.stringify(limits)
    if (text === this.#reported || this.#vault.isFenced) return
    this.#reported = text
    const body = { kind: 'account.limits', at: new Date().toISOString(), limits }
    this.#vault.stageEvent({ eventId: null, body })
  }

  /** Queries until when the account may begin no conversations; null when it may, or when no response comes in time. */
  async findBlock(): Promise<Date | null> {
    const timeout = new Promise<null>((resolve) => setTimeout(() => resolve(null), waitMs).unref())
    const limits = await Promise.race([this.refresh(), timeout])
    return limits?.blockedUntil ?? null
  }
}
