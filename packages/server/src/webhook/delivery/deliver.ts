import { type BackgroundLoop, startLoop } from '../../concurrency/background-loop.ts'
import { crashPoint } from '../../crash-points.ts'
import { idleRestMs } from '../../db/wake.ts'
import type { Services } from '../../services.ts'
import { openAttempts } from './attempt.ts'
import { type ClaimedDelivery, claimDeliveries, type DeliveryOutcome } from './delivery-store.ts'
import { dueTimes } from './due.ts'
import { released } from './outcome.ts'
import { startOutcomeWriter } from './outcome-writer.ts'
import { deliverySlots, type SlotBounds, slowAnswerMs } from './slots.ts'
import { withPresentTarget } from './target.ts'
import { deliveryTurns } from './turns.ts'

/** The loop of one process that posts events to the organizations' webhook addresses. */
export interface Deliveries {
  /** Stops claiming, gives back what did not begin, waits for the attempts under way and writes what became of them. */
  stop(): Promise<void>
}

/** For tests: other bounds than those of a running service. */
export interface DeliveryBounds {
  readonly slots?: SlotBounds
  /** How long the receiver has to answer, whole: 10 s (specification, "Delivery rules"). */
  readonly deadlineMs?: number
  /** How long a receiver may leave all attempts unanswered before what waits behind them goes back: 2 s. */
  readonly silentMs?: number
}

const usualSlots: SlotBounds = { brisk: 512, slow: 64, perOrganization: 16, ahead: 16 }
/** More than have slots: those whose outcome is still being written. */
const maxHeld = 2000
const usualDeadlineMs = 10_000
/** What is claimed ahead bridges the time between two claims; the process idles a quarter of its time when they are 20 ms apart. */
const spacingMs = 3
const lookAgainMs = 1000

/**
 * Starts delivering, in as many processes as wanted. A process that is killed leaves its claims to their lease; then
 * another makes these attempts again (an event can arrive twice; specification, "Delivery rules").
 */
export function startDeliveries(services: Services, bounds: DeliveryBounds = {}): Deliveries {
  const { deadlineMs = usualDeadlineMs, silentMs = slowAnswerMs } = bounds
  const attempts = openAttempts(services, deadlineMs)
  const slots = deliverySlots(bounds.slots ?? usualSlots)
  const turns = deliveryTurns(slots.cap)
  const writer = startOutcomeWriter(services)
  const leaseToken = crypto.randomUUID()
  const held = new Map<string, Promise<void>>()

  async function look(): Promise<boolean> {
    for (const organizationId of turns.refuseBehind(silentMs)) slots.slowDown(organizationId)
    let found = false
    if (held.size >= maxHeld) return found
    for (const offer of slots.offers()) {
      const before = new Map(held)
      const claimed = await claimDeliveries(services.db, offer, leaseToken)
      if (claimed.length > 0) crashPoint('webhook.claimed')
      for (const delivery of claimed) held.set(delivery.id, deliverAfter(before.get(delivery.id), delivery))
      found ||= claimed.length > 0
    }
    return found
  }

  /**
   * What is held is claimed again when a move of the clock ended its lease, or just as it was given back. It is given back
   * once `earlier` is over, which does nothing when it was delivered meanwhile.
   */
  async function deliverAfter(earlier: Promise<void> | undefined, delivery: ClaimedDelivery): Promise<void> {
    await earlier
    const outcome = earlier ? released(delivery) : await inItsTurn(delivery)
    await writer.write(outcome)
    crashPoint('webhook.written')
    held.delete(delivery.id)
    if (outcome.status === 'pending')
      due.add(outcome.nextAttemptAt ?? new Date(services.clock.now().getTime() + lookAgainMs))
  }

  /** Makes an attempt and gives the slot back at its end: the receiver is free, however long the outcome takes to write. */
  async function inItsTurn(delivery: ClaimedDelivery): Promise<DeliveryOutcome> {
    const { organizationId } = delivery
    const claimedAtMs = performance.now()
    const giveBack = slots.take(organizationId)
    if (!(await turns.begin(organizationId))) {
      giveBack(undefined)
      return released(delivery)
    }
    const present = await withPresentTarget(services, delivery, performance.now() - claimedAtMs)
    const { outcome, answeredInMs } = await attempts.make(present)
    crashPoint('webhook.answered')
    count(services, outcome)
    const awaited = giveBack(answeredInMs)
    turns.end(organizationId, slots.isSlow(organizationId))
    if (awaited) loop.wake()
    return outcome
  }

  // Attempts that hang are looked after every second. Otherwise all that comes without a signal is due at a known time, or
  // was left by a process that is gone.
  const longestIdleMs = () => (held.size > 0 ? lookAgainMs : idleRestMs(services.wake))
  const loop: BackgroundLoop = startLoop({
    name: 'delivering webhooks',
    log: services.log,
    look,
    spacingMs,
    longestIdleMs,
  })
  const due = dueTimes(services.clock, loop.wake)
  const unsubscribe = [services.wake.on('deliveries', loop.wake), services.wake.on('clock', loop.wake)]

  return {
    async stop() {
      for (const end of unsubscribe) end()
      await loop.stop()
      turns.close()
      writer.stop()
      await Promise.all(held.values())
      // What ended last may still have been put off.
      due.stop()
      await attempts.close()
    },
  }
}

/** A delivery that had nowhere to go had no attempt. */
function count({ meters }: Services, { status, lastStatus, attempt: made }: DeliveryOutcome): void {
  if (!made) return
  const failed = lastStatus === null ? 'unanswered' : 'refused'
  meters.attempted(status === 'pending' ? failed : status, made.durationMs / 1000)
}
