import type { ClaimedDelivery, DeliveryOutcome } from './delivery-store.ts'

/** The attempts of one delivery, including the first (specification, "Delivery rules"). */
export const maxAttempts = 5

const waitsSeconds = [5, 10, 20, 40]
const spread = 0.1

/**
 * Returns the time of the next attempt after attempt number `attempts` failed at `at`: 5, 10, 20 or 40 s later.
 * `random` (0 to 1) varies it by up to 10 %, so that retries of many events are spread. Returns null after the last
 * attempt.
 */
export function retryAt(attempts: number, at: Date, random: number): Date | null {
  const waitSeconds = waitsSeconds[attempts - 1]
  if (waitSeconds === undefined || attempts >= maxAttempts) return null
  return new Date(at.getTime() + waitSeconds * 1000 * (1 - spread + 2 * spread * random))
}

/** The result of one attempt: the receiver's HTTP status, or null without a response. */
export interface AttemptResult {
  readonly at: Date
  readonly status: number | null
  readonly durationMs: number
  /** Why there was no response, for the organization. */
  readonly error?: string | null
  /** The beginning of the response's body. */
  readonly response?: string | null
}

/** Returns the outcome of an attempt (specification, "Delivery rules"). Only a 2xx response is a success. */
export function toOutcome(delivery: ClaimedDelivery, result: AttemptResult, random: number): DeliveryOutcome {
  const { at, status, durationMs } = result
  const error = result.error ?? describeRefusal(status)
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
    attempt: {
      at: at.toISOString(),
      status,
      error,
      durationMs,
      ...(error !== null && result.response ? { response: result.response } : {}),
    },
  }
}

/** Returns the outcome of a delivery whose address was removed: it is dropped without an attempt. */
export function droppedWithoutUrl(delivery: ClaimedDelivery, at: Date): DeliveryOutcome {
  return {
    ...identify(delivery),
    status: 'dropped',
    nextAttemptAt: null,
    finishedAt: at,
    lastStatus: null,
    lastError: 'The webhook address was removed before the event could be delivered.',
    attempt: null,
  }
}

/** Returns the outcome of a delivery that is set aside: it is dropped without a further attempt. */
export function setAside(delivery: ClaimedDelivery, at: Date): DeliveryOutcome {
  const lastError = 'The service failed to deliver the event.'
  return { ...droppedWithoutUrl(delivery, at), lastError }
}

/** Returns the outcome that releases a claimed delivery unchanged. */
export function released(delivery: ClaimedDelivery): DeliveryOutcome {
  return {
    ...identify(delivery),
    status: 'pending',
    nextAttemptAt: null,
    finishedAt: null,
    lastStatus: null,
    lastError: null,
    attempt: null,
  }
}

function identify({ id, organizationId, leaseToken }: ClaimedDelivery) {
  return { id, organizationId, leaseToken }
}

function describeRefusal(status: number | null): string | null {
  if (status === null) return 'The receiver did not respond.'
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `The receiver responded with a redirect (${status}), which is not followed.`
  return `The receiver responded with ${status} instead of a 2xx status.`
}
