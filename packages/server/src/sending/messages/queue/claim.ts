import { randomUUID } from 'node:crypto'
import { crashPoint } from '#platform/crash-points.ts'
import { transaction } from '#platform/db/db.ts'
import { type InWork, noSuspects } from '#platform/set-aside/suspicion.ts'
import type { Services } from '#services.ts'
import type { ClaimedSend } from './attempt-send.ts'
import { type GuardServices, guardClaim } from './guard-claim.ts'
import {
  type CampaignPacing,
  campaignLimit,
  laneLimit,
  organizationSlot,
  type Pace,
  plan,
  planCampaign,
} from './pace.ts'
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
 * many messages of a number this process holds already, and `inWork` what it holds of those that were lost with a
 * process.
 */
export async function claim(
  services: Pick<Services, 'db' | 'clock'> & GuardServices,
  pace: Pace,
  capacity: number,
  countHeld: (containerId: string) => number = () => 0,
  inWork: InWork = noSuspects,
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
    const claimed = await claimMessages(trx, limits, { token, leaseMs, inWork })
    const messages = await guardClaim(trx, services, now, lanes, claimed)
    const planned = planLanes(pace, now, lanes, gates, messages)
    await moveCampaignGates(trx, planned.gates)
    const saturated = limits.filter(({ highLimit }) => highLimit < highPerLane).map(({ containerId }) => containerId)
    await closeClaim(trx, planned.lanes, { horizonMs: pace.horizonMs, saturated, saturatedMs })
    if (messages.length > 0) crashPoint('claim.before-commit')
    const leaseUntil = new Date(now.getTime() + leaseMs)
    // Added to the rows themselves: two thousand copies of twenty fields cost more than all their plans.
    return messages.map((message) => Object.assign(message, planned.times(message.id), { token, leaseUntil }))
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

/**
 * The messages of one claim at most, high ones apart. A longer transaction would lock its lanes for callers who
 * enqueue.
 */
const messagesPerClaim = 2000
/** The high messages of one lane in one claim at most. */
const highPerLane = 50
/**
 * The messages of one number that a process holds at most when it claims high ones, which have no pace. A slow number
 * must not use up the capacity of the process.
 */
const maxHeldPerLane = 100
/** The gate of campaigns that never sent. */
const neverSent = new Date(0)

/** The gates of the campaigns by organization, for those with campaign messages that are due. */
type OrganizationPacing = ReadonlyMap<string, Date>

/** Returns the gates that the next campaign message of a lane passes. */
function campaignPacing(lane: DueLane, gates: OrganizationPacing): CampaignPacing {
  return { lane: lane.nextCampaignSendAt, organization: gates.get(lane.organizationId) ?? neverSent }
}

/** The messages that a claim may take from a lane: high ones, other texts, and those of campaigns. */
interface LaneLimit {
  readonly containerId: string
  readonly highLimit: number
  readonly limit: number
  readonly campaignLimit: number
}

/**
 * Divides the remaining capacity of a process between the lanes of its claim, in their order. `countHeld` returns how
 * many messages of a number it holds already.
 */
function shareCapacity(
  pace: Pace,
  now: Date,
  lanes: readonly DueLane[],
  gates: OrganizationPacing,
  { capacity, countHeld }: { readonly capacity: number; countHeld(containerId: string): number },
): LaneLimit[] {
  let left = Math.min(capacity, messagesPerClaim)
  const pacing = new Map(gates)
  return lanes.map((lane, n) => {
    // The first lanes must not use up the capacity; what one lane leaves is for the others.
    let share = Math.ceil(left / (lanes.length - n))
    const take = (requested: number) => {
      const limit = Math.min(share, requested)
      share -= limit
      left -= limit
      return limit
    }
    const takeForCampaigns = () => {
      const passing = campaignPacing(lane, pacing)
      const limit = take(campaignLimit(pace, now, passing))
      // The next lane comes after this slot: all messages of a claim must leave long before its lease ends.
      if (limit > 0) pacing.set(lane.organizationId, organizationSlot(pace, now, passing))
      return limit
    }
    return {
      containerId: lane.containerId,
      highLimit: Math.max(0, Math.min(highPerLane, maxHeldPerLane - countHeld(lane.containerId))),
      limit: take(laneLimit(pace, now, lane.nextSendAt)),
      campaignLimit: lane.hasCampaign ? takeForCampaigns() : 0,
    }
  })
}
