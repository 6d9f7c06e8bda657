import type { Logger } from 'pino'

/** A loop that looks for work, again and again, until it is stopped. */
export interface PollingLoop {
  /** Looks at once, or once more when it is just looking. */
  wake(): void
  /** Resolves when the look that runs is over; none follows. */
  stop(): Promise<void>
}

/** What a loop does and how often. */
export interface PollingLoopOptions {
  /** Names the loop in the log. */
  readonly name: string
  readonly log: Logger
  /** One look; true when there was work, so that the next look follows soon. */
  readonly poll: () => Promise<boolean>
  /** The shortest time between two looks. */
  readonly minIntervalMs: number
  /** How long it rests at most while there is no work, 1 s unless told; asked before each rest. */
  readonly longestIdleMs?: () => number
}

const firstIdleMs = 250
const defaultLongestIdleMs = 1000
const longestAfterErrorMs = 5000

/**
 * Starts a loop: back to back while there is work, after 250 ms up to `longestIdleMs` while there is none, after up to 5 s
 * while looking fails. A failure is logged when it is another one than before, so that a restart of the database is one line.
 */
export function startPollingLoop(options: PollingLoopOptions): PollingLoop {
  const { log, name, poll, minIntervalMs, longestIdleMs = () => defaultLongestIdleMs } = options
  const sleeper = wakeableSleep()
  let stopping = false

  async function run(): Promise<void> {
    let idleMs = firstIdleMs
    let failure = ''
    while (!stopping) {
      try {
        const busy = await poll()
        failure = ''
        if (!busy) await sleeper.sleep(Math.min(idleMs, longestIdleMs()))
        idleMs = busy ? firstIdleMs : Math.min(idleMs * 2, longestIdleMs())
      } catch (error) {
        const kind = kindOf(error)
        if (kind !== failure) log.error({ err: error }, `${name} failed and is tried again`)
        failure = kind
        idleMs = Math.min(idleMs * 2, longestAfterErrorMs)
        await sleeper.sleep(idleMs)
      }
      if (!stopping) await delay(minIntervalMs)
    }
  }
  const running = run()

  return {
    wake: sleeper.wake,
    async stop() {
      stopping = true
      sleeper.wake()
      await running
    },
  }
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error ? String(error.code) : error.message
}

/** Waits that a signal ends. A signal while nobody waits ends the next wait, so that none is lost. */
function wakeableSleep() {
  let woken = false
  let end: (() => void) | null = null
  return {
    wake() {
      woken = true
      end?.()
    },
    async sleep(ms: number): Promise<void> {
      if (!woken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          timer.unref()
          end = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      end = null
      woken = false
    },
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
