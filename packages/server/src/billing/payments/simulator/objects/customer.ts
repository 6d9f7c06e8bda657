import type { Stripe } from 'stripe'
import { addressIn, nulls } from './nulls.ts'

/** What a new object of a customer is made of. */
export interface New {
  readonly id: string
  /** Unix seconds. */
  readonly now: number
}

/** Returns a customer without a card. */
export function newCustomer({ id, now }: New): Stripe.Customer {
  return {
    id,
    object: 'customer',
    created: now,
    balance: 0,
    delinquent: false,
    invoice_prefix: id.slice(-8).toUpperCase(),
    invoice_settings: nulls('custom_fields default_payment_method footer rendering_options'),
    livemode: false,
    metadata: {},
    next_invoice_sequence: 1,
    preferred_locales: [],
    tax_exempt: 'none',
    ...nulls('address currency default_source description discount email name phone shipping test_clock'),
  }
}

/** Returns a card of a customer. */
export function newCard({ id, now }: New, customer: string, last4: string, country: string): Stripe.PaymentMethod {
  return {
    id,
    object: 'payment_method',
    type: 'card',
    created: now,
    allow_redisplay: 'always',
    billing_details: { address: addressIn(country), ...nulls('email name phone tax_id') },
    card: {
      brand: 'visa',
      checks: { cvc_check: 'pass', ...nulls('address_line1_check address_postal_code_check') },
      country: 'US',
      display_brand: 'visa',
      exp_month: 12,
      exp_year: new Date(now * 1000).getUTCFullYear() + 4,
      fingerprint: `simulated${last4}`,
      funding: 'credit',
      last4,
      networks: { available: ['visa'], preferred: null },
      three_d_secure_usage: { supported: true },
      ...nulls('generated_from wallet regulated_status'),
    },
    customer,
    customer_account: null,
    livemode: false,
    metadata: {},
  }
}
