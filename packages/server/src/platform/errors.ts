import { type Details, type ErrorCode, errors, type Issue } from '@msgctl/contract'

type DetailsArgument<C extends ErrorCode> = Details<C> extends undefined ? [] : [details?: Details<C>]

/**
 * An error of the catalogue, thrown anywhere below the edge and answered by it as the envelope. The message is for a
 * person: it says what happened and, where possible, what to do.
 */
export class ApiError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C
  readonly status: number
  readonly details: Details<C> | undefined
  readonly issues: readonly Issue[] | undefined

  constructor(code: C, message: string, details?: Details<C>, issues?: readonly Issue[]) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.status = errors[code].status
    this.details = details
    this.issues = issues
  }
}

/** The codes of limits, which `limitReached` makes: they need to know what the limit counts by. */
export type LimitCode = {
  [C in ErrorCode]: (typeof errors)[C]['status'] extends 429 ? C : never
}[ErrorCode]

/** Makes an {@link ApiError}; codes without details take none. */
export function apiError<C extends Exclude<ErrorCode, LimitCode>>(
  code: C,
  message: string,
  ...[details]: DetailsArgument<C>
): ApiError<C> {
  return new ApiError(code, message, details)
}

/** What is known of a send that failed for an internal reason, such as a lost database. */
interface FailedSend {
  /** The message, when its row is stored. */
  readonly messageId?: string
  readonly outcome: 'not_sent' | 'unknown'
}

/**
 * Thrown when a send fails for an internal reason: the edge responds as to its `cause`, with what is known of the
 * message in the details.
 */
export class SendError extends Error {
  readonly send: FailedSend

  constructor(cause: unknown, send: FailedSend) {
    super('a send broke off', { cause })
    this.name = 'SendFault'
    this.send = send
  }
}

/** Returns a VALIDATION_ERROR about one field that only the server can validate. */
export function invalidField(
  field: string,
  message: string,
  code: Issue['code'] = 'custom',
): ApiError<'VALIDATION_ERROR'> {
  return new ApiError('VALIDATION_ERROR', `${field} ${message}.`, { [field]: [message] }, [{ field, code, message }])
}

/** Returns a VALIDATION_ERROR about several fields, each with its message. */
export function invalidFields(message: string, fields: ReadonlyMap<string, string>): ApiError<'VALIDATION_ERROR'> {
  const entries = [...fields]
  return new ApiError(
    'VALIDATION_ERROR',
    message,
    Object.fromEntries(entries.map(([field, fault]) => [field, [fault]])),
    entries.map(([field, fault]) => ({ field, code: 'custom', message: fault })),
  )
}
