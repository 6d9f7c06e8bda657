import { limits } from '@msgctl/contract'
import type { Db } from '#platform/db/db.ts'
import { lockQuota } from '#platform/db/quota-lock.ts'
import { apiError } from '#platform/errors.ts'

/** A kind of rows that wait to be sent. */
export interface UnsentRows {
  /** Names the rows in a sentence: "reminders". */
  readonly noun: string
  /** Names the rows to delete to free capacity. */
  readonly deletable: string
  /** Counts the rows of the organization. */
  count(trx: Db, organizationId: string): Promise<number>
}

/**
 * Requires that an organization may store `requested` more rows that are not sent yet. Drafts and plans cost nothing
 * else, so without a bound a free trial could fill the disk. Requests of one organization are serialized until the
 * transaction ends. Throws FORBIDDEN_ACTION quota_reached.
 */
export async function requireUnsentQuota(
  trx: Db,
  caller: { readonly organizationId: string; readonly trial: boolean },
  requested: number,
  { noun, deletable, count }: UnsentRows,
): Promise<void> {
  if (requested <= 0) return
  const limit = caller.trial ? limits.unsent.trialRows : limits.unsent.rows
  await lockQuota(trx, 'unsent', caller.organizationId)
  const used = await count(trx, caller.organizationId)
  if (used + requested <= limit) return
  const owner = caller.trial ? 'An organization on trial' : 'An organization'
  const sentence = `${owner} keeps at most ${limit} ${noun} that were never sent`
  throw apiError(
    'FORBIDDEN_ACTION',
    `${sentence}; ${used} are stored and this needs ${requested} more. Delete ${deletable} you do not need.`,
    { reason: 'quota_reached', limit, used, requested },
  )
}
