import type { Stripe } from 'stripe'
import { type LineFacts, newInvoice, newLine } from '#billing/payments/simulator/objects/invoice.ts'
import { emit, newId, type Play } from '#billing/payments/simulator/world.ts'

/** Makes a draft with its lines and sums. */
export function draftInvoice(
  play: Play,
  subscription: Stripe.Subscription,
  reason: Stripe.Invoice.BillingReason,
  lines: readonly LineFacts[],
): Stripe.Invoice {
  const { customer } = play.world
  const id = newId(play, 'in')
  const invoice = newInvoice({ id, now: play.now }, { customer, subscription, reason })
  invoice.lines.data = lines.map((line) => newLine(newId(play, 'il'), id, subscription.currency, line))
  const sum = (of: (line: LineFacts) => number) => lines.reduce((total, line) => total + of(line), 0)
  const exclusive = sum((line) => (line.taxBehavior === 'exclusive' ? line.tax : 0))
  const inclusive = sum((line) => (line.taxBehavior === 'inclusive' ? line.tax : 0))
  invoice.subtotal = sum((line) => line.amount)
  invoice.total = invoice.subtotal + exclusive
  invoice.total_excluding_tax = invoice.total - exclusive - inclusive
  invoice.subtotal_excluding_tax = invoice.total_excluding_tax
  if (subscription.automatic_tax.enabled) {
    invoice.automatic_tax = { ...invoice.automatic_tax, enabled: true, status: 'complete' }
    invoice.total_taxes = [
      {
        amount: exclusive + inclusive,
        tax_behavior: inclusive === 0 ? 'exclusive' : 'inclusive',
        taxability_reason: 'standard_rated',
        taxable_amount: invoice.total_excluding_tax,
        tax_rate_details: null,
        type: 'tax_rate_details',
      },
    ]
  }
  setDue(play, invoice)
  // The period of an invoice is the one before it.
  const [first] = subscription.items.data
  if (reason === 'subscription_cycle' && first) invoice.period_start = first.current_period_start
  play.world.invoices.push(invoice)
  return invoice
}

/** Computes what is due after the credit of the customer, which is a negative balance. */
function setDue(play: Play, invoice: Stripe.Invoice): void {
  const { balance } = play.world.customer
  const afterCredit = invoice.total + balance
  invoice.starting_balance = balance
  invoice.amount_due = Math.max(0, afterCredit)
  invoice.amount_remaining = invoice.amount_due
}

/** Makes an invoice final: it gets its number, and takes the credit. What needs no payment is paid. */
export function finalizeInvoice(play: Play, invoice: Stripe.Invoice): void {
  const { world, now } = play
  const { customer } = world
  setDue(play, invoice)
  customer.balance = Math.min(0, invoice.total + customer.balance)
  customer.currency ??= invoice.currency
  customer.next_invoice_sequence = (customer.next_invoice_sequence ?? 1) + 1
  invoice.ending_balance = customer.balance
  invoice.number = `${customer.invoice_prefix}-${String(customer.next_invoice_sequence - 1).padStart(4, '0')}`
  invoice.status = 'open'
  invoice.effective_at = now
  invoice.automatically_finalizes_at = null
  invoice.hosted_invoice_url = `${play.pages}/invoice/${invoice.id}`
  invoice.invoice_pdf = `${play.pages}/invoice/${invoice.id}?pdf`
  invoice.status_transitions = { ...invoice.status_transitions, finalized_at: now }
  if (invoice.amount_due === 0) markPaid(play, invoice)
}

/** Writes that an invoice is paid. */
export function markPaid(play: Play, invoice: Stripe.Invoice): void {
  invoice.status = 'paid'
  invoice.amount_paid = invoice.amount_due
  invoice.amount_remaining = 0
  invoice.attempted = true
  invoice.next_payment_attempt = null
  invoice.status_transitions = { ...invoice.status_transitions, paid_at: play.now }
  emit(play, 'invoice.paid', invoice)
}

/** Voids an invoice that is open; the credit that it took comes back. */
export function voidInvoice(play: Play, invoice: Stripe.Invoice): void {
  if (invoice.status !== 'open') return
  const { customer } = play.world
  customer.balance += invoice.starting_balance - (invoice.ending_balance ?? invoice.starting_balance)
  invoice.status = 'void'
  invoice.amount_remaining = 0
  invoice.next_payment_attempt = null
  invoice.status_transitions = { ...invoice.status_transitions, voided_at: play.now }
  emit(play, 'invoice.voided', invoice)
}

/** Returns the subscription that an invoice is for; undefined when it is gone. */
export function subscriptionOf(play: Play, invoice: Stripe.Invoice): Stripe.Subscription | undefined {
  const id = invoice.parent?.subscription_details?.subscription
  return play.world.subscriptions.find((subscription) => subscription.id === id)
}
