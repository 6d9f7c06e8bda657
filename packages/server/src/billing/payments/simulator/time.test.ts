import { describe, expect, test } from 'vitest'
import { buyer, newKey, simProvider, stateOf, subscriptionOf } from '#testing/payments/sim-provider.ts'
import { payInvoicePage, payRoutes } from './control.ts'
import { eventsOf } from './event-store.ts'
import { periodEnd } from './rules/calendar.ts'

const world = await simProvider()
const { sim, provider } = world
const day = 86_400
const notify = { item: 'notify', quantity: 1 } as const

/** Stores a card for an organization, as its people do in the portal. */
async function storeCard(organizationId: string, card: string): Promise<unknown> {
  const route = payRoutes.find(({ path }) => path.test(`organizations/${organizationId}/card`))
  return route?.run(sim, organizationId, { card, authenticate: true } as never)
}

const at = (text: string) => Date.parse(text) / 1000

describe('periods', () => {
  test.each([
    ['month', '2027-01-31T10:00:00Z', '2027-01-31T10:00:00Z', '2027-02-28T10:00:00Z'],
    ['month', '2027-01-31T10:00:00Z', '2027-02-28T10:00:00Z', '2027-03-31T10:00:00Z'],
    ['month', '2028-01-31T10:00:00Z', '2028-01-31T10:00:00Z', '2028-02-29T10:00:00Z'],
    ['month', '2026-12-15T00:00:00Z', '2026-12-15T00:00:00Z', '2027-01-15T00:00:00Z'],
    ['year', '2028-02-29T23:59:59Z', '2028-02-29T23:59:59Z', '2029-02-28T23:59:59Z'],
    ['year', '2028-02-29T23:59:59Z', '2031-02-28T23:59:59Z', '2032-02-29T23:59:59Z'],
  ] as const)('a %s from %s: after %s comes %s', (interval, anchor, after, end) => {
    expect(periodEnd(at(anchor), interval, at(after))).toBe(at(end))
  })
})

describe('time', () => {
  test('renews once for each period, in order, however far the clock jumped', async () => {
    const { customerId } = await buyer(world, [notify])
    await world.advance(14 * 31 * day)
    const { invoices } = await stateOf(world, customerId)
    expect(invoices.filter(({ status }) => status === 'paid').length).toBeGreaterThanOrEqual(14)
    expect(invoices.every(({ status, total, paid }) => status === 'paid' && total === 1900 && paid === 1900)).toBe(true)
    const oldestFirst = [...invoices].reverse()
    for (const [index, invoice] of oldestFirst.entries()) {
      const next = oldestFirst[index + 1]
      if (next) expect(next.periodStart).toEqual(invoice.periodEnd)
    }
  })

  test('a card that is declined: past due, four attempts within a week, then unpaid, until it is paid', async () => {
    const { customerId, organizationId } = await buyer(world, [notify])
    await storeCard(organizationId, '4000000000000341')
    const { currentPeriodEnd } = await subscriptionOf(world, customerId)
    await world.advance(((currentPeriodEnd?.getTime() ?? 0) - sim.clock.now().getTime()) / 1000 + 1)
    // The invoice is a draft for an hour.
    expect((await stateOf(world, customerId)).invoices).toHaveLength(1)
    expect(await subscriptionOf(world, customerId)).toMatchObject({ status: 'active' })
    await world.advance(3600)
    const [open] = (await stateOf(world, customerId)).invoices
    expect(open).toMatchObject({ status: 'open', kind: 'renewal', failure: 'card_declined', attempts: 1 })
    expect(await subscriptionOf(world, customerId)).toMatchObject({ status: 'past_due' })
    await world.advance(3 * day)
    expect((await stateOf(world, customerId)).invoices[0]).toMatchObject({ attempts: 2 })
    await world.advance(4 * day)
    expect((await stateOf(world, customerId)).invoices[0]).toMatchObject({ attempts: 4, nextAttemptAt: null })
    expect(await subscriptionOf(world, customerId)).toMatchObject({ status: 'unpaid' })
    const paid = await payInvoicePage(sim, open?.id ?? '', { card: '4242424242424242', authenticate: true })
    expect(paid).toEqual({ outcome: 'paid', declineCode: null })
    expect(await subscriptionOf(world, customerId)).toMatchObject({ status: 'active' })
    expect((await stateOf(world, customerId)).customer.card).toMatchObject({ last4: '4242' })
    const kinds = (await eventsOf(sim.db, [customerId])).map(({ type }) => type)
    expect(kinds.filter((kind) => kind === 'invoice.payment_failed')).toHaveLength(4)
  })

  test('the card that wants every payment confirmed fails renewals, the one that wants it once does not', async () => {
    const asksAlways = await buyer(world, [notify], { card: '4000002760003184' })
    const asksOnce = await buyer(world, [notify], { card: '4000002500003155' })
    await world.advance(32 * day)
    expect((await stateOf(world, asksAlways.customerId)).invoices[0]).toMatchObject({
      status: 'open',
      failure: 'authentication_required',
      declineCode: null,
    })
    expect((await stateOf(world, asksOnce.customerId)).invoices[0]).toMatchObject({ status: 'paid', kind: 'renewal' })
  })

  test('what is set to stop ends with its period and begins no other', async () => {
    const { customerId } = await buyer(world, [notify])
    const { id, currentPeriodEnd } = await subscriptionOf(world, customerId)
    await provider.stop(id, 'period_end', { key: newKey() })
    expect(await subscriptionOf(world, customerId)).toMatchObject({ status: 'active', endsAt: currentPeriodEnd })
    await provider.stop(id, 'never', { key: newKey() })
    expect(await subscriptionOf(world, customerId)).toMatchObject({ endsAt: null })
    await provider.stop(id, 'period_end', { key: newKey() })
    await world.advance(40 * day)
    expect(await subscriptionOf(world, customerId)).toMatchObject({ status: 'canceled', endedAt: currentPeriodEnd })
    expect((await stateOf(world, customerId)).invoices).toHaveLength(1)
    // Ending what is over does nothing.
    await provider.stop(id, 'now', { key: newKey() })
  })
})
