import type { Db } from '#platform/db/db.ts'
import { wantAllRefreshes } from './accounts/account-store.ts'
import { dropOperations } from './operations/operation-store.ts'

/**
 * Makes a restored database learn first what the payment provider says by now about every account. Changes of the
 * backup that had not ended are dropped; what ends a subscription is carried out all the same.
 */
export async function rereadPayments(trx: Db): Promise<void> {
  await dropOperations(trx)
  await wantAllRefreshes(trx)
}
