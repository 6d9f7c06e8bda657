import type { Outcome } from './error.ts'
import { retryClasses } from './generated/retry-classes.ts'

/**
 * The class of a failed attempt, which decides about a retry. `never_sent`: no byte was sent. `unknown`: it may have
 * had its effect. `refused`: the service rejected it before any effect. `quota`: only a long wait helps. `final`: it
 * would fail again.
 */
export type FailureClass = 'never_sent' | 'unknown' | 'refused' | 'quota' | 'final'

/** `read` changes nothing. `keyed` has an Idempotency-Key that the host honours. `write` is any other change. */
export type CallKind = 'read' | 'write' | 'keyed'

const classOfRetry = { safe: 'refused', unknown: 'unknown', quota: 'quota', never: 'final' } as const

/**
 * Returns the failure class of an error response. The code decides, then the status. An unknown code with status 500 or
 * above can come from any proxy on the way, so its outcome is unknown.
 */
export function classifyFailure(code: string, status: number, details: unknown): FailureClass {
  const { outcome, reason } = (details ?? {}) as { outcome?: unknown; reason?: unknown }
  // The first request with this key is still running, so its outcome is not known yet.
  if (code === 'CONFLICT' && reason === 'idempotency_in_progress') return 'unknown'
  const retry = Object.hasOwn(retryClasses, code) ? retryClasses[code] : undefined
  const failureClass = classOfRetry[retry ?? (status >= 500 ? 'unknown' : 'never')]
  return failureClass === 'refused' && outcome === 'unknown' ? 'unknown' : failureClass
}

/** The limits of retries. */
export interface RetryLimits {
  /** Attempts after the first. */
  readonly maxRetries: number
  /** With a longer Retry-After the error is thrown at once. */
  readonly maxRetryAfterMs: number
}

/** The input of the retry decision. */
export interface FailedAttempt {
  readonly failureClass: FailureClass
  readonly kind: CallKind
  /** Retries so far. */
  readonly retries: number
  readonly retryAfterMs: number | undefined
}

/** Returns whether the call is retried; otherwise its error is thrown. */
export function mayRetry(failed: FailedAttempt, limits: RetryLimits): boolean {
  if (failed.retries >= limits.maxRetries) return false
  if ((failed.retryAfterMs ?? 0) > limits.maxRetryAfterMs) return false
  const { failureClass, kind } = failed
  if (failureClass === 'quota' || failureClass === 'final') return false
  // These are never sent twice, whatever became of the attempt.
  if (kind !== 'write' || failureClass === 'never_sent') return true
  return failureClass === 'refused' && failed.retryAfterMs !== undefined
}

const baseBackoffMs = 500
const maxBackoffMs = 8_000

/** Returns a backoff with full jitter: from 0 to a maximum that doubles from 0.5 s to 8 s. */
export function backoffMs(retries: number, random: number): number {
  return Math.round(random * Math.min(maxBackoffMs, baseBackoffMs * 2 ** Math.min(retries, 10)))
}

/** Returns Retry-After plus the backoff. The jitter spreads clients that got the same Retry-After. */
export function waitMs(retries: number, random: number, retryAfterMs: number | undefined): number {
  return (retryAfterMs ?? 0) + backoffMs(retries, random)
}

/**
 * Returns whether a failed change may have had its effect, from its last failure and the outcome that the service
 * reported. After an attempt of unknown outcome, a rejection concerns only the last attempt, so the outcome stays
 * unknown. A response from the service's record of the send (failure class `unknown`) decides it.
 */
export function toOutcome(failureClass: FailureClass, reported: unknown, earlierUnknown: boolean): Outcome {
  if (reported === 'unknown') return 'unknown'
  if (reported === 'not_sent') return earlierUnknown && failureClass !== 'unknown' ? 'unknown' : 'not_sent'
  return earlierUnknown || failureClass === 'unknown' ? 'unknown' : 'not_sent'
}
