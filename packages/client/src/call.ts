import type { FlatInput } from './address.ts'
import { abortedFailure, attempt, type Failure, type Success } from './attempt.ts'
import { MessagingError } from './error.ts'
import { Observer } from './hooks/observe.ts'
import { type Core, type Prepared, prepare, type SendOptions } from './prepare.ts'
import { type CallKind, mayRetry, toOutcome, waitMs } from './retry.ts'

function classifyCall(core: Core, prepared: Prepared): CallKind {
  const { metadata, idempotencyKey } = prepared
  if (metadata.reads) return 'read'
  const trusted = core.honoursKeys || prepared.ownKey || core.settings.idempotency === 'trusted'
  // The service honours keys only on idempotent routes; a key on any other route protects nothing.
  const honoured = metadata.idempotent && trusted
  return honoured && idempotencyKey !== undefined ? 'keyed' : 'write'
}

/** Returns the error of a failed attempt; `earlierUnknown`: an earlier attempt may have had its effect. */
export function toError(prepared: Prepared, failure: Failure, earlierUnknown: boolean): MessagingError {
  const outcome = prepared.metadata.reads
    ? undefined
    : toOutcome(failure.failureClass, failure.reportedOutcome, earlierUnknown)
  return new MessagingError({ ...failure.fields, outcome, endpoint: prepared.endpoint })
}

/**
 * Makes one call with all its attempts. Throws a {@link MessagingError}, or a TypeError before anything is sent when
 * the input or options are invalid.
 */
export async function call(core: Core, endpoint: string, input: FlatInput, options: SendOptions): Promise<Success> {
  const { clock, settings } = core
  const prepared = prepare(settings, endpoint, input, options)
  const observer = new Observer(core, prepared)
  const deadline = clock.now() + prepared.deadlineMs
  let earlierUnknown = false
  for (let retries = 0; ; retries += 1) {
    const given = settings.credentials()
    const credentials = given instanceof Promise ? await given : given
    observer.begin()
    const limitMs = Math.min(prepared.timeoutMs, Math.max(1, deadline - clock.now()))
    const result = await attempt(core, prepared, credentials, limitMs)
    observer.end(result)
    if (!('failureClass' in result)) return result
    const { failureClass, fields } = result
    const { retryAfterMs } = fields
    const delayMs = waitMs(retries, clock.random(), retryAfterMs)
    const retryable = mayRetry(
      { failureClass, kind: classifyCall(core, prepared), retries, retryAfterMs },
      { maxRetries: prepared.maxRetries, maxRetryAfterMs: settings.maxRetryAfterMs },
    )
    if (!retryable || clock.now() + delayMs >= deadline) throw toError(prepared, result, earlierUnknown)
    earlierUnknown ||= failureClass === 'unknown'
    observer.retry(delayMs, fields.code)
    await clock.wait(delayMs, prepared.signal)
    if (prepared.signal?.aborted) throw toError(prepared, abortedFailure(prepared.signal, undefined), earlierUnknown)
  }
}
