import type { Stripe } from 'stripe'
import type { New } from './customer.ts'
import { listOf, nulls } from './nulls.ts'

/** What a line of an invoice says. */
export interface LineFacts {
  readonly price: Stripe.Price
  readonly quantity: number
  readonly amount: number
  readonly tax: number
  readonly taxBehavior: 'exclusive' | 'inclusive'
  readonly proration: boolean
  readonly description: string
  readonly start: number
  readonly end: number
  readonly subscription: string
  readonly item: string
}

/** Returns a line of an invoice. */
export function newLine(id: string, invoice: string, currency: string, line: LineFacts): Stripe.InvoiceLineItem {
  const taxable = line.taxBehavior === 'inclusive' ? line.amount - line.tax : line.amount
  return {
    id,
    object: 'line_item',
    amount: line.amount,
    currency,
    description: line.description,
    discount_amounts: [],
    discountable: !line.proration,
    discounts: [],
    invoice,
    livemode: false,
    metadata: {},
    parent: {
      type: 'subscription_item_details',
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: line.proration,
        proration_details: { credited_items: null },
        subscription: line.subscription,
        subscription_item: line.item,
      },
    },
    period: { start: line.start, end: line.end },
    pretax_credit_amounts: [],
    pricing: {
      type: 'price_details',
      price_details: { price: line.price.id, product: String(line.price.product) },
      unit_amount_decimal: line.price.unit_amount_decimal,
    },
    quantity: line.quantity,
    quantity_decimal: null,
    subscription: line.subscription,
    subtotal: line.amount,
    taxes: [
      {
        amount: line.tax,
        tax_behavior: line.taxBehavior,
        taxability_reason: 'standard_rated',
        taxable_amount: taxable,
        tax_rate_details: null,
        type: 'tax_rate_details',
      },
    ],
  }
}

/** Returns a draft without lines; its amounts are computed when it has them. */
export function newInvoice(
  { id, now }: New,
  invoice: { customer: Stripe.Customer; subscription: Stripe.Subscription; reason: Stripe.Invoice.BillingReason },
): Stripe.Invoice {
  const { customer, subscription, reason } = invoice
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Simulated',
    amount_due: 0,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: 0,
    amount_shipping: 0,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: { enabled: false, ...nulls('disabled_reason liability provider status') },
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: now,
    currency: subscription.currency,
    customer: customer.id,
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_tax_rates: [],
    discounts: [],
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    lines: listOf<Stripe.InvoiceLineItem>([], `/v1/invoices/${id}/lines`),
    livemode: false,
    metadata: {},
    parent: {
      type: 'subscription_details',
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: ['card'] },
    payments: listOf<Stripe.InvoicePayment>([], `/v1/invoices/${id}/payments`),
    period_start: now,
    period_end: now,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    starting_balance: customer.balance,
    status: 'draft',
    status_transitions: nulls('finalized_at marked_uncollectible_at paid_at voided_at'),
    subtotal: 0,
    subtotal_excluding_tax: 0,
    total: 0,
    total_discount_amounts: [],
    total_excluding_tax: 0,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    ...nulls('account_tax_ids application automatically_finalizes_at custom_fields customer_account customer_phone'),
    ...nulls('customer_shipping default_payment_method default_source description due_date effective_at'),
    ...nulls('ending_balance footer from_invoice last_finalization_error latest_revision next_payment_attempt number'),
    ...nulls('on_behalf_of receipt_number rendering shipping_cost shipping_details statement_descriptor test_clock'),
    ...nulls('webhooks_delivered_at'),
  }
}

/** Returns what joins an invoice and the payment that pays it. */
export function newInvoicePayment(
  { id, now }: New,
  { invoice, intent }: { invoice: Stripe.Invoice; intent: string },
): Stripe.InvoicePayment {
  return {
    id,
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: now,
    currency: invoice.currency,
    invoice: invoice.id ?? '',
    is_default: true,
    livemode: false,
    payment: { type: 'payment_intent', payment_intent: intent },
    status: 'open',
    status_transitions: nulls('canceled_at paid_at'),
  }
}
