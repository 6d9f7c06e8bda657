import type { LoginPace } from '../host/login-pace.ts'
import type { HostLog } from '../process/log.ts'
import type { Vault } from '../vault/vault.ts'
import { Backoff } from './backoff.ts'
import { logFault } from './end-log.ts'

/** What attempts need of the host. */
interface AttemptsContext {
  readonly logins: Pick<LoginPace, 'take'>
  readonly log: HostLog
}

/**
 * What a number does to get a connection: one attempt at a time. A later one makes an earlier one stop at its next
 * check. One that fails for a reason that is not of the network is followed by another, after a wait.
 */
export class Attempts {
  readonly #context: AttemptsContext
  readonly #vault: Pick<Vault, 'containerId' | 'isFenced'>
  readonly #connect: (attempt: symbol) => Promise<void>
  readonly #faults = new Backoff()
  #current = Symbol()
  #timer: NodeJS.Timeout | null = null

  constructor(
    context: AttemptsContext,
    vault: Pick<Vault, 'containerId' | 'isFenced'>,
    connect: (attempt: symbol) => Promise<void>,
  ) {
    this.#context = context
    this.#vault = vault
    this.#connect = connect
  }

  /** Begins an attempt, unless something else begins before it ends. */
  begin(): symbol {
    if (this.#timer) clearTimeout(this.#timer)
    this.#current = Symbol()
    return this.#current
  }

  /** Whether nothing has begun since, and the number is still owned. */
  isCurrent(attempt: symbol): boolean {
    return attempt === this.#current && !this.#vault.isFenced
  }

  /** The number is connected. */
  succeeded(): void {
    this.#faults.reset()
  }

  /** Connects after a wait, when it is the turn of this number among those of the process. */
  connectAfter(ms: number): void {
    this.begin()
    this.#timer = setTimeout(() => {
      this.#timer = setTimeout(() => this.follow(this.#connect), this.#context.logins.take())
    }, ms)
  }

  /** Connects at once: the phone waits for it. */
  connectNow(): void {
    this.begin()
    this.#timer = setTimeout(() => this.follow(this.#connect), 0)
  }

  /** Begins an attempt that ends in a connection: if it fails and nothing else has begun, the number connects later. */
  follow(work: (attempt: symbol) => Promise<void>): void {
    const attempt = this.begin()
    work(attempt).catch((err: unknown) => {
      if (!this.isCurrent(attempt)) return
      logFault(this.#context.log, this.#vault.containerId, err)
      this.connectAfter(this.#faults.next())
    })
  }
}
