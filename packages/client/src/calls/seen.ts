/** Remembers the latest ids, to drop rows and events that come again. */
export class Seen {
  readonly #ids = new Set<string>()
  readonly #limit: number

  /** `limit` is how many ids are remembered. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Remembers an id. Returns false when it is remembered already. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false
    this.#ids.add(id)
    // A set keeps the order of insertion, so the first is the oldest.
    if (this.#ids.size > this.#limit) for (const oldest of this.#ids) return this.#ids.delete(oldest)
    return true
  }
}
