import * as cast from './cast.ts'

const { campaign, jane, order, receipt, support } = cast

const sender = { containerId: support.containerId } as const

/** The response to a send that goes out at once. */
export const sent = { messageId: receipt.messageId, gatewayMessageId: receipt.gatewayMessageId, ...sender } as const

/** The message of the order, read. */
export const readMessage = {
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

/** A message of the campaign. */
export const campaignMessage = {
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

/** The message of the order with everything that happened to it. */
export const withTimeline = {
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

/** No message of any status. */
export const noMessages = { queued: 0, sending: 0, sent: 0, delivered: 0, read: 0, failed: 0 } as const
