import type { Abortable } from './clock.ts'
import { describeFailure, wasNeverSent } from './connection-failure.ts'
import { Deadline, Stopped } from './deadline.ts'
import type { ErrorFields } from './error.ts'
import type { Core, Prepared } from './prepare.ts'
import { errorIn, isRedirect, readRequestId, redirectError, unreadableError } from './response.ts'
import { classifyFailure, type FailureClass } from './retry.ts'
import { AnswerTooLarge, readText, type TransportRequest, type TransportResponse } from './transport.ts'

/** The largest answer that is read: above the largest campaign a status can show. */
const maxAnswerBytes = 32 * 1024 * 1024

/** A call that was answered with success. */
export interface Success {
  readonly data: unknown
  readonly response: TransportResponse
  readonly requestId: string | undefined
}

/** A failed attempt: what it means for another one, what is known of its effect, and what the error will say. */
export interface Failure {
  readonly failureClass: FailureClass
  readonly reportedOutcome: unknown
  readonly fields: ErrorFields
}

/** The request of one attempt, for the transport. */
export function toRequest(prepared: Prepared, signal: AbortSignal): TransportRequest {
  const { method, headers, body } = prepared
  return { method, headers: { ...headers }, ...(body === undefined ? {} : { body }), redirect: 'manual', signal }
}

/** What a rejected attempt means; `limitMs` is the time it was given. */
export function failureFrom(core: Core, prepared: Prepared, error: unknown, limitMs: number): Failure {
  if (error instanceof Stopped && error.reason === 'abort') return abortedFailure(prepared.signal, 'unknown')
  if (error instanceof Stopped) {
    const message = `There was no complete answer within ${Math.round(limitMs)} ms.`
    return { failureClass: 'unknown', reportedOutcome: undefined, fields: { code: 'TIMEOUT', message } }
  }
  if (error instanceof AnswerTooLarge) {
    const fields = { code: 'INVALID_RESPONSE', message: error.message }
    return { failureClass: 'final', reportedOutcome: 'unknown', fields }
  }
  const { code, text } = describeFailure(error)
  const reason = core.settings.redact(text)
  // Not the error itself: what a transport throws may hold the request, and with it the key.
  const cause = Object.assign(new Error(reason), code === undefined ? {} : { code })
  const fields = { code: 'CONNECTION_FAILED', message: `The service could not be reached: ${reason}`, cause }
  return { failureClass: wasNeverSent(error) ? 'never_sent' : 'unknown', reportedOutcome: undefined, fields }
}

/** The caller's signal ended the call. */
export function abortedFailure(signal: Abortable | undefined, reportedOutcome: unknown): Failure {
  const fields = { code: 'ABORTED', message: 'The call was aborted.', cause: signal?.reason }
  return { failureClass: 'final', reportedOutcome, fields }
}

/** What an answer that is not a success means. */
export function toFailure(core: Core, response: TransportResponse, text: string): Failure {
  const { clock, settings } = core
  if (isRedirect(response.status)) {
    return { failureClass: 'final', reportedOutcome: undefined, fields: redirectError(response, settings.redact) }
  }
  const fields = errorIn(response, settings.redact(text), clock.now())
  const { outcome } = (fields.details ?? {}) as { outcome?: unknown }
  return { failureClass: classifyFailure(fields.code, fields.status, fields.details), reportedOutcome: outcome, fields }
}

function successOf(response: TransportResponse, text: string): Success | Failure {
  const requestId = readRequestId(response)
  if (text === '' && response.status === 204) return { data: undefined, response, requestId }
  try {
    return { data: JSON.parse(text), response, requestId }
  } catch {
    const fields = unreadableError(response, text === '' ? 'without a body' : 'its body is not JSON')
    return { failureClass: 'final', reportedOutcome: 'unknown', fields }
  }
}

/** Sends the request once. Never rejects; learns from the answer whether the host honours idempotency keys. */
export async function attempt(core: Core, prepared: Prepared, limitMs: number): Promise<Success | Failure> {
  if (prepared.signal?.aborted) return abortedFailure(prepared.signal, undefined)
  const guard = new Deadline(core.clock, prepared.signal)
  try {
    const { response, text } = await guard.within(limitMs, async () => {
      const answer = await core.settings.transport(prepared.url, toRequest(prepared, guard.signal))
      if (isRedirect(answer.status)) return { response: answer, text: '' }
      const read = await readText(answer.body, maxAnswerBytes)
      guard.complete()
      return { response: answer, text: read }
    })
    const key = prepared.idempotencyKey
    if (key !== undefined && response.headers.get('idempotency-key') === key) core.honoursKeys = true
    return response.status >= 200 && response.status < 300 ? successOf(response, text) : toFailure(core, response, text)
  } catch (error) {
    return failureFrom(core, prepared, error, limitMs)
  } finally {
    guard.end()
  }
}
