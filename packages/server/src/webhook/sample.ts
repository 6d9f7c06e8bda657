import type { EventData, EventKind } from '@msgctl/contract'
import { v7 as newId } from 'uuid'

type Samples = { readonly [K in EventKind]: () => EventData<K> }

const person = '12025550100'

/**
 * The data of a sample event of any kind, at `now`. Its ids are fresh and belong to nothing, so that a receiver can tell
 * that there is no such message or number.
 */
export function sampleData<K extends EventKind>(kind: K, now: Date): EventData<K> {
  const timestamp = now.toISOString()
  const number = { containerId: newId(), numberPhone: '12025550199' }
  const session = 'sample'
  const vote = { id: 'sample-vote', from: person, to: number.numberPhone, fromMe: false }
  const poll = { id: 'sample-poll', from: number.numberPhone, to: person, fromMe: true }
  const message = {
    messageId: newId(),
    recipient: person,
    type: 'alert',
    gatewayMessageId: 'sample-message',
    ...number,
    timestamp,
  } as const
  const question = {
    botId: newId(),
    conversationId: newId(),
    contactPhone: person,
    question: 'Is this a sample?',
    lang: 'en',
    timestamp,
  }
  const samples: Samples = {
    'message.inbound': () => ({
      sender: person,
      senderName: 'Sample Person',
      body: 'This is a sample.',
      messageType: 'chat',
      gatewayMessageId: 'sample-message',
      ...number,
      timestamp,
    }),
    'message.sent': () => ({ ...message, status: 'sent' }),
    'message.delivered': () => ({ ...message, status: 'delivered' }),
    'message.read': () => ({ ...message, status: 'read' }),
    'message.failed': () => ({
      ...message,
      status: 'failed',
      error: 'This is a sample.',
      errorCode: 'GATEWAY_ERROR',
    }),
    'poll.vote': () => ({
      vote: { ...vote, selectedOptions: ['Yes'], timestamp },
      poll,
      messageId: message.messageId,
      ...number,
      timestamp,
    }),
    'session.needs_scan': () => ({ status: 'SCAN_QR_CODE', ...number, session }),
    'session.disconnected': () => ({
      status: 'FAILED',
      message: 'This is a sample.',
      retriesExhausted: false,
      lastAttempt: 1,
      ...number,
      session,
      timestamp,
    }),
    'session.recovered': () => ({ status: 'WORKING', recoveredAt: timestamp, ...number, session }),
    'bot.needs_review': () => question,
    'bot.handoff': () => question,
    'commerce.order': () => ({
      botId: newId(),
      contactPhone: person,
      orderNumber: 'SAMPLE-1',
      total: 12.5,
      currency: 'USD',
      timestamp,
    }),
  }
  return samples[kind]()
}
