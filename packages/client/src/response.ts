import type { Issue } from '@msgctl/contract'
import type { ErrorFields } from './error.ts'
import type { TransportResponse } from './transport.ts'

/** How much of a page that is not the service's the error shows. */
const excerptLength = 200

/** The error fields that an answer alone decides; the call adds outcome and endpoint. */
export type AnswerError = ErrorFields & { readonly status: number }

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

/** Retry-After as seconds or as a date, in milliseconds from `nowMs`; undefined when absent or unreadable. */
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
  const message = `HTTP ${response.status}, and not the service's own error${body === '' ? '.' : `: ${body}`}`
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

/** Whether an answer is a redirect, also the kind a browser hides behind status 0. */
export function isRedirect(status: number): boolean {
  return status === 0 || (status >= 300 && status < 400)
}

/** A redirect is an error of its own: following it would carry the key to another address. */
export function redirectError(response: TransportResponse, redact: (text: string) => string): AnswerError {
  const header = response.headers.get('location')
  const location = header === null ? undefined : redact(header).slice(0, excerptLength)
  const target = location === undefined ? '' : ` to ${location}`
  const message = `The address answers with a redirect${target}, which is not followed because the key would travel with it. Set baseUrl to the final address.`
  return { code: 'REDIRECTED', message, status: response.status, details: location && { location } }
}

/** A success whose body is not the JSON it should be. */
export function unreadableError(response: TransportResponse, what: string): AnswerError {
  const requestId = readRequestId(response)
  return {
    code: 'INVALID_RESPONSE',
    message: `HTTP ${response.status}, but ${what}.`,
    status: response.status,
    requestId,
  }
}

/** The id of the request, for the service's support. */
export function readRequestId(response: TransportResponse): string | undefined {
  return response.headers.get('x-request-id') ?? undefined
}

/** The error in an answer of 400 and above; `text` is its body, already without secrets. */
export function errorIn(response: TransportResponse, text: string, nowMs: number): AnswerError {
  const envelope = envelopeIn(text)
  const fields = envelope ? serviceError(envelope) : foreignError(response, text)
  const named = typeof envelope?.requestId === 'string' ? envelope.requestId : undefined
  return {
    ...fields,
    status: response.status,
    requestId: readRequestId(response) ?? named,
    retryAfterMs: headerWaitMs(response.headers.get('retry-after'), nowMs) ?? detailsWaitMs(fields.details),
  }
}
