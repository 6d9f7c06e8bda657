import type { Db } from '#platform/db/db.ts'
import { findHostUrl } from './store.ts'

const mostKnown = 100_000

/** The addresses of the hosts of numbers. A number stays with its host for days, so they are remembered. */
export class HostAddresses {
  readonly #db: Db
  readonly #known = new Map<string, string>()

  constructor(db: Db) {
    this.#db = db
  }

  /** Returns where the host of a number is; null while no host owns it. */
  readonly find = async (containerId: string, fresh: boolean): Promise<string | null> => {
    const known = fresh ? undefined : this.#known.get(containerId)
    if (known !== undefined) return known
    const url = await findHostUrl(this.#db, containerId)
    this.#known.delete(containerId)
    if (url !== null) this.#remember(containerId, url)
    return url
  }

  #remember(containerId: string, url: string): void {
    const [oldest] = this.#known.keys()
    if (this.#known.size >= mostKnown && oldest !== undefined) this.#known.delete(oldest)
    this.#known.set(containerId, url)
  }
}
