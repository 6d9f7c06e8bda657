import { GatewayError, type GatewayErrorKind } from '@msgctl/network/errors'
import { ConnectionLost, NoResponse, Refused } from '../engine/failures.ts'
import { Fenced } from '../vault/fenced.ts'

interface Refusal {
  readonly kind: GatewayErrorKind
  readonly message: string
  readonly retryAfterMs?: number
}

/** What the codes mean with which the network refuses a call. */
const refusals: Readonly<Record<number, Refusal>> = {
  404: { kind: 'recipient', message: 'The recipient is not on the network.' },
  429: { kind: 'restricted', message: 'The network accepts less of this account now.', retryAfterMs: 60_000 },
  // It is of the account only if the network says so when it is asked.
  463: { kind: 'contact_refused', message: 'The network accepts no messages of this account for this person now.' },
  479: { kind: 'rejected', message: 'The network rejected the form of the message.' },
}

/** Errors of the network itself pass: what it failed to do can be repeated. */
function unnamed(code: number): Refusal {
  if (code >= 500) return { kind: 'unreachable', message: `The network has an error of its own (${code}).` }
  return { kind: 'rejected', message: `The network rejected the call (${code}).` }
}

/** What a failed call was: a message that may have left, or a question that can be repeated. */
type CallKind = 'message' | 'question'

/** Returns the failure of a call to the network as the gateway's error. It contains no text of a message. */
export function toGatewayError(error: unknown, kind: CallKind): GatewayError {
  if (error instanceof GatewayError) return error
  // A question changes nothing, and a message that was refused has not left.
  const outcome = kind === 'message' ? 'unknown' : 'not_sent'
  if (error instanceof Refused) {
    const { kind: meaning, message, ...rest } = refusals[error.code] ?? unnamed(error.code)
    return new GatewayError(meaning, message, { outcome: 'not_sent', ...rest })
  }
  if (error instanceof ConnectionLost)
    return new GatewayError('session', 'The number lost its connection.', { outcome })
  if (error instanceof NoResponse)
    return new GatewayError('timeout', 'The network did not respond in time.', { outcome })
  if (error instanceof Fenced) {
    // No frame leaves without its commit, and the commit was refused.
    return new GatewayError('unreachable', 'Another host has taken the number over.', { outcome: 'not_sent' })
  }
  throw error
}
