import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Vault } from '../vault/vault.ts'
import { type ReportedState, storeState } from './state-store.ts'

const retryMs = 500

/**
 * Stores the states of a number in their order. A state is retried until it is stored or another process owns the
 * number.
 */
export class StateReporter {
  readonly #pool: Pool
  readonly #vault: Vault
  readonly #onStored: () => void
  #last: Promise<void> = Promise.resolve()

  constructor(pool: Pool, vault: Vault, onStored: () => void) {
    this.#onStored = onStored
    this.#pool = pool
    this.#vault = vault
  }

  report(state: ReportedState): void {
    this.#last = this.#last.then(() => this.#store(state))
  }

  settled(): Promise<void> {
    return this.#last
  }

  async #store(state: ReportedState): Promise<void> {
    while (!this.#vault.isFenced) {
      try {
        // A number that is reported as linked must have its keys on disk.
        await this.#vault.committed()
        if (await storeState(this.#pool, this.#vault, state)) this.#onStored()
        return
      } catch {
        await wait(retryMs)
      }
    }
  }
}
