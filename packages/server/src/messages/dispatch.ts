import { randomUUID } from 'node:crypto'
import { transaction } from '../db/db.ts'
import type { Services } from '../services.ts'
import { startAlarm } from './alarm.ts'
import { type OutcomeWriter, startOutcomeWriter } from './outcome-writer.ts'
import { noPace, type Pace, plan, roomInLane, standardPace } from './pace.ts'
import {
  type ClaimedMessage,
  claimMessages,
  closeClaim,
  type DueLane,
  lockDueLanes,
  nextLaneAt,
} from './queue-store.ts'
import { type Scheduled, sendScheduled } from './send-scheduled.ts'

/** The dispatcher of one worker process: claims messages of lanes whose time has come and sends them in their turn. */
export interface Dispatcher {
  /** When the loop last looked at the lanes without an error; null before the first time. */
  lastLookAt(): Date | null
  /** Stops claiming, gives back what was not begun, and waits for what is on its way, at most `deadlineMs`. */
  stop(deadlineMs?: number): Promise<void>
}

/** How long a claim holds: longer than the horizon and the longest send together. */
export const leaseMs = 60_000

const maxHeld = 10_000
const lanesPerClaim = 200
const highPerLane = 50
const idleMs = 1000
const afterErrorMs = 1000
const stopMs = 20_000

/** Starts the loop. With pacing off (benches and tests) everything leaves at once. */
export function startDispatcher(services: Services): Dispatcher {
  const pace = services.config.pacing ? standardPace : noPace
  // In a paced service a look every quarter second is enough and keeps the number of queries low.
  const spacingMs = services.config.pacing ? 250 : 5
  const outcomes = startOutcomeWriter(services, spacingMs)
  const held = new Set<Promise<void>>()
  const alarm = startAlarm(services)
  let stopping = false
  let lastLookAt: Date | null = null
  let wakeUp: (() => void) | null = null

  const unsubscribe = services.wake.on('lanes', () => wakeUp?.())

  async function rest(ms: number): Promise<void> {
    if (stopping || ms <= 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    wakeUp = null
  }

  async function look(): Promise<number> {
    const nextAt = await nextLaneAt(services.db)
    lastLookAt = services.clock.now()
    const waitMs = nextAt === null ? idleMs : nextAt.getTime() - services.clock.now().getTime()
    if (waitMs > 0) return Math.min(waitMs, idleMs)
    const scheduled = await claim(services, pace, maxHeld - held.size)
    for (const one of scheduled) hold(one)
    return 0
  }

  function hold(scheduled: Scheduled): void {
    const work = sendScheduled(services, scheduled, alarm, outcomes)
    held.add(work)
    void work.finally(() => held.delete(work))
  }

  async function run(): Promise<void> {
    while (!stopping) {
      const began = performance.now()
      try {
        await rest(await look())
      } catch (error) {
        services.log.error({ err: error }, 'the dispatcher could not look at the lanes')
        await rest(afterErrorMs)
      }
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, spacingMs - (performance.now() - began))))
    }
  }
  const loop = run()

  return {
    lastLookAt: () => lastLookAt,
    async stop(deadlineMs = stopMs) {
      unsubscribe()
      stopping = true
      alarm.stop()
      wakeUp?.()
      await loop
      await settle(held, outcomes, deadlineMs)
    },
  }
}

async function settle(held: ReadonlySet<Promise<void>>, outcomes: OutcomeWriter, deadlineMs: number): Promise<void> {
  const timeout = new Promise((resolve) => setTimeout(resolve, deadlineMs).unref())
  await Promise.race([Promise.allSettled([...held]), timeout])
  await outcomes.drain(deadlineMs)
}

/** Claims what the lanes that are due may send within the horizon, `capacity` messages at most, and plans it. */
async function claim(services: Services, pace: Pace, capacity: number): Promise<Scheduled[]> {
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
