import * as cast from './cast.ts'

const { campaign, sales, support } = cast
const noneWaiting = { high: 0, normal: 0, campaign: 0 } as const

/** What the operator of the shop sees. */
export const overview = {
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
      nextAt: cast.order.sentAt,
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
