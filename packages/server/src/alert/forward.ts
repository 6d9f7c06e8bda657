import type { Contract } from '@msgctl/contract'
import type { Request } from '../http/handler.ts'
import { repeatedAnswer } from '../messages/direct.ts'
import { chooseForSend } from '../numbers/choose.ts'
import type { Services } from '../services.ts'
import { deliverThrough } from './at-once.ts'
import { demandNotDeleted, demandSent, refOf, wrongNumber } from './sent-message.ts'

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
  const through = await chooseForSend(services.db, caller, body.containerId ?? message.containerId)
  if (through.containerId !== message.containerId) throw wrongNumber()
  const { kind, content } = message
  return deliverThrough(services, request, { ...through, kind, content }, (session, to, options) =>
    services.gateway.forward(session, to, refOf(message), options),
  )
}
