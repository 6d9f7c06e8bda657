import { limits } from '@msgctl/contract'
import type { Db } from '#platform/db/db.ts'
import { lockQuota } from '#platform/db/quota-lock.ts'
import { apiError } from '#platform/errors.ts'
import { countMissing, countUnknown } from './opt-out-store.ts'

/**
 * Requires that an organization may opt these people out. Those who are no contacts become contacts that no number
 * knows, and nothing else bounds them. Requests of one organization are serialized until the transaction ends. Throws
 * FORBIDDEN_ACTION quota_reached.
 */
export async function requireOptOutQuota(
  trx: Db,
  { organizationId, trial }: { readonly organizationId: string; readonly trial: boolean },
  phones: readonly string[],
): Promise<void> {
  await lockQuota(trx, 'opted out', organizationId)
  const requested = await countMissing(trx, organizationId, phones)
  if (requested === 0) return
  const limit = trial ? limits.optedOut.trialRows : limits.optedOut.rows
  const used = await countUnknown(trx, organizationId)
  if (used + requested <= limit) return
  const owner = trial ? 'An organization on trial' : 'An organization'
  const sentence = `${owner} keeps at most ${limit} contacts that none of its numbers knows`
  throw apiError(
    'FORBIDDEN_ACTION',
    `${sentence}; ${used} are stored and this needs ${requested} more. Leave out people whom you never write to.`,
    { reason: 'quota_reached', limit, used, requested },
  )
}
