import { type EventData, type EventKind, eventKinds, events, type Product, receivesEvent } from '@msgctl/contract'
import { newId } from '#platform/db/new-id.ts'
import { apiError } from '#platform/errors.ts'

type Samples = { readonly [K in EventKind]: () => EventData<K> }

const defaultKind: EventKind = 'message.delivered'
const person = '12025550100'

/**
 * Returns the kind of the sample to make: the requested one, otherwise message.delivered or the first kind that the
 * organization receives. Throws PRODUCT_REQUIRED for a kind that none of its active products receives.
 */
export function selectSampleKind(requested: EventKind | undefined, active: ReadonlySet<Product>): EventKind {
  const kind = requested ?? [defaultKind, ...eventKinds].find((kind) => receivesEvent(kind, active)) ?? defaultKind
  if (receivesEvent(kind, active)) return kind
  const products = [...events[kind].audience]
  const message = `The organization does not receive ${kind}: that takes an active product of: ${products.join(', ')}.`
  throw apiError('PRODUCT_REQUIRED', message, { products })
}

/** Returns the data of a sample event at `now`. Its ids are new and refer to nothing. */
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
    'number.warning': () => ({
      reason: 'few_replies',
      message: 'This is a sample.',
      ...number,
      session,
      timestamp,
    }),
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
    'campaign.completed': () => ({
      campaignId: newId(),
      name: 'Sample campaign',
      status: 'completed',
      containerId: null,
      stats: { total: 3, sent: 2, delivered: 2, failed: 1, read: 1 },
      startedAt: timestamp,
      timestamp,
    }),
    'campaign.failed': () => ({
      campaignId: newId(),
      name: 'Sample campaign',
      status: 'draft',
      error: 'This is a sample.',
      errorCode: 'NO_SESSION_CONFIGURED',
      scheduledAt: timestamp,
      timestamp,
    }),
  }
  return samples[kind]()
}
