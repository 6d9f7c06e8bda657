import type { Stripe } from 'stripe'
import type { New } from './customer.ts'
import { nulls } from './nulls.ts'

/** Returns a product. */
export function newProduct({ id, now }: New, name: string, metadata: Record<string, string>): Stripe.Product {
  return {
    id,
    object: 'product',
    active: true,
    created: now,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata,
    name,
    type: 'service',
    updated: now,
    ...nulls('default_price description package_dimensions shippable statement_descriptor tax_code tax_details'),
    ...nulls('unit_label url'),
  }
}

/** What a price costs in further currencies. */
export type CurrencyOptions = NonNullable<Stripe.Price['currency_options']>

/** Returns a price for each period. */
export function newPrice(
  { id, now }: New,
  price: {
    product: string
    currency: string
    amount: number
    interval: 'month' | 'year'
    taxBehavior: Stripe.Price.TaxBehavior
    lookupKey: string | null
    metadata: Record<string, string>
    options: CurrencyOptions
  },
): Stripe.Price {
  return {
    id,
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: now,
    currency: price.currency,
    currency_options: price.options,
    livemode: false,
    lookup_key: price.lookupKey,
    metadata: price.metadata,
    product: price.product,
    recurring: {
      interval: price.interval,
      interval_count: 1,
      usage_type: 'licensed',
      ...nulls('meter trial_period_days'),
    },
    tax_behavior: price.taxBehavior,
    type: 'recurring',
    unit_amount: price.amount,
    unit_amount_decimal: decimal(price.amount),
    ...nulls('custom_unit_amount nickname tiers_mode transform_quantity'),
  }
}

/** An amount as Stripe writes it with decimals; the library makes a number object of it when it reads it. */
export function decimal(amount: number): Stripe.Price['unit_amount_decimal'] {
  return String(amount) as unknown as Stripe.Price['unit_amount_decimal']
}

/** Returns an endpoint for events. */
export function newEndpoint(
  { id, now }: New,
  endpoint: { url: string; events: string[]; secret: string },
): Stripe.WebhookEndpoint {
  return {
    id,
    object: 'webhook_endpoint',
    created: now,
    enabled_events: endpoint.events,
    livemode: false,
    metadata: {},
    secret: endpoint.secret,
    status: 'enabled',
    url: endpoint.url,
    ...nulls('api_version application description'),
  }
}
