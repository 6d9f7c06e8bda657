import { fileFrom } from './calls/files.ts'
import type { Abortable } from './clock.ts'
import { describeFailure, wasNeverSent } from './connection-failure.ts'
import { Deadline, Stopped } from './deadline.ts'
import type { ErrorFields } from './error.ts'
import type { Core, Prepared } from './prepare.ts'
import { errorIn, isRedirect, readRequestId, redirectError, unreadableError } from './response.ts'
import { classifyFailure, type FailureClass } from './retry.ts'
import { ResponseTooLarge, readBytes, type TransportRequest, type TransportResponse } from './transport.ts'

/** The largest response that is read. The status of the largest campaign is smaller. */
const maxResponseBytes = 32 * 1024 * 1024
/** The same of a file. The service sends up to 100 MiB. */
const maxFileBytes = 128 * 1024 * 1024

/** A successful call. */
export interface Success {
  readonly data: unknown
  readonly response: TransportResponse
  readonly requestId: string | undefined
}

/** A failed attempt: whether it can be retried, the outcome that the service reported, and the fields of the error. */
export interface Failure {
  readonly failureClass: FailureClass
  readonly reportedOutcome: unknown
  readonly fields: ErrorFields
}

/** Returns a failure that no retry can change. */
export function finalFailure(fields: ErrorFields, reportedOutcome?: unknown): Failure {
  return { failureClass: 'final', reportedOutcome, fields }
}

/** The headers with the key or token. */
export type Credentials = Readonly<Record<string, string>>

/** Returns the request of one attempt for the transport. */
export async function toRequest(
  prepared: Prepared,
  credentials: Credentials,
  signal: AbortSignal,
): Promise<TransportRequest> {
  const { method, body: content } = prepared
  const body = typeof content === 'object' && 'arrayBuffer' in content ? await content.arrayBuffer() : content
  const headers = { ...prepared.headers, ...credentials }
  return { method, headers, ...(body === undefined ? {} : { body }), redirect: 'manual', signal }
}

/** Returns the failure of a rejected attempt; `limitMs` was its timeout. */
export function failureFrom(core: Core, prepared: Prepared, error: unknown, limitMs: number): Failure {
  if (error instanceof Stopped && error.reason === 'abort') return abortedFailure(prepared.signal, 'unknown')
  if (error instanceof Stopped) {
    const { deadlineMs, timeoutMs, metadata } = prepared
    const message =
      limitMs < timeoutMs && !metadata.stream
        ? `The call did not end within its deadline of ${deadlineMs} ms.`
        : `No complete response arrived within ${Math.round(limitMs)} ms.`
    return { failureClass: 'unknown', reportedOutcome: undefined, fields: { code: 'TIMEOUT', message } }
  }
  if (error instanceof ResponseTooLarge) {
    return finalFailure({ code: 'INVALID_RESPONSE', message: error.message }, 'unknown')
  }
  const { code, text } = describeFailure(error)
  const reason = core.settings.redact(text)
  // A new error: the one of the transport can hold the request, and with it the key.
  const cause = Object.assign(new Error(reason), code === undefined ? {} : { code })
  const neverSent = wasNeverSent(error)
  const what = neverSent ? 'The service could not be reached' : 'The connection ended before a response arrived'
  const fields = { code: 'CONNECTION_FAILED', message: `${what}: ${reason}`, cause }
  return { failureClass: neverSent ? 'never_sent' : 'unknown', reportedOutcome: undefined, fields }
}

/** Returns the failure of a call that the caller's signal ended. */
export function abortedFailure(signal: Abortable | undefined, reportedOutcome: unknown): Failure {
  const { reason } = signal ?? {}
  const timedOut = (reason as { name?: unknown } | undefined)?.name === 'TimeoutError'
  const fields = timedOut
    ? { code: 'TIMEOUT', message: 'The signal of the call timed out.', cause: reason }
    : { code: 'ABORTED', message: 'The call was aborted.', cause: reason }
  return finalFailure(fields, reportedOutcome)
}

/** Returns the failure of a response that is not a success. */
export function toFailure(core: Core, response: TransportResponse, text: string): Failure {
  const { clock, settings } = core
  if (isRedirect(response.status)) return finalFailure(redirectError(response, settings.redact))
  const fields = errorIn(response, settings.redact(text), clock.now())
  const { outcome } = (fields.details ?? {}) as { outcome?: unknown }
  return { failureClass: classifyFailure(fields.code, fields.status, fields.details), reportedOutcome: outcome, fields }
}

function parseSuccess(response: TransportResponse, text: string): Success | Failure {
  const requestId = readRequestId(response)
  if (text === '' && response.status === 204) return { data: undefined, response, requestId }
  try {
    return { data: JSON.parse(text), response, requestId }
  } catch {
    return finalFailure(unreadableError(response, text === '' ? 'it has no body' : 'its body is not JSON'), 'unknown')
  }
}

/** Sends the request once. Never rejects. Notes in `core` when the response shows that the host honours keys. */
export async function attempt(
  core: Core,
  prepared: Prepared,
  credentials: Credentials,
  limitMs: number,
): Promise<Success | Failure> {
  if (prepared.signal?.aborted) return abortedFailure(prepared.signal, undefined)
  const guard = new Deadline(core.clock, prepared.signal)
  try {
    const { response, bytes } = await guard.within(limitMs, async () => {
      const head = await core.settings.transport(prepared.url, await toRequest(prepared, credentials, guard.signal))
      if (isRedirect(head.status)) return { response: head, bytes: new Uint8Array() }
      const body = await readBytes(head.body, prepared.metadata.download ? maxFileBytes : maxResponseBytes)
      guard.complete()
      return { response: head, bytes: body }
    })
    const key = prepared.idempotencyKey
    if (key !== undefined && response.headers.get('idempotency-key') === key) core.honoursKeys = true
    const isSuccess = response.status >= 200 && response.status < 300
    if (isSuccess && prepared.metadata.download) {
      return { data: fileFrom(response, bytes), response, requestId: readRequestId(response) }
    }
    const text = new TextDecoder().decode(bytes)
    return isSuccess ? parseSuccess(response, text) : toFailure(core, response, text)
  } catch (error) {
    return failureFrom(core, prepared, error, limitMs)
  } finally {
    guard.end()
  }
}
