import { type BackgroundLoop, startLoop } from '../background-loop.ts'
import { crashPoint } from '../crash-points.ts'
import { openPublicFetch } from '../public-address/fetch.ts'
import type { Services } from '../services.ts'
import { attempt } from './attempt.ts'
import { type ClaimedDelivery, claimDeliveries, type DeliveryOutcome } from './delivery-store.ts'
import { released } from './outcome.ts'
import { startOutcomeWriter } from './outcome-writer.ts'
import { deliverySlots, type SlotBounds } from './slots.ts'
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
}

const usualSlots: SlotBounds = { brisk: 256, slow: 64, perOrganization: 16, ahead: 4 }
/** More than have slots: those whose outcome is still being written. */
const maxHeld = 2000
const usualDeadlineMs = 10_000
const spacingMs = 10

/**
 * Starts delivering, in as many processes as wanted. A process that is killed leaves its claims to their lease; then
 * another makes these attempts again (an event can arrive twice; specification, "Delivery rules").
 */
export function startDeliveries(services: Services, bounds: DeliveryBounds = {}): Deliveries {
  const { deadlineMs = usualDeadlineMs } = bounds
  const fetch = openPublicFetch(services.config.allowPrivateTargets)
  const slots = deliverySlots(bounds.slots ?? usualSlots)
  const turns = deliveryTurns(slots.cap)
  const writer = startOutcomeWriter(services)
  const held = new Map<string, Promise<void>>()

  async function look(): Promise<boolean> {
    let found = false
    if (held.size >= maxHeld) return found
    for (const offer of slots.offers()) {
      const claimed = await claimDeliveries(services.db, offer, [...held.keys()])
      if (claimed.length > 0) crashPoint('webhook.claimed')
      for (const delivery of claimed) held.set(delivery.id, deliver(delivery))
      found ||= claimed.length > 0
    }
    return found
  }

  async function deliver(delivery: ClaimedDelivery): Promise<void> {
    const outcome = await inItsTurn(delivery)
    await writer.write(outcome)
    crashPoint('webhook.written')
    held.delete(delivery.id)
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
    const { outcome, answeredInMs } = await attempt(services, fetch, present, deadlineMs)
    crashPoint('webhook.answered')
    count(services, outcome)
    const awaited = giveBack(answeredInMs)
    turns.end(organizationId, slots.isSlow(organizationId))
    if (awaited) loop.wake()
    return outcome
  }

  const loop: BackgroundLoop = startLoop({ name: 'delivering webhooks', log: services.log, look, spacingMs })
  const unsubscribe = [services.wake.on('deliveries', loop.wake), services.wake.on('clock', loop.wake)]

  return {
    async stop() {
      for (const end of unsubscribe) end()
      await loop.stop()
      turns.close()
      writer.stop()
      await Promise.all(held.values())
      await fetch.close()
    },
  }
}

/** A delivery that had nowhere to go had no attempt. */
function count({ meters }: Services, { status, lastStatus, attempt: made }: DeliveryOutcome): void {
  if (!made) return
  const failed = lastStatus === null ? 'unanswered' : 'refused'
  meters.attempted(status === 'pending' ? failed : status, made.durationMs / 1000)
}
