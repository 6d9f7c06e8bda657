import type { Log } from '#platform/log/log-events.ts'
import { type ClockOptions, describeWrongClock } from './clock.ts'

/** Returns what logs, after each reading of the database, that the clock of this machine has become wrong or right. */
export function clockReports(log: Log): NonNullable<ClockOptions['onRead']> {
  let wasRight = true
  return ({ aheadMs }) => {
    const wrong = describeWrongClock(aheadMs())
    if (wrong !== null && wasRight) log.warn({ event: 'clock_wrong' }, `${wrong}: set it right.`)
    if (wrong === null && !wasRight)
      log.info({ event: 'clock_right' }, "the clock of this machine agrees with the database's again")
    wasRight = wrong === null
  }
}
