import { setTimeout as wait } from 'node:timers/promises'
import type { Postmaster } from './postmaster.ts'

/** What is reported of a Postgres that is started again. Each is called at most once for each time that it ends. */
export interface RestartWatcher {
  /** Called when Postgres ended by itself. */
  readonly onEnded: () => void
  /** It accepts connections again, at the same URL. */
  readonly onRestarted: () => void
  /** It could not be started again; nothing more is tried. `error` says what a person can do. */
  readonly onGivenUp: (error: unknown) => void
  /** How long to wait before each attempt (default: eight attempts in about 70 s). */
  readonly delaysMs?: readonly number[]
}

const usualDelaysMs = [0, 500, 1000, 2000, 5000, 10_000, 20_000, 30_000]
/** A Postgres that ran this long was well: the attempts are counted from the first again. */
const steadyMs = 60_000

/**
 * Starts Postgres again by `start` when it ends by itself. The attempts are bounded, also those of a Postgres
 * that starts and soon ends again. Returns what ends it for good.
 */
export function keepRunning(
  first: Postmaster,
  start: () => Promise<Postmaster>,
  watcher: RestartWatcher,
): { stop(): Promise<void> } {
  const { delaysMs = usualDelaysMs } = watcher
  const stopping = new AbortController()
  let attempts = 0

  async function restart(): Promise<Postmaster | null> {
    let failure: unknown = new Error('Postgres ended again each time that it was started.')
    while (attempts < delaysMs.length) {
      const delayMs = delaysMs[attempts] ?? 0
      attempts += 1
      await wait(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return null
      try {
        return await start()
      } catch (error) {
        failure = error
      }
    }
    watcher.onGivenUp(failure)
    return null
  }

  async function watch(): Promise<void> {
    let postmaster: Postmaster | null = first
    while (postmaster) {
      const startedAt = performance.now()
      const { exited, stop }: Postmaster = postmaster
      await Promise.race([exited, aborted])
      if (stopping.signal.aborted) return stop()
      if (performance.now() - startedAt > steadyMs) attempts = 0
      watcher.onEnded()
      postmaster = await restart()
      if (postmaster) watcher.onRestarted()
    }
  }

  const aborted = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()))
  const watching = watch()
  return {
    stop() {
      stopping.abort()
      return watching
    },
  }
}
