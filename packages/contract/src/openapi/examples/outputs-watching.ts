import * as cast from './cast.ts'
import type { Outputs } from './examples.ts'

const { campaign, jane, order, sales, support } = cast
const success = true
const none = { queued: 0, sending: 0, sent: 0, delivered: 0, read: 0, failed: 0 } as const
const noneWaiting = { high: 0, normal: 0, campaign: 0 } as const

/** Example responses of GET /stats/hours and GET /queue. */
export const watching = {
  hours: {
    success,
    hours: [
      { hour: '2026-11-02T15:00:00.000Z', type: 'bulk', ...none, delivered: 1, read: 1 },
      { hour: '2026-11-03T09:00:00.000Z', type: 'alert', ...none, queued: 1, read: 12, failed: 1 },
    ],
  },
  queue: {
    success,
    lanes: [
      {
        containerId: support.containerId,
        messages: [
          {
            id: order.messageId,
            recipient: jane.phone,
            content: order.text,
            priority: 'normal',
            campaignId: null,
            status: 'queued',
            leavesAt: order.sentAt,
            estimated: false,
            waitsFor: 'pace',
          },
        ],
      },
    ],
  },
} as const satisfies Outputs['messages']

const overview = {
  success,
  at: cast.now,
  messages: { queued: 1, sending: 0, sent: 26, delivered: 420, read: 740, failed: 17 },
  numbers: [
    {
      containerId: support.containerId,
      label: support.label,
      status: 'WORKING',
      statusSince: '2026-10-05T08:20:00.000Z',
      isDefault: true,
      queueHeld: false,
      heldMessages: 0,
      waiting: { ...noneWaiting, normal: 1 },
      nextAt: order.sentAt,
      restrictedUntil: null,
    },
    {
      containerId: sales.containerId,
      label: sales.label,
      status: 'SCAN_QR_CODE',
      statusSince: cast.now,
      isDefault: false,
      queueHeld: false,
      heldMessages: 0,
      waiting: noneWaiting,
      nextAt: null,
      restrictedUntil: null,
    },
  ],
  campaigns: [
    {
      id: campaign.id,
      name: campaign.name,
      status: 'sending',
      stats: { total: 2, sent: 1, delivered: 1, failed: 0, read: 0 },
    },
  ],
  unread: 1,
  deliveries: { pending: 0, dropped24h: 1 },
  positions: { events: 2310, chats: 1_793_698_140_000 },
} as const

/** Example responses of the overview. */
export const watched = { overview: { get: overview, stream: overview } } as const satisfies Outputs
