import { readBillingFigures } from '#billing/figures-store.ts'
import { toMoney } from '#billing/money.ts'
import type { Services } from '#services.ts'

/** Returns figures about all subscriptions. They are there without payments too. */
export async function readFigures(_request: unknown, { db, payments }: Pick<Services, 'db' | 'payments'>) {
  const { subscriptions, monthlyRecurring, ...counts } = await readBillingFigures(db)
  const { active = 0, past_due = 0, unpaid = 0, ended = 0 } = subscriptions
  return {
    billing: {
      mode: payments?.mode ?? ('off' as const),
      subscriptions: { active, past_due, unpaid, ended },
      ...counts,
      monthlyRecurring: monthlyRecurring.map(({ currency, amount }) => toMoney(amount, currency)),
    },
  }
}
