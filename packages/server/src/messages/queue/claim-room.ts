import { type CampaignGates, campaignRoom, type Pace, roomInLane, turnOfOrganization } from './pace.ts'
import type { DueLane } from './queue-store.ts'

/** Messages that one claim takes at most, high ones apart: a longer transaction would keep its lanes from those who enqueue. */
const messagesPerClaim = 2000
/** High messages that one claim takes of a lane at most. */
export const highPerLane = 50
/**
 * Messages of one number that a process holds at most when it takes high ones, which no pace holds back: a number that is
 * slow to take them must not use up what the process can hold.
 */
const heldPerLane = 100
/** The gate of campaigns that never sent. */
const openForLong = new Date(0)

/** Where the campaigns of organizations stand; of those without waiting campaign messages nothing is known. */
export type OrganizationGates = ReadonlyMap<string, Date>

/** The gates that the next campaign message of a lane passes. */
export function campaignGates(lane: DueLane, gates: OrganizationGates): CampaignGates {
  return { lane: lane.nextCampaignSendAt, organization: gates.get(lane.organizationId) ?? openForLong }
}

/** How many messages a claim may take from a lane: high ones, other texts, and those of campaigns. */
interface LaneRoom {
  readonly containerId: string
  readonly highRoom: number
  readonly room: number
  readonly campaignRoom: number
}

/**
 * Shares what a process can still hold between the lanes of its claim, in their order. `held` says how many messages of a
 * number it holds already.
 */
export function shareRoom(
  pace: Pace,
  now: Date,
  lanes: readonly DueLane[],
  gates: OrganizationGates,
  { capacity, held }: { readonly capacity: number; held(containerId: string): number },
): LaneRoom[] {
  let left = Math.min(capacity, messagesPerClaim)
  const turns = new Map(gates)
  return lanes.map((lane, n) => {
    // The first lanes must not take what the last ones were locked for; what one leaves is the others'.
    let share = Math.ceil(left / (lanes.length - n))
    const take = (wanted: number) => {
      const room = Math.min(share, wanted)
      share -= room
      left -= room
      return room
    }
    const takeForCampaigns = () => {
      const passing = campaignGates(lane, turns)
      const room = take(campaignRoom(pace, now, passing))
      // The next lane stands behind this turn: all that one claim takes must leave long before its lease ends.
      if (room > 0) turns.set(lane.organizationId, turnOfOrganization(pace, now, passing))
      return room
    }
    return {
      containerId: lane.containerId,
      highRoom: Math.max(0, Math.min(highPerLane, heldPerLane - held(lane.containerId))),
      room: take(roomInLane(pace, now, lane.nextSendAt)),
      campaignRoom: lane.hasCampaign ? takeForCampaigns() : 0,
    }
  })
}
