import type { OverviewGetOutput } from '@msgctl/client'

/** The state of an organization at one moment. What its products do not unlock is null. */
export type Overview = OverviewGetOutput

/** One number in the overview. */
export type NumberNow = Overview['numbers'][number]

/** Returns the state of a number as it is shown. One that works may send nothing while the network restricts it. */
export function shownState({ status, restrictedUntil }: Pick<NumberNow, 'status' | 'restrictedUntil'>) {
  return status === 'WORKING' && restrictedUntil !== null ? 'RESTRICTED' : status
}
