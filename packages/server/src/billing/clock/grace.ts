import { recordActivity } from '#api/activity/log.ts'
import { listOverdueAccounts, lockAccount, writeUnpaid } from '#billing/accounts/account-store.ts'
import { planOf } from '#billing/accounts/stored.ts'
import { withPayments } from '#billing/errors.ts'
import { mailStates } from '#billing/refresh/mails.ts'
import { payments } from '#billing/refresh/options.ts'
import { findParty } from '#billing/refresh/party-store.ts'
import { writePaid } from '#people/organizations/paid-store.ts'
import { lockOrganization } from '#people/organizations/store.ts'
import { transaction } from '#platform/db/db.ts'
import { repeatUntilZero } from '#platform/periodic-jobs.ts'
import type { Services } from '#services.ts'

/**
 * Ends the days of grace that are over. Their products have ended by themselves; this writes it into the state, the log
 * and a mail, without the provider, which may be silent.
 */
export async function endGrace(services: Services): Promise<void> {
  const paid = withPayments(services)
  await repeatUntilZero(async () => {
    const accounts = await listOverdueAccounts(services.db, 100)
    for (const { organizationId } of accounts) {
      await transaction(services.db, async (trx) => {
        await lockOrganization(trx, organizationId)
        const before = await lockAccount(trx, organizationId)
        const party = await findParty(trx, organizationId)
        if (!before || !party || !(await writeUnpaid(trx, organizationId))) return
        await writePaid(trx, organizationId, { products: [], extraNumbers: 0, until: null })
        const details = { products: planOf(before.items).products }
        await recordActivity(trx, { organizationId, actor: payments, action: 'billing.paused', details })
        await mailStates(trx, paid, { organizationId, party, before, after: { status: 'unpaid' } })
      })
    }
    return accounts.length
  })
}
