import type { LoggedRow } from './log-store.ts'

const maxBuffered = 1000

/** What is waiting for one open stream. */
export interface Feed {
  /** The position behind which the waiting events begin; what lies before it has to be read from the log. */
  startsAfter(): number
  /** Takes what is waiting: every event behind `startsAfter()` up to `position`, in order. */
  take(): { readonly events: readonly LoggedRow[]; readonly position: number }
  /** Whether a heartbeat is due; asking takes it. */
  takeBeat(): boolean
  /** True when the stream has to end: its reader left, or its credential or product is gone. */
  readonly ended: boolean
  /** Resolves at the next news, heartbeat or end, at once when one is waiting. */
  changed(): Promise<void>
}

/** A feed as the one who fills it sees it. */
export interface FilledFeed extends Feed {
  /** Adds events that follow directly on the last ones. */
  push(events: readonly LoggedRow[], position: number): void
  beat(): void
  end(): void
}

/**
 * The buffer between the one poller of a process and one stream. A stream that reads too slowly does not grow it: the
 * buffer is emptied and the stream reads from the log what it missed.
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
      const taken = { events, position }
      events = []
      startsAfter = position
      return taken
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
