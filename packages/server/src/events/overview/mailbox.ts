/** The newest value for one reader, who may be slower than the values come. */
export interface Mailbox<Value> {
  put(value: Value): void
  /** Marks a heartbeat as due. */
  beat(): void
  /** Ends the reader's loop. */
  end(): void
  /** Removes and returns the newest value; undefined when there is none since the last call. */
  take(): Value | undefined
  /** Returns whether a heartbeat is due, and marks it as taken. */
  takeBeat(): boolean
  readonly ended: boolean
  /** Resolves at the next value, heartbeat or end; immediately if one is waiting. */
  changed(): Promise<void>
}

/** Creates an empty mailbox. A value that was not taken is replaced by the next one. */
export function createMailbox<Value>(): Mailbox<Value> {
  let newest: Value | undefined
  let beatDue = false
  let ended = false
  let pending = false
  let notify: (() => void) | undefined

  function change(): void {
    pending = true
    notify?.()
  }

  return {
    put(value) {
      newest = value
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
    take() {
      const value = newest
      newest = undefined
      return value
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
      notify = undefined
      pending = false
    },
  }
}
