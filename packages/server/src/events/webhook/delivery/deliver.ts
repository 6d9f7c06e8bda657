import { findTargets, type Target } from '#events/webhook/configuration/store.ts'
import { sharedBatcher } from '#platform/concurrency/batcher.ts'
import { type PollingLoop, startPollingLoop } from '#platform/concurrency/polling-loop.ts'
import { atWork, crashPoint } from '#platform/crash-points.ts'
import type { Db } from '#platform/db/db.ts'
import { idleWaitMs } from '#platform/db/wake.ts'
import { countSuspects, mostLost } from '#platform/set-aside/suspicion.ts'
import { noteSetAside } from '#platform/set-aside/work.ts'
import type { Services } from '#services.ts'
import { type AttemptTarget, openAttempts } from './attempt.ts'
import { type ConcurrencyBounds, concurrencyLimiter, deliveryQueue, slowResponseMs } from './concurrency-limiter.ts'
import { type ClaimedDelivery, claimDeliveries, type DeliveryOutcome } from './delivery-store.ts'
import { dueTimes } from './due.ts'
import { released, setAside } from './outcome.ts'
import { startOutcomeWriter } from './outcome-writer.ts'
import { watchSigningClock } from './wrong-clock.ts'

/** The loop of one process that posts events to webhook addresses. */
export interface Deliveries {
  /** Stops claiming, releases deliveries that have not started, and waits for running attempts and their outcomes. */
  stop(): Promise<void>
}

/** Bounds that tests replace. */
export interface DeliveryBounds {
  readonly limits?: ConcurrencyBounds
  /** How long one attempt may take (default: 10 s; specification, "Delivery rules"). */
  readonly deadlineMs?: number
  /** How long a receiver may leave all attempts unanswered before waiting deliveries are released (default: 2 s). */
  readonly silentMs?: number
}

const defaultLimits: ConcurrencyBounds = { fast: 2048, slow: 64, perEndpoint: 16, prefetch: 32 }
/** More than there are slots: it includes deliveries whose outcome is being written. */
const maxInFlight = 4000
const defaultDeadlineMs = 10_000
/**
 * Prefetched deliveries bridge the time between two claims. With 20 ms between claims, the process idles a quarter of
 * its time.
 */
const spacingMs = 3
const recheckMs = 1000

/**
 * Starts delivering; any number of processes can. The claims of a killed process expire with their leases, and another
 * process repeats the attempts, so an event can arrive twice (specification, "Delivery rules").
 */
export function startDeliveries(services: Services, bounds: DeliveryBounds = {}): Deliveries {
  const { deadlineMs = defaultDeadlineMs, silentMs = slowResponseMs } = bounds
  const attempts = openAttempts(services, deadlineMs)
  const limiter = concurrencyLimiter(bounds.limits ?? defaultLimits)
  const queue = deliveryQueue(limiter.cap)
  const writer = startOutcomeWriter(services)
  const leaseToken = crypto.randomUUID()
  const suspects = countSuspects()
  const mayDeliver = watchSigningClock(services)
  const inFlight = new Map<string, Promise<void>>()
  /**
   * What ended while a claim ran, which may contain it: the claim may have been made before its outcome was written.
   */
  const endedSinceClaim = new Map<string, Promise<void>>()

  async function poll(): Promise<boolean> {
    for (const endpointId of queue.rejectStalled(silentMs)) limiter.slowDown(endpointId)
    let found = false
    if (inFlight.size >= maxInFlight || !mayDeliver()) return found
    for (const quota of limiter.claimQuotas()) {
      endedSinceClaim.clear()
      const claimed = await claimDeliveries(services.db, quota, leaseToken, suspects.read())
      if (claimed.length === 0) continue
      crashPoint('webhook.claimed')
      const targets = await readClaimedTargets(services, claimed)
      // Without them the loop rests before it claims the same again.
      found ||= targets !== null
      for (const delivery of claimed) {
        const target = targets && (targets.get(delivery.endpointId) ?? removed)
        suspects.add(delivery.lostProcesses)
        inFlight.set(delivery.id, deliverAfter(heldSinceClaim(delivery.id), delivery, target))
      }
    }
    return found
  }

  /** Returns the delivery with this id if this process held it when the latest claim began. */
  function heldSinceClaim(id: string): Promise<void> | undefined {
    return inFlight.get(id) ?? endedSinceClaim.get(id)
  }

  function endInFlight(id: string): void {
    const ended = inFlight.get(id)
    inFlight.delete(id)
    if (ended) endedSinceClaim.set(id, ended)
  }

  /**
   * A delivery that this process holds can be claimed again, when a move of the clock ended its lease or while it is
   * being released. It is released after `previous`, which has no effect if it has been delivered since. It is also
   * released without a target, which could not be read.
   */
  async function deliverAfter(
    previous: Promise<void> | undefined,
    delivery: ClaimedDelivery,
    target: AttemptTarget | null,
  ): Promise<void> {
    await previous
    const outcome = previous || !target ? released(delivery) : await deliverOrSetAside(delivery, target)
    await writer.write(outcome)
    crashPoint('webhook.written')
    endInFlight(delivery.id)
    suspects.remove(delivery.lostProcesses)
    if (outcome.status === 'pending')
      due.add(outcome.nextAttemptAt ?? new Date(services.clock.now().getTime() + recheckMs))
  }

  async function deliverOrSetAside(delivery: ClaimedDelivery, target: AttemptTarget): Promise<DeliveryOutcome> {
    if (delivery.lostProcesses < mostLost) return deliverInOrder(delivery, target)
    await noteSetAside(services, 'deliveries', delivery).catch((err: unknown) =>
      services.log.warn({ event: 'set_aside_not_listed', err }, 'failed to list a delivery that was set aside'),
    )
    return setAside(delivery, services.clock.now())
  }

  /** Makes an attempt and releases its slot before the outcome is written: the receiver is free by then. */
  async function deliverInOrder(delivery: ClaimedDelivery, target: AttemptTarget): Promise<DeliveryOutcome> {
    const { endpointId } = delivery
    const claimedAtMs = performance.now()
    const release = limiter.take(endpointId)
    const began = await queue.begin(endpointId)
    if (!began || !mayDeliver()) {
      release(undefined)
      if (began) queue.end(endpointId, false)
      return released(delivery)
    }
    const isFresh = performance.now() - claimedAtMs <= freshForMs
    const present = isFresh ? target : await readPresentTarget(services, delivery, target)
    await atWork('deliveries', [delivery.organizationId])
    const { outcome, answeredInMs } = await attempts.make(delivery, present)
    crashPoint('webhook.answered')
    count(services, outcome)
    const hasWaiters = release(answeredInMs)
    queue.end(endpointId, limiter.isSlow(endpointId))
    if (hasWaiters) loop.wake()
    return outcome
  }

  // Stalled attempts are checked every second. All other work comes with a signal, is due at a known time, or was left
  // by a process that died.
  const longestIdleMs = () => (inFlight.size > 0 ? recheckMs : idleWaitMs(services.wake))
  const loop: PollingLoop = startPollingLoop({
    name: 'delivering webhooks',
    log: services.log,
    poll,
    minIntervalMs: spacingMs,
    longestIdleMs,
  })
  const due = dueTimes(services.clock, loop.wake)
  const unsubscribe = [services.wake.on('deliveries', loop.wake), services.wake.on('clock', loop.wake)]

  return {
    async stop() {
      for (const end of unsubscribe) end()
      await loop.stop()
      queue.close()
      writer.stop()
      await Promise.all(inFlight.values())
      // The last outcomes may have added due times.
      due.stop()
      await attempts.close()
    },
  }
}

/** Counts an attempt. A delivery without an address had none. */
function count({ metrics }: Services, { status, lastStatus, attempt: made }: DeliveryOutcome): void {
  if (!made) return
  const failed = lastStatus === null ? 'unanswered' : 'refused'
  metrics.webhookAttempted(status === 'pending' ? failed : status, made.durationMs / 1000)
}

/** How long the address and the secrets of a claim stay valid. */
const freshForMs = 250

type Reader = Pick<Services, 'db' | 'log'>

async function readTargets(db: Db, endpointIds: readonly string[]): Promise<Map<string, Target>> {
  return new Map((await findTargets(db, endpointIds)).map((target) => [target.endpointId, target]))
}

const readTarget = sharedBatcher(async (db: Db, endpointIds: readonly string[]): Promise<(Target | undefined)[]> => {
  const found = await readTargets(db, endpointIds)
  return endpointIds.map((endpointId) => found.get(endpointId))
})

/** The target of an endpoint that was removed since the claim, or whose organization was deleted. */
const removed: AttemptTarget = { url: null, secret: null, previousSecret: null }

/** Half of a lease. What begins later could run beyond it, while another process repeats it. */
const targetsWithinMs = 15_000

/** Returns the targets of claimed deliveries by endpoint, each read once; null if they could not be read in time. */
async function readClaimedTargets(
  { db, log }: Reader,
  claimed: readonly ClaimedDelivery[],
): Promise<Map<string, Target> | null> {
  const claimedAtMs = performance.now()
  try {
    const endpointIds = claimed.map(({ endpointId }) => endpointId)
    const targets = await readTargets(db, endpointIds)
    return performance.now() - claimedAtMs <= targetsWithinMs ? targets : null
  } catch (error) {
    const deliveries = claimed.length
    log.warn({ event: 'webhook_target_read_failed', err: error, deliveries }, 'failed to read webhook addresses')
    return null
  }
}

/**
 * Returns the current address and secrets for a delivery that has waited since it was claimed. So a new secret signs at
 * once, and nothing is posted to a replaced address. Returns those of the claim if they cannot be read. Never throws.
 */
async function readPresentTarget(
  { db, log }: Reader,
  delivery: ClaimedDelivery,
  claimedTarget: AttemptTarget,
): Promise<AttemptTarget> {
  try {
    return (await readTarget(db, delivery.endpointId)) ?? removed
  } catch (error) {
    // While the database is unavailable, the address cannot change either.
    log.warn(
      { event: 'webhook_target_read_failed', err: error, deliveryId: delivery.id },
      'failed to re-read webhook address',
    )
    return claimedTarget
  }
}
