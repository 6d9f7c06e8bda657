import type { GatewayEvent } from '@msgctl/network/gateway'
import { writeBlock } from '#numbers/records/store.ts'
import { transaction } from '#platform/db/db.ts'
import type { Services } from '#services.ts'
import { judgeAgain, writeNetworkQuota } from './limits-store.ts'
import { findHeldReplies, releaseHeld, type Writer } from './reply-store.ts'

/** Lets held messages to people who have just written leave now: they are replies, which no limit holds. */
export async function releaseReplies({ db }: Pick<Services, 'db'>, writers: readonly Writer[]): Promise<void> {
  const held = writers.length > 0 ? await findHeldReplies(db, writers) : []
  if (held.length > 0) await transaction(db, (trx) => releaseHeld(trx, held))
}

type ReportedLimits = Extract<GatewayEvent, { kind: 'account.limits' }>

/** Stores what the network allows an account. What waits is judged again, because it may leave earlier or later now. */
export async function applyLimits(
  { db }: Pick<Services, 'db'>,
  { organizationId, containerId, limits: { newChats, blockedUntil }, at }: ReportedLimits,
): Promise<void> {
  const number = { organizationId, containerId }
  await transaction(db, async (trx) => {
    if (newChats) await writeNetworkQuota(trx, number, newChats, at)
    await writeBlock(trx, number, blockedUntil)
    await judgeAgain(trx, number)
  })
}
