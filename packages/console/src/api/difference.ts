import { type Overview, shownState } from './overview.ts'

function differ(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) !== JSON.stringify(after)
}

/**
 * Returns the names of the queries that a new overview makes stale. Figures of messages also mean lists and charts of
 * them; the state of a number also means its QR.
 */
export function staleNames(before: Overview | null, after: Overview): string[] {
  if (before === null) return []
  const stale: string[] = []
  if (differ(before.messages, after.messages))
    stale.push('messages', 'message', 'queue', 'hours', 'campaigns', 'campaign', 'thread', 'stats', 'phone')
  if (differ(before.campaigns, after.campaigns)) stale.push('campaigns', 'campaign')
  const statesOf = ({ numbers }: Overview) =>
    numbers.map((each) => [each.containerId, shownState(each), each.heldMessages, each.label])
  if (differ(statesOf(before), statesOf(after))) stale.push('numbers', 'number', 'qr', 'queue')
  if (before.unread !== after.unread || differ(before.positions, after.positions))
    stale.push('chats', 'thread', 'deliveries', 'phone')
  if (differ(before.deliveries, after.deliveries)) stale.push('deliveries')
  return [...new Set(stale)]
}
