/** The reader of one open stream, who may be slower than what it reads comes. */
export interface Reader {
  /** Marks a heartbeat as due. */
  beat(): void
  /** Ends the reader's loop: it disconnected, or may not read any more. */
  end(): void
  /** Returns whether a heartbeat is due, and marks it as taken. */
  takeBeat(): boolean
  readonly ended: boolean
  /** Resolves at the next change, heartbeat or end; immediately if there was one since. */
  changed(): Promise<void>
}

/** Creates a reader. `change` reports that there is more to read. */
export function createReader(): { readonly reader: Reader; change(): void } {
  let beatDue = false
  let ended = false
  let pending = false
  let notify: (() => void) | undefined

  function change(): void {
    pending = true
    notify?.()
  }

  const reader: Reader = {
    beat() {
      beatDue = true
      change()
    },
    end() {
      ended = true
      change()
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
  return { reader, change }
}
