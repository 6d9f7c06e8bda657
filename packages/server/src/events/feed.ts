import type { LoggedRow } from './log-store.ts'
import { createReader, type Reader } from './reader.ts'

const maxBuffered = 1000

/** The events that wait for one open stream. */
export interface Feed extends Reader {
  /** The waiting events follow this position. Earlier ones have to be read from the log. */
  startsAfter(): number
  /** Removes and returns the waiting events: all after `startsAfter()` up to `position`, in order. */
  take(): { readonly events: readonly LoggedRow[]; readonly position: number }
  /** Adds the events that directly follow the last ones. */
  push(events: readonly LoggedRow[], position: number): void
}

/**
 * Creates the buffer between the hub of the process and one stream. The buffer is bounded: if the stream reads too
 * slowly, the buffer is emptied and the stream reads what it missed from the log.
 */
export function feedFrom(start: number): Feed {
  const { reader, change } = createReader()
  let events: LoggedRow[] = []
  let startsAfter = start
  let position = start
  return Object.assign(reader, {
    startsAfter: () => startsAfter,
    take() {
      const batch = { events, position }
      events = []
      startsAfter = position
      return batch
    },
    push(more: readonly LoggedRow[], upTo: number) {
      position = upTo
      if (events.length + more.length > maxBuffered) {
        events = []
        startsAfter = upTo
      } else {
        events.push(...more)
      }
      change()
    },
  })
}
