import type { Context } from '../context.ts'
import { CliError } from '../errors/cli-error.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { startTimeLimit } from './time-limit.ts'

/** How one read of a wait is made. */
export interface ReadOptions {
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

const timeIsUp = 'WAIT_TIMED_OUT'
/** The last look of a wait is made when its time is over, and gets at least this. */
const shortestReadMs = 1_000
/** The longest time a timer can hold. */
const longestTimerMs = 2 ** 31 - 1

/**
 * Reads for a wait that ends at `endMs`; the read ends with it, however long the service stays silent. Throws what the
 * read throws, and a CliError of exit code 12 when the time was over first.
 */
export async function readWithin<T>(
  { host, timeoutMs }: Context,
  endMs: number,
  read: (options: ReadOptions) => Promise<T>,
): Promise<T> {
  const leftMs = Math.min(longestTimerMs, Math.max(shortestReadMs, endMs - host.now()))
  const limit = startTimeLimit(leftMs, host.signal)
  try {
    return await read({ signal: limit.signal, timeoutMs: Math.min(timeoutMs, leftMs) })
  } catch (error) {
    if (!limit.signal.aborted || host.signal.aborted) throw error
    const facts = { code: timeIsUp, exitCode: exitCodes.waitTimedOut, advice: 'Is the service running?' }
    throw new CliError('Time is up, and the service has not answered.', facts)
  } finally {
    limit.end()
  }
}

/** Whether a read failed on the way, at the service or for want of time, so that what is waited for goes on without it. */
export function isTransient(error: unknown): boolean {
  const { code, status } = (error ?? {}) as { code?: unknown; status?: unknown }
  const onTheWay = code === 'CONNECTION_FAILED' || code === 'TIMEOUT' || code === timeIsUp
  return onTheWay || (typeof status === 'number' && status >= 500)
}
