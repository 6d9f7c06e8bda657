import type { WASocket } from 'baileys'
import type { AccountLimits } from '../engine.ts'
import { withFailures } from './queries.ts'

type Lock = Awaited<ReturnType<WASocket['fetchAccountReachoutTimelock']>>
type Cap = Awaited<ReturnType<WASocket['fetchNewChatMessageCap']>>

/** How long a lock lasts whose end the network does not name. The limits are queried again after that time. */
const unnamedMs = 3_600_000

/** Follows what the network allows an account: in notices, which `onLimits` gets, and by queries. */
export function watchLimits(socket: WASocket, onLimits: (limits: AccountLimits) => void, nowMs: () => number) {
  let limits: AccountLimits = { newChats: null, blockedUntil: null }
  let isQuerying = false

  function change(part: Partial<AccountLimits>): void {
    limits = { ...limits, ...part }
    // The library repeats the result of a query as a notice.
    if (!isQuerying) onLimits(limits)
  }
  socket.ev.on('connection.update', ({ reachoutTimeLock }) => {
    if (reachoutTimeLock) change({ blockedUntil: blockOf(reachoutTimeLock, nowMs()) })
  })
  socket.ev.on('message-capping.update', (cap) => change({ newChats: newChatsOf(cap) }))

  async function query(): Promise<AccountLimits> {
    isQuerying = true
    try {
      const lock = await withFailures(socket.fetchAccountReachoutTimelock())
      const cap = await withFailures(socket.fetchNewChatMessageCap())
      limits = { newChats: newChatsOf(cap), blockedUntil: blockOf(lock, nowMs()) }
      return limits
    } finally {
      isQuerying = false
    }
  }

  return {
    /** Queries the limits. */
    query,
    /** Queries the limits; undefined when the query fails, or nothing comes within `timeoutMs`. */
    find(timeoutMs: number): Promise<AccountLimits | undefined> {
      const timeout = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), timeoutMs).unref())
      return Promise.race([query().catch(() => undefined), timeout])
    },
  }
}

/** Returns until when an account begins no conversations; null when it may. */
export function blockOf({ isActive, timeEnforcementEnds }: Lock, nowMs: number): Date | null {
  return isActive ? (timeEnforcementEnds ?? new Date(nowMs + unnamedMs)) : null
}

/** Returns the new conversations of the present window; null when the network does not count them. */
export function newChatsOf(cap: Cap): AccountLimits['newChats'] {
  const { used_quota: used, total_quota: quota, cycle_end_timestamp: end } = cap
  if (used === undefined && quota === undefined) return null
  const endMs = Number(end) * 1000
  return {
    used: used ?? 0,
    // Accounts without a quota have -1.
    quota: quota === undefined || quota < 0 ? null : quota,
    resetsAt: Number.isFinite(endMs) && endMs > 0 ? new Date(endMs) : null,
  }
}
