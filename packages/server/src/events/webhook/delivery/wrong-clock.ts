import { describeWrongClock } from '#platform/db/clock.ts'
import type { Services } from '#services.ts'

/**
 * How far the clock that signs may differ from the database's. Receivers refuse five minutes, and their own clock may
 * differ too.
 */
const signingToleranceMs = 60_000

/** Returns whether receivers accept what is signed by a clock that is `aheadMs` ahead of the database's. */
export function signsInTime(aheadMs: number): boolean {
  return Math.abs(aheadMs) <= signingToleranceMs
}

/** Returns a function that decides whether this process may deliver now, and logs when that changes. */
export function watchSigningClock({ clock, log }: Pick<Services, 'clock' | 'log'>): () => boolean {
  let wasInTime = true
  return () => {
    const aheadMs = clock.aheadMs()
    const isInTime = signsInTime(aheadMs)
    if (!isInTime && wasInTime) {
      const wrong = describeWrongClock(aheadMs)
      log.error(
        { event: 'webhook_clock_wrong' },
        `${wrong}: set it right. Until then this worker delivers no webhooks.`,
      )
    }
    if (isInTime && !wasInTime)
      log.info(
        { event: 'webhook_clock_right' },
        "the clock of this machine agrees with the database's again; webhooks leave",
      )
    wasInTime = isInTime
    return isInTime
  }
}
