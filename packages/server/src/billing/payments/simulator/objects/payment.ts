import type { Stripe } from 'stripe'
import type { New } from './customer.ts'
import { addressIn, listOf, nulls } from './nulls.ts'

/** Returns a payment that nothing was tried for yet. */
export function newIntent(
  { id, now }: New,
  { customer, amount, currency }: { customer: string; amount: number; currency: string },
): Stripe.PaymentIntent {
  return {
    id,
    object: 'payment_intent',
    amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    capture_method: 'automatic',
    client_secret: `${id}_secret_simulated`,
    confirmation_method: 'automatic',
    created: now,
    currency,
    customer,
    livemode: false,
    metadata: {},
    payment_method_options: {},
    payment_method_types: ['card'],
    status: 'requires_payment_method',
    ...nulls('allowed_payment_method_types application application_fee_amount automatic_payment_methods canceled_at'),
    ...nulls('cancellation_reason customer_account description excluded_payment_method_types last_payment_error'),
    ...nulls('latest_charge managed_payments next_action on_behalf_of payment_method payment_record processing'),
    ...nulls('payment_method_configuration_details receipt_email review setup_future_usage shipping source'),
    ...nulls('statement_descriptor statement_descriptor_suffix transfer_data transfer_group'),
  }
}

/** Returns a charge, which succeeded or failed. */
export function newCharge(
  { id, now }: New,
  charge: { intent: Stripe.PaymentIntent; card: Stripe.PaymentMethod; failure: string | null },
): Stripe.Charge {
  const { intent, card, failure } = charge
  const paid = failure === null
  return {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    balance_transaction: paid ? `txn_${id.slice(3)}` : null,
    billing_details: { address: addressIn(null), ...nulls('email name phone tax_id') },
    calculated_statement_descriptor: 'SIMULATED',
    captured: paid,
    created: now,
    currency: intent.currency,
    customer: intent.customer,
    disputed: false,
    failure_code: failure === null ? null : failure === 'authentication_required' ? failure : 'card_declined',
    failure_message: failure === null ? null : 'The simulated card was declined.',
    fraud_details: {},
    livemode: false,
    metadata: {},
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: paid ? 'approved_by_network' : 'declined_by_network',
      reason: failure,
      seller_message: null,
      type: paid ? 'authorized' : 'issuer_declined',
    },
    paid,
    payment_intent: intent.id,
    payment_method: card.id,
    payment_method_details: { type: 'card' },
    receipt_url: null,
    refunded: false,
    refunds: listOf<Stripe.Refund>([], `/v1/charges/${id}/refunds`),
    status: paid ? 'succeeded' : 'failed',
    ...nulls('application application_fee application_fee_amount description failure_balance_transaction on_behalf_of'),
    ...nulls('receipt_email receipt_number review shipping source source_transfer statement_descriptor'),
    ...nulls('statement_descriptor_suffix transfer_data transfer_group'),
  }
}

/** Returns a refund that arrived. */
export function newRefund({ id, now }: New, charge: Stripe.Charge, amount: number): Stripe.Refund {
  return {
    id,
    object: 'refund',
    amount,
    charge: charge.id,
    created: now,
    currency: charge.currency,
    customer: charge.customer,
    destination_details: { type: 'card', card: { type: 'refund' } },
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    status: 'succeeded',
    ...nulls('balance_transaction customer_account reason receipt_number source_transfer_reversal transfer_reversal'),
  }
}

const evidenceFields =
  'access_activity_log billing_address cancellation_policy cancellation_policy_disclosure cancellation_rebuttal ' +
  'customer_communication customer_email_address customer_name customer_purchase_ip customer_signature ' +
  'duplicate_charge_documentation duplicate_charge_explanation duplicate_charge_id product_description receipt ' +
  'refund_policy refund_policy_disclosure refund_refusal_explanation service_date service_documentation ' +
  'shipping_address shipping_carrier shipping_date shipping_documentation shipping_tracking_number ' +
  'uncategorized_file uncategorized_text'

/** Returns a dispute that waits for evidence. */
export function newDispute({ id, now }: New, charge: Stripe.Charge): Stripe.Dispute {
  return {
    id,
    object: 'dispute',
    amount: charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created: now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: { ...nulls(evidenceFields), enhanced_evidence: {} } as unknown as Stripe.Dispute.Evidence,
    evidence_details: {
      due_by: now + 7 * 86_400,
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      enhanced_eligibility: {},
    } as unknown as Stripe.Dispute.EvidenceDetails,
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      type: 'card',
      card: { brand: 'visa', case_type: 'chargeback', network_reason_code: '10.4', network: 'visa' },
    } as never,
    reason: 'fraudulent',
    status: 'needs_response',
  }
}
