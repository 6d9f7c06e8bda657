import { setImmediate as nextTurn } from 'node:timers/promises'
import { settlesWithin } from '@msgctl/network/timeout'
import { startPollingLoop } from '#platform/concurrency/polling-loop.ts'
import { crashPoint } from '#platform/crash-points.ts'
import { idleWaitMs } from '#platform/db/wake.ts'
import { countSuspects } from '#platform/set-aside/suspicion.ts'
import type { Services } from '#services.ts'
import { attemptSend, type ClaimedSend } from './attempt-send.ts'
import { campaignLimiter } from './campaign-limiter.ts'
import { claim } from './claim.ts'
import { trackHeld } from './held-messages.ts'
import { startOutcomeWriter } from './outcome-writer.ts'
import { minInterval, noPace, standardPace } from './pace.ts'
import { nextLaneAt } from './queue-store.ts'

/** The dispatcher of one worker process: claims messages of due lanes and sends them at their time. */
export interface Dispatcher {
  /** When the loop last polled the lanes without an error; null before the first time. */
  lastPolledAt(): Date | null
  /**
   * Stops claiming, gives back messages that were not started, waits for running sends and writes their outcomes, all
   * within `withinMs` (default: 20,000 ms). The sweep settles what was not written, by its lease.
   */
  stop(withinMs?: number): Promise<void>
}

const maxInFlight = 10_000
/**
 * Messages of one claim begin in groups of this size. Between two of them the process claims the next and reads
 * sockets.
 */
const messagesPerTurn = 100
const retry = { firstMs: 1000, longestMs: 1000 }
const stopWithinMs = 20_000
/** The share of the time to stop that is reserved for writing outcomes. */
const outcomeShare = 0.1

/** Starts the loop. Without pacing (benchmarks and tests) messages leave at once. */
export function startDispatcher(services: Services): Dispatcher {
  const pace = services.config.pacing ? standardPace : noPace
  // With pacing, four polls a second are enough for all but high messages, and keep the number of queries low.
  const pollIntervalMs = services.config.pacing ? 250 : 5
  const outcomes = startOutcomeWriter(services, pollIntervalMs)
  const inFlight = new Set<Promise<void>>()
  const timer = startServiceTimer(services)
  const heldMessages = trackHeld(services)
  const interval = minInterval(pace.spacingMs)
  const limiter = campaignLimiter(pace.campaign)
  const suspects = countSuspects()
  let lastPolledAt: Date | null = null
  /** After a signal, and after a claim with messages, lanes are probably due: the next due time is not read first. */
  let mayBeDue = false

  /** Returns how long no lane has to be polled. */
  async function timeUntilNextLane(): Promise<number> {
    const nextClaimAt = await nextLaneAt(services.db)
    return nextClaimAt === null ? Number.POSITIVE_INFINITY : nextClaimAt.getTime() - services.clock.now().getTime()
  }

  async function poll(): Promise<number> {
    const isNextRead = !mayBeDue
    // Before the first wait, so that a signal of the meantime counts for the next poll.
    mayBeDue = false
    const waitMs = isNextRead ? await timeUntilNextLane() : 0
    lastPolledAt = services.clock.now()
    if (waitMs > 0) return Math.min(waitMs, idleWaitMs(services.wake))
    const capacity = maxInFlight - inFlight.size
    const scheduled = await claim(services, pace, capacity, heldMessages.count, suspects.read())
    if (scheduled.length > 0) crashPoint('claim.committed')
    trackAll(scheduled)
    mayBeDue ||= scheduled.length > 0
    return 0
  }

  function trackAll(scheduled: readonly ClaimedSend[]): void {
    let turn = Promise.resolve()
    for (const [place, one] of scheduled.entries()) {
      if (place > 0 && place % messagesPerTurn === 0) turn = turn.then(() => nextTurn())
      track(one, turn)
    }
  }

  function track(scheduled: ClaimedSend, turn: Promise<void>): void {
    const entry = heldMessages.add(scheduled.containerId)
    const context = { timer, interval, limiter, cancelSignal: entry.signal }
    const work = turn.then(() => attemptSend(services, scheduled, context, outcomes))
    inFlight.add(work)
    suspects.add(scheduled.lostProcesses)
    void work.finally(() => {
      inFlight.delete(work)
      suspects.remove(scheduled.lostProcesses)
      entry.done()
    })
  }

  const loop = startPollingLoop({
    name: 'dispatching messages',
    log: services.log,
    poll,
    minIntervalMs: pollIntervalMs,
    retry,
  })
  function pollOn(channel: 'lanes' | 'urgent' | 'clock', poll: () => void): () => void {
    return services.wake.on(channel, () => {
      mayBeDue = true
      poll()
    })
  }
  const unsubscribes = [pollOn('lanes', loop.wake), pollOn('urgent', loop.hurry), pollOn('clock', loop.hurry)]

  return {
    lastPolledAt: () => lastPolledAt,
    async stop(withinMs = stopWithinMs) {
      for (const unsubscribe of unsubscribes) unsubscribe()
      timer.stop()
      heldMessages.stop()
      const beganAt = performance.now()
      const over = loop.stop().then(() => Promise.allSettled([...inFlight]))
      await settlesWithin(withinMs * (1 - outcomeShare), over)
      await outcomes.drain(Math.max(0, withinMs - (performance.now() - beganAt)))
    },
  }
}

/** Waits for times of the service clock, even when that clock is moved. */
export interface ServiceTimer {
  /**
   * Resolves true when the service clock has reached `at`, false when `ended` aborts or the timer is stopped before.
   */
  waitUntil(at: Date, ended: AbortSignal): Promise<boolean>
  /** Ends every wait. */
  stop(): void
}

/** Timers count the time of the machine; the wake channel `clock` reports a moved service clock. */
function startServiceTimer({ clock, wake }: Pick<Services, 'clock' | 'wake'>): ServiceTimer {
  const checks = new Set<() => void>()
  let stopped = false
  const unsubscribe = wake.on('clock', () => {
    for (const check of checks) check()
  })

  return {
    waitUntil(at, ended) {
      if (!stopped && !ended.aborted && at.getTime() <= clock.now().getTime()) return Promise.resolve(true)
      return new Promise((resolve) => {
        let timer: NodeJS.Timeout | undefined
        const check = (): void => {
          clearTimeout(timer)
          const leftMs = at.getTime() - clock.now().getTime()
          const over = stopped || ended.aborted
          if (!over && leftMs > 0) {
            // A clock that another process moved is noticed within a second even when the signal is lost.
            timer = setTimeout(check, Math.min(leftMs, 1000))
            return
          }
          checks.delete(check)
          ended.removeEventListener('abort', check)
          resolve(!over)
        }
        checks.add(check)
        ended.addEventListener('abort', check)
        check()
      })
    },
    stop() {
      stopped = true
      unsubscribe()
      for (const check of checks) check()
    },
  }
}
