import type { ClaimedDelivery, DeliveryOutcome } from './delivery-store.ts'
import { retryAt } from './retry.ts'

/** What one attempt found: the receiver's HTTP status, or null when there was no answer. */
export interface AttemptResult {
  readonly at: Date
  readonly status: number | null
  readonly durationMs: number
  /** Why there was no answer, for the organization. */
  readonly error?: string | null
}

/** What an attempt makes of its delivery (specification, "Delivery rules"): only a 2xx answer is a success. */
export function outcomeOf(delivery: ClaimedDelivery, result: AttemptResult, random: number): DeliveryOutcome {
  const { at, status, durationMs } = result
  const error = result.error ?? refusalOf(status)
  const nextAttemptAt = error === null ? null : retryAt(delivery.attempts + 1, at, random)
  return {
    id: delivery.id,
    organizationId: delivery.organizationId,
    leaseToken: delivery.leaseToken,
    status: error === null ? 'delivered' : nextAttemptAt ? 'pending' : 'dropped',
    nextAttemptAt,
    finishedAt: nextAttemptAt ? null : at,
    lastStatus: status,
    lastError: error,
    attempt: { at: at.toISOString(), status, error, durationMs },
  }
}

/** A delivery that has nowhere to go any more: it is dropped without an attempt. */
export function droppedWithoutUrl(delivery: ClaimedDelivery, at: Date): DeliveryOutcome {
  return {
    ...identityOf(delivery),
    status: 'dropped',
    nextAttemptAt: null,
    finishedAt: at,
    lastStatus: null,
    lastError: 'The webhook address was removed before the event could be delivered.',
    attempt: null,
  }
}

/** A delivery that did not get its turn: it is as it was before it was claimed. */
export function released(delivery: ClaimedDelivery): DeliveryOutcome {
  return {
    ...identityOf(delivery),
    status: 'pending',
    nextAttemptAt: null,
    finishedAt: null,
    lastStatus: null,
    lastError: null,
    attempt: null,
  }
}

function identityOf({ id, organizationId, leaseToken }: ClaimedDelivery) {
  return { id, organizationId, leaseToken }
}

function refusalOf(status: number | null): string | null {
  if (status === null) return 'The receiver did not answer.'
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `The receiver answered with a redirect (${status}), which is not followed.`
  return `The receiver answered ${status} instead of a 2xx status.`
}
