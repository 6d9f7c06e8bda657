import type { Contract, GuardRule, MessageStatus, MessageType, Output } from '@msgctl/contract'

/** The number of messages of one type in each status. */
export type TypeCounts = { readonly type: MessageType } & { readonly [S in MessageStatus]: number }

/** The number of messages accepted in the last day and the last seven. */
export interface RecentCounts {
  readonly last24h: number
  readonly last7d: number
}

type Stats = Omit<Output<Contract['messages']['stats']>, 'success'>

const reachedNetwork = ['sent', 'delivered', 'read'] as const satisfies MessageStatus[]
const everyStatus = ['queued', 'sending', ...reachedNetwork, 'failed'] as const satisfies MessageStatus[]

/** Returns how many messages have the type and the status; null stands for any. */
export function countMatching(
  counts: readonly TypeCounts[],
  filter: { readonly type: MessageType | null; readonly status: MessageStatus | null },
): number {
  const statuses = filter.status === null ? everyStatus : [filter.status]
  return counts
    .filter(({ type }) => filter.type === null || type === filter.type)
    .reduce((sum, row) => sum + statuses.reduce((ofType, status) => ofType + row[status], 0), 0)
}

/**
 * Returns the record of GET /stats (specification, "Counts"). `sent` counts all that reached the network, and
 * `delivered` read ones too.
 */
export function toStats(
  counts: readonly TypeCounts[],
  recent: RecentCounts,
  held: readonly { readonly rule: GuardRule; readonly count: number }[],
): Stats {
  const ofType = (type: MessageType) => countMatching(counts, { type, status: null })
  const standing = (...statuses: readonly MessageStatus[]) =>
    statuses.reduce((sum, status) => sum + countMatching(counts, { type: null, status }), 0)
  return {
    totalMessages: countMatching(counts, { type: null, status: null }),
    sent: standing(...reachedNetwork),
    delivered: standing('delivered', 'read'),
    failed: standing('failed'),
    alerts: ofType('alert'),
    bulk: ofType('bulk'),
    otp: ofType('otp'),
    ...recent,
    held: {
      total: held.reduce((sum, { count }) => sum + count, 0),
      rules: Object.fromEntries(held.map(({ rule, count }) => [rule, count])),
    },
  }
}
