import { itemOf } from '#billing/payments/sdk/lookup.ts'
import type { StoredEvent } from './event-store.ts'
import { intervalOf } from './rules/subscriptions.ts'
import type { World } from './world.ts'

const time = (seconds: number) => new Date(seconds * 1000).toISOString()

/** Returns what the provider knows of an organization, in its own words and units, oldest first. */
export function known(worlds: readonly World[], events: readonly StoredEvent[]): object {
  const all = <T>(of: (world: World) => readonly T[]) => worlds.flatMap(of)
  return {
    customers: worlds.map((world) => {
      const { customer, cards, deleted } = world
      const paying =
        world.subscriptions.at(-1)?.default_payment_method ?? customer.invoice_settings.default_payment_method
      return {
        id: customer.id,
        email: customer.email,
        name: customer.name,
        country: customer.address?.country ?? null,
        currency: customer.currency ?? null,
        credit: Math.max(0, -customer.balance),
        last4: cards.find(({ id }) => id === paying)?.card?.last4 ?? null,
        deleted,
      }
    }),
    checkouts: all(({ checkouts }) => checkouts).map(({ session }) => ({ id: session.id, status: session.status })),
    subscriptions: all(({ subscriptions }) => subscriptions).map((subscription) => ({
      id: subscription.id,
      status: subscription.status,
      period: intervalOf(subscription.items.data),
      items: subscription.items.data.map(({ price, quantity }) => ({ item: itemOf(price), quantity })),
      cancelAtPeriodEnd: subscription.cancel_at_period_end,
      currentPeriodEnd: time(Math.min(...subscription.items.data.map((item) => item.current_period_end))),
    })),
    invoices: all(({ invoices, charges }) =>
      invoices.map((invoice) => ({
        id: invoice.id,
        number: invoice.number,
        status: invoice.status,
        currency: invoice.currency,
        total: invoice.total,
        paid: invoice.amount_paid,
        refunded: charges
          .filter((charge) => charge.payment_intent === invoice.payments?.data[0]?.payment.payment_intent)
          .reduce((sum, charge) => sum + charge.amount_refunded, 0),
      })),
    ),
    charges: all(({ charges }) => charges).map(({ amount, currency, status, created }) => ({
      amount,
      currency,
      status,
      at: time(created),
    })),
    events: events.map(({ id, type, createdAt, deliveries }) => ({
      id,
      type,
      at: createdAt.toISOString(),
      deliveries,
    })),
  }
}
