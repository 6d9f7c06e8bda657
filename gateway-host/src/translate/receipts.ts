import type { ReceiptStatus } from '@msgctl/network/gateway'
import type { BinaryNode } from 'baileys'
import type { NetworkEvent } from './network-event.ts'

/** The types of receipts that report something about a message of ours. Those of our own devices do not. */
const statuses: Readonly<Record<string, ReceiptStatus>> = {
  read: 'read',
  played: 'played',
  inactive: 'delivered',
  'server-error': 'failed',
}

/** Returns the events of a receipt. */
export function receiptEvents(
  { attrs, content }: BinaryNode,
  now: Date,
): Extract<NetworkEvent, { kind: 'message.status' }>[] {
  const { type, id, t } = attrs
  const status = type === undefined ? 'delivered' : statuses[type]
  if (!status || id === undefined || attrs.recipient !== undefined) return []
  const lists = Array.isArray(content) ? content.filter(({ tag }) => tag === 'list') : []
  const more = lists.flatMap((list) => (Array.isArray(list.content) ? list.content : []).map((item) => item.attrs.id))
  // The network's times are whole seconds. A live receipt must not seem older than its message of the same second.
  const at = attrs.offline === undefined || t === undefined ? now : new Date(Number(t) * 1000 + 999)
  return [id, ...more].flatMap((networkId) =>
    networkId === undefined ? [] : [{ kind: 'message.status', at: at.toISOString(), networkId, status }],
  )
}
