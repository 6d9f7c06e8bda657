import { type CampaignPacing, campaignLimit, laneLimit, organizationSlot, type Pace } from './pace.ts'
import type { DueLane } from './queue-store.ts'

/** Messages that one claim takes at most, high ones apart: a longer transaction would keep its lanes from those who enqueue. */
const messagesPerClaim = 2000
/** High messages that one claim takes of a lane at most. */
export const highPerLane = 50
/**
 * Messages of one number that a process holds at most when it takes high ones, which no pace holds back: a number that is
 * slow to take them must not use up what the process can hold.
 */
const maxHeldPerLane = 100
/** The gate of campaigns that never sent. */
const neverSent = new Date(0)

/** Where the campaigns of organizations stand; of those without waiting campaign messages nothing is known. */
export type OrganizationPacing = ReadonlyMap<string, Date>

/** The gates that the next campaign message of a lane passes. */
export function campaignPacing(lane: DueLane, gates: OrganizationPacing): CampaignPacing {
  return { lane: lane.nextCampaignSendAt, organization: gates.get(lane.organizationId) ?? neverSent }
}

/** How many messages a claim may take from a lane: high ones, other texts, and those of campaigns. */
interface LaneLimit {
  readonly containerId: string
  readonly highLimit: number
  readonly limit: number
  readonly campaignLimit: number
}

/**
 * Shares what a process can still hold between the lanes of its claim, in their order. `held` says how many messages of a
 * number it holds already.
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
    // The first lanes must not take what the last ones were locked for; what one leaves is the others'.
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
      // The next lane stands behind this turn: all that one claim takes must leave long before its lease ends.
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
