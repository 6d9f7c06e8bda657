import { GatewayError, type GatewayErrorKind, type SendOutcome } from '@msgctl/network/errors'
import * as z from 'zod'

/** A response of WAHA that is no success. */
export interface Failure {
  readonly status: number
  /** The response as JSON; undefined where it is none. */
  readonly body: unknown
}

/**
 * One kind of failure. WAHA's responses repeat the request with its text, so the sentence for people is always ours and
 * nothing of the response is passed on.
 */
export interface FailureRow {
  readonly name: string
  matches(failure: { readonly status: number; readonly said: string; readonly isStatusMismatch: boolean }): boolean
  readonly kind: GatewayErrorKind
  readonly sentence: string
  /** The sentence about a message, where it differs from that about other calls. */
  readonly sentenceOfSend?: string
  readonly outcome?: SendOutcome
  readonly retryAfterMs?: number
  /** Whether a session that fails every send until it is restarted fails like this. */
  readonly isStuck?: boolean
}

/** A failure that may be that of a session which fails every send until it is restarted. */
export class StuckSession extends GatewayError {}

const slowDownMs = 60_000

/** Every kind of failure; the first row that matches decides, and the last one always does. */
export const failureTable: readonly FailureRow[] = [
  {
    name: 'the session is not in the status that the call needs',
    matches: ({ status, isStatusMismatch }) => status === 422 && isStatusMismatch,
    kind: 'session',
    sentence: 'The number is not connected.',
  },
  {
    name: 'WAHA has no such session',
    matches: ({ status, said }) => status === 404 && /session/i.test(said),
    kind: 'session',
    sentence: 'The number is not connected.',
  },
  {
    name: 'WAHA refuses our key',
    matches: ({ status }) => status === 401 || status === 403,
    kind: 'unreachable',
    sentence: 'The host of the number refuses the key of the service. Ask the operator to add the host again.',
  },
  {
    name: 'a proxy in front of WAHA does not reach it',
    matches: ({ status }) => status === 502 || status === 503 || status === 504,
    kind: 'unreachable',
    sentence: 'The host of the number does not respond.',
    outcome: 'unknown',
  },
  {
    name: 'the network refuses this person, or all new chats (463)',
    matches: ({ said }) => /\b463\b/.test(said),
    // Whether it concerns the whole account stands in the limits of the account.
    kind: 'contact_refused',
    sentence: 'The network does not let this account write to this person now.',
  },
  {
    name: 'the network wants fewer calls (429)',
    matches: ({ said, status }) => status === 429 || /\b429\b|rate-overlimit/.test(said),
    kind: 'restricted',
    sentence: 'The network limits what this account may send.',
    retryAfterMs: slowDownMs,
  },
  {
    name: 'the recipient is not on the network',
    matches: ({ said }) => /no LID found|item-not-found|not on WhatsApp/i.test(said),
    kind: 'recipient',
    sentence: 'The recipient is not on the network.',
  },
  {
    name: 'the engine cannot do it',
    matches: ({ status, said }) =>
      status === 501 || /not impl\w+|not available|available only in|^Cannot [A-Z]+ \//i.test(said),
    kind: 'unsupported',
    sentence: 'The engine of the number’s host cannot do this.',
  },
  {
    name: 'the network refuses this message, or all of a session that hangs (400)',
    matches: ({ said, status }) => status === 500 && /server returned error 400\b/.test(said),
    kind: 'rejected',
    sentence: 'The network refused the request.',
    sentenceOfSend: 'The network refused the message.',
    isStuck: true,
  },
  {
    name: 'anything else',
    matches: () => true,
    kind: 'rejected',
    sentence: 'The network refused the request.',
    sentenceOfSend: 'The network refused the message.',
  },
]

const text = z.string().catch('')
const errorBody = z.object({
  exception: z.object({ message: text }).partial().nullish().catch(null),
  message: z
    .union([z.string(), z.array(z.string())])
    .nullish()
    .catch(null),
  error: z.string().nullish().catch(null),
  expected: z.array(z.unknown()).nullish().catch(null),
})

/**
 * Returns the error for a response. Only the fields in which WAHA itself speaks are searched, never the repeated
 * request.
 */
export function toGatewayError({ status, body }: Failure, during: 'send' | 'call'): GatewayError {
  const parsed = errorBody.safeParse(body)
  const { exception, message, error, expected } = parsed.success ? parsed.data : {}
  const said = [exception?.message, ...(Array.isArray(message) ? message : [message]), error].filter(Boolean).join('\n')
  const row = failureTable.find(({ matches }) => matches({ status, said, isStatusMismatch: Boolean(expected) }))
  if (!row) throw new Error('the last row of the table matches everything')
  const { kind, sentence, sentenceOfSend = sentence, outcome = 'not_sent', retryAfterMs, isStuck = false } = row
  const Failed = isStuck ? StuckSession : GatewayError
  return new Failed(kind, during === 'send' ? sentenceOfSend : sentence, {
    outcome: during === 'send' ? outcome : 'not_sent',
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })
}
