import { findAccount, writeCustomer } from '#billing/accounts/account-store.ts'
import type { Lease } from '#billing/accounts/lease.ts'
import { changeRefused, type PaidServices } from '#billing/errors.ts'
import { findParty } from '#billing/refresh/party-store.ts'
import { transaction } from '#platform/db/db.ts'

/**
 * Returns the record of the organization at the provider, and makes it where there is none. One that was made before a
 * crash is found by its key for a day, and by the organization in its metadata after that.
 */
export async function ensureCustomer({ db }: PaidServices, lease: Lease, lost: string | null): Promise<string> {
  const { organizationId } = lease
  const account = await findAccount(db, organizationId)
  if (account?.customerId != null) return account.customerId
  const party = await findParty(db, organizationId)
  if (!party?.ownerEmail) throw changeRefused('provider')
  const { name, ownerEmail: email, country } = party
  // One whose events were seen already is gone; the provider would repeat that it made it.
  const gone = lost ?? (account && account.seen > 0 ? account.seen : null)
  const key = gone === null ? `customer:${organizationId}` : `customer:${organizationId}:${gone}`
  const known = account?.isOld && lost === null ? await lease.call((one) => one.findCustomer({ organizationId })) : null
  const id =
    known ?? (await lease.call((provider) => provider.saveCustomer({ key, organizationId, email, name, country })))
  await transaction(db, (trx) => writeCustomer(trx, organizationId, id))
  return id
}
