import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** A call of the payment provider that was made. */
interface PaymentCall {
  readonly name: string
  readonly outcome: string
  readonly seconds: number
}

/** What became of an event of the payment provider. */
type EventOutcome = 'stored' | 'repeated' | 'ignored' | 'refused'

/** What is counted of payments. */
export interface PaymentMetrics {
  /** Adds these metrics: those of a service that takes no payments are not exported. */
  watchPayments(): void
  paymentCalled(call: PaymentCall): void
  paymentEvent(outcome: EventOutcome): void
  /** Counts an invoice that was paid, or whose payment failed. */
  paymentMade(outcome: 'paid' | 'failed'): void
  /** Counts a difference between the provider and the service that no event had announced. */
  billingRepaired(): void
  /** Sets the gauges of payments of the whole service. */
  setBillingGauges(figures: BillingGauges): void
}

/** The figures about payments of the whole service, read from the database for `GET /metrics`. */
interface BillingGauges {
  readonly subscriptions: Readonly<Record<string, number>>
  readonly monthlyRecurring: readonly { readonly currency: string; readonly amount: number }[]
  readonly eventsWaitingSeconds: number
  readonly operationsOpen: number
  readonly disputesOpen: number
  readonly refreshAgeSeconds: number
}

const callSeconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Returns what counts payments; nothing is exported before `watchPayments`. */
export function paymentMetrics(registry: Registry): PaymentMetrics {
  let made: ReturnType<typeof makeMetrics> | undefined
  return {
    watchPayments() {
      made ??= makeMetrics(registry)
    },
    paymentCalled: (call) => made?.paymentCalled(call),
    paymentEvent: (outcome) => made?.paymentEvent(outcome),
    paymentMade: (outcome) => made?.paymentMade(outcome),
    billingRepaired: () => made?.billingRepaired(),
    setBillingGauges: (figures) => made?.setBillingGauges(figures),
  }
}

function makeMetrics(registry: Registry): Omit<PaymentMetrics, 'watchPayments'> {
  const registers = [registry]
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name, help, labelNames, registers })
  const calls = counter('msgctl_payment_calls_total', 'Calls of the payment provider, by function and outcome.', [
    'call',
    'outcome',
  ])
  const durations = new Histogram({
    name: 'msgctl_payment_call_duration_seconds',
    help: 'Duration of calls of the payment provider in seconds.',
    labelNames: ['call'],
    buckets: callSeconds,
    registers,
  })
  const events = counter('msgctl_billing_events_total', 'Events of the payment provider, by outcome.', ['outcome'])
  const payments = counter('msgctl_billing_payments_total', 'Invoices that were paid, or whose payment failed.', [
    'outcome',
  ])
  const repairs = counter(
    'msgctl_billing_repairs_total',
    'Differences between the payment provider and the service that no event had announced.',
    [] as const,
  )
  return {
    paymentCalled({ name, outcome, seconds }) {
      calls.inc({ call: name, outcome })
      durations.observe({ call: name }, seconds)
    },
    paymentEvent: (outcome) => events.inc({ outcome }),
    paymentMade: (outcome) => payments.inc({ outcome }),
    billingRepaired: () => repairs.inc(),
    setBillingGauges: billingGauges(registry),
  }
}

/** The gauges of payments. Every process exports the same values: take the maximum, not the sum. */
function billingGauges(registry: Registry): PaymentMetrics['setBillingGauges'] {
  const gauge = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Gauge({ name: `msgctl_billing_${name}`, help, labelNames, registers: [registry] })
  const subscriptions = gauge('subscriptions', 'Accounts with the payment provider, by status of the subscription.', [
    'status',
  ])
  const recurring = gauge(
    'monthly_recurring',
    'What subscriptions bring in a month, in the smallest unit of each currency; a year counts a twelfth.',
    ['currency'],
  )
  const waiting = gauge('events_waiting_seconds', 'Seconds for which the oldest event has waited to be read.')
  const operations = gauge('operations_open', 'Changes at the payment provider that are under way.')
  const disputes = gauge('disputes_open', 'Invoices whose payment is disputed.')
  const age = gauge(
    'refresh_age_seconds',
    'Seconds since the payment provider was read last, of the account that waits longest.',
  )
  return (figures) => {
    subscriptions.reset()
    recurring.reset()
    for (const [status, count] of Object.entries(figures.subscriptions)) subscriptions.set({ status }, count)
    for (const { currency, amount } of figures.monthlyRecurring) recurring.set({ currency }, amount)
    waiting.set(figures.eventsWaitingSeconds)
    operations.set(figures.operationsOpen)
    disputes.set(figures.disputesOpen)
    age.set(figures.refreshAgeSeconds)
  }
}
