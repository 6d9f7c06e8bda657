import type { Context } from '../context.ts'
import { CliError } from '../errors/cli-error.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { startTimeLimit } from './time-limit.ts'

/** The options of one read while waiting. */
export interface ReadOptions {
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

const timeIsUp = 'WAIT_TIMED_OUT'
/** The minimum timeout of a read; the last read starts when the wait has ended. */
const shortestReadMs = 1_000
/** The longest delay that setTimeout supports. */
const longestTimerMs = 2 ** 31 - 1

/**
 * Runs one read of a wait that ends at `endMs`, and aborts the read at that time. Throws what the read throws, and a
 * CliError with exit code 12 when the time ran out first.
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
    const facts = { code: timeIsUp, exitCode: exitCodes.waitTimedOut, advice: 'Check that the service is running.' }
    throw new CliError('Timed out: the service did not respond.', facts)
  } finally {
    limit.end()
  }
}

/** Returns whether a read failed for a temporary reason (connection, timeout or 5xx), so that the wait can continue. */
export function isTransient(error: unknown): boolean {
  const { code, status } = (error ?? {}) as { code?: unknown; status?: unknown }
  const onTheWay = code === 'CONNECTION_FAILED' || code === 'TIMEOUT' || code === timeIsUp
  return onTheWay || (typeof status === 'number' && status >= 500)
}
