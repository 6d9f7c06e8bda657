import { describe, expect, it } from 'vitest'
import type { ProviderInvoice, ProviderState, ProviderSubscription } from '#billing/payments/provider-records.ts'
import { entitle } from './entitle.ts'

const dayMs = 86_400_000
const start = new Date('2026-12-01T09:00:00Z')
const now = new Date('2026-12-03T09:00:00Z')
const end = new Date('2027-01-01T09:00:00Z')
const graceDays = 7

const subscription: ProviderSubscription = {
  id: 'sub_1',
  status: 'active',
  createdAt: start,
  currency: 'USD',
  period: 'month',
  items: [
    { id: 'si_1', item: 'notify', quantity: 1, amount: 1900 },
    { id: 'si_2', item: 'extra_numbers', quantity: 2, amount: 2000 },
  ],
  currentPeriodStart: start,
  currentPeriodEnd: end,
  endsAt: null,
  endedAt: null,
  pendingUpdate: null,
}
const invoice: ProviderInvoice = {
  id: 'in_1',
  number: 'A-1',
  status: 'open',
  subscriptionId: 'sub_1',
  kind: 'renewal',
  currency: 'USD',
  subtotal: 3900,
  tax: 0,
  total: 3900,
  paid: 0,
  remaining: 3900,
  refunded: 0,
  disputed: false,
  createdAt: start,
  paidAt: null,
  periodStart: start,
  periodEnd: end,
  payUrl: 'https://pay.example/in_1',
  nextAttemptAt: null,
  attempts: 1,
  failure: 'card_declined',
  declineCode: 'generic_decline',
  lines: [],
}

function state(
  subscriptions: readonly Partial<ProviderSubscription>[],
  invoices: readonly Partial<ProviderInvoice>[] = [],
): ProviderState {
  return {
    customer: {
      id: 'cus_1',
      organizationId: null,
      email: null,
      name: null,
      country: 'US',
      currency: 'USD',
      credit: 0,
      card: null,
    },
    subscriptions: subscriptions.map((some) => ({ ...subscription, ...some })),
    invoices: invoices.map((some) => ({ ...invoice, ...some })),
    checkouts: [],
    livemode: false,
  }
}

const of = (read: ProviderState | null, at = now) => entitle(read, graceDays, at)

describe('what follows from what the provider says', () => {
  it.each([
    ['incomplete', 'incomplete'],
    ['incomplete_expired', 'none'],
    ['active', 'active'],
    ['trialing', 'active'],
    ['past_due', 'past_due'],
    ['unpaid', 'unpaid'],
    ['paused', 'unpaid'],
    ['canceled', 'ended'],
  ] as const)('calls %s %s', (theirs, ours) => {
    const found = of(state([{ status: theirs, endedAt: theirs === 'canceled' ? now : null }], [{}]))
    expect(found.status).toBe(ours)
    expect(found.paid.products).toEqual(ours === 'active' || ours === 'past_due' ? ['notify'] : [])
  })

  it('is nothing without a customer, and without a subscription', () => {
    for (const read of [null, state([])]) {
      expect(of(read)).toMatchObject({
        status: 'none',
        subscriptionId: null,
        items: [],
        amount: null,
        paid: { products: [] },
      })
    }
  })

  it('lets what renews work without an end, and what is set to stop until then', () => {
    expect(of(state([{}])).paid).toEqual({ products: ['notify'], extraNumbers: 2, until: null })
    expect(of(state([{ endsAt: end }]))).toMatchObject({ cancelAtPeriodEnd: true, endsAt: end, paid: { until: end } })
  })

  it('counts the days of grace from the oldest invoice that is not paid', () => {
    const later = { id: 'in_2', createdAt: new Date(start.getTime() + dayMs) }
    const read = state([{ status: 'past_due' }], [later, {}])
    const until = new Date(start.getTime() + graceDays * dayMs)
    expect(of(read)).toMatchObject({ status: 'past_due', graceEndsAt: until, paid: { until } })
    expect(of(read).openInvoice).toMatchObject({ providerId: 'in_1', total: 3900, reason: 'card_declined' })
    expect(of(read, new Date(until.getTime() - 1)).status).toBe('past_due')
    expect(of(read, until)).toMatchObject({ status: 'unpaid', paid: { products: [], extraNumbers: 0 } })
    expect(entitle(read, 0, now).status).toBe('unpaid')
  })

  it('counts them from the first one after a payment, and never from what the operator gave up', () => {
    const at = (days: number) => new Date(start.getTime() + days * dayMs)
    const given = { id: 'in_1', status: 'uncollectible' } as const
    const paid = { id: 'in_2', status: 'paid', remaining: 0, createdAt: at(1) } as const
    const late = { id: 'in_3', createdAt: at(2) }
    for (const first of [given, { id: 'in_1' }]) {
      const found = of(state([{ status: 'past_due' }], [late, paid, first]))
      expect([found.openInvoice?.providerId, found.graceEndsAt]).toEqual(['in_3', at(2 + graceDays)])
    }
    expect(of(state([{}], [given])).openInvoice).toBeNull()
  })

  it('leaves a subscription alone that has no item of the price list', () => {
    const items = [{ id: 'si_9', item: null, quantity: 1, amount: 100 }]
    const foreign = { id: 'sub_0', items, createdAt: new Date(start.getTime() - dayMs) }
    const found = of(state([foreign, {}]))
    expect([found.subscriptionId, found.surplus]).toEqual(['sub_1', []])
    expect(of(state([foreign])).status).toBe('none')
  })

  it('ends what is past due at the earlier of grace and the end that was requested', () => {
    const soon = new Date(start.getTime() + 3 * dayMs)
    expect(of(state([{ status: 'past_due', endsAt: soon }], [{}])).paid.until).toEqual(soon)
  })

  it('takes a change that waits for its payment for no debt', () => {
    const pendingUpdate = { items: [{ item: 'shop', quantity: 1 }] as const, period: null, expiresAt: end }
    const found = of(state([{ pendingUpdate }], [{ kind: 'change' }]))
    expect(found).toMatchObject({ status: 'active', openInvoice: null, paid: { products: ['notify'] } })
    expect(found.pending).toEqual({
      products: ['shop'],
      extraNumbers: 0,
      period: 'month',
      payUrl: 'https://pay.example/in_1',
      expiresAt: end.toISOString(),
    })
  })

  it('keeps the oldest of two subscriptions that live, and prefers one that was paid', () => {
    const younger = { id: 'sub_2', createdAt: now }
    const both = of(state([younger, {}]))
    expect([both.subscriptionId, both.surplus.map(({ id }) => id)]).toEqual(['sub_1', ['sub_2']])
    const unfinished = of(state([{ status: 'incomplete' }, younger]))
    expect([unfinished.subscriptionId, unfinished.surplus.map(({ id }) => id)]).toEqual(['sub_2', ['sub_1']])
    const over = of(state([{ status: 'canceled', endedAt: start }, younger]))
    expect([over.subscriptionId, over.surplus]).toEqual(['sub_2', []])
  })

  it('leaves out items of others', () => {
    const items = [...subscription.items, { id: 'si_9', item: null, quantity: 1, amount: 100 }]
    expect(of(state([{ items }]))).toMatchObject({ amount: 4000, paid: { products: ['notify'], extraNumbers: 2 } })
  })

  it('says the same whenever it is repeated', () => {
    const read = state([{ status: 'past_due' }], [{}])
    expect(of(read)).toEqual(of(structuredClone(read)))
  })
})
