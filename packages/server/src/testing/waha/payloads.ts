import type { GatewayEvent } from '@msgctl/network/events'
import { toLid } from '#networks/simulator/people/lid.ts'
import type { EngineName } from './failures.ts'
import { ackShape, editedShape, inboundShape, ownShape, voteShape } from './shapes.ts'

/** How a server describes an event. */
interface PayloadContext {
  readonly engine: EngineName
  /** The chat id of the number itself. */
  readonly own: string
  /** Whether receipts name the person by the hidden id. */
  readonly acksByLid: boolean
}

/** Returns the webhooks of an event of the network that is no state of a session: their names and payloads. */
export function payloadsOf(event: GatewayEvent, { engine, own, acksByLid }: PayloadContext) {
  switch (event.kind) {
    case 'message.in': {
      const { from } = event.message
      const shape = inboundShape(engine, event, from.kind === 'phone' ? toLid(from.digits) : null)
      return [['message', shape] as const, ['message.any', shape] as const]
    }
    case 'message.out':
      return [['message.any', ownShape(engine, event)] as const]
    case 'message.status': {
      const chat = acksByLid ? '770000000000@lid' : '12025550100@c.us'
      return [['message.ack', ackShape(event.status, event.networkId, chat)] as const]
    }
    case 'message.edited':
      return [['message.edited', editedShape(event)] as const]
    case 'message.revoked':
      return [['message.revoked', { revokedMessageId: event.networkId, _data: {} }] as const]
    case 'poll.vote':
      return [['poll.vote', voteShape(event, own)] as const]
    default:
      return []
  }
}
