import type { FlatInput } from './address.ts'
import { abortedFailure, attempt, type Failure, type Success } from './attempt.ts'
import { MessagingError } from './error.ts'
import { type Core, type Prepared, prepare, type SendOptions } from './prepare.ts'
import { type CallKind, mayRetry, toOutcome, waitMs } from './retry.ts'

function kindOf(core: Core, prepared: Prepared): CallKind {
  const { metadata, idempotencyKey } = prepared
  if (metadata.reads) return 'read'
  // A host that honours keys does so only where the contract says it; a key that was given elsewhere protects nothing.
  const honoured = metadata.idempotent && (core.honoursKeys || core.settings.idempotency === 'trusted')
  return honoured && idempotencyKey !== undefined ? 'keyed' : 'write'
}

/** The error of a failed attempt; `doubtBefore` says whether an earlier attempt may have had its effect. */
export function toError(prepared: Prepared, failure: Failure, earlierUnknown: boolean): MessagingError {
  const outcome = prepared.metadata.reads
    ? undefined
    : toOutcome(failure.failureClass, failure.reportedOutcome, earlierUnknown)
  return new MessagingError({ ...failure.fields, outcome, endpoint: prepared.endpoint })
}

/**
 * One call with all its attempts. Throws a {@link MessagingError}, or a TypeError before anything is sent when input or
 * options are impossible.
 */
export async function call(core: Core, endpoint: string, input: FlatInput, options: SendOptions): Promise<Success> {
  const { clock, settings } = core
  const prepared = prepare(settings, endpoint, input, options)
  // A time-out given for this call may be longer than the deadline that all calls have.
  const deadline = clock.now() + Math.max(settings.deadlineMs, options.timeoutMs ?? 0)
  let doubt = false
  for (let retries = 0; ; retries += 1) {
    const result = await attempt(core, prepared, Math.min(prepared.timeoutMs, Math.max(1, deadline - clock.now())))
    if (!('failureClass' in result)) return result
    const { failureClass, fields } = result
    const { retryAfterMs } = fields
    const pause = waitMs(retries, clock.random(), retryAfterMs)
    const again = mayRetry({ failureClass, kind: kindOf(core, prepared), retries, retryAfterMs }, settings)
    if (!again || clock.now() + pause >= deadline) throw toError(prepared, result, doubt)
    doubt ||= failureClass === 'unknown'
    await clock.wait(pause, prepared.signal)
    if (prepared.signal?.aborted) throw toError(prepared, abortedFailure(prepared.signal, undefined), doubt)
  }
}
