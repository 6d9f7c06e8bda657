import type { Contract } from '@msgctl/contract'
import type { Request } from '#api/http/handler.ts'
import { appendEvents } from '#events/append.ts'
import { messageEvent } from '#events/message-event.ts'
import { transaction } from '#platform/db/db.ts'
import { apiError, invalidField } from '#platform/errors.ts'
import { cancelQueued, writeDeleted, writeEdited } from '#sending/messages/change-store.ts'
import type { Services } from '#services.ts'
import { editableField } from './change-rules.ts'
import {
  changeOptions,
  onNetwork,
  requireConnected,
  requireNotDeleted,
  requireOwn,
  requireSent,
  requireWithin,
  type SentMessage,
  toMessageRef,
} from './sent-message.ts'

type Alert = Contract['alert']

/** Edits a sent message, on the phone too, within the edit window. */
export async function edit({ caller, params, body }: Request<Alert['edit']>, services: Services) {
  const { db, gateway, clock, config } = services
  const message = await requireSent(services, caller, params.messageId)
  requireNotDeleted(message)
  requireWithin(message, config.editWindowSeconds, clock.now())
  const text = newWords(message, body)
  const session = requireConnected(caller.organizationId, message)
  await onNetwork(message.id, gateway.edit(session, toMessageRef(message), text, changeOptions))
  const at = clock.now()
  await writeEdited(db, caller.organizationId, message.id, { content: text, at })
  const { id: messageId, gatewayMessageId, containerId } = message
  return { messageId, gatewayMessageId, containerId, editedAt: at.toISOString() }
}

/**
 * Returns the new text, from the field that fits the kind of the message. Throws VALIDATION_ERROR for the other field.
 */
function newWords({ kind }: SentMessage, body: Request<Alert['edit']>['body']): string {
  const fitting = editableField(kind)
  const given = body.message === undefined ? 'caption' : 'message'
  if (fitting === given) return body[given] ?? ''
  throw invalidField(
    given,
    fitting === null
      ? `cannot be changed in a message of the kind ${kind}`
      : `does not fit: what a message of the kind ${kind} has is a ${fitting}`,
  )
}

/** Deletes a sent message from the phone, within the delete window. The response to a repeat is the same. */
export async function remove({ caller, params }: Request<Alert['delete']>, services: Services) {
  const { db, gateway, clock, config } = services
  const message = await requireSent(services, caller, params.messageId)
  if (message.deletedAt) return { messageId: message.id, deletedAt: message.deletedAt.toISOString() }
  requireWithin(message, config.deleteWindowSeconds, clock.now())
  const session = requireConnected(caller.organizationId, message)
  await onNetwork(message.id, gateway.revoke(session, toMessageRef(message), changeOptions))
  const deletedAt = await writeDeleted(db, caller.organizationId, message.id, clock.now())
  return { messageId: message.id, deletedAt: deletedAt.toISOString() }
}

/** Cancels a queued message before a worker sends it. */
export async function cancel({ caller, params }: Request<Alert['cancel']>, services: Services) {
  const { organizationId } = caller
  const { id: messageId } = await requireOwn(services, caller, params.messageId)
  const at = services.clock.now()
  const cancelled = await transaction(services.db, async (trx) => {
    const subject = await cancelQueued(trx, organizationId, messageId, at)
    await appendEvents(trx, subject ? [messageEvent('message.failed', subject, at)] : [])
    return subject !== undefined
  })
  if (!cancelled) {
    const { status } = await requireOwn(services, caller, messageId)
    const why = status === 'queued' ? 'An earlier try may have gone out' : `It is ${status}`
    throw apiError('FORBIDDEN_ACTION', `Only a queued message can be taken back. ${why}.`, {
      reason: 'not_queued',
      status,
    })
  }
  return { messageId, status: 'failed' as const }
}
