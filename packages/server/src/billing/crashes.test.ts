import { afterEach, describe, expect, it } from 'vitest'
import { endOrganization } from '#people/team/end-organization.ts'
import type { CrashPoint } from '#platform/crash-points.ts'
import { transaction } from '#platform/db/db.ts'
import { type Buyer, buy, makeBuyer, passTime, payCheckout } from '#testing/payments/buyer.ts'
import { dieAt } from '#testing/payments/crash.ts'
import { faultsOf } from '#testing/payments/invariants.ts'
import { eventText, postEvent, testWebhookSecret } from '#testing/payments/sign.ts'
import { sim } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'
import { refreshDue, settleLeft } from './operations/refresh-due.ts'

const server = await startTestServer({
  env: { PAYMENTS: 'simulated', STRIPE_WEBHOOK_SECRET: testWebhookSecret, PAYMENT_TIMEOUT_SECONDS: '1' },
  worker: false,
})

const points = [
  'billing.operation-committed',
  'billing.called',
  'billing.applied-before-commit',
  'billing.refresh-read',
  'billing.refresh-before-commit',
] as const satisfies readonly CrashPoint[]

/** What a restarted service does by itself. */
async function oneRound(): Promise<void> {
  await passTime(server, 200)
  await settleLeft(server.services)
  await refreshDue(server.services)
}

interface Kind {
  /** What it begins with. */
  ground(buyer: Buyer): Promise<unknown>
  call(buyer: Buyer): Promise<unknown>
  /** What a call that is repeated ends with. */
  readonly goal?: Readonly<Record<string, unknown>>
}

const subscribed = (buyer: Buyer) => buy(server, buyer, { products: ['notify', 'developer'], extraNumbers: 1 })

const kinds: Readonly<Record<string, Kind>> = {
  checkout: {
    ground: async () => undefined,
    call: ({ client }) => client.billing.checkout({ products: ['notify'] }),
    goal: { status: 'none' },
  },
  more: {
    ground: subscribed,
    call: ({ client }) => client.billing.setPlan({ products: ['notify', 'developer', 'shop'] }),
    goal: { products: ['notify', 'developer', 'shop'] },
  },
  'one for two': {
    ground: subscribed,
    call: ({ client }) => client.billing.setPlan({ products: ['connect'] }),
    goal: { products: ['connect'], extraNumbers: 1 },
  },
  less: {
    ground: subscribed,
    call: ({ client }) => client.billing.setPlan({ products: ['notify'] }),
    goal: { products: ['notify'], extraNumbers: 0 },
  },
  'extra numbers': {
    ground: subscribed,
    call: ({ client }) => client.billing.setExtraNumbers({ extraNumbers: 4 }),
    goal: { extraNumbers: 4 },
  },
  period: {
    ground: subscribed,
    call: async ({ client }) =>
      client.billing.setPeriod({ period: 'year' }).catch((error: { code?: string }) => {
        if (error.code !== 'PAYMENT_SAME_PERIOD') throw error
      }),
    goal: { period: 'year' },
  },
  cancel: {
    ground: subscribed,
    call: ({ client }) => client.billing.cancel(),
    goal: { cancelAtPeriodEnd: true },
  },
  resume: {
    async ground(buyer) {
      await subscribed(buyer)
      await buyer.client.billing.cancel()
    },
    call: async ({ client }) =>
      client.billing.resume().catch((error: { code?: string }) => {
        if (error.code !== 'PAYMENT_NOTHING_TO_RESUME') throw error
      }),
    goal: { cancelAtPeriodEnd: false },
  },
}

const full = process.env.BILLING === 'full'
/** Every point is met by one kind of call; by each of the others the most delicate one. */
const cases = Object.entries(kinds).flatMap(([name, kind]) =>
  (full || name === 'more' ? points : (['billing.called'] as const)).map((point) => [name, point, kind] as const),
)

describe('a process that dies', () => {
  it.each(cases)('at %s, at %s, takes money once and loses nothing', async (_name, point, kind) => {
    const buyer = await makeBuyer(server)
    await kind.ground(buyer)
    await dieAt(server, buyer, point, () => kind.call(buyer))
    await oneRound()
    expect(await faultsOf(server, buyer)).toEqual([])
    await kind.call(buyer)
    expect((await buyer.client.billing.get()).billing).toMatchObject(kind.goal ?? {})
    expect(await faultsOf(server, buyer)).toEqual([])
  })

  it.each(['billing.end-called', 'billing.refresh-read', 'billing.applied-before-commit'] as const)(
    'at the end of a deleted organization, at %s, ends it',
    async (point) => {
      const buyer = await makeBuyer(server)
      await subscribed(buyer)
      await transaction(server.db, (trx) =>
        endOrganization(trx, buyer.organizationId, { userId: buyer.ownerId, actor: { kind: 'operator', id: null } }),
      )
      expect(await dieAt(server, buyer, point, () => settleLeft(server.services))).toBe(true)
      await oneRound()
      expect(await faultsOf(server, buyer)).toEqual([])
    },
  )

  it('after it stored an event, has stored it', async () => {
    const buyer = await makeBuyer(server)
    const { checkout } = await buyer.client.billing.checkout({ products: ['notify'] })
    await payCheckout(server, checkout.url)
    const [account] = await server.db('billing_accounts').where({ organizationId: buyer.organizationId })
    const object = { object: 'subscription', id: 'sub_1', customer: account?.customerId }
    const body = eventText({ data: { object } })
    expect(await dieAt(server, buyer, 'billing.event-stored', () => postEvent(server, body))).toBe(true)
    await oneRound()
    expect((await buyer.client.billing.get()).billing.status).toBe('active')
    expect(await faultsOf(server, buyer)).toEqual([])
  })
})

afterEach(async () => {
  // What was bought does not renew in the tests that follow.
  const live = await server.db('billing_accounts').whereIn('status', ['active', 'past_due', 'unpaid'])
  for (const { organizationId } of live) {
    await sim(server, `POST payments/organizations/${organizationId}/end`, {})
    await server.db('billing_accounts').where({ organizationId }).update({ dueAt: null, status: 'ended' })
  }
})
