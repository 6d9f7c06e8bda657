/** The kinds of failure of a driver; each has its code in the API. */
export type GatewayErrorKind =
  | 'session'
  | 'unreachable'
  | 'timeout'
  | 'rejected'
  | 'recipient'
  | 'restricted'
  /** The account may begin no new conversations now. Established ones continue. */
  | 'new_chat_refused'
  /** The network accepts nothing for this one person now. Other new conversations may begin. */
  | 'contact_refused'
  | 'unsupported'

/** Whether the message certainly did not go out, or may have. */
export type SendOutcome = 'not_sent' | 'unknown'

/**
 * The one error a driver throws. `safeMessage` is shown to organizations and written to logs: it never contains message
 * text.
 */
export class GatewayError extends Error {
  readonly kind: GatewayErrorKind
  readonly outcome: SendOutcome
  readonly retryAfterMs: number | undefined
  /** With `new_chat_refused`: until when, in service time, where the network says so. */
  readonly blockedUntil: Date | undefined
  readonly safeMessage: string

  constructor(
    kind: GatewayErrorKind,
    safeMessage: string,
    options: { outcome?: SendOutcome; retryAfterMs?: number; blockedUntil?: Date } = {},
  ) {
    super(safeMessage)
    this.name = 'GatewayError'
    this.kind = kind
    this.outcome = options.outcome ?? (kind === 'timeout' ? 'unknown' : 'not_sent')
    this.retryAfterMs = options.retryAfterMs
    this.blockedUntil = options.blockedUntil
    this.safeMessage = safeMessage
  }
}
