import type { Stripe } from 'stripe'
import { providerStep } from '#billing/payments/minor-units.ts'
import type { LineFacts } from '#billing/payments/simulator/objects/invoice.ts'
import type { Play } from '#billing/payments/simulator/world.ts'
import { dayText } from './calendar.ts'

/** Rounds half up, to what amounts of the currency are multiples of. */
function roundTo(amount: number, currency: string): number {
  const step = providerStep(currency.toUpperCase())
  return Math.floor(amount / step + 0.5) * step || 0
}

/** Returns the price of one piece in a currency. */
export function unitAmount(price: Stripe.Price, currency: string): number {
  const option = price.currency_options?.[currency]
  return (price.currency === currency ? price.unit_amount : option?.unit_amount) ?? 0
}

function taxBehaviorOf(price: Stripe.Price): 'exclusive' | 'inclusive' {
  return price.tax_behavior === 'inclusive' ? 'inclusive' : 'exclusive'
}

/** Returns the tax on an amount; what is given back has the tax that was paid. */
function taxOn(
  play: Play,
  amount: number,
  behavior: 'exclusive' | 'inclusive',
  subscription: Stripe.Subscription,
): number {
  const country = play.world.customer.address?.country ?? ''
  const percent = subscription.automatic_tax.enabled && !play.world.taxId ? (play.tax[country] ?? 0) : 0
  const share = behavior === 'inclusive' ? percent / (100 + percent) : percent / 100
  return Math.sign(amount) * roundTo(Math.abs(amount) * share, subscription.currency) || 0
}

function nameOf(play: Play, price: Stripe.Price): string {
  return play.products.find(({ id }) => id === price.product)?.name ?? String(price.product)
}

interface LineInput {
  readonly item: Stripe.SubscriptionItem
  readonly amount: number
  readonly proration: boolean
  readonly description: string
  readonly start: number
  readonly end: number
}

function line(play: Play, subscription: Stripe.Subscription, input: LineInput): LineFacts {
  const { item, amount, ...rest } = input
  const taxBehavior = taxBehaviorOf(item.price)
  const tax = taxOn(play, amount, taxBehavior, subscription)
  return {
    ...rest,
    price: item.price,
    quantity: item.quantity ?? 1,
    amount,
    tax,
    taxBehavior,
    subscription: subscription.id,
    item: item.id,
  }
}

/** Returns the lines of whole periods, from `start` to `end`. */
export function periodLines(
  play: Play,
  subscription: Stripe.Subscription,
  items: readonly Stripe.SubscriptionItem[],
  { start, end }: { start: number; end: number },
): LineFacts[] {
  return items.map((item) =>
    line(play, subscription, {
      item,
      amount: unitAmount(item.price, subscription.currency) * (item.quantity ?? 1),
      proration: false,
      description: `${item.quantity ?? 1} × ${nameOf(play, item.price)}`,
      start,
      end,
    }),
  )
}

/** Returns what the rest of the item's period is worth, from `at`: to be paid, or (with sign -1) to be given back. */
export function restLine(
  play: Play,
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  { at, sign }: { at: number; sign: 1 | -1 },
): LineFacts {
  const { current_period_start: start, current_period_end: end } = item
  const whole = unitAmount(item.price, subscription.currency) * (item.quantity ?? 1)
  const rest = (whole * (end - at)) / (end - start)
  const kind = sign === 1 ? 'Remaining' : 'Unused'
  const many = item.quantity === 1 ? '' : `${item.quantity} × `
  return line(play, subscription, {
    item,
    amount: sign * roundTo(rest, subscription.currency) || 0,
    proration: true,
    description: `${kind} time on ${many}${nameOf(play, item.price)} after ${dayText(at)}`,
    start: at,
    end,
  })
}
