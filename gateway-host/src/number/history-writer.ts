import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { HistoryMessage } from '../engine/engine.ts'
import type { HostLog } from '../process/log.ts'
import type { Vault } from '../vault/vault.ts'
import { storeHistory } from './history-store.ts'

/** What the history of numbers is stored with. */
interface HistoryContext {
  /** Connections of its own: what a phone shares is large, and leases and keys must not wait behind it. */
  readonly pool: Pool
  readonly log: HostLog
  /** Counts batches that were lost. */
  readonly onFailed: () => void
}

const batchSize = 500
const mostTries = 3
const retryMs = 1000

/** Whether the database refuses a value, such as a character: SQLSTATE class 22. Trying again does not help. */
function isRefused(err: unknown): boolean {
  return err instanceof Error && 'code' in err && typeof err.code === 'string' && err.code.startsWith('22')
}

/**
 * Stores what phones share, in batches. A phone shares it once, so a batch that fails is tried again; one with a value
 * that the database refuses is halved until that message is alone.
 */
export class HistoryWriter {
  readonly #context: HistoryContext
  readonly #retryMs: number

  constructor(context: HistoryContext, waitMs = retryMs) {
    this.#context = context
    this.#retryMs = waitMs
  }

  /** Stores messages of one number. Never throws: what cannot be stored is counted and logged. */
  async store(vault: Vault, messages: readonly HistoryMessage[]): Promise<void> {
    for (let from = 0; from < messages.length && !vault.isFenced; from += batchSize) {
      await this.#storeBatch(vault, messages.slice(from, from + batchSize))
    }
  }

  async #storeBatch(vault: Vault, batch: readonly HistoryMessage[]): Promise<void> {
    const { pool, log, onFailed } = this.#context
    for (let tried = 1; ; tried++) {
      try {
        return await storeHistory(pool, vault, batch)
      } catch (err) {
        if (vault.isFenced) return
        if (isRefused(err) && batch.length > 1) {
          const half = Math.ceil(batch.length / 2)
          await this.#storeBatch(vault, batch.slice(0, half))
          return await this.#storeBatch(vault, batch.slice(half))
        }
        if (!isRefused(err) && tried < mostTries) {
          await wait(this.#retryMs)
          continue
        }
        onFailed()
        const facts = { containerId: vault.containerId, messages: batch.length, err }
        log.warn({ event: 'history_not_stored', ...facts }, 'failed to store a part of what a phone shared')
        return
      }
    }
  }
}
