import type { Log } from '#platform/log/log-events.ts'
import { createSleeper } from './sleeper.ts'

/** A loop that polls for work until it is stopped. */
export interface PollingLoop {
  /** Starts the next poll early: at once when the loop is idle, or right after the poll under way. */
  wake(): void
  /** Does the same without regard to `minIntervalMs`, for what must not wait. */
  hurry(): void
  /** Resolves when the poll under way is over; none follows. */
  stop(): Promise<void>
}

/** What a loop does and how often. */
export interface PollingLoopOptions {
  /** Names the loop in the log. */
  readonly name: string
  readonly log: Log
  /**
   * Polls once. Resolves true when there was work, so that the next poll follows soon, or false when there was none. A
   * loop that knows when its next work is due resolves with the milliseconds until then.
   */
  readonly poll: () => Promise<boolean | number>
  /** The shortest time between the starts of two polls. */
  readonly minIntervalMs: number
  /** The longest wait while there is no work (default: 1 s). Read before each wait. */
  readonly longestIdleMs?: () => number
  /** The waits after failures, each twice the last (default: 0.5 s up to 5 s). */
  readonly retry?: { readonly firstMs: number; readonly longestMs: number }
}

const firstIdleMs = 250
const defaultLongestIdleMs = 1000
const defaultRetry = { firstMs: 500, longestMs: 5000 }

/**
 * Starts a loop. It polls back to back while there is work, and after 250 ms up to `longestIdleMs` while there is none.
 * A failure is retried after a wait that nothing shortens. It is logged when it differs from the one before, so
 * that a restart of the database is one line.
 */
export function startPollingLoop(options: PollingLoopOptions): PollingLoop {
  const { log, name, poll, minIntervalMs, retry = defaultRetry } = options
  const longestIdleMs = options.longestIdleMs ?? (() => defaultLongestIdleMs)
  const sleeper = createSleeper()
  let isStopping = false
  let idleMs = firstIdleMs
  let retryMs = retry.firstMs
  let failure = ''

  async function waitForWork(result: boolean | number): Promise<void> {
    if (typeof result === 'number') {
      if (result > 0) await sleeper.sleep(result)
      return
    }
    if (!result) await sleeper.sleep(Math.min(idleMs, longestIdleMs()))
    idleMs = result ? firstIdleMs : Math.min(idleMs * 2, longestIdleMs())
  }

  async function waitAfter(error: unknown): Promise<void> {
    const kind = kindOf(error)
    if (kind !== failure)
      log.error({ event: 'poll_failed', loop: name, err: error }, `${name} failed and is tried again`)
    failure = kind
    await sleeper.rest(retryMs)
    retryMs = Math.min(retryMs * 2, retry.longestMs)
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      const startedAtMs = performance.now()
      sleeper.reset()
      try {
        const result = await poll()
        failure = ''
        retryMs = retry.firstMs
        await waitForWork(result)
      } catch (error) {
        await waitAfter(error)
      }
      await sleeper.pause(Math.max(0, minIntervalMs - (performance.now() - startedAtMs)))
    }
  }
  const running = run()

  return {
    wake: sleeper.wake,
    hurry: sleeper.hurry,
    async stop() {
      isStopping = true
      sleeper.stop()
      await running
    },
  }
}

/** The codes of an ending session, of a database that stops or starts, and of a machine that refuses or resets. */
const awayCodes = /^(08...|57P0[1-3]|ECONN(REFUSED|RESET))$/

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && awayCodes.test(String(error.code))) return 'away'
  if (/^Connection (ended|terminated) unexpectedly$/.test(error.message)) return 'away'
  return 'code' in error ? String(error.code) : error.message
}
