import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { HostLog } from '../process/log.ts'
import { Fenced } from '../vault/fenced.ts'
import { endLink, type LinkEnd } from '../vault/retirement.ts'
import type { Vault } from '../vault/vault.ts'
import { Backoff } from './backoff.ts'

/** Who waits for the end of a link. */
interface Waiting {
  /** Whether it is still to be tried. */
  isWanted(): boolean
  /** A try has failed, and another one follows. */
  onFailed(): void
}

/** Ends the links of one number in the database: one try at a time. */
export class LinkEnding {
  readonly #context: { readonly linkPool: Pool; readonly log: HostLog }
  readonly #vault: Vault
  #running: Promise<unknown> = Promise.resolve()

  constructor(context: { readonly linkPool: Pool; readonly log: HostLog }, vault: Vault) {
    this.#context = context
    this.#vault = vault
  }

  /** Waits for the try that runs. Never throws. */
  async settled(): Promise<void> {
    await this.#running
  }

  /** Ends the link at once, in one try. Throws what {@link endLink} throws. */
  async endNow(end: LinkEnd): Promise<void> {
    await this.settled()
    const ended = endLink(this.#context.linkPool, this.#vault, end)
    this.#running = ended.catch(() => undefined)
    await ended
  }

  /**
   * Ends the link, again and again until that is stored. Returns whether it is and the caller still waits for it. Never
   * throws.
   */
  async end(end: LinkEnd, { isWanted, onFailed }: Waiting): Promise<boolean> {
    const backoff = new Backoff()
    const { containerId } = this.#vault
    while (isWanted()) {
      try {
        await this.endNow(end)
        return isWanted()
      } catch (err) {
        if (err instanceof Fenced) this.#vault.fence()
        if (!isWanted()) return false
        this.#context.log.warn({ event: 'link_not_ended', containerId, err }, 'failed to end a link, and tries again')
        onFailed()
        await wait(backoff.next(), undefined, { ref: false })
      }
    }
    return false
  }
}
