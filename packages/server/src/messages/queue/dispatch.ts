import { isDoneWithin } from '../../concurrency/patience.ts'
import { crashPoint } from '../../crash-points.ts'
import { idleRestMs } from '../../db/wake.ts'
import type { Services } from '../../services.ts'
import { startAlarm } from './alarm.ts'
import { campaignTurns } from './campaign-turns.ts'
import { claim } from './claim.ts'
import { startOutcomeWriter } from './outcome-writer.ts'
import { noPace, standardPace } from './pace.ts'
import { nextLaneAt } from './queue-store.ts'
import { startRecall } from './recall.ts'
import { type Scheduled, sendScheduled } from './send-scheduled.ts'
import { laneSpacing } from './spacing.ts'

/** The dispatcher of one worker process: claims messages of lanes whose time has come and sends them in their turn. */
export interface Dispatcher {
  /** When the loop last looked at the lanes without an error; null before the first time. */
  lastLookAt(): Date | null
  /**
   * Stops claiming, gives back what was not begun, waits for what is on its way and writes what became of it, all of it
   * within `withinMs` (20,000 ms unless told). What was not written is found by its lease.
   */
  stop(withinMs?: number): Promise<void>
}

const maxHeld = 10_000
const afterErrorMs = 1000
const stopWithinMs = 20_000
/** Of the time to stop, what is left for writing outcomes when sends take all they can. */
const outcomeShare = 0.1

/** Starts the loop. With pacing off (benches and tests) everything leaves at once. */
export function startDispatcher(services: Services): Dispatcher {
  const pace = services.config.pacing ? standardPace : noPace
  // In a paced service a look every quarter second is enough and keeps the number of queries low.
  const spacingMs = services.config.pacing ? 250 : 5
  const outcomes = startOutcomeWriter(services, spacingMs)
  const held = new Set<Promise<void>>()
  const alarm = startAlarm(services)
  const recall = startRecall(services)
  const spacing = laneSpacing(pace.spacingMs)
  const turns = campaignTurns(pace.campaign)
  let stopping = false
  let lastLookAt: Date | null = null
  let foundSome = false
  let wakeUp: (() => void) | null = null
  // A signal that comes while the loop looks is about something the look may have missed.
  let signalled = false

  const unsubscribes = (['lanes', 'clock'] as const).map((channel) =>
    services.wake.on(channel, () => {
      signalled = true
      wakeUp?.()
    }),
  )

  async function rest(ms: number): Promise<void> {
    if (stopping || signalled || ms <= 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    wakeUp = null
  }

  /** For how long no lane has to be looked at. */
  async function idleFor(): Promise<number> {
    const nextClaimAt = await nextLaneAt(services.db)
    return nextClaimAt === null ? Number.POSITIVE_INFINITY : nextClaimAt.getTime() - services.clock.now().getTime()
  }

  async function look(): Promise<number> {
    signalled = false
    // Where there was work there is more: only a claim that found none asks first how long there will be none.
    const waitMs = foundSome ? 0 : await idleFor()
    lastLookAt = services.clock.now()
    foundSome = false
    if (waitMs > 0) return Math.min(waitMs, idleRestMs(services.wake))
    const scheduled = await claim(services, pace, maxHeld - held.size, recall.held)
    if (scheduled.length > 0) crashPoint('claim.committed')
    for (const one of scheduled) hold(one)
    foundSome = scheduled.length > 0
    return 0
  }

  function hold(scheduled: Scheduled): void {
    const recalled = recall.hold(scheduled.containerId)
    const work = sendScheduled(services, scheduled, { alarm, spacing, turns, recalled: recalled.signal }, outcomes)
    held.add(work)
    void work.finally(() => {
      held.delete(work)
      recalled.done()
    })
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
    async stop(withinMs = stopWithinMs) {
      for (const unsubscribe of unsubscribes) unsubscribe()
      stopping = true
      alarm.stop()
      recall.stop()
      wakeUp?.()
      const beganAt = performance.now()
      const over = loop.then(() => Promise.allSettled([...held]))
      await isDoneWithin(withinMs * (1 - outcomeShare), over)
      await outcomes.drain(Math.max(0, withinMs - (performance.now() - beganAt)))
    },
  }
}
