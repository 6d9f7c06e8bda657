import type { GatewaySession } from '../gateway/gateway.ts'
import type { Services } from '../services.ts'
import { type CheckBudget, openBudget, takeFromBudget, windowMs } from './check-budget-store.ts'

/** Why the network is asked: for a message that shall leave, or to clean a list. */
export type CheckPurpose = 'send' | 'list'

/** Lists leave this part of a number's minute (one in six) to sends, so that cleaning a list never stops a message. */
const oneIn = 6

/** What the budget allows, and when the rest of all that is wanted may be asked for. */
export interface Grant {
  readonly granted: number
  readonly retryAfterMs: number
}

/**
 * Takes questions from a number's minute (`CHECKS_PER_NUMBER_PER_MINUTE`), exactly over all processes: up to `now` of
 * them, of the `inAll` that the caller still needs.
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
  // A number without a row even now was removed a moment ago.
  if (!taken) return { granted: 0, retryAfterMs: windowMs }
  const { granted, usedMs } = taken
  return { granted, retryAfterMs: budgetWaitMs(budget, usedMs, wanted.inAll - granted) }
}

async function takeFirst({ db }: Pick<Services, 'db'>, budget: CheckBudget, wanted: number) {
  await openBudget(db, budget)
  return takeFromBudget(db, budget, wanted)
}

/** Milliseconds until `missing` questions, or as many as a minute has at most, may be asked. */
export function budgetWaitMs(
  { perMinute, keep }: Pick<CheckBudget, 'perMinute' | 'keep'>,
  usedMs: number,
  missing: number,
) {
  const stepMs = windowMs / perMinute
  const most = perMinute - keep
  return Math.max(0, Math.min(missing, most) * stepMs - (windowMs - keep * stepMs - usedMs))
}
