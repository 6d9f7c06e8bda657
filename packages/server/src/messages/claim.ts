import { randomUUID } from 'node:crypto'
import { transaction } from '../db/db.ts'
import type { Services } from '../services.ts'
import { type Pace, plan, roomInLane } from './pace.ts'
import { type ClaimedMessage, claimMessages, closeClaim, type DueLane, lockDueLanes } from './queue-store.ts'
import type { Scheduled } from './send-scheduled.ts'

/** How long a claim holds: longer than the horizon and the longest send together. */
export const leaseMs = 60_000

const lanesPerClaim = 200
const highPerLane = 50

/** Claims what the lanes that are due may send within the horizon, `capacity` messages at most, and plans it. */
export async function claim(
  services: Pick<Services, 'db' | 'clock'>,
  pace: Pace,
  capacity: number,
): Promise<Scheduled[]> {
  if (capacity <= 0) return []
  const token = randomUUID()
  return transaction(services.db, async (trx) => {
    const lanes = await lockDueLanes(trx, lanesPerClaim)
    if (lanes.length === 0) return []
    const now = services.clock.now()
    const rooms = shareRoom(pace, now, lanes, capacity)
    const messages = await claimMessages(trx, rooms, { token, leaseMs, highPerLane })
    const planned = planLanes(pace, now, lanes, messages)
    await closeClaim(trx, planned.lanes, pace.horizonMs)
    const leaseUntil = new Date(now.getTime() + leaseMs)
    return messages.map((message) => ({ ...message, ...planned.times(message.id), token, leaseUntil }))
  })
}

function shareRoom(pace: Pace, now: Date, lanes: readonly DueLane[], capacity: number) {
  let left = capacity
  return lanes.map((lane) => {
    const room = Math.min(left, roomInLane(pace, now, lane.gateAt))
    left -= room
    return { containerId: lane.containerId, room }
  })
}

function planLanes(pace: Pace, now: Date, lanes: readonly DueLane[], messages: readonly ClaimedMessage[]) {
  const byLane = new Map<string, ClaimedMessage[]>(lanes.map((lane) => [lane.containerId, []]))
  for (const message of messages) byLane.get(message.containerId)?.push(message)
  const times = new Map<string, { typingAt: Date | null; sendAt: Date }>()
  const gates = lanes.map((lane) => {
    const items = byLane.get(lane.containerId) ?? []
    const { planned, gateAt } = plan(
      pace,
      now,
      lane.gateAt,
      items.map((item) => ({ id: item.id, priority: item.priority, length: item.content.length })),
    )
    for (const { id, typingAt, sendAt } of planned) times.set(id, { typingAt, sendAt })
    return { containerId: lane.containerId, gateAt }
  })
  return { lanes: gates, times: (id: string) => times.get(id) ?? { typingAt: null, sendAt: now } }
}
