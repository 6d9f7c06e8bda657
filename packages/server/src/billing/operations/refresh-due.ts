import { deferRefresh, listDueAccounts } from '#billing/accounts/account-store.ts'
import { withLease } from '#billing/accounts/lease.ts'
import { isInProgress, type PaidServices, withPayments } from '#billing/errors.ts'
import { repeatUntilZero } from '#platform/periodic-jobs.ts'
import { workOn } from '#platform/set-aside/work.ts'
import type { Services } from '#services.ts'
import { listLeftOperations } from './operation-store.ts'
import { settle } from './settle.ts'

/** Accounts whose provider is read at a time by one process. */
const atOnce = 5
/** After a refresh that failed, the next one follows after this time. */
const retrySeconds = 60
/** The same where another call or job has the account. */
const busySeconds = 5
/** One that was set aside is read again after this time. */
const asideSeconds = 3600

/** Refreshes the accounts that wait for it, until none does. */
export async function refreshDue(services: Services): Promise<void> {
  const paid = withPayments(services)
  await repeatUntilZero(async () => refreshSome(paid, await listDueAccounts(services.db, atOnce)))
}

/** Completes operations that were cut off, and those that no caller waits for. */
export async function settleLeft(services: Services): Promise<void> {
  const left = await listLeftOperations(services.db, atOnce * 10)
  for (let from = 0; from < left.length; from += atOnce) {
    await refreshSome(withPayments(services), left.slice(from, from + atOnce))
  }
}

/** Settles accounts. Returns how many of them were settled. */
async function refreshSome(
  services: PaidServices,
  accounts: readonly { readonly organizationId: string }[],
): Promise<number> {
  const items = accounts.map(({ organizationId }) => ({ id: organizationId, organizationId }))
  let settled = 0
  const { inWork, setAside } = await workOn(services, 'accounts', items, {
    async run(some) {
      const ends = await Promise.all(some.map(({ organizationId }) => settleOne(services, organizationId)))
      settled += ends.filter((end) => end).length
    },
  })
  // The others do not wait behind what is not worked on.
  for (const { id } of inWork) await deferRefresh(services.db, id, busySeconds)
  for (const { id } of setAside) await deferRefresh(services.db, id, asideSeconds)
  return settled
}

/** Settles an account. Another call may have it now: it reads the provider as well. */
async function settleOne(services: PaidServices, organizationId: string): Promise<boolean> {
  const { db, log } = services
  try {
    await withLease(services, organizationId, (lease) => settle(services, lease), 0)
    return true
  } catch (error) {
    if (isInProgress(error)) {
      await deferRefresh(db, organizationId, busySeconds)
      return false
    }
    log.warn({ event: 'billing_refresh_failed', err: error, organizationId }, 'failed to read the payment provider')
    await deferRefresh(db, organizationId, retrySeconds)
    return false
  }
}
