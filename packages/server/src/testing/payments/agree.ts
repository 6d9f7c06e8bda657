import { expect } from 'vitest'
import type { TestServer } from '#testing/start-server.ts'
import { type Buyer, billingMails, known } from './buyer.ts'

const live = new Set(['active', 'past_due', 'unpaid', 'incomplete'])

/**
 * Expects that the service says of an organization what the provider says, that there is one customer and at most one
 * living subscription, that each charge paid one invoice, and that no mail went out twice.
 */
export async function expectAgreement(server: TestServer, buyer: Buyer): Promise<void> {
  const { customers, subscriptions, invoices, charges } = await known(server, buyer)
  const { billing } = await buyer.client.billing.get()
  expect(customers.length).toBeLessThanOrEqual(1)
  const living = subscriptions.filter(({ status }) => live.has(status))
  expect(living.length).toBeLessThanOrEqual(1)
  const items = living.flatMap((one) => one.items as { item: string; quantity: number }[])
  const products = items.filter(({ item }) => item !== 'extra_numbers').map(({ item }) => item)
  expect([...billing.products].sort()).toEqual(products.sort())
  expect(billing.extraNumbers).toBe(items.find(({ item }) => item === 'extra_numbers')?.quantity ?? 0)
  const [subscription] = living
  if (subscription) expect(billing.period).toBe(subscription.period)
  // Past due becomes unpaid once the days of grace are over.
  if (subscription?.status === 'active') expect(billing.status).toBe('active')
  if (subscription && subscription.status !== 'active') expect(['past_due', 'unpaid']).toContain(billing.status)
  if (!subscription && subscriptions.length > 0) expect(['ended', 'none']).toContain(billing.status)
  const paid = invoices
    .filter((invoice) => invoice.status === 'paid' && invoice.paid > 0)
    .map((invoice) => invoice.paid)
  const charged = charges.filter(({ status }) => status === 'succeeded').map(({ amount }) => amount)
  expect(charged.sort()).toEqual(paid.sort())
  const receipts = (await billingMails(server, buyer)).filter((kind) => kind === 'payment_receipt')
  expect(receipts.length).toBeLessThanOrEqual(invoices.filter(({ status }) => status === 'paid').length)
  const { invoices: shown } = await buyer.client.billing.invoices({ limit: 100 })
  const drafts = invoices.filter(({ status }) => status === 'draft').length
  if (invoices.length <= 20) expect(shown).toHaveLength(invoices.length - drafts)
}
