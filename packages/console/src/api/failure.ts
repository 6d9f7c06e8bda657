import { type Issue, isMessagingError } from '@msgctl/client'
import { t } from '../words/index.ts'

/** What a person sees of a failed call. */
export interface Failure {
  readonly message: string
  readonly code: string | null
  readonly requestId: string | null
  /** One entry for each invalid field. */
  readonly issues: readonly Issue[]
  readonly details: Readonly<Record<string, unknown>>
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Returns the sentence, the code and the request id of an error of any kind. */
export function failureOf(error: unknown): Failure {
  if (isMessagingError(error)) {
    const details: unknown = error.details
    return {
      message: error.code === 'CONNECTION_FAILED' ? t.failure.offline : error.message,
      code: error.code,
      requestId: error.requestId ?? null,
      issues: error.issues ?? [],
      details: isRecord(details) ? details : {},
    }
  }
  const message = error instanceof Error && error.message ? error.message : t.failure.unexpected
  return { message, code: null, requestId: null, issues: [], details: {} }
}
