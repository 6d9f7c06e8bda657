/** The AI allowance of an organization for one month, in millionths of a US dollar. */
export interface Allowance {
  readonly microUsd: number
}

/** The allowance of a whole trial (specification, "Limits"). */
const trialMicroUsd = 2_000_000

/** A span of time with one allowance: a month in UTC, like 2026-11, or a whole trial. */
export interface AllowancePeriod {
  readonly period: string
  readonly limitMicroUsd: number
  /** Null for a trial, which is not renewed. */
  readonly renewsAt: Date | null
}

/** Returns the month of a time, like 2026-11. */
export function monthOf(now: Date): string {
  return now.toISOString().slice(0, 7)
}

/** Returns the period that a call counts in. */
export function periodOf(now: Date, trial: boolean, allowance: Allowance): AllowancePeriod {
  if (trial) return { period: 'trial', limitMicroUsd: trialMicroUsd, renewsAt: null }
  const renewsAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
  return { period: monthOf(now), limitMicroUsd: allowance.microUsd, renewsAt }
}
