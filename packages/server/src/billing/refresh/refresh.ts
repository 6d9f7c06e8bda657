import { dropCustomer, findAccount } from '#billing/accounts/account-store.ts'
import { entitle } from '#billing/accounts/entitle.ts'
import type { Lease } from '#billing/accounts/lease.ts'
import type { Account } from '#billing/accounts/stored.ts'
import type { PaidServices } from '#billing/errors.ts'
import { closeEvents } from '#billing/events/event-store.ts'
import { ProviderError } from '#billing/payments/provider.ts'
import { isOurs, isOver, type ProviderState } from '#billing/payments/provider-records.ts'
import { currencyFor } from '#billing/prices/price-list.ts'
import { crashPoint } from '#platform/crash-points.ts'
import { applyState } from './apply.ts'
import type { RefreshOptions } from './options.ts'
import { findParty } from './party-store.ts'

/** What was read and applied. */
export interface Refreshed {
  readonly account: Account
  readonly state: ProviderState | null
}

/** Reads the provider and applies what it says, under the lease of the account. */
export async function refresh(
  services: PaidServices,
  lease: Lease,
  options: RefreshOptions = {},
): Promise<Refreshed | null> {
  const { organizationId } = lease
  const before = await findAccount(services.db, organizationId)
  if (!before) return null
  const state = before.customerId === null ? null : await readTidy(services, lease, before, before.customerId)
  crashPoint('billing.refresh-read')
  if (before.customerId !== null && state === null) {
    await dropCustomer(services.db, organizationId)
    await closeEvents(services.db, before.customerId)
  }
  const account = await applyState(services, lease, { wanted: before.wanted, state, options })
  return account && { account, state }
}

/**
 * Reads all about a customer, and ends at the provider what must not be: a second subscription, whose payments are paid
 * back, any of a deleted organization, and open pages that the service does not know, or in another currency by now.
 */
async function readTidy(
  services: PaidServices,
  lease: Lease,
  { checkout, livemode }: Account,
  customerId: string,
): Promise<ProviderState | null> {
  const { payments: own, clock, db, log } = services
  const { organizationId } = lease
  const read = () => lease.call((provider) => provider.read(customerId))
  const state = await read().catch((error: unknown) => {
    // What test cards bought before real money was taken is gone. Any other unknown customer is one of another account.
    const isOfTests = livemode !== (own.mode === 'live')
    if (error instanceof ProviderError && error.failure.kind === 'missing' && isOfTests) return null
    throw error
  })
  if (state === null) return null
  const party = await findParty(db, organizationId)
  const currency = currencyFor(own.prices, party?.country ?? null)
  const isMoved = checkout !== null && currencyFor(own.prices, checkout.country) !== currency
  const stray = state.checkouts.filter(
    ({ id, status }) => status === 'open' && (id !== checkout?.providerId || isMoved || party?.isDeleted),
  )
  const { surplus: second } = entitle(state, own.graceDays, clock.now())
  // No person is left who could stop what was paid while an organization was deleted.
  const left = party?.isDeleted ? state.subscriptions.filter((one) => isOurs(one) && !isOver(one)) : []
  const surplus = [...new Set([...second, ...left])]
  for (const { id } of stray) await lease.call((provider) => provider.expireCheckout(id))
  for (const { id } of surplus) {
    log.error({ event: 'billing_surplus_subscription', organizationId }, 'ended a subscription that must not be')
    await lease.call((provider) => provider.stop(id, 'now', { key: `second:${id}` }))
    const isSecond = second.some((one) => one.id === id)
    for (const invoice of state.invoices.filter(({ subscriptionId }) => isSecond && subscriptionId === id)) {
      await lease.call((provider) => provider.undoInvoice(invoice.id, { key: `second:${invoice.id}` }))
    }
  }
  return stray.length + surplus.length > 0 ? read() : state
}
