import type { ErrorFields, Issue } from './error.ts'
import type { TransportResponse } from './transport.ts'

/** The number of characters of a foreign page that an error quotes. */
const excerptLength = 200

/** The error fields that come from a response; the call adds outcome and endpoint. */
export type ResponseError = ErrorFields & { readonly status: number }

interface Envelope {
  readonly code: string
  readonly message?: unknown
  readonly details?: unknown
  readonly issues?: unknown
  readonly requestId?: unknown
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function envelopeIn(text: string): Envelope | undefined {
  try {
    const body: unknown = JSON.parse(text)
    const error = isRecord(body) ? body.error : undefined
    return isRecord(error) && typeof error.code === 'string' ? (error as unknown as Envelope) : undefined
  } catch {
    return undefined
  }
}

/** Returns Retry-After, in seconds or as a date, as milliseconds from `nowMs`; undefined if absent or unreadable. */
function headerWaitMs(value: string | null, nowMs: number): number | undefined {
  const text = value?.trim()
  if (!text) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}

function detailsWaitMs(details: unknown): number | undefined {
  const seconds = isRecord(details) ? details.retryAfterSeconds : undefined
  return typeof seconds === 'number' && seconds >= 0 ? seconds * 1000 : undefined
}

function foreignError(response: TransportResponse, text: string): ErrorFields {
  const body = text.trim().slice(0, excerptLength)
  const message = `HTTP ${response.status} without an error of the service${body === '' ? '.' : `: ${body}`}`
  return { code: 'UNKNOWN', message, details: { body } }
}

function serviceError(envelope: Envelope): ErrorFields {
  return {
    code: envelope.code,
    message: typeof envelope.message === 'string' ? envelope.message : envelope.code,
    details: isRecord(envelope.details) ? envelope.details : undefined,
    issues: Array.isArray(envelope.issues) ? (envelope.issues as Issue[]) : undefined,
  }
}

/** Returns whether a status is a redirect. Browsers report redirects as status 0. */
export function isRedirect(status: number): boolean {
  return status === 0 || (status >= 300 && status < 400)
}

/** Returns the error of a redirect. Following it would send the key to another address. */
export function redirectError(response: TransportResponse, redact: (text: string) => string): ResponseError {
  const header = response.headers.get('location')
  const location = header === null ? undefined : redact(header).slice(0, excerptLength)
  const target = location === undefined ? '' : ` to ${location}`
  const message =
    `The service responded with a redirect${target}. It is not followed, because that would send the key there. ` +
    'Set baseUrl to the final address.'
  return { code: 'REDIRECTED', message, status: response.status, details: location && { location } }
}

/** Returns the error of a success that cannot be read; `problem` says why. */
export function unreadableError(response: TransportResponse, problem: string): ResponseError {
  const requestId = readRequestId(response)
  return {
    code: 'INVALID_RESPONSE',
    message: `HTTP ${response.status}, but ${problem}.`,
    status: response.status,
    requestId,
  }
}

/** Returns the X-Request-Id of a response. */
export function readRequestId(response: TransportResponse): string | undefined {
  return response.headers.get('x-request-id') ?? undefined
}

/** Returns the error of a response with status 400 or above; `text` is its body with secrets redacted. */
export function errorIn(response: TransportResponse, text: string, nowMs: number): ResponseError {
  const envelope = envelopeIn(text)
  const fields = envelope ? serviceError(envelope) : foreignError(response, text)
  const idInBody = typeof envelope?.requestId === 'string' ? envelope.requestId : undefined
  return {
    ...fields,
    status: response.status,
    requestId: readRequestId(response) ?? idInBody,
    retryAfterMs: headerWaitMs(response.headers.get('retry-after'), nowMs) ?? detailsWaitMs(fields.details),
  }
}
