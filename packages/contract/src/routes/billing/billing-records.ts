import * as z from 'zod'
import { products } from '../../access.ts'
import { billingModes, billingPeriods, billingStatuses, invoiceStatuses } from '../../model/billing.ts'
import { named } from '../../model/envelope.ts'
import { at, atOrNull, count } from '../../model/fields.ts'

/** An amount of money. */
export const money = named('Money', 'An amount of money.', {
  amount: z.int().describe('The amount in the smallest unit of the currency (ISO 4217): 1900 is 19.00 USD.'),
  currency: z.string().describe('The currency, in capitals.'),
  text: z.string().describe('The amount in words, like `19.00 USD`.'),
})

/** The period of a plan, in a request or a response. */
export const period = z.enum(billingPeriods)

/** The items of a plan. */
const plan = {
  products: z.array(z.enum(products)).describe('The products of the plan.'),
  extraNumbers: count('The numbers that are paid beside those included.'),
}

const checkout = named('Checkout', 'A page of the provider on which a plan is paid.', {
  id: z.uuid().describe('The checkout.'),
  url: z.string().describe('The page.'),
  expiresAt: at('Until when it can be paid.'),
})

/** The response about a checkout. */
export const checkoutRecord = checkout

/** The state of billing of an organization. */
export const billingRecord = named('Billing', 'What an organization pays for.', {
  mode: z.enum(billingModes).describe('Whether money is simulated, test money of the provider, or real.'),
  status: z.enum(billingStatuses).describe('The status of the subscription.'),
  currency: z.string().describe('The currency of this organization, by its country.'),
  period: period.nullable().describe('How often the plan is paid; null without a plan.'),
  ...plan,
  grantedProducts: z.array(z.enum(products)).describe('Products that the operator granted.'),
  amount: money.nullable().describe('What a period costs, before tax; null without a plan.'),
  credit: money.describe('What the provider owes and takes off the next invoices.'),
  currentPeriodStart: atOrNull('When the present period began.'),
  currentPeriodEnd: atOrNull('When the present period ends.'),
  cancelAtPeriodEnd: z.boolean().describe('Whether the plan is set to stop at the end of the period.'),
  endsAt: atOrNull('When the plan ends or ended.'),
  graceEndsAt: atOrNull('Until when the products continue although a payment failed.'),
  openInvoice: z
    .object({
      id: z.uuid().describe('The invoice.'),
      number: z.string().nullable().describe('Its number.'),
      total: money.describe('What is to be paid.'),
      payUrl: z.string().nullable().describe('The page on which it is paid.'),
      nextAttemptAt: atOrNull('When the card is tried again.'),
      reason: z
        .enum(['card_declined', 'authentication_required'])
        .nullable()
        .describe('Why it is not paid: the card was declined, or the person must confirm the payment.'),
    })
    .nullable()
    .describe('The invoice that waits for a payment.'),
  pendingChange: z
    .object({
      ...plan,
      period: period.describe('How often the plan is then paid.'),
      payUrl: z.string().nullable().describe('The page on which the change is paid.'),
      expiresAt: at('Until when it waits.'),
    })
    .nullable()
    .describe('A change that waits for a payment.'),
  checkout: checkout.nullable().describe('The page on which a plan can be paid, while one is open.'),
  card: z
    .object({
      brand: z.string().describe('The brand, like `visa`.'),
      last4: z.string().describe('The last four digits.'),
      expMonth: z.int().describe('The month in which it expires.'),
      expYear: z.int().describe('The year in which it expires.'),
    })
    .nullable()
    .describe('The card that is charged.'),
  country: z.string().nullable().describe('The country of the organization; null when it named none.'),
  countryLocked: z.boolean().describe('Whether the country is fixed, since the first payment.'),
})

/** An invoice of an organization. */
export const invoiceRecord = named('Invoice', 'An invoice.', {
  id: z.uuid().describe('The invoice.'),
  number: z.string().nullable().describe('Its number.'),
  status: z.enum(invoiceStatuses).describe('Its status.'),
  createdAt: at('When it was made.'),
  paidAt: atOrNull('When it was paid.'),
  periodStart: at('When what it charges for begins.'),
  periodEnd: at('When what it charges for ends.'),
  subtotal: money.describe('Its sum before tax.'),
  tax: money.describe('The tax.'),
  total: money.describe('Its sum.'),
  paid: money.describe('What was paid.'),
  refunded: money.describe('What was paid back.'),
  disputed: z.boolean().describe('Whether the holder of the card disputes the payment.'),
  receipt: z.boolean().describe('Whether it has a receipt.'),
  payUrl: z.string().nullable().describe('The page on which it is paid, while it is open.'),
  lines: z
    .array(
      z.object({
        item: z
          .enum([...products, 'extra_numbers'])
          .nullable()
          .describe('What it is for; null for something else.'),
        quantity: count('How many.'),
        amount: money.describe('The amount; negative for a credit.'),
        prorated: z.boolean().describe('Whether it is for a part of a period.'),
        description: z.string().describe('The line in words.'),
      }),
    )
    .describe('Its lines.'),
})

/** What a plan would cost. */
export const previewRecord = named('BillingPreview', 'What a plan would cost.', {
  dueNow: money.describe('What would be charged now.'),
  tax: money.describe('The tax in it.'),
  credit: money.describe('The credit that would be left.'),
  nextTotal: money.describe('What the next period would cost, with tax.'),
  nextAt: at('When it would be charged.'),
  lines: z
    .array(
      z.object({
        description: z.string().describe('The line in words.'),
        amount: money.describe('The amount; negative for a credit.'),
      }),
    )
    .describe('What is charged and credited now.'),
})
