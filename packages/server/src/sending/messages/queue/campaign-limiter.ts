import type { Clock } from '#platform/db/clock.ts'
import type { ServiceTimer } from './dispatch.ts'
import type { Pace } from './pace.ts'
import type { ClaimedMessage } from './queue-store.ts'

type LimitedMessage = Pick<ClaimedMessage, 'id' | 'containerId' | 'organizationId'>

/** Keeps the interval between campaign messages at the moment they leave this process. */
export interface CampaignLimiter {
  /**
   * Reserves a slot for a message that could leave at `at`, and returns its time. An earlier slot of the same message
   * does not delay it, but slots that others have reserved since do.
   */
  reserve(message: LimitedMessage, at: Date): Date
  /** Returns whether the slots of earlier messages would delay one planned for `sendAt` considerably. */
  isBehind(message: LimitedMessage, sendAt: Date): boolean
}

const maxRemembered = 10_000
/** How much later than planned a message may leave if its typing is not shown yet. */
const behindMs = 1000

/**
 * Plans space campaign messages by their times. A process that stood still, or waited for its database, would still
 * send several at once. Where an organization uses all of its slots, later messages would never catch up with that
 * delay. So messages that are not typed yet can check whether they are behind, and are planned again.
 */
export function campaignLimiter(campaign: Pace['campaign']): CampaignLimiter {
  const last = new Map<string, { readonly by: string; readonly freeMs: number }>()

  function evictPast(nowMs: number): void {
    for (const [of, { freeMs }] of last) if (freeMs <= nowMs) last.delete(of)
  }
  function freeFor({ id, containerId, organizationId }: LimitedMessage): number {
    const others = [last.get(containerId), last.get(organizationId)].filter((slot) => slot?.by !== id)
    return Math.max(0, ...others.map((slot) => slot?.freeMs ?? 0))
  }
  return {
    reserve(message, at) {
      if (!campaign) return at
      const { id: by, containerId, organizationId } = message
      const slotMs = Math.max(at.getTime(), freeFor(message))
      if (last.size > maxRemembered) evictPast(at.getTime())
      last.set(containerId, { by, freeMs: slotMs + campaign.minSpacingMs })
      last.set(organizationId, { by, freeMs: slotMs + campaign.organizationSpacingMs })
      return new Date(slotMs)
    },
    isBehind: (message, sendAt) => freeFor(message) > sendAt.getTime() + behindMs,
  }
}

/** The delay of a timer or a query that is not counted. Counted, it would add up from message to message. */
const unnoticedMs = 250

/** Reserves the slot of a message that was planned for `planned` and could leave now if it were alone. */
function reserveSlot(limiter: CampaignLimiter, message: LimitedMessage, planned: Date, now: Date): Date {
  return limiter.reserve(message, isLate(planned, now) ? now : planned)
}

function isLate(planned: Date, now: Date): boolean {
  return now.getTime() - planned.getTime() > unnoticedMs
}

/**
 * Returns the service time as far as this process lives through it. Moving the clock is no standstill, and messages
 * that become due by it are not late.
 */
export function processTime(
  clock: Pick<Clock, 'now'>,
  processMs: () => number = () => performance.now(),
): Pick<Clock, 'now'> {
  const aheadMs = clock.now().getTime() - processMs()
  return { now: () => new Date(Math.min(clock.now().getTime(), processMs() + aheadMs)) }
}

interface SlotWait {
  readonly clock: Pick<Clock, 'now'>
  readonly timer: ServiceTimer
  readonly cancelSignal: AbortSignal
}

/**
 * Waits for the slot of a campaign message that was planned for `planned`, then calls `mayLeave`, which may take time.
 * If the message must then wait for another slot, `mayLeave` is called again. Returns the reason of `mayLeave`, null
 * when the message can leave now, and `released` when its number went down or the process stops.
 */
export async function waitForSlot<Reason>(
  limiter: CampaignLimiter,
  message: LimitedMessage,
  { planned, mayLeave }: { readonly planned: Date; mayLeave(): Promise<Reason | null> },
  { clock, timer, cancelSignal }: SlotWait,
): Promise<Reason | 'released' | null> {
  for (let slot = reserveSlot(limiter, message, planned, clock.now()); ; ) {
    if (!(await timer.waitUntil(slot, cancelSignal))) return 'released'
    const reason = await mayLeave()
    if (reason !== null) return reason
    const now = clock.now()
    if (!isLate(slot, now)) return null
    slot = limiter.reserve(message, now)
    if (slot <= now) return null
  }
}
