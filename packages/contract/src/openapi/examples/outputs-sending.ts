import * as cast from './cast.ts'
import type { Outputs } from './examples.ts'
import { watching } from './outputs-watching.ts'

const { campaign, jane, jose, oneTimeCode, order, receipt, support, unknownPhone } = cast

const success = true
const sender = { containerId: support.containerId }
const sent = { success, messageId: receipt.messageId, gatewayMessageId: receipt.gatewayMessageId, ...sender } as const

/** The message of the order, read. */
const readMessage = {
  id: order.messageId,
  type: 'alert',
  recipient: jane.phone,
  content: order.text,
  status: 'read',
  priority: 'normal',
  error: null,
  sentAt: order.sentAt,
  deliveredAt: order.deliveredAt,
  createdAt: order.acceptedAt,
  gatewayMessageId: order.gatewayMessageId,
  ...sender,
  clientReference: order.clientReference,
  errorCode: null,
  attempts: 1,
  campaignId: null,
  reminderId: null,
  readAt: order.readAt,
  sentBy: 'key',
  held: null,
} as const

const campaignMessage = {
  ...readMessage,
  id: campaign.messageId,
  type: 'bulk',
  content: 'Hello Jane, the sale starts on Monday.',
  sentAt: '2026-11-02T15:21:05.000Z',
  deliveredAt: '2026-11-02T15:21:07.000Z',
  createdAt: campaign.startedAt,
  gatewayMessageId: '3EB0A95C27E81D4F6B03',
  clientReference: null,
  campaignId: campaign.id,
  sentBy: 'campaign',
  readAt: '2026-11-02T16:02:10.000Z',
} as const

const withTimeline = {
  success,
  message: readMessage,
  timeline: [
    { at: order.acceptedAt, step: 'queued' },
    { at: '2026-11-03T09:29:03.000Z', step: 'sending' },
    { at: order.sentAt, step: 'sent' },
    { at: order.deliveredAt, step: 'delivered' },
    { at: order.readAt, step: 'read' },
    { at: '2026-11-03T09:29:42.000Z', step: 'webhook', detail: 'message.read: 200' },
  ],
} as const

/** Example responses of the routes that send. */
export const sending = {
  media: { upload: { success, ...cast.uploadedPicture } },
  alert: {
    send: { success, messageId: order.messageId, status: 'queued', priority: 'normal', ...sender },
    sendImage: sent,
    sendVideo: sent,
    sendFile: sent,
    sendVoice: sent,
    sendContact: sent,
    sendLocation: sent,
    sendLink: sent,
    sendPoll: sent,
    validate: { success, valid: [jane.phone], invalid: [unknownPhone.typed], total: 2 },
    batch: {
      success,
      count: 2,
      messages: [
        { phone: jane.phone, messageId: order.messageId, ...sender },
        { phone: jose.phone, messageId: receipt.messageId, ...sender },
      ],
      invalidNumbers: [unknownPhone.typed],
      skipped: 1,
      duplicates: 0,
    },
    message: withTimeline,
    forward: sent,
    edit: {
      success,
      messageId: order.messageId,
      gatewayMessageId: order.gatewayMessageId,
      ...sender,
      editedAt: cast.now,
    },
    delete: { success, messageId: order.messageId, deletedAt: cast.now },
    cancel: { success, messageId: order.messageId, status: 'failed' },
  },
  recipients: {
    validate: {
      success,
      total: 3,
      valid: 1,
      invalid: 2,
      validNumbers: [{ phone: jane.phone, chatId: `${jane.phone}@c.us` }],
      invalidNumbers: [
        { phone: '+1 (202) 555-0101', reason: 'The number is not on the network.', code: 'not_on_network' },
        { phone: '12', reason: 'This is not an international number.', code: 'invalid_format' },
      ],
    },
  },
  messages: {
    ...watching,
    list: { success, total: 2, page: 1, limit: 20, messages: [readMessage, campaignMessage], nextCursor: null },
    get: withTimeline,
    stats: {
      success,
      totalMessages: 1204,
      sent: 1187,
      delivered: 1160,
      failed: 17,
      alerts: 950,
      bulk: 240,
      otp: 14,
      last24h: 86,
      last7d: 511,
      held: { total: 3, rules: { quiet_hours: 3 } },
    },
  },
  otp: {
    send: {
      success,
      requestId: oneTimeCode.requestId,
      phone: jane.phone,
      expiresAt: '2026-11-03T09:35:00.000Z',
      expiresInSeconds: 300,
    },
    verify: { success, verified: true, phone: jane.phone },
    stats: {
      success,
      days: [
        { day: '2026-11-02', sent: 40, delivered: 39, verified: 35, expired: 5, failed: 0, limited: 2 },
        { day: '2026-11-03', sent: 14, delivered: 13, verified: 11, expired: 2, failed: 1, limited: 0 },
      ],
    },
  },
} as const satisfies Outputs
