import { isLocalTime } from '@msgctl/contract'
import { Temporal } from 'temporal-polyfill'

/**
 * Returns the instant of a requested time in UTC. A local time is one of `timeZone`, which the contract demands beside
 * it. As with repeats, a time that the clocks skip moves by the length of the gap; of one that they repeat, the first
 * is used.
 */
export function toInstant(sendAt: string, timeZone: string | undefined): string {
  if (!isLocalTime(sendAt)) return sendAt
  const local = Temporal.PlainDateTime.from(sendAt).toZonedDateTime(timeZone ?? 'UTC', { disambiguation: 'compatible' })
  return new Date(local.epochMilliseconds).toISOString()
}
