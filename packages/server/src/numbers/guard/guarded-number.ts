import type { NumberGuard } from '@msgctl/contract'
import type { Db } from '#platform/db/db.ts'
import type { Services } from '#services.ts'
import { type GuardedNumber, usedSince } from './guard.ts'
import { dayMs, daysLinked, hourMs, limitsFor } from './guard-rules.ts'
import { countHeld, findGuards, type GuardRow } from './guard-store.ts'
import { toOverrides } from './limits-store.ts'

type GuardSettings = Services['config']['guard']

/** Returns whether the guard rules hold for a number; `guarded` is what its lane says. */
export function isGuarded({ mode }: GuardSettings, guarded: boolean | null): boolean {
  switch (mode) {
    case 'off':
      return false
    case 'on':
      return guarded !== false
    case 'auto':
      return guarded === true
  }
}

/** Returns what the rules need to know of a number. */
export function toNumber(row: GuardRow): GuardedNumber {
  const { networkQuota, networkResetsAt } = row
  return {
    linkedAt: row.linkedAt,
    overrides: toOverrides(row),
    blockedUntil: row.blockedUntil,
    network:
      networkQuota === null || networkResetsAt === null
        ? null
        : { left: networkQuota - networkUsed(row), resetsAt: networkResetsAt },
    campaignsStopped: row.stoppedAt !== null,
    usage: row.usage,
  }
}

function networkUsed({ networkUsed: reported, begunSince }: GuardRow): number {
  return (reported ?? 0) + begunSince
}

/** Returns the limits of a number as GET /session/status shows them; null while the rules do not hold for it. */
export async function guardView(
  db: Db,
  { rules, mode }: GuardSettings,
  { organizationId, id }: { readonly organizationId: string; readonly id: string },
  now: Date,
): Promise<NumberGuard | null> {
  if (mode === 'off') return null
  const [row] = await findGuards(db, [id])
  if (!row || !isGuarded({ rules, mode }, row.guarded)) return null
  const number = toNumber(row)
  const days = daysLinked(row.linkedAt, now)
  const limits = limitsFor(rules, days, number.overrides)
  const held = await countHeld(db, organizationId, id)
  const used = (kind: 'messages' | 'conversations', windowMs: number) => usedSince(row.usage, kind, now, windowMs)
  return {
    version: rules.version,
    daysLinked: days,
    newConversations: { used: used('conversations', dayMs), allowed: limits.conversations },
    lastHour: { used: used('messages', hourMs), allowed: limits.perHour },
    lastDay: { used: used('messages', dayMs), allowed: limits.perDay },
    blockedUntil: row.blockedUntil && row.blockedUntil > now ? row.blockedUntil.toISOString() : null,
    networkQuota:
      row.networkReportedAt === null
        ? null
        : {
            used: networkUsed(row),
            quota: row.networkQuota,
            resetsAt: row.networkResetsAt?.toISOString() ?? null,
          },
    campaignsStopped: row.stoppedAt !== null,
    held: held.reduce((sum, { count }) => sum + count, 0),
  }
}
