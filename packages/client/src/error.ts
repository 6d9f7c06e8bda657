import type { ErrorDetails } from './generated/errors.ts'

/** A code of the service's errors. */
export type ErrorCode = keyof ErrorDetails

/** One invalid field: its name, the rule it broke, and a message. */
export interface Issue {
  /** The invalid field; a nested one looks like `recipients.3.phone`. */
  readonly field: string
  /** The rule that the field broke. */
  readonly code:
    | 'required'
    | 'invalid_type'
    | 'too_small'
    | 'too_big'
    | 'invalid_uuid'
    | 'invalid_phone'
    | 'invalid_datetime'
    | 'invalid_url'
    | 'invalid_enum'
    | 'custom'
  /** The problem in words. */
  readonly message: string
  /** The smallest size or value allowed, with `too_small`. */
  readonly minimum?: number | undefined
  /** The largest size or value allowed, with `too_big`. */
  readonly maximum?: number | undefined
}

/**
 * Codes of failures that are not errors of the service. `UNKNOWN`: an error response without the service's envelope,
 * such as a page of a proxy. `CONNECTION_FAILED`: no response. `TIMEOUT`: no complete response in time. `ABORTED`: the
 * caller's signal. `REDIRECTED`: a redirect, which is never followed. `INVALID_RESPONSE`: an unreadable success.
 */
export type ClientErrorCode =
  | 'UNKNOWN'
  | 'CONNECTION_FAILED'
  | 'TIMEOUT'
  | 'ABORTED'
  | 'REDIRECTED'
  | 'INVALID_RESPONSE'

/** Every code of this version. New codes may appear at any time, so always have an `else` branch. */
export type KnownCode = ErrorCode | ClientErrorCode

/** A known code, which editors complete, or any other string. */
export type AnyCode = KnownCode | (string & {})

/** The effect of a failed change: `not_sent` means certainly none, `unknown` means that there may be one. */
export type Outcome = 'not_sent' | 'unknown'

type AnyDetails = Readonly<Record<string, unknown>> | undefined

/** The type of `details` for one code: from the contract for a code of the catalogue, a record for any other. */
export type DetailsOf<Code extends string> = Code extends ErrorCode
  ? ErrorDetails[Code]
  : Code extends 'UNKNOWN'
    ? { readonly body: string }
    : AnyDetails

/** The fields of a {@link MessagingError}. */
export interface ErrorFields<Code extends string = string> {
  readonly code: Code
  readonly message: string
  readonly status?: number | undefined
  readonly details?: unknown
  readonly issues?: readonly Issue[] | undefined
  readonly requestId?: string | undefined
  readonly retryAfterMs?: number | undefined
  readonly outcome?: Outcome | undefined
  readonly endpoint?: string | undefined
  readonly cause?: unknown
}

/** Returns a TypeError with code INVALID_INPUT, for invalid input that is found before anything is sent. */
export function invalidInput(message: string): TypeError {
  return Object.assign(new TypeError(message), { code: 'INVALID_INPUT' })
}

const brand = Symbol.for('@msgctl/client/MessagingError')

/** Returns the fields of an error that are shown, beside its message. */
function pick<Code extends string>(
  from: Omit<ErrorFields<Code>, 'message'>,
): Omit<ErrorFields<Code>, 'message' | 'cause'> {
  const { code, status, details, issues, requestId, retryAfterMs, outcome, endpoint } = from
  return { code, status, details, issues, requestId, retryAfterMs, outcome, endpoint }
}

function isBranded(value: unknown): value is MessagingError {
  return typeof value === 'object' && value !== null && brand in value
}

/** Every error of this client. Match on `code`, never on the message; {@link isMessagingError} narrows it. */
export class MessagingError<Code extends string = AnyCode> extends Error {
  override readonly name = 'MessagingError'
  /** The service's code, or one of {@link ClientErrorCode}. */
  declare readonly code: Code
  /** The HTTP status; undefined without a response. */
  declare readonly status: number | undefined
  /** Facts about the error, by code. */
  declare readonly details: DetailsOf<Code>
  /** With VALIDATION_ERROR: one entry for each invalid field. */
  declare readonly issues: readonly Issue[] | undefined
  /** The X-Request-Id of the response. Quote it to the service's support. */
  declare readonly requestId: string | undefined
  /** The wait that the service requests, in milliseconds. */
  declare readonly retryAfterMs: number | undefined
  /** For a change: whether it may have had its effect. Undefined for reads. */
  declare readonly outcome: Outcome | undefined
  /** The endpoint of the call, e.g. `POST /alert/send`. */
  declare readonly endpoint: string | undefined

  /**
   * Recognizes errors of another copy of this package, such as those of a fake service. Subclasses use `instanceof`.
   */
  static override [Symbol.hasInstance](value: unknown): value is MessagingError {
    // biome-ignore lint/complexity/noThisInStatic: subclasses inherit this method.
    return this === MessagingError ? isBranded(value) : Function.prototype[Symbol.hasInstance].call(this, value)
  }

  constructor(fields: ErrorFields<Code>) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause })
    Object.assign(this, pick(fields))
    // Two copies of this package in one program recognize each other's errors by this.
    Object.defineProperty(this, brand, { value: true })
  }

  /** Returns `MessagingError [CODE]: message`. */
  override toString(): string {
    return `${this.name} [${this.code}]: ${this.message}`
  }

  /** Returns the fields as a plain object for logs, without stack and cause. */
  toJSON(): ErrorFields<Code> & { readonly name: 'MessagingError' } {
    const { name, message } = this
    return { name, message, ...pick(this) }
  }
}

/**
 * Returns whether `error` is an error of this client and, when codes are passed, has one of them. Narrows `details`:
 * `if (isMessagingError(e, 'OTP_INVALID_CODE')) e.details.attemptsRemaining`.
 */
export function isMessagingError(error: unknown): error is MessagingError
export function isMessagingError<const Code extends KnownCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is MessagingError<Code>
/** A code that is newer than this version. */
export function isMessagingError<const Code extends string>(
  error: unknown,
  ...codes: readonly Code[]
): error is MessagingError<Code>
export function isMessagingError(error: unknown, ...codes: readonly string[]): boolean {
  return isBranded(error) && (codes.length === 0 || codes.includes(error.code))
}
