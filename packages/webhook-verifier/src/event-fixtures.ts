import type { KnownKind } from './events.ts'
import type { WebhookEvent } from './generated/events.ts'

/** The body of a delivery of one kind. */
export type EventBody<Kind extends KnownKind = KnownKind> = WebhookEvent<Kind>

const timestamp = '2026-10-01T00:00:00.000Z'
const number = { containerId: '5f0c7a52-3d57-4a6e-9d0b-1f6a3c2b4e11', numberPhone: '12025550100' }
const session = 'main'
const person = '12025550123'

const ofMessage = {
  messageId: '0b54cf2e-8f0f-4b6b-9a57-6c1d7a9e2f10',
  recipient: person,
  type: 'alert',
  gatewayMessageId: '3EB0C767D097B7C7C030',
  ...number,
  timestamp,
} as const

const assistant = {
  botId: '9b2f6e0a-51c4-4f7b-8a35-2d60c1e7b944',
  conversationId: 'c8d7a3f1-60be-4b52-9e07-5a4f3b1d2c68',
  contactPhone: person,
  question: 'Do you deliver on Sundays?',
  timestamp,
}

const ends = { id: '3EB0A1B2C3D4E5F60718', from: person, to: number.numberPhone, fromMe: false }

/** One example of every kind of event, as the service sends its body. */
export const eventFixtures: { readonly [Kind in KnownKind]: EventBody<Kind> } = {
  'message.inbound': {
    event: 'message.inbound',
    data: {
      sender: person,
      senderName: 'Jane',
      body: 'Hello',
      messageType: 'chat',
      gatewayMessageId: '3EB0F0E1D2C3B4A59687',
      ...number,
      timestamp,
    },
    timestamp,
  },
  'message.sent': { event: 'message.sent', data: { ...ofMessage, status: 'sent' }, timestamp },
  'message.delivered': { event: 'message.delivered', data: { ...ofMessage, status: 'delivered' }, timestamp },
  'message.read': { event: 'message.read', data: { ...ofMessage, status: 'read' }, timestamp },
  'message.failed': {
    event: 'message.failed',
    data: {
      ...ofMessage,
      status: 'failed',
      gatewayMessageId: null,
      error: 'The recipient is not on the network.',
      errorCode: 'NUMBER_NOT_ON_NETWORK',
    },
    timestamp,
  },
  'poll.vote': {
    event: 'poll.vote',
    data: {
      vote: { ...ends, selectedOptions: ['Tuesday'], timestamp },
      poll: { id: '3EB09988776655443322', from: ends.to, to: ends.from, fromMe: true },
      messageId: ofMessage.messageId,
      ...number,
      timestamp,
    },
    timestamp,
  },
  'session.needs_scan': {
    event: 'session.needs_scan',
    data: { status: 'SCAN_QR_CODE', ...number, session },
    timestamp,
  },
  'session.disconnected': {
    event: 'session.disconnected',
    data: {
      status: 'FAILED',
      message: 'The number lost its connection.',
      retriesExhausted: true,
      lastAttempt: 5,
      ...number,
      session,
      timestamp,
    },
    timestamp,
  },
  'session.recovered': {
    event: 'session.recovered',
    data: { status: 'WORKING', recoveredAt: timestamp, ...number, session },
    timestamp,
  },
  'number.warning': {
    event: 'number.warning',
    data: {
      reason: 'few_replies',
      message: 'The last 20 new conversations of this number got no reply.',
      ...number,
      session,
      timestamp,
    },
    timestamp,
  },
  'bot.needs_review': { event: 'bot.needs_review', data: { ...assistant, lang: 'en' }, timestamp },
  'bot.handoff': { event: 'bot.handoff', data: { ...assistant, reason: 'away' }, timestamp },
  'commerce.order': {
    event: 'commerce.order',
    data: {
      botId: assistant.botId,
      contactPhone: person,
      orderNumber: 'A-1042',
      total: 59.9,
      currency: 'EUR',
      timestamp,
    },
    timestamp,
  },
  'campaign.completed': {
    event: 'campaign.completed',
    data: {
      campaignId: '3f2a8c1e-7d44-4c1b-9e0f-6a1d2b3c4d5e',
      name: 'Spring news',
      status: 'completed',
      containerId: null,
      stats: { total: 250, sent: 247, delivered: 231, failed: 3, read: 120 },
      startedAt: '2026-09-30T23:00:00.000Z',
      timestamp,
    },
    timestamp,
  },
  'campaign.failed': {
    event: 'campaign.failed',
    data: {
      campaignId: '3f2a8c1e-7d44-4c1b-9e0f-6a1d2b3c4d5e',
      name: 'Spring news',
      status: 'draft',
      error: 'No number is connected.',
      errorCode: 'NO_SESSION_CONFIGURED',
      scheduledAt: '2026-09-30T23:00:00.000Z',
      timestamp,
    },
    timestamp,
  },
}
