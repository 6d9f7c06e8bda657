import type { Stripe } from 'stripe'
import { newInvoicePayment } from '#billing/payments/simulator/objects/invoice.ts'
import { newCharge, newDispute, newIntent, newRefund } from '#billing/payments/simulator/objects/payment.ts'
import { emit, newId, type Play, Refusal } from '#billing/payments/simulator/world.ts'
import { failureOf, isDisputed, type Presence } from './cards.ts'
import { markPaid } from './invoices.ts'

const daySeconds = 86_400
/** When the provider tries again, in days after the first attempt. */
const retryDays = [3, 5, 7]

/** Charges a card once; returns why it failed, or null. */
function charge(
  play: Play,
  intent: Stripe.PaymentIntent,
  card: Stripe.PaymentMethod,
  presence: Presence,
): string | null {
  const { world, now } = play
  const failure = failureOf(card, presence)
  const made = newCharge({ id: newId(play, 'ch'), now }, { intent, card, failure })
  world.charges.push(made)
  intent.latest_charge = made.id
  intent.payment_method = card.id
  if (failure === null) {
    intent.status = 'succeeded'
    intent.amount_received = intent.amount
    intent.last_payment_error = null
    if (isDisputed(card)) openDispute(play, made)
    return null
  }
  const declined = failure !== 'authentication_required'
  intent.status = 'requires_payment_method'
  intent.last_payment_error = {
    type: 'card_error',
    code: declined ? 'card_declined' : failure,
    decline_code: failure,
    message: 'The simulated card was declined.',
  } as unknown as Stripe.PaymentIntent.LastPaymentError
  return failure
}

/** Returns the card that pays for a subscription while the person is away. */
export function cardOf(play: Play, subscription: Stripe.Subscription | undefined): Stripe.PaymentMethod | undefined {
  const { world } = play
  const id = subscription?.default_payment_method ?? world.customer.invoice_settings.default_payment_method
  return world.cards.find((card) => card.id === id)
}

/** Returns the payment of an invoice, which is made with its first attempt. */
function intentOf(play: Play, invoice: Stripe.Invoice): Stripe.PaymentIntent {
  const { world, now } = play
  const known = invoice.payments?.data[0]?.payment.payment_intent
  const found = world.intents.find(({ id }) => id === known)
  if (found) return found
  const { currency, amount_due: amount } = invoice
  const intent = newIntent({ id: newId(play, 'pi'), now }, { customer: world.customer.id, amount, currency })
  world.intents.push(intent)
  invoice.payments?.data.push(newInvoicePayment({ id: newId(play, 'inpay'), now }, { invoice, intent: intent.id }))
  return intent
}

/** Tries to take the money of an open invoice once; returns why it failed, or null when it is paid. */
export function attempt(
  play: Play,
  invoice: Stripe.Invoice,
  card: Stripe.PaymentMethod | undefined,
  presence: Presence,
): string | null {
  invoice.attempted = true
  invoice.attempt_count += 1
  const failure = card === undefined ? 'generic_decline' : charge(play, intentOf(play, invoice), card, presence)
  const [payment] = invoice.payments?.data ?? []
  if (failure === null) {
    if (payment) {
      payment.status = 'paid'
      payment.amount_paid = invoice.amount_due
      payment.status_transitions = { ...payment.status_transitions, paid_at: play.now }
    }
    markPaid(play, invoice)
    return null
  }
  emit(play, 'invoice.payment_failed', invoice)
  if (failure === 'authentication_required') emit(play, 'invoice.payment_action_required', invoice)
  return failure
}

/** Charges for a page that makes no invoice unless it is paid; returns why it failed, or null with the payment. */
export function chargeOnce(
  play: Play,
  card: Stripe.PaymentMethod,
  { amount, currency }: { amount: number; currency: string },
  presence: Presence,
): { failure: string | null; intent: Stripe.PaymentIntent } {
  const { world, now } = play
  const intent = newIntent({ id: newId(play, 'pi'), now }, { customer: world.customer.id, amount, currency })
  const failure = charge(play, intent, card, presence)
  world.intents.push(intent)
  return { failure, intent }
}

/** Returns when an invoice is tried again after its attempts so far; null when it is given up. */
export function nextAttempt(invoice: Stripe.Invoice): number | null {
  const days = retryDays[invoice.attempt_count - 1]
  const first = invoice.status_transitions.finalized_at
  return days === undefined || first === null ? null : first + days * daySeconds
}

/** Returns the charge that paid an invoice. Throws when none did. */
export function paidCharge(play: Play, invoice: Stripe.Invoice): Stripe.Charge {
  const intent = invoice.payments?.data[0]?.payment.payment_intent
  const found = play.world.charges.find((one) => one.payment_intent === intent && one.paid)
  if (!found) throw new Refusal('No charge paid this invoice.')
  return found
}

/** Pays back a part of a charge (default: what is left of it). */
export function refund(play: Play, of: Stripe.Charge, amount = of.amount - of.amount_refunded): Stripe.Refund {
  if (amount <= 0 || amount > of.amount - of.amount_refunded) {
    throw new Refusal('Refund amount is greater than unrefunded amount on charge', { code: 'charge_already_refunded' })
  }
  const made = newRefund({ id: newId(play, 're'), now: play.now }, of, amount)
  of.amount_refunded += amount
  of.refunded = of.amount_refunded === of.amount
  of.refunds?.data.push(made)
  play.world.refunds.push(made)
  emit(play, 'charge.refunded', of)
  return made
}

/** Lets the owner of a card dispute a charge; does nothing when it is disputed. */
export function openDispute(play: Play, of: Stripe.Charge): void {
  if (of.disputed) return
  of.disputed = true
  const dispute = newDispute({ id: newId(play, 'dp'), now: play.now }, of)
  play.world.disputes.push(dispute)
  emit(play, 'charge.dispute.created', dispute)
}

/** Decides the dispute of a charge. */
export function closeDispute(play: Play, of: Stripe.Charge, status: 'won' | 'lost'): void {
  openDispute(play, of)
  const dispute = play.world.disputes.find((one) => one.charge === of.id)
  if (!dispute || dispute.status === status) return
  dispute.status = status
  emit(play, 'charge.dispute.closed', dispute)
}
