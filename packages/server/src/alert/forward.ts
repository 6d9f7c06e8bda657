import type { Contract } from '@msgctl/contract'
import type { Caller, Request } from '../http/handler.ts'
import { repeatedResult } from '../messages/direct/direct.ts'
import { type ChosenNumber, selectSender } from '../numbers/send-group/select-number.ts'
import type { Services } from '../services.ts'
import { deliverVia } from './direct.ts'
import {
  requireConnected,
  requireNotDeleted,
  requireSent,
  type SentMessage,
  toMessageRef,
  wrongNumber,
} from './sent-message.ts'

/**
 * Forwards a sent message to another recipient, as a direct send through the number that sent it: no other number has
 * it. The copy is a message of its own.
 */
export async function forward(request: Request<Contract['alert']['forward']>, services: Services) {
  const repeated = await repeatedResult(request, services)
  if (repeated) return repeated
  const { caller, params, body } = request
  const message = await requireSent(services, caller, params.messageId)
  requireNotDeleted(message)
  const through = await numberFor(services, caller, body.containerId, message)
  const { kind, content } = message
  return deliverVia(services, request, { ...through, kind, content }, (session, to, options) =>
    services.gateway.forward(session, to, toMessageRef(message), options),
  )
}

/**
 * Returns the number that sent the message. Naming another number is refused: as unknown, as not connected, or as the
 * wrong one.
 */
async function numberFor(
  { db }: Services,
  caller: Caller,
  named: string | undefined,
  message: SentMessage,
): Promise<ChosenNumber> {
  if (named === undefined) {
    const { containerId } = requireConnected(caller.organizationId, message)
    return { containerId, pinned: true }
  }
  const through = await selectSender(db, caller, named)
  if (through.containerId !== message.containerId) throw wrongNumber()
  return through
}
