import * as z from 'zod'
import { products } from '../../access.ts'
import * as example from '../../examples/billing.ts'
import { country } from '../../model/billing.ts'
import { ok } from '../../model/envelope.ts'
import { limitQuery, unique, uuid } from '../../model/fields.ts'
import { limits } from '../../model/limits.ts'
import { route } from '../../route.ts'
import { billingRecord, checkoutRecord, invoiceRecord, money, period, previewRecord } from './billing-records.ts'

const access = { keys: 'none', roles: ['owner', 'admin'] } as const
const off = ['PAYMENT_NOT_CONFIGURED'] as const
const changed = [
  ...off,
  'PAYMENT_NO_SUBSCRIPTION',
  'PAYMENT_CHANGE_REFUSED',
  'PAYMENT_PERIOD_UNAVAILABLE',
  'PAYMENT_UNAVAILABLE',
] as const
const ended = [...off, 'PAYMENT_NO_SUBSCRIPTION', 'PAYMENT_CHANGE_REFUSED', 'PAYMENT_UNAVAILABLE'] as const

const chosen = unique(z.array(z.enum(products)).min(1).max(products.length))
const extraNumbers = z.int().min(0).max(limits.billing.extraNumbers)
const state = { billing: billingRecord.describe('The state of billing.') }
const change = ok({
  ...state,
  invoice: invoiceRecord.nullable().describe('What this change charged; null when nothing was due.'),
})
const amounts = {
  month: money.nullable().describe('What a month costs; null when it is not offered.'),
  year: money.nullable().describe('What a year costs; null when it is not offered.'),
}

/** What an organization pays for. */
export const billing = {
  /** Returns what the organization pays for, from the records of the service: the provider is not called. */
  get: route('GET /billing', {
    summary: 'Get the state of billing',
    access,
    response: ok(state),
    errors: off,
    example: { output: { billing: example.billing } },
    msgctl: 'msgctl billing show',
  }),

  /** Lists the products for sale with their prices, in the currency of a country. Needs no credentials. */
  prices: route('GET /billing/prices', {
    summary: 'List the prices',
    access: { keys: 'public' },
    query: z.object({
      country: country.optional().describe('The country (ISO 3166-1), which decides the currency.'),
    }),
    response: ok({
      currency: z.string().describe('The currency.'),
      taxBehavior: z.enum(['exclusive', 'inclusive']).describe('Whether tax comes on top, or is in the prices.'),
      includedNumbers: z.int().describe('Numbers that are included in Developer and Connect.'),
      products: z
        .array(z.object({ product: z.enum(products).describe('The product.'), ...amounts }))
        .describe('The products for sale.'),
      extraNumber: z.object(amounts).describe('One number more.'),
    }),
    errors: off,
    example: { input: { country: 'US' }, output: example.prices },
    msgctl: 'msgctl billing prices',
  }),

  /**
   * Opens a page of the provider on which a plan is paid for the first time. The same plan again returns the same page,
   * another plan closes it. Fails with PAYMENT_CHANGE_REFUSED while there is a subscription: change its plan instead.
   */
  checkout: route('POST /billing/checkout', {
    summary: 'Open a checkout',
    access,
    body: z.object({
      products: chosen.describe('The products of the plan.'),
      extraNumbers: extraNumbers.default(0).describe('Numbers beside those included, with Developer or Connect.'),
      period: period.default('month').describe('How often it is paid.'),
    }),
    status: 201,
    response: ok({ checkout: checkoutRecord.describe('The page.') }),
    errors: [...off, 'PAYMENT_CHANGE_REFUSED', 'PAYMENT_PERIOD_UNAVAILABLE', 'PAYMENT_UNAVAILABLE'],
    example: { input: { products: ['notify', 'developer'] }, output: { checkout: example.checkout } },
    msgctl: 'msgctl billing checkout notify developer',
  }),

  /** Returns what a plan would cost now and later. It changes nothing. What is left out stays as it is. */
  preview: route('POST /billing/preview', {
    summary: 'Preview what a plan costs',
    access,
    body: z.object({
      products: chosen.optional().describe('The products; needed before the first payment.'),
      extraNumbers: extraNumbers.optional().describe('Numbers beside those included.'),
      period: period.optional().describe('How often it is paid.'),
    }),
    response: ok({ preview: previewRecord.describe('What it would cost.') }),
    reads: true,
    errors: [...off, 'PAYMENT_CHANGE_REFUSED', 'PAYMENT_PERIOD_UNAVAILABLE', 'PAYMENT_UNAVAILABLE'],
    example: { input: { products: ['notify', 'shop'] }, output: { preview: example.preview } },
    msgctl: 'msgctl billing preview notify shop',
  }),

  /**
   * Changes the products of the plan at once. More is charged at once, and nothing changes unless that is paid; what is
   * not used of less becomes credit.
   */
  setPlan: route('PUT /billing/plan', {
    summary: 'Change the products of the plan',
    access,
    body: z.object({ products: chosen.describe('The products that the plan has from now on.') }),
    response: change,
    errors: changed,
    example: {
      input: { products: ['notify', 'shop'] },
      output: { billing: example.billing, invoice: example.invoice },
    },
    msgctl: 'msgctl billing plan notify shop',
  }),

  /** Changes how many numbers are paid beside those included, at once. Needs Developer or Connect. */
  setExtraNumbers: route('PUT /billing/extra-numbers', {
    summary: 'Change the extra numbers of the plan',
    access,
    body: z.object({ extraNumbers: extraNumbers.describe('The numbers from now on.') }),
    response: change,
    errors: changed,
    example: { input: { extraNumbers: 2 }, output: { billing: example.billing, invoice: example.invoice } },
    msgctl: 'msgctl billing extra-numbers 2',
  }),

  /** Changes how often the plan is paid. A new period begins now; what is not used of the present one is credited. */
  setPeriod: route('PUT /billing/period', {
    summary: 'Change the period of the plan',
    access,
    body: z.object({ period: period.describe('The period from now on.') }),
    response: change,
    errors: [...changed, 'PAYMENT_SAME_PERIOD'],
    example: { input: { period: 'year' }, output: { billing: example.billing, invoice: example.invoice } },
    msgctl: 'msgctl billing period year',
  }),

  /**
   * Sets the plan to stop at the end of the period. While a payment is open it ends at once, and the open invoice is
   * voided.
   */
  cancel: route('POST /billing/cancel', {
    summary: 'Stop the plan',
    access,
    response: ok(state),
    errors: ended,
    example: { output: { billing: { ...example.billing, cancelAtPeriodEnd: true, endsAt: example.periodEnd } } },
    msgctl: 'msgctl billing cancel',
  }),

  /** Lets a plan continue that is set to stop. */
  resume: route('POST /billing/resume', {
    summary: 'Keep a plan that is set to stop',
    access,
    response: ok(state),
    errors: [...ended, 'PAYMENT_NOTHING_TO_RESUME'],
    example: { output: { billing: example.billing } },
    msgctl: 'msgctl billing resume',
  }),

  /** Opens the page of the provider on which the card, the tax id and the billing e-mail are changed. */
  portal: route('POST /billing/portal', {
    summary: 'Open the page for the card',
    access,
    status: 201,
    response: ok({
      portal: z.object({ url: z.string().describe('The page; it works for some minutes.') }).describe('The page.'),
    }),
    errors: ended,
    example: { output: { portal: { url: example.portalUrl } } },
    msgctl: 'msgctl billing portal',
  }),

  /** Reads the provider now and returns the state of billing. At most 10 a minute (RATE_LIMIT). */
  refresh: route('POST /billing/refresh', {
    summary: 'Read the provider now',
    access,
    response: ok(state),
    errors: [...off, 'RATE_LIMIT', 'PAYMENT_CHANGE_REFUSED', 'PAYMENT_UNAVAILABLE'],
    example: { output: { billing: example.billing } },
    msgctl: 'msgctl billing refresh',
  }),

  /** Lists the invoices, the newest first. */
  invoices: route('GET /billing/invoices', {
    summary: 'List the invoices',
    access,
    query: z.object({
      limit: limitQuery(limits.billing.invoices),
      cursor: uuid.optional().describe('The nextCursor of the page before.'),
    }),
    response: ok({
      invoices: z.array(invoiceRecord).describe('The invoices of this page.'),
      nextCursor: z.string().nullable().describe('The cursor of the next page; null on the last page.'),
    }),
    errors: off,
    example: { input: { limit: 20 }, output: { invoices: [example.invoice], nextCursor: null } },
    msgctl: 'msgctl billing invoices',
  }),

  /** Returns the receipt of a paid invoice: the provider's own pages, whose addresses work for some days. */
  receipt: route('GET /billing/invoices/:invoiceId/receipt', {
    summary: 'Get the receipt of an invoice',
    access,
    params: z.object({ invoiceId: uuid.describe('The invoice.') }),
    response: ok({
      receipt: z
        .object({
          number: z.string().nullable().describe('The number of the invoice.'),
          url: z.string().describe('The page.'),
          pdfUrl: z.string().nullable().describe('The same as PDF.'),
        })
        .describe('The receipt.'),
    }),
    errors: [...off, 'INVOICE_NOT_AVAILABLE', 'PAYMENT_UNAVAILABLE'],
    example: { input: { invoiceId: example.invoice.id }, output: { receipt: example.receipt } },
    msgctl: `msgctl billing receipt ${example.invoice.id}`,
  }),
}
