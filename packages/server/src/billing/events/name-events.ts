import { wantRefresh } from '#billing/accounts/account-store.ts'
import { isUnavailable, requirePayments } from '#billing/errors.ts'
import { ProviderError } from '#billing/payments/provider.ts'
import { transaction } from '#platform/db/db.ts'
import type { Services } from '#services.ts'
import { listNamelessEvents, settleEvent } from './event-store.ts'

const atOnce = 100

/** A charge that the provider does not show is of no customer that is known here. */
function refused(error: unknown): null {
  if (error instanceof ProviderError && !isUnavailable(error)) return null
  throw error
}

/** Finds the customers of events that name only a charge, as those of a dispute do, and wants their refresh. */
export async function nameEvents(services: Services): Promise<void> {
  const { provider } = requirePayments(services)
  for (const { id, chargeId } of await listNamelessEvents(services.db, atOnce)) {
    const customerId = chargeId === null ? null : await provider.findCustomer({ chargeId }).catch(refused)
    await transaction(services.db, async (trx) => {
      const organizationId = customerId === null ? undefined : await wantRefresh(trx, customerId)
      await settleEvent(trx, id, customerId, organizationId === undefined)
    })
  }
}
