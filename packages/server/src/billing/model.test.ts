import { products } from '@msgctl/contract'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type CrashPoint, peopleCrashPoints } from '#platform/crash-points.ts'
import {
  type Buyer,
  cards,
  fault,
  healed,
  makeBuyer,
  passTime,
  payCheckout,
  payInvoice,
} from '#testing/payments/buyer.ts'
import { dieAt } from '#testing/payments/crash.ts'
import { faultsOf } from '#testing/payments/invariants.ts'
import { sim } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'
import { endGrace } from './clock/grace.ts'
import { refreshDue, settleLeft } from './operations/refresh-due.ts'

/** How many histories are played; BILLING_HISTORIES=1000 plays more. */
const histories = Number(process.env.BILLING_HISTORIES ?? 8)
const server = await startTestServer({ env: { PAYMENTS: 'simulated' }, worker: false })

const points = Object.keys(peopleCrashPoints).filter((point) => point.startsWith('billing.')) as CrashPoint[]
const somePlan = fc.record({
  products: fc.subarray([...products], { minLength: 1 }),
  extraNumbers: fc.integer({ min: 0, max: 2 }),
  period: fc.constantFrom('month', 'year'),
})
const card = fc.constantFrom(cards.pays, cards.pays, cards.failsLater, cards.asksAlways, cards.declined)

/** What the people, the clock, the card, the provider and the machines do. */
const step = fc.oneof(
  fc.record({ do: fc.constant('checkout' as const), plan: somePlan }),
  fc.record({ do: fc.constant('pay the page' as const), card }),
  fc.record({ do: fc.constant('plan' as const), plan: somePlan }),
  fc.record({ do: fc.constant('extra numbers' as const), plan: somePlan }),
  fc.record({ do: fc.constant('period' as const), plan: somePlan }),
  fc.record({ do: fc.constant('cancel' as const) }),
  fc.record({ do: fc.constant('resume' as const) }),
  fc.record({ do: fc.constant('pay the invoice' as const), card }),
  fc.record({ do: fc.constant('card' as const), card }),
  fc.record({ do: fc.constant('wait' as const), hours: fc.constantFrom(1, 24, 24 * 8, 24 * 32) }),
  fc.record({ do: fc.constant('jobs' as const) }),
  fc.record({
    do: fc.constant('fault' as const),
    calls: fc.constantFrom('refused', 'error', 'limited', 'answer_lost'),
  }),
  fc.record({ do: fc.constant('heal' as const) }),
  fc.record({ do: fc.constant('end' as const) }),
  fc.record({ do: fc.constant('die' as const), point: fc.constantFrom(...points), plan: somePlan }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** What may be refused in the course of a history. */
const allowed = new Set([
  'PAYMENT_CHANGE_REFUSED',
  'PAYMENT_NO_SUBSCRIPTION',
  'PAYMENT_UNAVAILABLE',
  'PAYMENT_PERIOD_UNAVAILABLE',
  'PAYMENT_SAME_PERIOD',
  'PAYMENT_NOTHING_TO_RESUME',
  'VALIDATION_ERROR',
])

async function mayBeRefused(call: Promise<unknown>): Promise<void> {
  await call.catch((error: { code?: string }) => {
    if (!allowed.has(error.code ?? '')) throw error
  })
}

async function jobs(): Promise<void> {
  await settleLeft(server.services)
  await refreshDue(server.services)
  await endGrace(server.services)
}

async function carryOut(buyer: Buyer, one: Step): Promise<unknown> {
  const { billing } = buyer.client
  const about = async () => (await billing.get()).billing
  const atSim = (call: string, body: object) => sim(server, call, body).catch(() => undefined)
  switch (one.do) {
    case 'checkout':
      return mayBeRefused(billing.checkout(one.plan))
    case 'pay the page': {
      const { checkout } = await about()
      return checkout && payCheckout(server, checkout.url, { card: one.card }).catch(() => undefined)
    }
    case 'plan':
      return mayBeRefused(billing.setPlan({ products: one.plan.products }))
    case 'extra numbers':
      return mayBeRefused(billing.setExtraNumbers({ extraNumbers: one.plan.extraNumbers }))
    case 'period':
      return mayBeRefused(billing.setPeriod({ period: one.plan.period }))
    case 'cancel':
      return mayBeRefused(billing.cancel())
    case 'resume':
      return mayBeRefused(billing.resume())
    case 'pay the invoice': {
      const { openInvoice, pendingChange } = await about()
      const url = openInvoice?.payUrl ?? pendingChange?.payUrl
      return url && payInvoice(server, url, { card: one.card }).catch(() => undefined)
    }
    case 'card':
      return atSim(`POST payments/organizations/${buyer.organizationId}/card`, { card: one.card })
    case 'wait':
      return passTime(server, one.hours * 3600)
    case 'jobs':
      return jobs()
    case 'fault':
      return fault(server, buyer, { calls: one.calls, times: 3 })
    case 'heal':
      return healed(server, buyer)
    case 'end':
      return atSim(`POST payments/organizations/${buyer.organizationId}/end`, {})
    case 'die':
      return dieAt(server, buyer, one.point, async () => {
        await mayBeRefused(billing.setPlan({ products: one.plan.products }))
        await mayBeRefused(billing.checkout(one.plan))
        await jobs()
      }).then(() => passTime(server, 200))
  }
}

it(
  'whatever happens, what works is what was paid, and money is taken once',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const buyer = await makeBuyer(server)
        await carryOut(buyer, { do: 'checkout', plan: { products: ['notify'], extraNumbers: 0, period: 'month' } })
        await carryOut(buyer, { do: 'pay the page', card: cards.pays })
        for (const one of steps) await carryOut(buyer, one)
        await healed(server, buyer)
        await passTime(server, 200)
        await jobs()
        await mayBeRefused(buyer.client.billing.refresh())
        await jobs()
        expect(await faultsOf(server, buyer)).toEqual([])
        await carryOut(buyer, { do: 'end' })
        await jobs()
        await server.db('billing_accounts').where({ organizationId: buyer.organizationId }).update({ dueAt: null })
      }),
      { numRuns: histories, endOnFailure: false },
    )
  },
  120_000 + histories * 6_000,
)
