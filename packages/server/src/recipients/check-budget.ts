import type { GatewaySession } from '../gateway/gateway.ts'
import type { Services } from '../services.ts'
import { type CheckBudget, openBudget, takeFromBudget, windowMs } from './check-budget-store.ts'

/** The purpose of a check: a message that is about to be sent, or a list that is cleaned. */
export type CheckPurpose = 'send' | 'list'

/** The share of a number's budget (one in six) that lists leave to sends, so that cleaning a list never stops a message. */
const oneIn = 6

/** How many checks the budget grants, and when the rest may follow. */
export interface Grant {
  readonly granted: number
  readonly retryAfterMs: number
}

/**
 * Takes up to `now` checks of the `inAll` that the caller needs from a number's budget (`CHECKS_PER_NUMBER_PER_MINUTE`),
 * which all processes share.
 */
export async function takeChecks(
  services: Pick<Services, 'db' | 'config'>,
  session: GatewaySession,
  purpose: CheckPurpose,
  wanted: { readonly now: number; readonly inAll: number },
): Promise<Grant> {
  const perMinute = services.config.checksPerNumberPerMinute
  const keep = purpose === 'list' ? Math.floor(perMinute / oneIn) : 0
  const budget: CheckBudget = {
    organizationId: session.organizationId,
    containerId: session.containerId,
    perMinute,
    keep,
  }
  const taken =
    (await takeFromBudget(services.db, budget, wanted.now)) ?? (await takeFirst(services, budget, wanted.now))
  // A number that still has no row was removed a moment ago.
  if (!taken) return { granted: 0, retryAfterMs: windowMs }
  const { granted, usedMs } = taken
  return { granted, retryAfterMs: budgetWaitMs(budget, usedMs, wanted.inAll - granted) }
}

async function takeFirst({ db }: Pick<Services, 'db'>, budget: CheckBudget, wanted: number) {
  await openBudget(db, budget)
  return takeFromBudget(db, budget, wanted)
}

/** Returns the milliseconds until `missing` checks, at most those of a minute, are available. */
export function budgetWaitMs(
  { perMinute, keep }: Pick<CheckBudget, 'perMinute' | 'keep'>,
  usedMs: number,
  missing: number,
) {
  const stepMs = windowMs / perMinute
  const most = perMinute - keep
  return Math.max(0, Math.min(missing, most) * stepMs - (windowMs - keep * stepMs - usedMs))
}
