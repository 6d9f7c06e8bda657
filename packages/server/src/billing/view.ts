import type { BillingMode } from '@msgctl/contract'
import { findAccount } from './accounts/account-store.ts'
import { type Account, planOf } from './accounts/stored.ts'
import { noSubscription, type PaidServices } from './errors.ts'
import { findByProviderIds, type InvoiceRow } from './invoices/invoice-store.ts'
import { toMoney } from './money.ts'
import type { Payments } from './payments/payments.ts'
import { toCheckout } from './plan/checkout.ts'
import { currencyFor } from './prices/price-list.ts'
import { findParty, type Party } from './refresh/party-store.ts'

/** Returns the state of billing of an organization, from the records of the service. */
export async function readBilling({ db, payments }: PaidServices, organizationId: string) {
  const [account, party] = await Promise.all([findAccount(db, organizationId), findParty(db, organizationId)])
  if (!party) throw noSubscription()
  const open = account?.openInvoice?.providerId
  const [invoice] = open === undefined ? [] : await findByProviderIds(db, organizationId, [open])
  return toBilling(payments, { account, party, invoiceId: invoice?.id ?? null })
}

function toBilling(
  { mode, prices }: Pick<Payments, 'mode' | 'prices'>,
  found: { readonly account: Account | undefined; readonly party: Party; readonly invoiceId: string | null },
) {
  const { account, party } = found
  const currency = account && account.status !== 'none' ? account.currency : currencyFor(prices, party.country)
  const ofParty = {
    grantedProducts: party.granted,
    country: party.country,
    countryLocked: party.isCountryLocked,
  }
  if (!account) return { ...nothing(mode, currency), ...ofParty }
  const { openInvoice, pending, checkout } = account
  return {
    ...ofParty,
    mode,
    status: account.status,
    currency,
    period: account.period,
    ...toPlan(planOf(account.items)),
    amount: account.amount === null ? null : toMoney(account.amount, currency),
    credit: toMoney(account.credit, currency),
    currentPeriodStart: toText(account.currentPeriodStart),
    currentPeriodEnd: toText(account.currentPeriodEnd),
    cancelAtPeriodEnd: account.cancelAtPeriodEnd,
    endsAt: toText(account.endsAt),
    graceEndsAt: toText(account.graceEndsAt),
    openInvoice:
      openInvoice && found.invoiceId !== null
        ? {
            id: found.invoiceId,
            number: openInvoice.number,
            total: toMoney(openInvoice.total, currency),
            payUrl: openInvoice.payUrl,
            nextAttemptAt: openInvoice.nextAttemptAt,
            reason: openInvoice.reason,
          }
        : null,
    pendingChange: pending && {
      ...toPlan(pending),
      period: pending.period,
      payUrl: pending.payUrl,
      expiresAt: pending.expiresAt,
    },
    checkout: checkout && toCheckout(checkout),
    card: account.card,
  }
}

function nothing(mode: BillingMode, currency: string) {
  return {
    mode,
    status: 'none' as const,
    currency,
    period: null,
    products: [],
    extraNumbers: 0,
    amount: null,
    credit: toMoney(0, currency),
    currentPeriodStart: null,
    currentPeriodEnd: null,
    cancelAtPeriodEnd: false,
    endsAt: null,
    graceEndsAt: null,
    openInvoice: null,
    pendingChange: null,
    checkout: null,
    card: null,
  }
}

function toPlan({ products, extraNumbers }: ReturnType<typeof planOf>) {
  return { products: [...products], extraNumbers }
}

function toText(at: Date | null): string | null {
  return at?.toISOString() ?? null
}

/** Returns an invoice as the API shows it. */
export function toInvoice(row: InvoiceRow) {
  const money = (amount: number) => toMoney(amount, row.currency)
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    createdAt: row.createdAt.toISOString(),
    paidAt: toText(row.paidAt),
    periodStart: row.periodStart.toISOString(),
    periodEnd: row.periodEnd.toISOString(),
    subtotal: money(row.subtotal),
    tax: money(row.tax),
    total: money(row.total),
    paid: money(row.paid),
    refunded: money(row.refunded),
    disputed: row.disputed,
    receipt: row.status === 'paid',
    payUrl: row.payUrl,
    lines: row.lines.map(({ item, quantity, amount, prorated, description }) => ({
      item,
      quantity,
      amount: money(amount),
      prorated,
      description,
    })),
  }
}
