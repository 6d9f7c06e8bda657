import type { QueueWait } from '@msgctl/contract'
import { type CampaignPacing, type Pace, plan, planCampaign } from '#sending/messages/queue/pace.ts'
import type { WaitingLane, WaitingMessage } from './store.ts'

/** When a message will leave, and what it waits for until then. */
export interface Forecast {
  /** Null while that is not known. */
  readonly leavesAt: Date | null
  readonly estimated: boolean
  readonly waitsFor: QueueWait | null
}

/** Between the two campaign messages of a number lies a random time: the middle of it. */
const random = 0.5

/**
 * Returns when each message leaves, by the functions that the dispatcher plans with. The gates of campaigns are shared
 * by the numbers of the organization: the number whose gate opens first sends first.
 */
export function forecast(
  pace: Pace,
  now: Date,
  lanes: readonly WaitingLane[],
  messages: readonly WaitingMessage[],
): Map<string, Forecast> {
  const found = new Map<string, Forecast>()
  const queues = lanes.map((lane) => ({
    lane,
    own: messages.filter(({ containerId }) => containerId === lane.containerId),
    standstill: standstillOf(lane),
  }))
  const campaigns: CampaignQueue[] = []
  for (const { lane, own, standstill } of queues) {
    for (const message of own) {
      if (message.status === 'sending') continue
      if (standstill !== null) found.set(message.id, standing(standstill))
      else if (!isDue(message, now)) found.set(message.id, later(message))
    }
    setClaimed(pace, now, lane, own, found)
    const ready = own.filter(({ id }) => !found.has(id))
    setTexts(pace, now, lane, ready, found)
    const waiting = ready.filter(({ campaignId }) => campaignId !== null)
    if (waiting.length > 0) campaigns.push({ gate: lane.nextCampaignSendAt, waiting })
  }
  const organization = lanes[0]?.organizationNextSendAt ?? now
  setCampaigns(pace, now, organization, campaigns, found)
  for (const { lane, own } of queues) setRestricted(now, lane, own, found)
  return found
}

function standstillOf({ isHeld, status }: WaitingLane): 'release' | 'number' | null {
  if (status !== 'WORKING') return 'number'
  return isHeld ? 'release' : null
}

function standing(waitsFor: 'release' | 'number'): Forecast {
  return { leavesAt: null, estimated: false, waitsFor }
}

function isDue({ dueAt }: WaitingMessage, now: Date): boolean {
  return dueAt !== null && dueAt <= now
}

/** A message that is not due leaves then at the earliest: others may be queued before it until then. */
function later({ dueAt }: WaitingMessage): Forecast {
  return { leavesAt: dueAt, estimated: true, waitsFor: 'time' }
}

function paced(leavesAt: Date, now: Date, estimated: boolean): Forecast {
  return { leavesAt, estimated, waitsFor: leavesAt > now ? 'pace' : null }
}

/** A refused message is due this much after the stored end of the restriction at most. */
const slackMs = 1000

/** Messages that would leave while the network limits the account leave after that. High ones that are due try it. */
function setRestricted(
  now: Date,
  { restrictedUntil: until }: WaitingLane,
  own: readonly WaitingMessage[],
  found: Map<string, Forecast>,
): void {
  if (until === null || until <= now) return
  for (const { id, status, dueAt } of own) {
    const planned = found.get(id)
    if (status === 'sending' || dueAt === null || dueAt.getTime() > until.getTime() + slackMs) continue
    if (planned?.leavesAt && planned.leavesAt > now) {
      const leavesAt = planned.leavesAt > until ? planned.leavesAt : until
      found.set(id, { leavesAt, estimated: true, waitsFor: 'restricted' })
    }
  }
}

/** Claimed texts leave at the distances of the pace, and the gate follows the last of them. */
function setClaimed(
  pace: Pace,
  now: Date,
  lane: WaitingLane,
  own: readonly WaitingMessage[],
  found: Map<string, Forecast>,
): void {
  const claimed = own.filter(({ status }) => status === 'sending')
  const spaced = claimed.filter(({ priority, campaignId }) => priority !== 'high' && campaignId === null)
  for (const message of claimed) {
    const place = spaced.indexOf(message)
    const planned = place < 0 ? 0 : lane.nextSendAt.getTime() - (spaced.length - place) * pace.spacingMs
    found.set(message.id, paced(new Date(Math.max(now.getTime(), planned)), now, place < 0))
  }
}

function setTexts(
  pace: Pace,
  now: Date,
  { nextSendAt }: WaitingLane,
  ready: readonly WaitingMessage[],
  found: Map<string, Forecast>,
): void {
  const texts = ready.filter(({ campaignId }) => campaignId === null)
  for (const { id, sendAt } of plan(pace, now, nextSendAt, texts).planned) found.set(id, paced(sendAt, now, false))
}

interface CampaignQueue {
  gate: Date
  readonly waiting: WaitingMessage[]
}

function setCampaigns(
  pace: Pace,
  now: Date,
  organization: Date,
  queues: readonly CampaignQueue[],
  found: Map<string, Forecast>,
): void {
  let gates: CampaignPacing = { lane: now, organization }
  for (;;) {
    const open = queues.filter(({ waiting }) => waiting.length > 0)
    const queue = open.sort((a, b) => a.gate.getTime() - b.gate.getTime())[0]
    const message = queue?.waiting.shift()
    if (!queue || !message) return
    const planned = planCampaign(pace, now, { ...gates, lane: queue.gate }, { length: message.length, random })
    gates = planned.gates
    queue.gate = planned.gates.lane
    found.set(message.id, paced(planned.sendAt, now, true))
  }
}
