import type { LoggedRow } from './log-store.ts'

const maxBuffered = 1000

/** The events that wait for one open stream. */
export interface Feed {
  /** The waiting events follow this position. Earlier ones have to be read from the log. */
  startsAfter(): number
  /** Removes and returns the waiting events: all after `startsAfter()` up to `position`, in order. */
  take(): { readonly events: readonly LoggedRow[]; readonly position: number }
  /** Returns whether a heartbeat is due, and marks it as taken. */
  takeBeat(): boolean
  /** Whether the stream must end: its reader disconnected, or its credential or product is no longer valid. */
  readonly ended: boolean
  /** Resolves at the next event, heartbeat or end; immediately if one is waiting. */
  changed(): Promise<void>
}

/** A feed as its producer sees it. */
export interface FilledFeed extends Feed {
  /** Adds the events that directly follow the last ones. */
  push(events: readonly LoggedRow[], position: number): void
  beat(): void
  end(): void
}

/**
 * Creates the buffer between the poller of the process and one stream. The buffer is bounded: if the stream reads too
 * slowly, the buffer is emptied and the stream reads what it missed from the log.
 */
export function feedFrom(start: number): FilledFeed {
  let events: LoggedRow[] = []
  let startsAfter = start
  let position = start
  let beatDue = false
  let ended = false
  let pending = false
  let notify: (() => void) | null = null

  function change(): void {
    pending = true
    notify?.()
  }

  return {
    startsAfter: () => startsAfter,
    take() {
      const batch = { events, position }
      events = []
      startsAfter = position
      return batch
    },
    takeBeat() {
      const due = beatDue
      beatDue = false
      return due
    },
    get ended() {
      return ended
    },
    async changed() {
      if (!pending) {
        await new Promise<void>((resolve) => {
          notify = resolve
        })
      }
      notify = null
      pending = false
    },
    push(more, upTo) {
      position = upTo
      if (events.length + more.length > maxBuffered) {
        events = []
        startsAfter = upTo
      } else {
        events.push(...more)
      }
      change()
    },
    beat() {
      beatDue = true
      change()
    },
    end() {
      ended = true
      change()
    },
  }
}
