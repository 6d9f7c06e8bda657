import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PriceList } from '#billing/prices/price-list.ts'
import { buyer, newBuyer, newKey, simProvider, stateOf, subscriptionOf } from '#testing/payments/sim-provider.ts'
import { payInvoicePage, payRoutes } from './control.ts'
import { lockWorld } from './store.ts'

const usd = (month: number) => ({
  month: { USD: month, JPY: month, KWD: month * 10, ISK: month },
  year: { USD: month * 10, KWD: month * 100 },
})
const prices: PriceList = {
  currency: 'USD',
  countries: { JP: 'JPY', KW: 'KWD', IS: 'ISK' },
  taxBehavior: 'exclusive',
  simulatedTaxPercent: { DE: 19 },
  products: { notify: usd(1900), developer: usd(4900) },
  extraNumber: usd(1000),
}
const world = await simProvider({ prices, tax: true })
const { provider, sim } = world
const day = 86_400
const notify = { item: 'notify', quantity: 1 } as const
const developer = { item: 'developer', quantity: 1 } as const

async function storeCard(organizationId: string, card: string): Promise<unknown> {
  const route = payRoutes.find(({ path }) => path.test(`organizations/${organizationId}/card`))
  return route?.run(sim, organizationId, { card, authenticate: true } as never)
}

const wholeSecond = (time: Date) => new Date(Math.floor(time.getTime() / 1000) * 1000)

describe('a change', () => {
  test('that costs more is charged at once, and one that costs less becomes credit', async () => {
    const { customerId } = await buyer(world, [notify])
    await world.advance(15 * day)
    const subscription = await subscriptionOf(world, customerId)
    const [item] = subscription.items
    const change = {
      subscriptionId: subscription.id,
      changes: [{ id: item?.id ?? '', ...developer }],
      period: 'month',
      currency: 'USD',
    } as const
    const preview = await provider.preview({ customerId, country: null, ...change })
    const result = await provider.change({ key: newKey(), ifPaid: true, ...change })
    expect(result).toMatchObject({ done: true, failure: null })
    const [invoice] = (await stateOf(world, customerId)).invoices
    expect(invoice).toMatchObject({ id: result.invoiceId, kind: 'change', status: 'paid', total: preview.dueNow })
    expect(invoice?.lines.map(({ item: of, prorated }) => [of, prorated])).toEqual([
      ['notify', true],
      ['developer', true],
    ])
    expect(preview).toMatchObject({ nextTotal: 4900, nextAt: subscription.currentPeriodEnd, credit: 0 })
    const back = { ...change, changes: [{ id: item?.id ?? '', ...notify }] }
    await provider.change({ key: newKey(), ifPaid: true, ...back })
    const { customer, invoices } = await stateOf(world, customerId)
    expect(customer.credit).toBe(preview.dueNow)
    expect(invoices[0]).toMatchObject({ status: 'paid', total: -preview.dueNow, paid: 0 })
  })

  test('with a card that is declined changes nothing, and comes true when its invoice is paid', async () => {
    const { customerId, organizationId } = await buyer(world, [notify])
    await storeCard(organizationId, '4000000000000341')
    const { id, items } = await subscriptionOf(world, customerId)
    const key = newKey()
    const change = {
      key,
      subscriptionId: id,
      changes: [developer],
      period: 'month',
      currency: 'USD',
      ifPaid: true,
    } as const
    const refused = await provider.change(change)
    expect(refused).toMatchObject({ done: false, failure: 'card_declined', declineCode: 'generic_decline' })
    expect(await subscriptionOf(world, customerId)).toMatchObject({
      status: 'active',
      items,
      pendingUpdate: { items: [notify, developer], expiresAt: refused.expiresAt },
    })
    // The same call again is the same change.
    expect(await provider.change(change)).toEqual(refused)
    await payInvoicePage(sim, refused.invoiceId ?? '', { card: '4242424242424242', authenticate: true })
    const after = await subscriptionOf(world, customerId)
    expect(after.items.map(({ item }) => item)).toEqual(['notify', 'developer'])
    expect(after.pendingUpdate).toBeNull()
  })

  test('that waits for a payment is over after 23 hours', async () => {
    const { customerId, organizationId } = await buyer(world, [notify])
    await storeCard(organizationId, '4000002760003184')
    const { id } = await subscriptionOf(world, customerId)
    const change = { changes: [developer], period: 'month', currency: 'USD', ifPaid: true } as const
    const waiting = await provider.change({ key: newKey(), subscriptionId: id, ...change })
    expect(waiting).toMatchObject({ done: false, failure: 'authentication_required', declineCode: null })
    await world.advance(23 * 3600 + 1)
    expect(await subscriptionOf(world, customerId)).toMatchObject({ pendingUpdate: null })
    expect((await stateOf(world, customerId)).invoices[0]).toMatchObject({ status: 'void' })
  })

  test('to years begins a period, and back to months leaves credit', async () => {
    const { customerId } = await buyer(world, [notify], { currency: 'KWD', country: 'KW' })
    await world.advance(10 * day)
    const { id, items } = await subscriptionOf(world, customerId)
    const change = { subscriptionId: id, changes: [{ id: items[0]?.id ?? '', ...notify }], currency: 'KWD' } as const
    await provider.change({ key: newKey(), ...change, period: 'year', ifPaid: true })
    const yearly = await subscriptionOf(world, customerId)
    expect(yearly).toMatchObject({ period: 'year', currentPeriodStart: wholeSecond(sim.clock.now()) })
    const [invoice] = (await stateOf(world, customerId)).invoices
    expect((invoice?.total ?? 1) % 10).toBe(0)
    expect(invoice?.lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(invoice?.subtotal)
    await provider.change({ key: newKey(), ...change, period: 'month', ifPaid: true })
    expect((await stateOf(world, customerId)).customer.credit).toBe(190_000 - 19_000)
  })

  test.each([
    ['JPY', 'JP', 2900 - 2900 + 1900],
    ['KWD', 'KW', 19_000],
    ['ISK', 'IS', 1900],
  ])('in %s is charged in its own units', async (currency, country, total) => {
    const { customerId } = await buyer(world, [notify], { currency, country })
    expect((await stateOf(world, customerId)).invoices[0]).toMatchObject({ currency, total, paid: total })
  })

  test('the tax of a country is added, unless there is a tax id', async () => {
    const { customerId } = await buyer(world, [notify], { country: 'DE' })
    expect((await stateOf(world, customerId)).invoices[0]).toMatchObject({ subtotal: 1900, tax: 361, total: 2261 })
    const { customerId: nobody } = await newBuyer(world, 'DE')
    const preview = await provider.preview({
      customerId: nobody,
      subscriptionId: null,
      changes: [notify],
      period: 'month',
      currency: 'USD',
      country: 'DE',
    })
    expect(preview).toMatchObject({ dueNow: 2261, tax: 361, nextTotal: 2261 })
  })

  test('whatever changes when: lines make the total, charges are what was paid, and no money appears', async () => {
    const steps = fc.array(
      fc.record({ numbers: fc.integer({ min: 1, max: 9 }), hours: fc.integer({ min: 1, max: 900 }) }),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom('USD', 'JPY', 'KWD', 'ISK'), async (taken, currency) => {
        const { customerId } = await buyer(world, [developer, { item: 'extra_numbers', quantity: 2 }], { currency })
        for (const { numbers, hours } of taken) {
          await world.advance(hours * 3600)
          const { id, items } = await subscriptionOf(world, customerId)
          const extra = items.find(({ item }) => item === 'extra_numbers')
          const changes = [{ id: extra?.id ?? '', item: 'extra_numbers' as const, quantity: numbers }]
          await provider.change({ key: newKey(), subscriptionId: id, changes, period: 'month', currency, ifPaid: true })
        }
        const { invoices, customer } = await stateOf(world, customerId)
        for (const { lines, subtotal, total, tax } of invoices) {
          expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(subtotal)
          expect(subtotal + tax).toBe(total)
        }
        const stored = await lockWorld(sim.db, customerId)
        const charged = stored?.charges.filter(({ paid }) => paid).reduce((sum, { amount }) => sum + amount, 0)
        const paid = stored?.invoices.reduce((sum, invoice) => sum + invoice.amount_paid, 0)
        expect(charged).toBe(paid)
        const final = invoices.filter(({ status }) => status === 'paid')
        const owed = final.reduce((sum, invoice) => sum + invoice.total, 0)
        expect(final.reduce((sum, invoice) => sum + invoice.paid, 0) - customer.credit).toBe(owed)
      }),
      { numRuns: 5 },
    )
  })
})
