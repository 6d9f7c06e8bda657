import { Seen } from '../calls/seen.ts'

/** The number of recent events that are remembered to drop repeated ones. */
const rememberedEvents = 1_000

/** The position of a stream across its connections. */
export class Cursor {
  id: string | undefined
  readonly #seen = new Seen(rememberedEvents)

  constructor(after: unknown) {
    if (typeof after === 'string' && after !== '') this.advance(after)
  }

  /** Moves the position to `id`. Returns false when the event with that id was yielded before. */
  advance(id: string): boolean {
    const isNew = this.#seen.add(id)
    if (isNew) this.id = id
    return isNew
  }
}
