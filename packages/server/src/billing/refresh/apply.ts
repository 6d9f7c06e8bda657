import { recordActivity } from '#api/activity/log.ts'
import { findAccount, lockAccount, writeRefreshed } from '#billing/accounts/account-store.ts'
import { type Entitled, entitle } from '#billing/accounts/entitle.ts'
import type { Lease } from '#billing/accounts/lease.ts'
import { type Account, liveStatuses, type StoredCheckout } from '#billing/accounts/stored.ts'
import { inProgress, type PaidServices } from '#billing/errors.ts'
import { markSeen } from '#billing/events/event-store.ts'
import { finishOperation, listOpenOperations } from '#billing/operations/operation-store.ts'
import type { ProviderState } from '#billing/payments/provider-records.ts'
import { currencyFor } from '#billing/prices/price-list.ts'
import { lockCountry, writePaid } from '#people/organizations/paid-store.ts'
import { lockOrganization } from '#people/organizations/store.ts'
import { crashPoint } from '#platform/crash-points.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { applyInvoices } from './apply-invoices.ts'
import { compareStates, isUnexpected, outline, sameProducts } from './difference.ts'
import { mailStates } from './mails.ts'
import { payments, type RefreshOptions } from './options.ts'
import { findParty, type Party } from './party-store.ts'

/** What was read, and what was wanted before it was read. */
interface Read {
  readonly wanted: number
  readonly state: ProviderState | null
  readonly options: RefreshOptions
}

/** Seconds until the provider is read again: while a person or a change is expected, and for what lives. */
const soonSeconds = 300
const dailySeconds = 86_400

/**
 * Applies what the provider says in one transaction: account, products, invoices, log, mails, operations. Throws when
 * another call has the lease by now: it read the provider later. Returns the account afterwards, or null for one that
 * was erased.
 */
export async function applyState(services: PaidServices, lease: Lease, read: Read): Promise<Account | null> {
  const { db, metrics, log } = services
  const { organizationId } = lease
  const done = await transaction(db, async (trx) => {
    if (!(await lockOrganization(trx, organizationId))) return null
    const before = await lockAccount(trx, organizationId)
    const party = await findParty(trx, organizationId)
    if (!before || !party) return null
    if (before.leaseToken !== lease.token) throw inProgress()
    const applied = await applyTo(trx, services, { before, party, ...read })
    crashPoint('billing.refresh-before-commit')
    return applied
  })
  if (done === null) return null
  for (const outcome of done.payments) metrics.paymentMade(outcome)
  const { before, after, isRepair } = done
  if (isUnexpected(before.status, after.status)) {
    const line = { event: 'billing_move_unexpected', organizationId, from: before.status, to: after.status } as const
    log.warn(line, 'the provider moved a subscription as no rule says')
  }
  if (isRepair) {
    metrics.billingRepaired()
    const line = { event: 'billing_repaired', organizationId, from: outline(before), to: outline(after) } as const
    log.warn(line, 'the provider differed from the service, and no event had said so')
  }
  return (await findAccount(db, organizationId)) ?? null
}

async function applyTo(
  trx: Db,
  services: PaidServices,
  { before, party, wanted, state, options }: Read & { readonly before: Account; readonly party: Party },
) {
  const { payments: own, clock } = services
  const { organizationId } = before
  const actor = options.actor ?? payments
  const after = entitle(state, own.graceDays, clock.now())
  const checkout = stillOpen(before.checkout, state, clock.now())
  for (const { id, state: end, providerRef } of options.finished ?? []) {
    await finishOperation(trx, organizationId, id, end, providerRef)
  }
  const isAwaited =
    checkout !== null || after.pending !== null || (await listOpenOperations(trx, organizationId)).length > 0
  await writeRefreshed(trx, organizationId, after, {
    currency: after.currency ?? currencyFor(own.prices, party.country),
    checkout,
    seen: wanted,
    dueInSeconds: isAwaited ? soonSeconds : isAlive(after) ? dailySeconds : null,
  })
  if (!isPaidAlready(party, after.paid)) await writePaid(trx, organizationId, after.paid)
  if (after.status === 'active' && !party.isCountryLocked) {
    const ofAddress = state?.customer.country ?? null
    // The currency is fixed by now, and a country must not promise another one.
    const fits = currencyFor(own.prices, ofAddress) === after.currency
    await lockCountry(trx, organizationId, fits ? ofAddress : null)
  }
  const changes = compareStates(before, after)
  for (const { action, details } of changes) await recordActivity(trx, { organizationId, actor, action, details })
  await mailStates(trx, services, { organizationId, party, before, after })
  const made = await applyInvoices(trx, services, { organizationId, party, after, actor, state })
  if (before.customerId !== null) await markSeen(trx, before.customerId)
  const isAnnounced = options.expected === true || wanted > before.seen
  return { before, after, payments: made, isRepair: !isAnnounced && outline(before) !== outline(after) }
}

function isAlive({ status }: Entitled): boolean {
  return status === 'incomplete' || liveStatuses.includes(status)
}

/** Returns the open page if it can still be paid. */
function stillOpen(checkout: StoredCheckout | null, state: ProviderState | null, now: Date): StoredCheckout | null {
  if (checkout === null || state === null || Date.parse(checkout.expiresAt) <= now.getTime()) return null
  const found = state.checkouts.find(({ id }) => id === checkout.providerId)
  return found && found.status !== 'open' ? null : checkout
}

/** Returns whether what is paid is written already: writing it again would wake everything that watches products. */
function isPaidAlready({ paid, paidUntil, paidExtraNumbers }: Party, wanted: Entitled['paid']): boolean {
  return (
    sameProducts(paid, wanted.products) &&
    paidExtraNumbers === wanted.extraNumbers &&
    (wanted.products.length === 0 || paidUntil?.getTime() === wanted.until?.getTime())
  )
}
