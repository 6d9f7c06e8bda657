import type { Host } from '../../host.ts'

/** A keyboard that is read key by key. */
export interface QuitKey {
  /** Aborts when q or Ctrl-C is pressed, and with the signal of the host. The reason of Ctrl-C is `interrupted`. */
  readonly signal: AbortSignal
  /** Gives the keyboard back to the shell. */
  end(): void
}

const quitKeys = /[qQ]/
const ctrlC = '\u0003'

/** The reason of {@link QuitKey.signal} after Ctrl-C: without lines, a terminal sends it as a key. */
export const interruptedByKey = Symbol('Ctrl-C')

/** Watches the keyboard without showing what is typed. Does nothing when stdin is not a terminal. */
export function watchQuitKey({ stdin, signal }: Host): QuitKey {
  const quit = new AbortController()
  const stop = () => quit.abort(signal.reason)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  const leave = () => signal.removeEventListener('abort', stop)
  if (stdin.isTTY !== true || stdin.setRawMode === undefined) return { signal: quit.signal, end: leave }
  const read = (keys: Buffer | string) => {
    const typed = String(keys)
    if (typed.includes(ctrlC)) quit.abort(interruptedByKey)
    else if (quitKeys.test(typed)) quit.abort()
  }
  stdin.on('data', read)
  stdin.setRawMode(true)
  return {
    signal: quit.signal,
    end() {
      leave()
      stdin.off('data', read)
      stdin.setRawMode?.(false)
      stdin.pause()
    },
  }
}
