import type { Actor } from '#api/activity/log.ts'
import { findAccount } from '#billing/accounts/account-store.ts'
import { withLease } from '#billing/accounts/lease.ts'
import { calling } from '#billing/calling.ts'
import type { PaidServices } from '#billing/errors.ts'
import type { Db } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { insertOperation } from './operation-store.ts'
import { settle } from './settle.ts'

/**
 * Reads the provider now and applies what it says; nothing for an organization without a record there. Throws
 * PAYMENT_UNAVAILABLE, and PAYMENT_CHANGE_REFUSED `in_progress` after 15 s.
 */
export async function refreshNow(services: PaidServices, organizationId: string): Promise<void> {
  if (!(await findAccount(services.db, organizationId))?.customerId) return
  await calling(() => withLease(services, organizationId, (lease) => settle(services, lease, { expected: true })))
}

/**
 * Begins to end the subscription of an organization, in the transaction of the change that wants it. The provider is
 * called after the commit, until it has ended.
 */
export async function beginEnd(trx: Db, organizationId: string, actor: Actor): Promise<void> {
  if (!(await findAccount(trx, organizationId))?.customerId) return
  await insertOperation(trx, { id: newId(), organizationId, kind: 'end', request: {}, actor })
}
