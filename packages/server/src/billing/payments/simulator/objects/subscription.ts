import type { Stripe } from 'stripe'
import type { New } from './customer.ts'
import { listOf, nulls } from './nulls.ts'

/** Returns an item of a subscription. */
export function newItem(
  { id, now }: New,
  item: { subscription: string; price: Stripe.Price; quantity: number; start: number; end: number },
): Stripe.SubscriptionItem {
  const { subscription, price, quantity, start, end } = item
  return {
    id,
    object: 'subscription_item',
    created: now,
    current_period_start: start,
    current_period_end: end,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price,
    quantity,
    subscription,
    tax_rates: [],
    ...nulls('billing_thresholds current_trial'),
  }
}

/** The older view of a price, which items still carry. */
export function planOf(price: Stripe.Price): Stripe.Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: 1,
    livemode: false,
    metadata: price.metadata,
    product: price.product,
    usage_type: 'licensed',
    ...nulls('meter nickname tiers_mode transform_usage trial_period_days'),
  }
}

/** Returns an active subscription. */
export function newSubscription(
  { id, now }: New,
  subscription: { customer: string; currency: string; card: string; tax: boolean; metadata: Record<string, string> },
): Stripe.Subscription {
  const { customer, currency, card, tax, metadata } = subscription
  return {
    id,
    object: 'subscription',
    automatic_tax: { enabled: tax, liability: tax ? { type: 'self' } : null, disabled_reason: null },
    billing_cycle_anchor: now,
    billing_mode: { type: 'flexible', flexible: { proration_discounts: 'included' } },
    billing_schedules: [],
    cancel_at_period_end: false,
    cancellation_details: nulls('comment feedback feedback_option reason'),
    collection_method: 'charge_automatically',
    created: now,
    currency,
    customer,
    default_payment_method: card,
    default_tax_rates: [],
    discounts: [],
    invoice_settings: { issuer: { type: 'self' }, ...nulls('account_tax_ids custom_fields description footer') },
    items: listOf<Stripe.SubscriptionItem>([], `/v1/subscription_items?subscription=${id}`),
    livemode: false,
    metadata,
    payment_settings: {
      payment_method_types: ['card'],
      payment_method_options: null,
      save_default_payment_method: 'off',
    },
    start_date: now,
    status: 'active',
    trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' } },
    ...nulls(
      'application application_fee_percent billing_cycle_anchor_config billing_thresholds cancel_at canceled_at',
    ),
    ...nulls('customer_account days_until_due default_source description ended_at latest_invoice managed_payments'),
    ...nulls('next_pending_invoice_item_invoice on_behalf_of pause_collection pending_invoice_item_interval'),
    ...nulls('pending_setup_intent pending_update schedule test_clock transfer_data trial_end trial_start'),
  }
}
