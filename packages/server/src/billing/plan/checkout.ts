import { type Contract, limits } from '@msgctl/contract'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Caller, Request } from '#api/http/handler.ts'
import { findAccount, insertAccount, lockAccount, writeCheckout } from '#billing/accounts/account-store.ts'
import { type Lease, withLease } from '#billing/accounts/lease.ts'
import { liveStatuses, type StoredCheckout } from '#billing/accounts/stored.ts'
import { calling } from '#billing/calling.ts'
import type { PaidServices } from '#billing/errors.ts'
import { changeRefused, inProgress, isCertainlyNotDone, noSubscription, withPayments } from '#billing/errors.ts'
import { finishOperation } from '#billing/operations/operation-store.ts'
import { begin } from '#billing/operations/perform.ts'
import { settle } from '#billing/operations/settle.ts'
import type { ProviderCheckout } from '#billing/payments/provider-records.ts'
import { currencyFor } from '#billing/prices/price-list.ts'
import { sameProducts } from '#billing/refresh/difference.ts'
import { findParty, type Party } from '#billing/refresh/party-store.ts'
import { lockOrganization } from '#people/organizations/store.ts'
import { transaction } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { invalidField } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { ensureCustomer } from './customer.ts'
import { hasCapped, requireOffered, toLines, type Wanted } from './rules.ts'

const hourMs = 3_600_000
/** Seconds until the provider is read again while a page is open. */
const soonSeconds = 300

/**
 * Opens a page on which a plan is paid for the first time. The same plan again returns the page that is open, another
 * one closes it.
 */
export async function openCheckout(
  { caller, body }: Request<Contract['billing']['checkout']>,
  services: Services,
): Promise<{ checkout: { id: string; url: string; expiresAt: string } }> {
  const { organizationId } = caller
  const paid = withPayments(services)
  const { prices, mode } = paid.payments
  const party = await findParty(services.db, organizationId)
  if (!party) throw noSubscription()
  if (body.extraNumbers > 0 && !hasCapped([...body.products, ...party.granted])) {
    throw invalidField('extraNumbers', 'needs the product Developer or Connect')
  }
  const currency = currencyFor(prices, party.country)
  await insertAccount(services.db, { organizationId, currency, livemode: mode === 'live' })
  const checkout = await calling(() =>
    withLease(paid, organizationId, (lease) => openUnderLease(paid, lease, { caller, wanted: body })),
  )
  return { checkout }
}

async function openUnderLease(
  services: PaidServices,
  lease: Lease,
  { caller, wanted }: { readonly caller: Caller; readonly wanted: Wanted },
): Promise<{ id: string; url: string; expiresAt: string }> {
  const { db, payments } = services
  const { organizationId } = lease
  const before = await findAccount(db, organizationId)
  const fresh = await settle(services, lease, { expected: true })
  const party = await findParty(db, organizationId)
  if (!fresh || !party || party.isDeleted) throw noSubscription()
  const { account } = fresh
  if (liveStatuses.includes(account.status)) throw changeRefused('already_subscribed')
  const currency = currencyFor(payments.prices, party.country)
  requireOffered(wanted, { prices: payments.prices, currency, granted: party.granted, kept: [] })
  const { checkout } = account
  if (checkout && isSame(checkout, wanted, party)) return toCheckout(checkout)
  const customerId = await ensureCustomer(services, lease, before?.customerId ?? null)
  if (checkout) await lease.call((provider) => provider.expireCheckout(checkout.providerId))
  const expiresAt = new Date(services.clock.now().getTime() + limits.billing.checkoutHours * hourMs)
  const request = { customerId, lines: toLines(wanted), period: wanted.period, currency, expiresAt }
  const actor = toActor(caller)
  const id = newId()
  await begin(db, { id, organizationId, kind: 'checkout', request, actor })
  const open = await openPage(services, lease, { id, ...request })
  const { products, extraNumbers, period } = wanted
  const stored: StoredCheckout = {
    id,
    providerId: open.id,
    url: open.url,
    expiresAt: open.expiresAt.toISOString(),
    products,
    extraNumbers,
    period,
    country: party.country,
  }
  await transaction(db, async (trx) => {
    await lockOrganization(trx, organizationId)
    if ((await lockAccount(trx, organizationId))?.leaseToken !== lease.token) throw inProgress()
    await writeCheckout(trx, organizationId, stored, soonSeconds)
    await finishOperation(trx, organizationId, id, 'done', open.id)
    const details = { products, extraNumbers, period }
    await recordActivity(trx, { organizationId, actor, action: 'billing.checkout_opened', details })
  })
  return toCheckout(stored)
}

/** Opens the page. An operation that certainly did nothing is over. */
async function openPage(
  { db, payments }: PaidServices,
  lease: Lease,
  {
    id,
    ...page
  }: { readonly id: string } & Omit<Parameters<typeof lease.payments.provider.openCheckout>[0], 'key' | 'returnUrl'>,
): Promise<ProviderCheckout & { readonly url: string }> {
  try {
    return await lease.operate((one) => one.openCheckout({ ...page, key: `${id}:1`, returnUrl: payments.returnUrl }))
  } catch (error) {
    if (isCertainlyNotDone(error)) await finishOperation(db, lease.organizationId, id, 'refused')
    throw error
  }
}

function isSame(open: StoredCheckout, wanted: Wanted, { country }: Party): boolean {
  const { products, extraNumbers, period } = wanted
  return (
    sameProducts(open.products, products) &&
    open.extraNumbers === extraNumbers &&
    open.period === period &&
    open.country === country
  )
}

/** Returns an open page as the API shows it. */
export function toCheckout({ id, url, expiresAt }: StoredCheckout) {
  return { id, url, expiresAt }
}
