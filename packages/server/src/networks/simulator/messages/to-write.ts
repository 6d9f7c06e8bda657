import type { GatewaySession, NetAddress } from '@msgctl/network/gateway'
import type { UsableConnection } from '#networks/simulator/connection/connection.ts'
import type { DueEvent, Payload } from '#networks/simulator/events/event.ts'
import { addressText, type Person } from '#networks/simulator/people/people.ts'
import { scaled } from '#networks/simulator/random.ts'
import { answerTo } from './answers.ts'
import type { SendPlan, StoredContent } from './plan.ts'
import type { NewMessage, Write } from './store.ts'

/** Returns what the network stores of an accepted message: the message, its receipts and the reply of the person. */
export function toWrite(sent: {
  readonly session: GatewaySession
  readonly person: Person
  readonly to: NetAddress
  readonly clientId: string
  readonly networkId: string
  readonly content: StoredContent
  readonly typed: boolean
  readonly plan: SendPlan
  readonly acceptMs: number
  readonly seen: UsableConnection
  readonly speed: number
}): Write {
  const { plan, speed, person } = sent
  const about = { containerId: sent.session.containerId, organizationId: sent.session.organizationId }
  const failed = plan.ends === 'taken_then_fails'
  const message: NewMessage = {
    ...about,
    direction: 'out',
    clientId: sent.clientId,
    networkId: sent.networkId,
    chat: addressText(sent.to),
    content: sent.content,
    typed: sent.typed,
    failed,
    afterMs: 0,
  }
  // A receipt that precedes the response does not wait for the acceptance.
  const acceptMs = person.receiptFirst ? 0 : sent.acceptMs
  const receipts = plan.receipts.map(({ status, afterMs }): DueEvent => {
    const error = status === 'failed' ? { error: 'The network could not deliver the message.' } : {}
    return {
      ...about,
      afterMs: acceptMs + scaled(afterMs, speed),
      payload: { kind: 'message.status', networkId: sent.networkId, status, ...error },
      // Only a phone reports that it received or showed a message.
      ...(status === 'failed' ? {} : { person: person.digits }),
    }
  })
  if (!plan.answer) return { message, events: receipts }
  const answer = answerTo({
    kind: plan.answer.kind,
    person,
    to: { networkId: sent.networkId, content: sent.content },
    contactsSynced: sent.seen.line.contactsSynced,
  })
  const afterMs = acceptMs + scaled(plan.answer.afterMs, speed)
  return {
    message,
    events: [...receipts, { ...about, afterMs, payload: answer, person: person.digits }],
    replies: inbound(about, answer, afterMs),
  }
}

/** The message to keep for something a person writes; a vote leaves none. */
export function inbound(session: GatewaySession, payload: Payload, afterMs: number): NewMessage[] {
  if (payload.kind !== 'message.in') return []
  const { message } = payload
  const media = message.media ? { media: { mimetype: message.media.mimetype } } : {}
  return [
    {
      containerId: session.containerId,
      organizationId: session.organizationId,
      direction: 'in',
      clientId: message.networkId,
      networkId: message.networkId,
      chat: addressText(message.from),
      content: { kind: 'inbound', type: message.type, text: message.text, ...media },
      typed: false,
      failed: false,
      afterMs,
    },
  ]
}
