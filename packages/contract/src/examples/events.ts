import type { EventKind, WebhookEvent } from '../events/events.ts'
import * as cast from './cast.ts'

const { jane, order, question, support } = cast

const number = { containerId: support.containerId, numberPhone: support.phone } as const
const { session } = support
const gatewayMessageId = order.gatewayMessageId
const timestamp = cast.now

const ofMessage = {
  messageId: order.messageId,
  recipient: jane.phone,
  type: 'alert',
  gatewayMessageId,
  ...number,
  clientReference: order.clientReference,
} as const

const assistant = {
  botId: '01a10b30-5f20-77d8-98fa-6f718293a4b5',
  conversationId: '01a1a0be-0320-78e9-8a0b-718293a4b5c6',
  contactPhone: jane.phone,
  question: question.text,
} as const

/** One event of each kind, about the same order, question and number. */
export const eventExamples: { readonly [K in EventKind]: Extract<WebhookEvent, { event: K }> } = {
  'message.inbound': {
    event: 'message.inbound',
    data: {
      sender: jane.phone,
      senderName: jane.name,
      body: question.text,
      messageType: 'chat',
      gatewayMessageId: question.gatewayMessageId,
      ...number,
      timestamp: question.at,
    },
    timestamp: question.at,
  },
  'message.sent': {
    event: 'message.sent',
    data: { ...ofMessage, status: 'sent', timestamp: order.sentAt },
    timestamp: order.sentAt,
  },
  'message.delivered': {
    event: 'message.delivered',
    data: { ...ofMessage, status: 'delivered', timestamp: order.deliveredAt },
    timestamp: order.deliveredAt,
  },
  'message.read': {
    event: 'message.read',
    data: { ...ofMessage, status: 'read', timestamp: order.readAt },
    timestamp: order.readAt,
  },
  'message.failed': {
    event: 'message.failed',
    data: {
      ...ofMessage,
      recipient: cast.unknownPhone.phone,
      gatewayMessageId: null,
      status: 'failed',
      error: 'The recipient is not on the network.',
      errorCode: 'NUMBER_NOT_ON_NETWORK',
      timestamp,
    },
    timestamp,
  },
  'poll.vote': {
    event: 'poll.vote',
    data: {
      vote: {
        id: '3A7B2C9D0E1F48A6B5C4',
        from: jane.phone,
        to: support.phone,
        fromMe: false,
        selectedOptions: ['In the morning'],
        timestamp,
      },
      poll: { id: cast.receipt.gatewayMessageId, from: support.phone, to: jane.phone, fromMe: true },
      messageId: cast.receipt.messageId,
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
      message: 'The connection to the network was lost.',
      retriesExhausted: false,
      lastAttempt: 1,
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
      message: 'The last 20 conversations that this number began got no reply. Write to people who expect it.',
      ...number,
      session,
      timestamp,
    },
    timestamp,
  },
  'bot.needs_review': { event: 'bot.needs_review', data: { ...assistant, lang: 'en', timestamp }, timestamp },
  'bot.handoff': { event: 'bot.handoff', data: { ...assistant, reason: 'away', timestamp }, timestamp },
  'commerce.order': {
    event: 'commerce.order',
    data: {
      botId: assistant.botId,
      contactPhone: jane.phone,
      orderNumber: '1042',
      total: 59.9,
      currency: 'USD',
      timestamp,
    },
    timestamp,
  },
  'campaign.completed': {
    event: 'campaign.completed',
    data: {
      campaignId: cast.campaign.id,
      name: 'Spring sale',
      status: 'completed',
      containerId: null,
      stats: { total: 250, sent: 247, delivered: 231, failed: 3, read: 120 },
      startedAt: '2026-11-03T08:30:00.000Z',
      timestamp,
    },
    timestamp,
  },
  'campaign.failed': {
    event: 'campaign.failed',
    data: {
      campaignId: cast.campaign.id,
      name: 'Spring sale',
      status: 'draft',
      error: 'No number is connected.',
      errorCode: 'NO_SESSION_CONFIGURED',
      scheduledAt: '2026-11-03T08:30:00.000Z',
      timestamp,
    },
    timestamp,
  },
}
