import type { Clock } from '../../db/clock.ts'
import type { Pace } from './pace.ts'
import type { ClaimedMessage } from './queue-store.ts'
import type { ServiceTimer } from './service-timer.ts'

type LimitedMessage = Pick<ClaimedMessage, 'id' | 'containerId' | 'organizationId'>

/** Keeps campaign messages apart at the moment they really leave this process. */
export interface CampaignLimiter {
  /**
   * When a message may leave that would leave at `at`; the turn is taken with the answer. A turn that it took before does
   * not hold it back itself, but whoever took one since goes first.
   */
  reserve(message: LimitedMessage, at: Date): Date
  /** Whether those before it take so many turns that a message planned for `sendAt` would leave much later. */
  isBehind(message: LimitedMessage, sendAt: Date): boolean
}

const maxRemembered = 10_000
/** How much later than planned a message may leave whose typing is not shown yet. */
const behindMs = 1000

/**
 * Plans hold campaign messages apart by their times; a process that stood still, or one that waited for its database,
 * would still let several go at once. What it was late, the messages after those would be late for ever where an
 * organization uses all of its turns: hence those that are not typed yet can ask whether they are behind, and are planned
 * anew.
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

/**
 * How late a timer or a look at the database may be without being counted: counted, it would add up from message to
 * message where each waits for the one before.
 */
const unnoticedMs = 250

/** Takes the turn of a message that was to leave at `planned`, and could leave now if it were alone. */
function reserveSlot(limiter: CampaignLimiter, message: LimitedMessage, planned: Date, now: Date): Date {
  return limiter.reserve(message, isLate(planned, now) ? now : planned)
}

function isLate(planned: Date, now: Date): boolean {
  return now.getTime() - planned.getTime() > unnoticedMs
}

/**
 * The service's time from now on, as far as this process lives through it: a clock that somebody moves is no standstill,
 * and what becomes due by that is not late.
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
 * Waits for the turn of a campaign message that was to leave at `planned`, and asks `mayLeave` then, which may take its
 * time. Whoever has to wait for another turn after it is asked about once more. Answers what `mayLeave` has against it,
 * null when the message is to leave now, and `recalled` when its number went down or the process stops meanwhile.
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
