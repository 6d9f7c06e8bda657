import { limits } from '@msgctl/contract'

/** A queued text that may leave now, as far as its lane knows. */
export interface PaceItem {
  readonly id: string
  readonly priority: 'high' | 'normal' | 'low'
  /** Characters of the text; the typing simulation is as long as a person would take. */
  readonly length: number
}

/** When one message is to be typed and when it is to leave; `typingAt` is null when nothing is typed. */
export interface Planned {
  readonly id: string
  readonly typingAt: Date | null
  readonly sendAt: Date
}

/** The rules of campaign messages. */
interface CampaignPace {
  /** The shortest and the longest time between two campaign messages of one number. */
  readonly minSpacingMs: number
  readonly maxSpacingMs: number
  /** The time between two campaign messages of one organization, over all its numbers. */
  readonly organizationSpacingMs: number
}

/** The rules of one lane. */
export interface Pace {
  /** The time between two texts of one number. */
  readonly spacingMs: number
  /** How far ahead messages are claimed, so that typing in different chats overlaps. */
  readonly horizonMs: number
  /** The messages of one lane in one claim at most. */
  readonly maxPerClaim: number
  /** The rules of campaign messages, which wait behind gates of their own; null for none. */
  readonly campaign: CampaignPace | null
  readonly typing: { readonly perCharacterMs: number; readonly minMs: number; readonly maxMs: number } | null
}

/** 60 texts a minute per number (specification, "Limits"), spaced and not in bursts. */
export const standardPace: Pace = {
  spacingMs: 1000,
  horizonMs: 8000,
  maxPerClaim: 50,
  campaign: {
    minSpacingMs: limits.campaign.minSpacingSeconds * 1000,
    maxSpacingMs: limits.campaign.maxSpacingSeconds * 1000,
    organizationSpacingMs: 60_000 / limits.campaign.perOrganizationPerMinute,
  },
  typing: { perCharacterMs: 40, minMs: 1000, maxMs: 6000 },
}

/** No pace: for benchmarks and tests only. */
export const noPace: Pace = { spacingMs: 0, horizonMs: 0, maxPerClaim: 500, campaign: null, typing: null }

/**
 * Returns how many paced messages a claim at `now` may take from a lane whose gate is at `nextSendAt`: those with a
 * slot within the horizon. A gate that a pause of the number has closed holds them without pace, too.
 */
export function laneLimit(pace: Pace, now: Date, nextSendAt: Date): number {
  const untilMs = now.getTime() + pace.horizonMs - Math.max(now.getTime(), nextSendAt.getTime())
  if (untilMs < 0) return 0
  return pace.spacingMs === 0 ? pace.maxPerClaim : Math.min(pace.maxPerClaim, Math.floor(untilMs / pace.spacingMs) + 1)
}

/** Returns how long the typing indicator shows before a text of `length` characters. */
export function typingMs(pace: Pace, length: number): number {
  if (!pace.typing) return 0
  const { perCharacterMs, minMs, maxMs } = pace.typing
  return Math.min(maxMs, Math.max(minMs, length * perCharacterMs))
}

/**
 * Plans the times of claimed messages, in the given order. High ones leave at once, are not typed and do not move the
 * gate (specification, "Sending messages"). The others keep the spacing and wait for their typing.
 */
export function plan(
  pace: Pace,
  now: Date,
  nextSendAt: Date,
  items: readonly PaceItem[],
): { planned: Planned[]; nextSendAt: Date } {
  let gate = nextSendAt.getTime()
  const planned = items.map((item): Planned => {
    if (item.priority === 'high') return { id: item.id, typingAt: null, sendAt: now }
    const typing = typingMs(pace, item.length)
    const send = Math.max(now.getTime() + typing, gate)
    gate = send + pace.spacingMs
    return { id: item.id, typingAt: typing > 0 ? new Date(send - typing) : null, sendAt: new Date(send) }
  })
  return { planned, nextSendAt: new Date(gate) }
}

/** The gates that a campaign message passes: that of its number and that of its organization. */
export interface CampaignPacing {
  readonly lane: Date
  readonly organization: Date
}

/**
 * Returns how many campaign messages a claim at `now` may take from one lane: one, when both gates open within the
 * horizon. The time of the next depends on this one. Without pace a whole claim, unless the number pauses.
 */
export function campaignLimit(pace: Pace, now: Date, gates: CampaignPacing): number {
  const opensAt = pace.campaign ? Math.max(gates.lane.getTime(), gates.organization.getTime()) : gates.lane.getTime()
  if (opensAt > now.getTime() + pace.horizonMs) return 0
  return pace.campaign ? 1 : pace.maxPerClaim
}

/**
 * Returns the earliest gate of an organization after a campaign message that a claim takes at `now` has passed these
 * gates. Typing may move it some seconds further; that is known with the message.
 */
export function organizationSlot(pace: Pace, now: Date, { lane, organization }: CampaignPacing): Date {
  if (!pace.campaign) return organization
  const slotMs = Math.max(now.getTime(), lane.getTime(), organization.getTime())
  return new Date(slotMs + pace.campaign.organizationSpacingMs)
}

/**
 * Plans one campaign message of `length` characters, and returns its times and the gates after it. The gate of the
 * number moves by 3 to 7 seconds, so at most 20 a minute; that of the organization by a second, so at most 60
 * (specification, "Limits"). `random` is in [0, 1).
 */
export function planCampaign(
  pace: Pace,
  now: Date,
  gates: CampaignPacing,
  { length, random }: { length: number; random: number },
): { typingAt: Date | null; sendAt: Date; gates: CampaignPacing } {
  if (!pace.campaign) return { typingAt: null, sendAt: now, gates }
  const { minSpacingMs, maxSpacingMs, organizationSpacingMs } = pace.campaign
  const typing = typingMs(pace, length)
  const send = Math.max(now.getTime() + typing, gates.lane.getTime(), gates.organization.getTime())
  const spacingMs = minSpacingMs + random * (maxSpacingMs - minSpacingMs)
  return {
    typingAt: typing > 0 ? new Date(send - typing) : null,
    sendAt: new Date(send),
    gates: { lane: new Date(Math.ceil(send + spacingMs)), organization: new Date(send + organizationSpacingMs) },
  }
}

/** Keeps the interval between the texts of one number at the moment they leave this process. */
export interface MinInterval {
  /** Reserves a slot for a text that could leave at `now`, and returns its time. */
  reserve(containerId: string, now: Date): Date
}

const maxRemembered = 10_000

/**
 * Plans space texts by their times. A process that stood still for a moment, or a late timer, would still send several
 * at once. `spacingMs` is the time between two texts of a number, 0 for none.
 */
export function minInterval(spacingMs: number): MinInterval {
  const freeAt = new Map<string, number>()

  function evictPast(nowMs: number): void {
    for (const [containerId, atMs] of freeAt) if (atMs <= nowMs) freeAt.delete(containerId)
  }
  return {
    reserve(containerId, now) {
      if (spacingMs === 0) return now
      if (freeAt.size > maxRemembered) evictPast(now.getTime())
      const atMs = Math.max(now.getTime(), freeAt.get(containerId) ?? 0)
      freeAt.set(containerId, atMs + spacingMs)
      return new Date(atMs)
    },
  }
}
