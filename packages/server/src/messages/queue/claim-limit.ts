import { type CampaignPacing, campaignLimit, laneLimit, organizationSlot, type Pace } from './pace.ts'
import type { DueLane } from './queue-store.ts'

/**
 * The messages of one claim at most, high ones apart. A longer transaction would lock its lanes for callers who
 * enqueue.
 */
const messagesPerClaim = 2000
/** The high messages of one lane in one claim at most. */
export const highPerLane = 50
/**
 * The messages of one number that a process holds at most when it claims high ones, which have no pace. A slow number
 * must not use up the capacity of the process.
 */
const maxHeldPerLane = 100
/** The gate of campaigns that never sent. */
const neverSent = new Date(0)

/** The gates of the campaigns by organization, for those with campaign messages that are due. */
export type OrganizationPacing = ReadonlyMap<string, Date>

/** Returns the gates that the next campaign message of a lane passes. */
export function campaignPacing(lane: DueLane, gates: OrganizationPacing): CampaignPacing {
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
export function shareCapacity(
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
