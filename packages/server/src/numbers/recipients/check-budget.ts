import type { GatewaySession } from '@msgctl/network/gateway'
import type { Services } from '#services.ts'
import {
  type BudgetSteps,
  type CheckBudget,
  dayMs,
  openBudget,
  takeFromBudget,
  windowMs,
} from './check-budget-store.ts'
import { type CheckLimits, checkLimits } from './check-limits.ts'

/** The purpose of a check: a message that is about to be sent, or a list that is cleaned. */
export type CheckPurpose = 'send' | 'list'

/**
 * The share of a number's budget (one in six) that lists leave to sends, so that cleaning a list never stops a message.
 */
const oneIn = 6

/** How many checks the budget grants, when the rest may follow, and how long the results are valid. */
export interface Grant {
  readonly granted: number
  readonly retryAfterMs: number
  readonly validHours: CheckLimits['validHours']
}

/**
 * Takes up to `now` checks of the `inAll` that the caller needs from a number's budget, which all processes share:
 * `CHECKS_PER_NUMBER_PER_MINUTE` and `CHECKS_PER_NUMBER_PER_DAY`, whose defaults depend on the network of the number.
 */
export async function takeChecks(
  services: Pick<Services, 'db' | 'config'>,
  session: GatewaySession,
  purpose: CheckPurpose,
  wanted: { readonly now: number; readonly inAll: number },
): Promise<Grant> {
  const limits = checkLimits(services.config)
  const { organizationId, containerId } = session
  const steps = (of: CheckLimits): BudgetSteps => ({
    stepMs: windowMs / of.perMinute,
    dayStepMs: dayMs / of.perDay,
    keep: purpose === 'list' ? Math.floor(of.perMinute / oneIn) : 0,
  })
  const budget: CheckBudget = {
    organizationId,
    containerId,
    simulated: steps(limits.simulated),
    real: steps(limits.real),
  }
  const taken =
    (await takeFromBudget(services.db, budget, wanted.now)) ?? (await takeFirst(services, budget, wanted.now))
  // A number that still has no row was removed a moment ago.
  if (!taken) return { granted: 0, retryAfterMs: windowMs, validHours: limits.real.validHours }
  const { granted, usedMs, dayUsedMs, isSimulated } = taken
  const network = isSimulated ? 'simulated' : 'real'
  const missing = wanted.inAll - granted
  const minuteWaitMs = budgetWaitMs({ ...limits[network], keep: budget[network].keep }, usedMs, missing)
  const retryAfterMs = Math.max(minuteWaitMs, dayWaitMs(budget[network], dayUsedMs, missing))
  return { granted, retryAfterMs, validHours: limits[network].validHours }
}

async function takeFirst({ db }: Pick<Services, 'db'>, budget: CheckBudget, wanted: number) {
  await openBudget(db, budget)
  return takeFromBudget(db, budget, wanted)
}

/** Returns the milliseconds until `missing` checks, at most those of a minute, are available. */
export function budgetWaitMs(
  { perMinute, keep }: { readonly perMinute: number; readonly keep: number },
  usedMs: number,
  missing: number,
) {
  const stepMs = windowMs / perMinute
  const most = perMinute - keep
  return Math.max(0, Math.min(missing, most) * stepMs - (windowMs - keep * stepMs - usedMs))
}

/** Returns the milliseconds until the day has room for the next check; 0 where nothing is missing. */
function dayWaitMs({ dayStepMs }: BudgetSteps, usedMs: number, missing: number): number {
  return missing > 0 ? Math.max(0, usedMs + dayStepMs - dayMs) : 0
}
