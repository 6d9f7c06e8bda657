import type { OverviewGetOutput } from '@msgctl/client'

/** The state of an organization at one moment. What its products do not unlock is null. */
export type Overview = OverviewGetOutput

/** One number in the overview. */
export type NumberNow = Overview['numbers'][number]
