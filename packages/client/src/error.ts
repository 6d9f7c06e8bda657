import type { Details, ErrorCode, Issue } from '@msgctl/contract'

/**
 * Codes of failures that are not an error of the service. `UNKNOWN`: an error answer without the service's envelope
 * (a proxy's page); `CONNECTION_FAILED`: no answer; `TIMEOUT`: no complete answer in time; `ABORTED`: the caller's
 * signal; `REDIRECTED`: a redirect, which is never followed; `INVALID_RESPONSE`: a success that cannot be read.
 */
export type ClientErrorCode =
  | 'UNKNOWN'
  | 'CONNECTION_FAILED'
  | 'TIMEOUT'
  | 'ABORTED'
  | 'REDIRECTED'
  | 'INVALID_RESPONSE'

/** Every code known today. New ones may appear at any time, so code that matches must have an `else`. */
export type KnownCode = ErrorCode | ClientErrorCode

/** A known code, for completion in an editor, or any other string. */
export type AnyCode = KnownCode | (string & {})

/** Of a call that changes something: it certainly had no effect, or it may have had one. */
export type Outcome = 'not_sent' | 'unknown'

type AnyDetails = Readonly<Record<string, unknown>> | undefined

/** The `details` of one code: the contract's for a code of the catalogue, plain facts for any other. */
export type DetailsOf<Code extends string> = Code extends ErrorCode
  ? Details<Code>
  : Code extends 'UNKNOWN'
    ? { readonly body: string }
    : AnyDetails

/** What a {@link MessagingError} is made of. */
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

/** A mistake in what one call was given, found before anything is sent: a TypeError with code INVALID_INPUT. */
export function invalidInput(message: string): TypeError {
  return Object.assign(new TypeError(message), { code: 'INVALID_INPUT' })
}

const brand = Symbol.for('@msgctl/client/MessagingError')

function isBranded(value: unknown): value is MessagingError {
  return typeof value === 'object' && value !== null && brand in value
}

/** The one error of this client. Match on `code`, never on the message; {@link isMessagingError} narrows it. */
export class MessagingError<Code extends string = string> extends Error {
  override readonly name = 'MessagingError'
  /** The service's code, or one of {@link ClientErrorCode}. */
  readonly code: Code
  /** The HTTP status; undefined when there was no answer. */
  readonly status: number | undefined
  /** Facts about the error, by code. */
  readonly details: DetailsOf<Code>
  /** With VALIDATION_ERROR: one entry for each fault. */
  readonly issues: readonly Issue[] | undefined
  /** The X-Request-Id of the answer, for the service's support. */
  readonly requestId: string | undefined
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined
  /** Of a call that changes something: whether it may have had its effect. Undefined for reads. */
  readonly outcome: Outcome | undefined
  /** The endpoint that was called, e.g. `POST /alert/send`. */
  readonly endpoint: string | undefined

  /** Errors of another copy of this package count too, such as those of a fake service; a subclass has its own. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a subclass inherits this, and is then what is asked about.
    return this === MessagingError ? isBranded(value) : Function.prototype[Symbol.hasInstance].call(this, value)
  }

  constructor(fields: ErrorFields<Code>) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.code = fields.code
    this.status = fields.status
    this.details = fields.details as DetailsOf<Code>
    this.issues = fields.issues
    this.requestId = fields.requestId
    this.retryAfterMs = fields.retryAfterMs
    this.outcome = fields.outcome
    this.endpoint = fields.endpoint
    // Two copies of this package in one program must still know each other's errors.
    Object.defineProperty(this, brand, { value: true })
  }

  /** The facts as a plain object, for logs: no stack and no cause. */
  toJSON(): ErrorFields<Code> & { readonly name: 'MessagingError' } {
    const { name, code, message, status, details, issues, requestId, retryAfterMs, outcome, endpoint } = this
    return { name, code, message, status, details, issues, requestId, retryAfterMs, outcome, endpoint }
  }
}

/**
 * Whether `error` was thrown by this client and, when codes are given, carries one of them. Narrows `details`:
 * `if (isMessagingError(e, 'OTP_INVALID_CODE')) e.details.attemptsRemaining`.
 */
export function isMessagingError<const Code extends AnyCode = string>(
  error: unknown,
  ...codes: readonly Code[]
): error is MessagingError<Code> {
  return isBranded(error) && (codes.length === 0 || (codes as readonly string[]).includes(error.code))
}
