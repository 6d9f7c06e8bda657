/** The number of recent events that are remembered to drop repeated ones. */
const rememberedEvents = 1_000

/** The position of a stream across its connections. */
export class Cursor {
  id: string | undefined
  readonly #seen = new Set<string>()

  constructor(after: unknown) {
    if (typeof after === 'string' && after !== '') this.advance(after)
  }

  /** Moves the position to `id`. Returns false when the event with that id was yielded before. */
  advance(id: string): boolean {
    if (this.#seen.has(id)) return false
    this.id = id
    this.#seen.add(id)
    // A set keeps the order of insertion, so the first is the oldest.
    if (this.#seen.size > rememberedEvents) for (const oldest of this.#seen) return this.#seen.delete(oldest)
    return true
  }
}
