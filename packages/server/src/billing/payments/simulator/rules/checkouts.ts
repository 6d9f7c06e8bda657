import type { Stripe } from 'stripe'
import { newCard } from '#billing/payments/simulator/objects/customer.ts'
import { newInvoicePayment } from '#billing/payments/simulator/objects/invoice.ts'
import { addressIn } from '#billing/payments/simulator/objects/nulls.ts'
import { newSession } from '#billing/payments/simulator/objects/session.ts'
import { byId, type Checkout, emit, newId, type Play, Refusal } from '#billing/payments/simulator/world.ts'
import { asksWhenStored, canBeStored, type Presence } from './cards.ts'
import { finalizeInvoice, markPaid } from './invoices.ts'
import { unitAmount } from './lines.ts'
import { attempt, chargeOnce } from './payments.ts'
import { createSubscription, settle } from './subscriptions.ts'

/** What a person pays with. */
export interface Payer {
  /** The digits of a test card. */
  readonly card: string
  readonly country?: string | undefined
  readonly taxId?: string | undefined
  /** Whether they confirm when asked (default: yes). */
  readonly authenticate?: boolean | undefined
}

/** How paying ended. */
export interface Outcome {
  readonly outcome: 'paid' | 'declined' | 'authentication_failed' | 'expired'
  readonly declineCode: string | null
}

function outcomeOf(failure: string | null): Outcome {
  if (failure === null) return { outcome: 'paid', declineCode: null }
  if (failure === 'authentication_required') return { outcome: 'authentication_failed', declineCode: null }
  return { outcome: 'declined', declineCode: failure }
}

/** Opens a page for buying. */
export function openSession(
  play: Play,
  params: {
    lines: Checkout['lines']
    currency: string
    tax: boolean
    taxIds: boolean
    successUrl: string
    cancelUrl: string
    expiresAt: number
    metadata: Record<string, string>
  },
): Stripe.Checkout.Session {
  const { lines, ...rest } = params
  const id = newId(play, 'cs_test')
  const total = lines.reduce((sum, line) => {
    const price = byId(play.prices, line.price, 'price')
    return sum + unitAmount(price, params.currency) * line.quantity
  }, 0)
  const url = `${play.pages}/checkout/${id}`
  const session = newSession({ id, now: play.now }, { ...rest, customer: play.world.customer.id, total, url })
  play.world.checkouts.push({ session, lines })
  return session
}

/** Closes a page for buying. */
export function expireSession(play: Play, session: Stripe.Checkout.Session): void {
  session.status = 'expired'
  session.url = null
  emit(play, 'checkout.session.expired', session)
}

/** Pays at the page: the card is stored, the subscription made and its first invoice paid, all or nothing. */
export function payCheckout(play: Play, { session, lines }: Checkout, payer: Payer): Outcome {
  if (session.status !== 'open') return { outcome: 'expired', declineCode: null }
  const { world, now } = play
  const { customer } = world
  const country = payer.country ?? customer.address?.country ?? 'US'
  const presence: Presence = { present: true, authenticates: payer.authenticate ?? true }
  const before = structuredClone({ address: customer.address, taxId: world.taxId, name: customer.name })
  customer.address = addressIn(country)
  if (payer.taxId) world.taxId = true
  const card = newCard({ id: newId(play, 'pm'), now }, customer.id, payer.card.slice(-4), country)
  const { subscription, invoice } = createSubscription(play, {
    lines: lines.map((line) => ({ price: byId(play.prices, line.price, 'price'), quantity: line.quantity })),
    currency: session.currency ?? 'usd',
    card: card.id,
    tax: session.automatic_tax.enabled,
    metadata: {},
  })
  const due = { amount: invoice.amount_due, currency: invoice.currency }
  const { failure, intent } = due.amount === 0 ? { failure: null, intent: null } : chargeOnce(play, card, due, presence)
  if (failure !== null) {
    world.subscriptions.pop()
    world.invoices.pop()
    Object.assign(customer, { address: before.address })
    world.taxId = before.taxId
    return outcomeOf(failure)
  }
  world.cards.push(card)
  emit(play, 'customer.updated', customer)
  finalizeInvoice(play, invoice)
  if (intent) {
    const payment = newInvoicePayment({ id: newId(play, 'inpay'), now }, { invoice, intent: intent.id })
    payment.status = 'paid'
    payment.amount_paid = invoice.amount_due
    payment.status_transitions = { ...payment.status_transitions, paid_at: now }
    invoice.payments?.data.push(payment)
    invoice.attempt_count = 1
    markPaid(play, invoice)
  }
  emit(play, 'customer.subscription.created', subscription)
  Object.assign(session, {
    status: 'complete',
    url: null,
    payment_status: 'paid',
    subscription: subscription.id,
    invoice: invoice.id,
    amount_total: invoice.total,
    customer_details: { ...session.customer_details, address: customer.address, email: customer.email },
  })
  emit(play, 'checkout.session.completed', session)
  return outcomeOf(null)
}

/** Stores a card as the one that pays; returns it, or why that failed. */
export function storeCard(play: Play, { card: digits, authenticate = true }: Payer): Stripe.PaymentMethod | Outcome {
  const { world, now } = play
  if (!canBeStored(digits)) return outcomeOf(digits.endsWith('9995') ? 'insufficient_funds' : 'generic_decline')
  if (asksWhenStored(digits) && !authenticate) return outcomeOf('authentication_required')
  const country = world.customer.address?.country ?? 'US'
  const card = newCard({ id: newId(play, 'pm'), now }, world.customer.id, digits.slice(-4), country)
  world.cards.push(card)
  setDefault(play, card)
  return card
}

function setDefault(play: Play, card: Stripe.PaymentMethod): void {
  const { customer, subscriptions } = play.world
  customer.invoice_settings = { ...customer.invoice_settings, default_payment_method: card.id }
  for (const subscription of subscriptions) subscription.default_payment_method = card.id
  emit(play, 'customer.updated', customer)
}

/** Pays an open invoice by hand; a new card becomes the customer's once it paid. */
export function payInvoice(
  play: Play,
  invoice: Stripe.Invoice,
  payer: Partial<Payer>,
  stored: Stripe.PaymentMethod | undefined,
): Outcome {
  if (invoice.status !== 'open') {
    if (invoice.status === 'paid') return outcomeOf(null)
    throw new Refusal('This invoice can no longer be paid.', { code: 'invoice_not_editable' })
  }
  const { world, now } = play
  const presence: Presence = { present: true, authenticates: payer.authenticate ?? true }
  const country = world.customer.address?.country ?? 'US'
  const card =
    payer.card === undefined
      ? stored
      : newCard({ id: newId(play, 'pm'), now }, world.customer.id, payer.card.slice(-4), country)
  const failure = attempt(play, invoice, card, presence)
  if (failure !== null) return outcomeOf(failure)
  if (payer.card !== undefined && card) {
    world.cards.push(card)
    setDefault(play, card)
  }
  settle(play, invoice)
  return outcomeOf(null)
}
