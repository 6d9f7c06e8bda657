import type { Stripe } from 'stripe'
import type { New } from './customer.ts'
import { nulls } from './nulls.ts'

/** Returns an open page for buying a subscription. */
export function newSession(
  { id, now }: New,
  session: {
    customer: string
    currency: string
    total: number
    tax: boolean
    taxIds: boolean
    successUrl: string
    cancelUrl: string
    expiresAt: number
    url: string
    metadata: Record<string, string>
  },
): Stripe.Checkout.Session {
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    amount_subtotal: session.total,
    amount_total: session.total,
    automatic_tax: { enabled: session.tax, liability: null, provider: null, status: null },
    cancel_url: session.cancelUrl,
    created: now,
    currency: session.currency,
    custom_fields: [],
    custom_text: nulls('after_submit shipping_address submit terms_of_service_acceptance'),
    customer: session.customer,
    customer_details: {
      address: null,
      tax_exempt: 'none',
      tax_ids: null,
      ...nulls('business_name email individual_name name phone'),
    },
    expires_at: session.expiresAt,
    livemode: false,
    metadata: session.metadata,
    mode: 'subscription',
    payment_method_collection: 'always',
    payment_method_options: {},
    allowed_payment_method_types: ['card'],
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    phone_number_collection: { enabled: false },
    saved_payment_method_options: nulls('allow_redisplay_filters payment_method_remove payment_method_save'),
    shipping_options: [],
    status: 'open',
    success_url: session.successUrl,
    tax_id_collection: { enabled: session.taxIds, required: 'never' },
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: session.url,
    ...nulls('after_expiration allow_promotion_codes billing_address_collection'),
    ...nulls('client_reference_id client_secret collected_information consent consent_collection currency_conversion'),
    ...nulls('customer_account customer_creation customer_email discounts integration_identifier invoice'),
    ...nulls('invoice_creation locale managed_payments origin_context payment_intent payment_link permissions'),
    ...nulls('payment_method_configuration_details recovered_from setup_intent shipping_address_collection'),
    ...nulls('shipping_cost submit_type subscription wallet_options'),
  }
}

/** Returns an open page for card, tax id and e-mail. */
export function newPortal(
  { id, now }: New,
  portal: { customer: string; configuration: string; url: string; returnUrl: string },
): Stripe.BillingPortal.Session {
  return {
    id,
    object: 'billing_portal.session',
    configuration: portal.configuration,
    created: now,
    customer: portal.customer,
    livemode: false,
    return_url: portal.returnUrl,
    url: portal.url,
    ...nulls('customer_account flow locale on_behalf_of'),
  }
}

/** Returns what the portal offers: nothing that changes a subscription. */
export function newConfiguration(
  { id, now }: New,
  metadata: Record<string, string>,
): Stripe.BillingPortal.Configuration {
  return {
    id,
    object: 'billing_portal.configuration',
    active: true,
    application: null,
    business_profile: nulls('headline privacy_policy_url terms_of_service_url'),
    created: now,
    default_return_url: null,
    features: {
      customer_update: { allowed_updates: ['email', 'tax_id'], enabled: true },
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true, payment_method_configuration: null },
      subscription_cancel: {
        cancellation_reason: { enabled: false, feedback_options: null, options: [] },
        enabled: false,
        mode: 'at_period_end',
        proration_behavior: 'none',
      },
      subscription_pause: { duration: { type: 'interval_options' }, enabled: false } as never,
      subscription_update: {
        billing_cycle_anchor: null,
        default_allowed_updates: [],
        enabled: false,
        proration_behavior: 'none',
        schedule_at_period_end: { conditions: [] },
        trial_update_behavior: 'end_trial',
      },
    },
    is_default: true,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata,
    name: null,
    updated: now,
  }
}
