/** How many of the last events are remembered to tell a repeated one. */
const rememberedEvents = 1_000

/** Where a stream is, across its connections. */
export class Cursor {
  id: string | undefined
  readonly #seen = new Set<string>()

  constructor(after: unknown) {
    if (typeof after === 'string' && after !== '') this.advance(after)
  }

  /** Moves on to `id`; false when the event of that id was given out already. */
  advance(id: string): boolean {
    if (this.#seen.has(id)) return false
    this.id = id
    this.#seen.add(id)
    // A set keeps the order of insertion, so the first is the oldest.
    if (this.#seen.size > rememberedEvents) for (const oldest of this.#seen) return this.#seen.delete(oldest)
    return true
  }
}
