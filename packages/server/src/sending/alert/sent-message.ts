import { GatewayError } from '@msgctl/network/errors'
import type { CallOptions, GatewaySession, MessageRef } from '@msgctl/network/gateway'
import type { Caller } from '#api/http/handler.ts'
import { toNetworkAddress } from '#networks/gateway/address.ts'
import { changeFailure } from '#networks/gateway/api-failure.ts'
import { withGatewayTimeout } from '#networks/gateway/timeout.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { messageAge } from './change-rules.ts'
import { type ChangeableMessage, findChangeable } from './change-store.ts'

/** The time limit of a change for the network. */
export const changeOptions: CallOptions = { timeoutMs: 25_000 }
/** When a driver that ignores its time limit is abandoned; shorter than the 30 s for which callers usually wait. */
const deadlineMs = 27_000

/** A message that the network has. */
export interface SentMessage extends ChangeableMessage {
  readonly containerId: string
  readonly gatewayMessageId: string
}

/**
 * Returns a message that this caller may change. Throws MESSAGE_NOT_FOUND, also for a message of another organization,
 * and MESSAGE_WRONG_NUMBER for the key of another number.
 */
export async function requireOwn(
  { db }: Pick<Services, 'db'>,
  caller: Caller,
  messageId: string,
): Promise<ChangeableMessage> {
  const message = await findChangeable(db, caller.organizationId, messageId)
  if (!message) throw apiError('MESSAGE_NOT_FOUND', 'There is no such message.')
  if (caller.containerId !== null && message.containerId !== caller.containerId) throw wrongNumber()
  return message
}

/** Returns the error for a number that did not send the message. */
export function wrongNumber() {
  return apiError('MESSAGE_WRONG_NUMBER', 'The message was sent from another number, and only that one can do this.')
}

/**
 * Returns a message of this caller that the network has and that can change. Throws the errors of {@link requireOwn},
 * FORBIDDEN_ACTION for a one-time code and for a deleted message, and MESSAGE_NOT_SENT.
 */
export async function requireSent(
  services: Pick<Services, 'db'>,
  caller: Caller,
  messageId: string,
): Promise<SentMessage> {
  const message = await requireOwn(services, caller, messageId)
  if (message.type === 'otp') {
    throw apiError('FORBIDDEN_ACTION', 'A one-time code cannot be forwarded, edited or deleted.', {
      reason: 'one_time_code',
    })
  }
  const { status, containerId, gatewayMessageId } = message
  const sent = status === 'sent' || status === 'delivered' || status === 'read'
  if (!sent || containerId === null || gatewayMessageId === null) {
    throw apiError('MESSAGE_NOT_SENT', `Only a sent message can be worked with; this one is ${status}.`, { status })
  }
  return { ...message, containerId, gatewayMessageId }
}

/** Throws FORBIDDEN_ACTION for a message that was deleted from the phone. */
export function requireNotDeleted(message: SentMessage): void {
  if (message.deletedAt === null) return
  throw apiError('FORBIDDEN_ACTION', 'The message was deleted.', { reason: 'deleted' })
}

/** Throws FORBIDDEN_ACTION when the message was sent longer ago than the window, with both in the details. */
export function requireWithin(message: SentMessage, windowSeconds: number, now: Date): void {
  const { ageSeconds, passed } = messageAge(message.sentAt ?? message.createdAt, now, windowSeconds)
  if (!passed) return
  throw apiError(
    'FORBIDDEN_ACTION',
    `This is possible for ${windowSeconds} s after sending; ${ageSeconds} s have passed.`,
    {
      reason: 'window_passed',
      windowSeconds,
      ageSeconds,
    },
  )
}

/**
 * Returns the number that sent the message: only it can change the message. Throws NO_SESSION_CONFIGURED unless it is
 * connected.
 */
export function requireConnected(organizationId: string, { containerId, numberStatus }: SentMessage): GatewaySession {
  if (numberStatus === 'WORKING') return { containerId, organizationId }
  const why = numberStatus === null ? 'was removed' : 'is not connected'
  throw apiError('NO_SESSION_CONFIGURED', `The number that sent the message ${why}.`)
}

/** Returns the message as the network identifies it. */
export function toMessageRef({ gatewayMessageId, recipient, address, networkRef }: SentMessage): MessageRef {
  return { networkId: gatewayMessageId, chat: toNetworkAddress(address ?? recipient), raw: networkRef }
}

/** Waits for a change on the network, and maps its failure to the errors of these routes. */
export async function onNetwork(messageId: string, change: Promise<void>): Promise<void> {
  try {
    await withGatewayTimeout(deadlineMs, change)
  } catch (error) {
    throw error instanceof GatewayError ? changeFailure(error, messageId) : error
  }
}
