import { MessagingError } from '@msgctl/client'
import { describe, expect, it } from 'vitest'
import { expectAgreement } from '#testing/payments/agree.ts'
import {
  type Buyer,
  buy,
  fault,
  healed,
  known,
  makeBuyer,
  payCheckout,
  settledPayments,
} from '#testing/payments/buyer.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ env: { PAYMENTS: 'simulated', PAYMENT_TIMEOUT_SECONDS: '1' } })

/** What people do, and the calls of the provider that it takes. */
const deeds: Readonly<
  Record<string, { readonly isNew?: true; readonly calls: readonly string[]; run(buyer: Buyer): Promise<unknown> }>
> = {
  checkout: {
    isNew: true,
    calls: ['GET /v1/customers/search', 'POST /v1/customers', 'POST /v1/checkout/sessions', 'GET /v1/subscriptions'],
    run: ({ client }) => client.billing.checkout({ products: ['notify'] }),
  },
  plan: {
    calls: ['GET /v1/customers/', 'GET /v1/subscriptions', 'GET /v1/invoices', 'POST /v1/subscriptions/'],
    run: ({ client }) => client.billing.setPlan({ products: ['notify', 'shop'] }),
  },
  period: {
    calls: ['POST /v1/subscriptions/'],
    run: ({ client }) => client.billing.setPeriod({ period: 'year' }),
  },
  cancel: { calls: ['GET /v1/checkout', 'POST /v1/subscriptions/'], run: ({ client }) => client.billing.cancel() },
  portal: { calls: ['POST /v1/billing_portal'], run: ({ client }) => client.billing.portal() },
  preview: {
    calls: ['POST /v1/invoices/create_preview'],
    run: ({ client }) => client.billing.preview({ products: ['shop'] }),
  },
}

const faults = ['refused', 'silent', 'error', 'limited', 'answer_lost'] as const
const full = process.env.BILLING === 'full'

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: unknown) => (error instanceof MessagingError ? error.code : String(error)),
  )
}

/** Does a deed while a call of it fails, then once more while none does. */
async function withFault(deed: string, call: string, how: string): Promise<Buyer> {
  const found = deeds[deed]
  if (!found) throw new Error(`there is no deed ${deed}`)
  const { isNew, run } = found
  const buyer = await makeBuyer(server)
  if (!isNew) await buy(server, buyer)
  await fault(server, buyer, { calls: how, only: call })
  const first = await codeOf(run(buyer))
  expect(['done', 'PAYMENT_UNAVAILABLE'], `${deed}: ${call} ${how}`).toContain(first)
  await healed(server, buyer)
  // The first one may have worked, although nothing said so.
  const expected = deed === 'period' ? ['done', 'PAYMENT_SAME_PERIOD'] : ['done']
  expect(expected, `${deed}: ${call} ${how}, repeated`).toContain(await codeOf(run(buyer)))
  return buyer
}

describe.each(faults)('a provider whose calls are %s', (how) => {
  it('never has a second customer, subscription or charge, and the deed is done when it is repeated', async () => {
    const every = Object.entries(deeds).flatMap(([deed, { calls }]) => calls.map((call) => [deed, call] as const))
    // In a short run each call fails in one of the ways.
    const tries = every.filter((_, n) => full || n % faults.length === faults.indexOf(how))
    const buyers = await Promise.all(
      tries.map(async ([deed, call]) => ({ deed, buyer: await withFault(deed, call, how) })),
    )
    await settledPayments(server)
    for (const { deed, buyer } of buyers) {
      if (deed === 'checkout') {
        const { checkouts } = await known(server, buyer)
        expect(checkouts.filter(({ status }) => status === 'open')).toHaveLength(1)
        const { billing } = await buyer.client.billing.get()
        await payCheckout(server, billing.checkout?.url ?? '')
        await buyer.client.billing.refresh()
      }
      await expectAgreement(server, buyer)
    }
  }, 180_000)
})

it('while the provider is silent, texts are accepted', async () => {
  const buyer = await makeBuyer(server)
  await buy(server, buyer)
  await fault(server, buyer, { calls: 'silent' })
  const slow = codeOf(buyer.client.billing.refresh())
  const byKey = server.client({ apiKey: buyer.apiKey })
  expect((await byKey.numbers.list()).sessions).toEqual([])
  expect(await slow).toBe('PAYMENT_UNAVAILABLE')
})
