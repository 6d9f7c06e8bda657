import type { Contract } from '@msgctl/contract'
import type { Caller, Request } from '../http/handler.ts'
import { repeatedAnswer } from '../messages/direct/direct.ts'
import { type ChosenNumber, chooseForSend } from '../numbers/send-group/choose.ts'
import type { Services } from '../services.ts'
import { deliverThrough } from './at-once.ts'
import { demandConnected, demandNotDeleted, demandSent, refOf, type SentMessage, wrongNumber } from './sent-message.ts'

/**
 * Forwards a sent message to another person, at once and through the number that sent it: no other one has it. The copy
 * is a message of its own.
 */
export async function forward(request: Request<Contract['alert']['forward']>, services: Services) {
  const repeated = await repeatedAnswer(request, services)
  if (repeated) return repeated
  const { caller, params, body } = request
  const message = await demandSent(services, caller, params.messageId)
  demandNotDeleted(message)
  const through = await numberFor(services, caller, body.containerId, message)
  const { kind, content } = message
  return deliverThrough(services, request, { ...through, kind, content }, (session, to, options) =>
    services.gateway.forward(session, to, refOf(message), options),
  )
}

/** The number that sent the message. Naming another one is refused: as unknown, as not connected, or as the wrong one. */
async function numberFor(
  { db }: Services,
  caller: Caller,
  named: string | undefined,
  message: SentMessage,
): Promise<ChosenNumber> {
  if (named === undefined) {
    const { containerId } = demandConnected(caller.organizationId, message)
    return { containerId, pinned: true }
  }
  const through = await chooseForSend(db, caller, named)
  if (through.containerId !== message.containerId) throw wrongNumber()
  return through
}
