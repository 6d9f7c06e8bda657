import type { Provider } from '#billing/payments/provider.ts'
import type { PlanLine, PlanPeriod, ProviderState } from '#billing/payments/provider-records.ts'
import { type Scenario, type ScenarioCard, type ScenarioStep, usualStart } from '#billing/payments/scenarios.ts'
import { stepsTo } from '#billing/plan/steps.ts'
import type { PriceList } from '#billing/prices/price-list.ts'
import { newKey } from './sim-provider.ts'

/** The price list of the scenarios. */
export const scenarioPrices: PriceList = {
  currency: 'USD',
  countries: { JP: 'JPY', KW: 'KWD', IS: 'ISK' },
  taxBehavior: 'exclusive',
  simulatedTaxPercent: {},
  products: {
    notify: { month: { USD: 1900, JPY: 2900, KWD: 5900, ISK: 2500 }, year: { USD: 19_000 } },
    shop: { month: { USD: 3900, JPY: 5900, KWD: 11_900, ISK: 5000 }, year: { USD: 39_000 } },
    developer: { month: { USD: 4900 } },
  },
  extraNumber: { month: { USD: 1000 } },
}

/** What a scenario is played on: the simulator, or the provider itself in its test mode. */
export interface Stage {
  readonly provider: Provider
  /** Makes a customer at a time, who has bought a plan with a card. Returns its id. */
  buy(plan: {
    readonly from: string
    readonly lines: readonly PlanLine[]
    readonly period: PlanPeriod
    readonly currency: string
    readonly card: ScenarioCard
  }): Promise<string>
  /** Makes a card the one that pays. */
  storeCard(customerId: string, card: ScenarioCard): Promise<void>
  /** Pays an invoice with a card that pays. */
  pay(customerId: string, invoiceId: string): Promise<void>
  /** Moves the time of a customer to a moment; returns when all that is due has happened. */
  advanceTo(customerId: string, time: Date): Promise<void>
  now(customerId: string): Promise<Date>
  /** The kinds of events about a customer so far, oldest first. */
  eventsOf(customerId: string): Promise<readonly string[]>
}

const daySeconds = 86_400

async function stateOf({ provider }: Stage, customerId: string): Promise<ProviderState> {
  const state = await provider.read(customerId)
  if (state === null) throw new Error('the customer is gone')
  return state
}

/** Returns what the provider says, in one line that has no ids and no times. */
function sentence({ customer, subscriptions, invoices }: ProviderState): string {
  const plans = subscriptions.map((one) => {
    const items = one.items.map(({ item, quantity }) => `${quantity} ${item}`).sort()
    const notes = [
      one.endsAt !== null && one.status !== 'canceled' && 'set to stop',
      one.pendingUpdate !== null && 'change waits',
    ].filter((note) => note !== false)
    return [one.status, one.period, items.join(' + '), ...notes].join(', ')
  })
  const bills = [...invoices].reverse().map((invoice) => {
    const notes = [
      invoice.refunded > 0 && `refunded ${invoice.refunded}`,
      invoice.disputed && 'disputed',
      invoice.failure,
    ].filter((note) => note !== false && note !== null)
    return [`${invoice.kind} ${invoice.status} ${invoice.total} paid ${invoice.paid}`, ...notes].join(' ')
  })
  return `${plans.join('; ')} | ${bills.join('; ')} | credit ${customer.credit}`
}

async function change(stage: Stage, customerId: string, step: ScenarioStep & { does: 'change' }): Promise<void> {
  const { subscriptions } = await stateOf(stage, customerId)
  const subscription = subscriptions.at(-1)
  if (!subscription) throw new Error('there is no subscription')
  const period = step.period ?? subscription.period ?? 'month'
  const { first, rest } = stepsTo(subscription.items, step.lines, period !== subscription.period)
  const shared = { subscriptionId: subscription.id, period, currency: subscription.currency }
  if (first.length > 0) {
    const { done } = await stage.provider.change({ key: newKey(), ...shared, changes: first, ifPaid: true })
    if (!done) return
  }
  if (rest.length > 0) await stage.provider.change({ key: newKey(), ...shared, changes: rest, ifPaid: false })
}

async function play(stage: Stage, customerId: string, step: ScenarioStep): Promise<void> {
  const { provider } = stage
  const { subscriptions, invoices } = await stateOf(stage, customerId)
  const subscription = subscriptions.at(-1)
  switch (step.does) {
    case 'change':
      return change(stage, customerId, step)
    case 'card':
      return stage.storeCard(customerId, step.card)
    case 'stop':
      return provider.stop(subscription?.id ?? '', step.when, { key: newKey() })
    case 'wait': {
      const now = await stage.now(customerId)
      return stage.advanceTo(customerId, new Date(now.getTime() + (step.days * daySeconds + 60) * 1000))
    }
    case 'renew': {
      const end = subscription?.currentPeriodEnd?.getTime() ?? 0
      return stage.advanceTo(customerId, new Date(end + (3600 + 600) * 1000))
    }
    case 'pay':
      return stage.pay(customerId, invoices.find(({ status }) => status === 'open')?.id ?? '')
    case 'refund':
      return provider.undoInvoice(invoices[0]?.id ?? '', { key: newKey() })
    case 'buy':
      throw new Error('a scenario buys once, at its beginning')
  }
}

/** Plays a scenario; returns a line for each step, and the kinds of events that there were, without repetitions. */
export async function playScenario(stage: Stage, scenario: Scenario): Promise<string[]> {
  const [first, ...steps] = scenario.steps
  if (first?.does !== 'buy') throw new Error('a scenario begins with buying')
  const { currency = 'USD', from = usualStart, card = 'pays' } = scenario
  const customerId = await stage.buy({ from, lines: first.lines, period: first.period ?? 'month', currency, card })
  const lines = [`buy: ${sentence(await stateOf(stage, customerId))}`]
  for (const step of steps) {
    await play(stage, customerId, step)
    lines.push(`${step.does}: ${sentence(await stateOf(stage, customerId))}`)
  }
  const kinds = [...new Set(await stage.eventsOf(customerId))].sort()
  return [...lines, `events: ${kinds.join(' ')}`]
}
