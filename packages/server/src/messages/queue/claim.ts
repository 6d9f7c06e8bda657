import { randomUUID } from 'node:crypto'
import { crashPoint } from '../../crash-points.ts'
import { transaction } from '../../db/db.ts'
import type { Services } from '../../services.ts'
import type { ClaimedSend } from './attempt-send.ts'
import { campaignPacing, highPerLane, type OrganizationPacing, shareCapacity } from './claim-limit.ts'
import { type GuardServices, guardClaim } from './guard-claim.ts'
import { type Pace, plan, planCampaign } from './pace.ts'
import {
  type ClaimedMessage,
  claimMessages,
  closeClaim,
  type DueLane,
  lockCampaignGates,
  lockDueLanes,
  moveCampaignGates,
} from './queue-store.ts'

/** How long a lease lasts: longer than the horizon and the longest send together. */
export const leaseMs = 60_000

const lanesPerClaim = 200
/** When a lane is polled again whose high messages exceeded the capacity. */
const saturatedMs = 250

/**
 * Claims and plans the messages that due lanes may send within the horizon, `capacity` at most. `countHeld` returns how
 * many messages of a number this process holds already.
 */
export async function claim(
  services: Pick<Services, 'db' | 'clock'> & GuardServices,
  pace: Pace,
  capacity: number,
  countHeld: (containerId: string) => number = () => 0,
): Promise<ClaimedSend[]> {
  if (capacity <= 0) return []
  const token = randomUUID()
  return transaction(services.db, async (trx) => {
    // High messages are claimed without regard to the capacity, so it also bounds the number of lanes.
    const due = await lockDueLanes(trx, Math.max(1, Math.min(lanesPerClaim, Math.floor(capacity / highPerLane))))
    if (due.length === 0) return []
    // The numbers of an organization share its slots: the one whose last campaign message is oldest comes first.
    const lanes = due.sort((a, b) => a.nextCampaignSendAt.getTime() - b.nextCampaignSendAt.getTime())
    const campaignLanes = lanes.filter(({ hasCampaign }) => hasCampaign)
    const gates = await lockCampaignGates(
      trx,
      campaignLanes.map(({ organizationId }) => organizationId),
    )
    const now = services.clock.now()
    const limits = shareCapacity(pace, now, lanes, gates, { capacity, countHeld })
    const claimed = await claimMessages(trx, limits, { token, leaseMs })
    const messages = await guardClaim(trx, services, now, lanes, claimed)
    const planned = planLanes(pace, now, lanes, gates, messages)
    await moveCampaignGates(trx, planned.gates)
    const saturated = limits.filter(({ highLimit }) => highLimit < highPerLane).map(({ containerId }) => containerId)
    await closeClaim(trx, planned.lanes, { horizonMs: pace.horizonMs, saturated, saturatedMs })
    if (messages.length > 0) crashPoint('claim.before-commit')
    const leaseUntil = new Date(now.getTime() + leaseMs)
    return messages.map((message) => ({ ...message, ...planned.times(message.id), token, leaseUntil }))
  })
}

function planLanes(
  pace: Pace,
  now: Date,
  lanes: readonly DueLane[],
  before: OrganizationPacing,
  messages: readonly ClaimedMessage[],
) {
  const byLane = new Map<string, ClaimedMessage[]>(lanes.map((lane) => [lane.containerId, []]))
  for (const message of messages) byLane.get(message.containerId)?.push(message)
  const times = new Map<string, { typingAt: Date | null; sendAt: Date }>()
  const gates = new Map(before)
  const texts = lanes.map((lane) => {
    const items = byLane.get(lane.containerId) ?? []
    const { planned, nextSendAt } = plan(
      pace,
      now,
      lane.nextSendAt,
      items
        .filter((item) => item.campaignId === null)
        .map((item) => ({ id: item.id, priority: item.priority, length: item.content.length })),
    )
    for (const { id, typingAt, sendAt } of planned) times.set(id, { typingAt, sendAt })
    let { nextCampaignSendAt } = lane
    for (const item of items.filter(({ campaignId }) => campaignId !== null)) {
      const passing = { ...campaignPacing(lane, gates), lane: nextCampaignSendAt }
      const { gates: after, ...at } = planCampaign(pace, now, passing, {
        length: item.content.length,
        random: Math.random(),
      })
      times.set(item.id, at)
      nextCampaignSendAt = after.lane
      gates.set(lane.organizationId, after.organization)
    }
    return { lane, nextSendAt, nextCampaignSendAt }
  })
  return {
    gates,
    lanes: texts.map(({ lane, ...at }) => ({
      containerId: lane.containerId,
      ...at,
      organizationNextSendAt: campaignPacing(lane, gates).organization,
    })),
    times: (id: string) => times.get(id) ?? { typingAt: null, sendAt: now },
  }
}
