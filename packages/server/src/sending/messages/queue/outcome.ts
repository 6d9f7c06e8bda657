import type { MessageErrorCode } from '@msgctl/contract'
import { GatewayError } from '@msgctl/network/errors'
import { restrictedPauseMs } from '#numbers/connection/restriction.ts'
import type { ClaimedMessage } from './queue-store.ts'

/** An attempt that did not send its message, for the timeline. */
export interface FailedAttempt {
  readonly at: Date
  /** Why, for a person. */
  readonly error: string
}

/** The outcome of a claimed message. It is written only while the token of the claim is valid. */
export type MessageOutcome =
  | {
      readonly is: 'sent'
      readonly networkId: string
      readonly raw: unknown
      readonly at: Date
      /** Whether the network itself acknowledged it, and not the driver alone. */
      readonly acknowledged: boolean
    }
  /** Back to the queue: it certainly did not go out, or the same id makes a repeat harmless. */
  | {
      readonly is: 'retry'
      readonly attempt: FailedAttempt
      readonly dueAt: Date
      readonly unknownSince: Date | null
      readonly pauseLane: boolean
      /**
       * The fault is its number or host: it keeps its place in the queue, here or on another number, and its attempts.
       */
      readonly keepsPlace: boolean
    }
  /** Unknown; a receipt may settle it until `until`. */
  | { readonly is: 'unknown'; readonly attempt: FailedAttempt; readonly since: Date; readonly until: Date }
  | { readonly is: 'failed'; readonly code: MessageErrorCode; readonly error: string; readonly at: Date }
  /** The worker stops, or the number went down, before the send began: the claim is undone and counts no attempt. */
  | { readonly is: 'released' }

/** Attempts of a message that certainly did not go out, or whose repeat is harmless. */
export const maxAttempts = 6
/** Attempts of a message that the network refused. */
export const maxRefusals = 3
/**
 * Attempts that a message may lose to its surroundings before it is not sent again: the process that held it died, its
 * host did not respond, or its number lost the connection.
 */
export const maxLostClaims = 40
/** How long a message of unknown outcome waits for a receipt. */
export const unknownForMs = 600_000

const firstBackoffMs = 10_000
/** After this many losses the waits get no longer: a host is replaced within seconds. */
const longestBackoffOfLosses = 3

/** Returns the wait before attempt `attempts + 1`: 10 s x 2^n, up to a fifth more or less. `random` is in [0, 1). */
export function backoffMs(attempts: number, random: number): number {
  return firstBackoffMs * 2 ** Math.max(0, attempts - 1) * (0.8 + 0.4 * random)
}

/**
 * Returns the outcome after a failed call. The same network id sent again is the same message, so a repeat is harmless.
 * The faults of its number and host do not use up the attempts of a message: a number that is reported as down keeps
 * it, too.
 */
export function afterFailure(
  error: unknown,
  message: Pick<ClaimedMessage, 'attempts' | 'lostClaims' | 'outcomeUnknownSince'>,
  context: { now: Date; random: number },
): MessageOutcome {
  const failure = error instanceof GatewayError ? error : new GatewayError('timeout', 'The send ended unexpectedly.')
  const { now } = context
  const attempt = { at: now, error: failure.safeMessage }
  const unknownSince =
    failure.outcome === 'unknown' ? (message.outcomeUnknownSince ?? now) : message.outcomeUnknownSince
  const isLoss = failure.kind === 'session' || failure.kind === 'unreachable'
  const waits = isLoss ? Math.min(message.lostClaims + 1, longestBackoffOfLosses) : message.attempts
  const retry = (pauseMs = 0): MessageOutcome => ({
    is: 'retry',
    attempt,
    dueAt: new Date(now.getTime() + Math.max(pauseMs, backoffMs(waits, context.random))),
    unknownSince,
    pauseLane: pauseMs > 0,
    keepsPlace: isLoss,
  })
  const giveUp = (code: MessageErrorCode): MessageOutcome =>
    unknownSince === null
      ? { is: 'failed', code, error: failure.safeMessage, at: now }
      : { is: 'unknown', attempt, since: unknownSince, until: new Date(unknownSince.getTime() + unknownForMs) }

  if (isLoss && message.lostClaims + 1 < maxLostClaims) return retry()
  if (failure.outcome === 'unknown') {
    if (isLoss) return giveUp('UPSTREAM_TIMEOUT')
    return message.attempts < maxAttempts ? retry() : giveUp('UPSTREAM_TIMEOUT')
  }
  switch (failure.kind) {
    case 'recipient':
      return giveUp('NUMBER_NOT_ON_NETWORK')
    // A repeat would lengthen the block.
    case 'new_chat_refused':
    case 'contact_refused':
    case 'unsupported':
      return giveUp('GATEWAY_ERROR')
    case 'rejected':
      return message.attempts < maxRefusals ? retry(failure.retryAfterMs) : giveUp('GATEWAY_ERROR')
    case 'restricted':
      return message.attempts < maxAttempts ? retry(failure.retryAfterMs ?? restrictedPauseMs) : giveUp('GATEWAY_ERROR')
    case 'unreachable':
      return giveUp('GATEWAY_UNREACHABLE')
    case 'session':
      return giveUp('GATEWAY_SESSION_ERROR')
    case 'timeout':
      return message.attempts < maxAttempts ? retry() : giveUp('GATEWAY_SESSION_ERROR')
  }
}
