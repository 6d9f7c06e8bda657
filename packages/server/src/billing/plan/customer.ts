import { findAccount, writeCustomer } from '#billing/accounts/account-store.ts'
import type { Lease } from '#billing/accounts/lease.ts'
import { changeRefused, type PaidServices } from '#billing/errors.ts'
import { ProviderError } from '#billing/payments/provider.ts'
import { findParty } from '#billing/refresh/party-store.ts'
import { transaction } from '#platform/db/db.ts'

/**
 * Returns the record of the organization at the provider, and makes it where there is none. One that was made before a
 * crash is found by its key for a day, and by the organization in its metadata after that.
 */
export async function ensureCustomer(
  { db, payments }: PaidServices,
  lease: Lease,
  lost: string | null,
): Promise<string> {
  const { organizationId } = lease
  const livemode = payments.mode === 'live'
  const account = await findAccount(db, organizationId)
  if (account?.customerId != null) return account.customerId
  const party = await findParty(db, organizationId)
  if (!party?.ownerEmail) throw changeRefused('provider')
  const { name, ownerEmail: email, country } = party
  // One whose events were seen already is gone; the provider would repeat that it made it.
  const gone = lost ?? (account && account.seen > 0 ? account.seen : null)
  const key = gone === null ? `customer:${organizationId}` : `customer:${organizationId}:${gone}`
  async function make(): Promise<string> {
    const fields = { key, organizationId, email, name, country }
    try {
      return await lease.call((provider) => provider.saveCustomer(fields))
    } catch (error) {
      // The answer of an earlier call was lost, and name, owner or country are others by now: the key is used up.
      const isOther =
        error instanceof ProviderError && error.failure.kind === 'unavailable' && error.failure.misconfigured
      const made = isOther ? await lease.call((provider) => provider.findCustomer({ organizationId })) : null
      if (made === null) throw error
      return made
    }
  }
  const known = account?.isOld && lost === null ? await lease.call((one) => one.findCustomer({ organizationId })) : null
  const id = known ?? (await make())
  await transaction(db, (trx) => writeCustomer(trx, organizationId, { customerId: id, livemode }))
  return id
}
