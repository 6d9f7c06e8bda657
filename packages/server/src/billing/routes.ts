import { type BillingPeriod, type Contract, limits, products } from '@msgctl/contract'
import { byOrganization, limitReached } from '#api/access/limit-key.ts'
import type { Caller, Handlers } from '#api/http/handler.ts'
import { incrementAttempts } from '#people/auth/attempt-store.ts'
import { ApiError, apiError } from '#platform/errors.ts'
import { findAccount } from './accounts/account-store.ts'
import { liveStatuses } from './accounts/stored.ts'
import { calling } from './calling.ts'
import { noSubscription, type PaidServices, requirePayments, withPayments } from './errors.ts'
import { takeEvent } from './events/webhook.ts'
import { findByProviderIds, findInvoice, listInvoices } from './invoices/invoice-store.ts'
import { toMoney } from './money.ts'
import { refreshNow } from './operations/refresh-now.ts'
import type { PlanItem } from './payments/provider-records.ts'
import { changePlan, type Wish } from './plan/change.ts'
import { openCheckout } from './plan/checkout.ts'
import { previewPlan } from './plan/preview.ts'
import { cancelPlan, resumePlan } from './plan/stop.ts'
import { currencyFor, priceOf, productsForSale } from './prices/price-list.ts'
import { readBilling, toInvoice } from './view.ts'

/** Makes a change and returns the state afterwards, with the invoice that charged it. */
async function changed(services: PaidServices, caller: Caller, wish: Wish) {
  const { organizationId } = caller
  const { invoiceId } = await changePlan(services, caller, wish)
  const [invoice] = invoiceId === null ? [] : await findByProviderIds(services.db, organizationId, [invoiceId])
  return { billing: await readBilling(services, organizationId), invoice: invoice ? toInvoice(invoice) : null }
}

/** Counts a refresh of an organization. Throws RATE_LIMIT past ten a minute. */
async function limitRefreshes({ db }: PaidServices, organizationId: string): Promise<void> {
  const key = byOrganization('refreshes of billing', organizationId)
  const { attempts, retryAfterSeconds } = await incrementAttempts(db, key, 60)
  if (attempts <= limits.billing.refreshesPerMinute) return
  throw limitReached(key, `Too many refreshes. Try again in ${retryAfterSeconds} s.`, { retryAfterSeconds })
}

const noReceipt = (message: string) => apiError('INVOICE_NOT_AVAILABLE', message)

export const billingHandlers = {
  async get({ caller }, services) {
    return { billing: await readBilling(withPayments(services), caller.organizationId) }
  },

  async prices({ query }, services) {
    const { prices } = requirePayments(services)
    const currency = currencyFor(prices, query.country ?? null)
    const price = (item: PlanItem, period: BillingPeriod) => {
      const amount = priceOf(prices, item, period, currency)
      return amount === null ? null : toMoney(amount, currency)
    }
    const both = (item: PlanItem) => ({ month: price(item, 'month'), year: price(item, 'year') })
    const forSale = productsForSale(prices, currency)
    return {
      currency,
      taxBehavior: prices.taxBehavior,
      includedNumbers: limits.includedNumbers,
      products: products
        .filter((product) => forSale.includes(product))
        .map((product) => ({ product, ...both(product) })),
      extraNumber: both('extra_numbers'),
    }
  },

  checkout: openCheckout,

  preview: previewPlan,

  setPlan: ({ caller, body }, services) => changed(withPayments(services), caller, { products: body.products }),

  setExtraNumbers: ({ caller, body }, services) =>
    changed(withPayments(services), caller, { extraNumbers: body.extraNumbers }),

  setPeriod: ({ caller, body }, services) => changed(withPayments(services), caller, { period: body.period }),

  async cancel({ caller }, services) {
    const paid = withPayments(services)
    await cancelPlan(paid, caller)
    return { billing: await readBilling(paid, caller.organizationId) }
  },

  async resume({ caller }, services) {
    const paid = withPayments(services)
    await resumePlan(paid, caller)
    return { billing: await readBilling(paid, caller.organizationId) }
  },

  async portal({ caller }, services) {
    const { payments, db } = withPayments(services)
    const account = await findAccount(db, caller.organizationId)
    const customerId = account?.customerId
    if (!account || customerId == null || !liveStatuses.includes(account.status)) throw noSubscription()
    const url = await calling(() => payments.provider.openPortal(customerId, payments.returnUrl))
    return { portal: { url } }
  },

  async refresh({ caller }, services) {
    const paid = withPayments(services)
    await limitRefreshes(paid, caller.organizationId)
    await refreshNow(paid, caller.organizationId)
    return { billing: await readBilling(paid, caller.organizationId) }
  },

  async invoices({ caller, query }, services) {
    const { db } = withPayments(services)
    const { limit, cursor } = query
    const found = await listInvoices(db, caller.organizationId, { after: cursor ?? null, limit: limit + 1 })
    const page = found.slice(0, limit)
    return {
      invoices: page.map(toInvoice),
      nextCursor: found.length > limit ? (page.at(-1)?.id ?? null) : null,
    }
  },

  async receipt({ caller, params }, services) {
    const { payments, db } = withPayments(services)
    const invoice = await findInvoice(db, caller.organizationId, params.invoiceId)
    if (invoice?.status !== 'paid') throw noReceipt('There is no receipt: no such invoice, or it is not paid.')
    const { providerId } = invoice
    const receipt = await calling(() => payments.provider.receipt(providerId)).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'PAYMENT_CHANGE_REFUSED') return null
      throw error
    })
    if (!receipt) throw noReceipt('The payment provider has no receipt of this invoice.')
    return { receipt: { ...receipt } }
  },
} satisfies Handlers<Contract['billing']>

export const paymentHandlers = { webhook: takeEvent } satisfies Handlers<Contract['payments']>
