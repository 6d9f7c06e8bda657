import { limits } from '@msgctl/contract'
import { byOrganization, limitReached } from '#api/access/limit-key.ts'
import type { Clock } from '#platform/db/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { countTrial, findTrial } from './trial-store.ts'

/**
 * Counts `requested` messages against the trial of an organization that is on it, inside the transaction that stores
 * them. Throws TRIAL_LIMIT_REACHED, and counts nothing, when they do not all fit (specification, "Limits").
 */
export async function consumeTrialQuota(
  trx: Db,
  clock: Clock,
  caller: { readonly organizationId: string; readonly trial: boolean },
  requested: number,
): Promise<void> {
  if (!caller.trial) return
  const limit = limits.trial.messagesPerDay
  if (await countTrial(trx, caller.organizationId, requested, limit)) return
  const { used } = await findTrial(trx, caller.organizationId)
  const now = clock.now()
  const resetsAt = nextUtcDay(now)
  throw limitReached(
    byOrganization('messages on trial', caller.organizationId),
    `The free trial sends ${limit} messages a UTC day; ${used} are used and this needs ${requested} more.`,
    {
      limit,
      used,
      requested,
      retryAfterSeconds: Math.ceil((resetsAt.getTime() - now.getTime()) / 1000),
      resetsAt: resetsAt.toISOString(),
    },
  )
}

/** A trial as GET /me and GET /me/limits show it. */
export interface TrialState {
  readonly endsAt: string
  readonly limit: number
  readonly used: number
  readonly resetsAt: string
}

/** Returns the trial of the caller's organization, or null when a product was granted or there never was a trial. */
export async function trialState(
  db: Db,
  clock: Clock,
  caller: { readonly organizationId: string; readonly trial: boolean },
): Promise<TrialState | null> {
  if (!caller.trial) return null
  const { endsAt, used } = await findTrial(db, caller.organizationId)
  if (endsAt === null) return null
  return {
    endsAt: endsAt.toISOString(),
    limit: limits.trial.messagesPerDay,
    used,
    resetsAt: nextUtcDay(clock.now()).toISOString(),
  }
}

/** The midnight UTC after `now`. */
function nextUtcDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1))
}
