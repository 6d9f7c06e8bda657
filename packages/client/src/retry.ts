import { type ErrorFacts, errorTable } from '@msgctl/contract/error-table'
import type { Outcome } from './error.ts'

/**
 * What became of one attempt, as far as another one is concerned. `never_sent`: no byte left; `unknown`: it may have
 * had its effect; `refused`: the service said no before any effect; `quota`: only a long wait helps; `final`: it would
 * fail again.
 */
export type FailureClass = 'never_sent' | 'unknown' | 'refused' | 'quota' | 'final'

/** `read` changes nothing; `keyed` is a send under an Idempotency-Key the host is known to honour; `write` is the rest. */
export type CallKind = 'read' | 'write' | 'keyed'

/** Whether another attempt is allowed; `when_told` only when the answer says how long to wait. */
type RetryDecision = 'again' | 'when_told' | 'throw'

/** A second attempt never sends a message twice: that is what this table is for. */
const retryPolicy: Readonly<Record<FailureClass, Readonly<Record<CallKind, RetryDecision>>>> = {
  never_sent: { read: 'again', write: 'again', keyed: 'again' },
  unknown: { read: 'again', write: 'throw', keyed: 'again' },
  refused: { read: 'again', write: 'when_told', keyed: 'again' },
  quota: { read: 'throw', write: 'throw', keyed: 'throw' },
  final: { read: 'throw', write: 'throw', keyed: 'throw' },
}

const classOfRetry = { safe: 'refused', unknown: 'unknown', quota: 'quota', never: 'final' } as const

/**
 * The fate of an attempt that was answered with an error. The code decides, then the status: an error of 500 and above
 * that the catalogue does not know may come from anything on the way.
 */
export function classifyFailure(code: string, status: number, details: unknown): FailureClass {
  const { outcome, reason } = (details ?? {}) as { outcome?: unknown; reason?: unknown }
  // The first of two equal requests is still running: whether it will have its effect is not known yet.
  if (code === 'CONFLICT' && reason === 'idempotency_in_progress') return 'unknown'
  const facts: ErrorFacts | undefined = Object.hasOwn(errorTable, code)
    ? errorTable[code as keyof typeof errorTable]
    : undefined
  const failureClass = facts ? classOfRetry[facts.retry] : status >= 500 ? 'unknown' : 'final'
  return failureClass === 'refused' && outcome === 'unknown' ? 'unknown' : failureClass
}

/** How often, and how long, the client may wait for another attempt. */
export interface RetryLimits {
  /** Attempts after the first. */
  readonly maxRetries: number
  /** A longer Retry-After is thrown at once. */
  readonly maxRetryAfterMs: number
}

/** Everything the decision looks at. */
export interface FailedAttempt {
  readonly failureClass: FailureClass
  readonly kind: CallKind
  /** Attempts after the first, made so far. */
  readonly retries: number
  readonly retryAfterMs: number | undefined
}

/** Whether the call is attempted again, or its error thrown. */
export function mayRetry(failed: FailedAttempt, limits: RetryLimits): boolean {
  if (failed.retries >= limits.maxRetries) return false
  if ((failed.retryAfterMs ?? 0) > limits.maxRetryAfterMs) return false
  const decision = retryPolicy[failed.failureClass][failed.kind]
  return decision === 'again' || (decision === 'when_told' && failed.retryAfterMs !== undefined)
}

const baseBackoffMs = 500
const maxBackoffMs = 8_000

/** Full jitter: anywhere between nothing and a ceiling that doubles from half a second to 8 s. */
export function backoffMs(retries: number, random: number): number {
  return random * Math.min(maxBackoffMs, baseBackoffMs * 2 ** Math.min(retries, 10))
}

/** What the service asks for, at least, with the jitter on top, so that all who were told the same do not return at once. */
export function waitMs(retries: number, random: number, retryAfterMs: number | undefined): number {
  return (retryAfterMs ?? 0) + backoffMs(retries, random)
}

/**
 * Whether a call that changes something may have had its effect, from its last failure and what the service says about
 * it. After a doubtful attempt a refusal speaks of the last attempt only, so the doubt stays; an answer that the service
 * gives from its record of the send (the codes of fate `unknown`) settles it.
 */
export function toOutcome(failureClass: FailureClass, reported: unknown, earlierUnknown: boolean): Outcome {
  if (reported === 'unknown') return 'unknown'
  if (reported === 'not_sent') return earlierUnknown && failureClass !== 'unknown' ? 'unknown' : 'not_sent'
  return earlierUnknown || failureClass === 'unknown' ? 'unknown' : 'not_sent'
}
