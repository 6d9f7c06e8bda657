import type { NetworkReport } from '@msgctl/network/events'
import type { GatewaySession } from '@msgctl/network/session'
import type { Inbox } from '#networks/gateway/inbox/inbox.ts'
import type { WahaContext } from '#networks/gateway/waha/context.ts'
import type { Account, MessageCapping, ReachoutTimelock } from '#networks/gateway/waha/envelope.ts'
import { writeLimits } from './watch-store.ts'

type AccountLimits = Extract<NetworkReport, { kind: 'account.limits' }>['limits']

/** The event of our own that carries the limits of an account through the inbox; WAHA has none. */
export const limitsEvent = 'account.limits'

const hourMs = 3_600_000
const nothing: AccountLimits = { newChats: null, blockedUntil: null }

/**
 * Returns what the network allows an account, by the clock of the server, whose time is `nowMs`; null when WAHA does
 * not say. A lock without an end is taken to end with the next full hour or the one after, and named again then.
 */
export function toLimits(account: Account | null, nowMs: number): AccountLimits | null {
  const { reachoutTimelock, messageCapping } = account ?? {}
  if (reachoutTimelock === undefined && messageCapping === undefined) return null
  return { newChats: newChatsOf(messageCapping ?? null), blockedUntil: blockOf(reachoutTimelock ?? null, nowMs) }
}

/** Returns until when an account begins no conversations; null when it may. */
export function blockOf(lock: ReachoutTimelock | null, nowMs: number): Date | null {
  if (!lock?.isActive) return null
  const { timeEnforcementEnds } = lock
  return new Date(timeEnforcementEnds ? timeEnforcementEnds * 1000 : (Math.floor(nowMs / hourMs) + 2) * hourMs)
}

/** Returns the new conversations of the present cycle; null when WAHA has not counted them. */
export function newChatsOf(capping: MessageCapping | null): AccountLimits['newChats'] {
  if (capping === null) return null
  const { cappingStatus, totalQuota, usedQuota, cycleEnd } = capping
  // Accounts without a quota have -1.
  const quota = totalQuota < 0 ? null : totalQuota
  const used = cappingStatus === 'CAPPED' ? Math.max(usedQuota, quota ?? 0) : usedQuota
  return { used, quota, resetsAt: cycleEnd ? new Date(cycleEnd * 1000) : null }
}

/** What a server said about the account of a number, and when, by its own clock. */
interface Heard {
  readonly hostId: string
  readonly session: GatewaySession
  readonly account: Account | null
  readonly atMs: number
  /** The limits that were reported last, as JSON. */
  readonly reported: string | null
}

/** Reports what the network allows an account, unless it was reported before. A crash makes it be reported again. */
export async function noteLimits(
  { db }: Pick<WahaContext, 'db'>,
  inbox: Pick<Inbox, 'store'>,
  { hostId, session, account, atMs, reported }: Heard,
): Promise<void> {
  const limits = toLimits(account, atMs)
  if (limits === null) return
  const text = JSON.stringify(limits)
  if (text === (reported ?? JSON.stringify(nothing))) return
  const { containerId, organizationId } = session
  const metadata = { containerId, organizationId }
  // The same limits again, while the first report waits, are dropped by their id.
  const id = `limits:${containerId}:${text}`
  const body = { id, timestamp: atMs, event: limitsEvent, session: containerId, metadata, me: account, payload: null }
  await inbox.store({ host: hostId, eventId: id, ...metadata, body: Buffer.from(JSON.stringify(body)) })
  await writeLimits(db, session, text)
}
