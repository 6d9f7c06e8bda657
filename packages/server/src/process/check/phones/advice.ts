import { GatewayError } from '@msgctl/network/errors'
import { networkFailure } from '#networks/gateway/api-failure.ts'
import { ApiError, SendError } from '#platform/errors.ts'

const log = 'The log of the gateway host, or of the WAHA server, has its code, as message_refused.'

/** What to do about a refusal, by its code or by the reason in its details. */
const remedies: Readonly<Record<string, string>> = {
  new_chat_refused:
    'Send no more to new people until the time that msgctl numbers status shows, or let the peer write first.',
  contact_refused: 'The account has no time lock: the network refused this person alone. Let the peer write first.',
  restricted: 'Stop sending, and read msgctl numbers status before you continue.',
  rejected: log,
  network_error: 'Try again in some minutes.',
  unsupported: 'The network of the number cannot do this.',
  UPSTREAM_TIMEOUT: 'The network acknowledged nothing. It may have arrived: check the phone before you repeat it.',
  GATEWAY_UNREACHABLE: 'List the hosts: msgctl-server gateway hosts, or msgctl-server waha list.',
  GATEWAY_SESSION_ERROR: 'See why the number is not connected: msgctl numbers status.',
  NO_SESSION_CONFIGURED: 'See why the number is not connected: msgctl numbers status.',
  NUMBER_NOT_ON_NETWORK: 'The phone is linked, so it is there: the query of its devices is wrong.',
  NUMBER_VALIDATION_UNAVAILABLE: 'The network did not respond to the query. Try again in a minute.',
  ATTACHMENT_EXPIRED: 'The file hosts do not have it. Try their way: msgctl-server check network',
}

/**
 * Returns what the network or the service refused, with its code and what to do. Throws everything else again: it is a
 * fault of this program.
 */
export function refusalText(thrown: unknown): string {
  const error = thrown instanceof GatewayError ? networkFailure(thrown) : thrown
  const cause = error instanceof SendError ? error.cause : error
  if (!(cause instanceof ApiError)) throw thrown
  const { code, message, details } = cause
  const reason = reasonOf(details)
  return explain(reason ?? code, reason === null ? code : `${code} ${reason}`, message)
}

function reasonOf(details: unknown): string | null {
  if (typeof details !== 'object' || details === null || !('reason' in details)) return null
  return typeof details.reason === 'string' ? details.reason : null
}

/** Sentences of failures that say more than their code, by a part of them. */
const sentences: Readonly<Record<string, string>> = {
  'no new conversations': 'new_chat_refused',
  'for this person': 'contact_refused',
  'error of its own': 'network_error',
}

/** Returns the failure of a message as the queue stored it, with what to do. */
export function failureText(code: string | null, error: string | null): string {
  const isRefused = code === null || code === 'GATEWAY_ERROR'
  return explain(isRefused ? 'rejected' : code, code ?? 'refused', error ?? 'It failed.')
}

function explain(key: string, shown: string, message: string): string {
  const known = Object.entries(sentences).find(([part]) => message.includes(part))?.[1]
  const remedy = remedies[known ?? key]
  return `${shown}: ${message}${remedy === undefined ? '' : ` ${remedy}`}`
}
