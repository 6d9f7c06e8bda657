import { MessagingError } from '@msgctl/client'
import { afterAll, describe, expect, it } from 'vitest'
import { endOrganization } from '#people/team/end-organization.ts'
import { transaction } from '#platform/db/db.ts'
import { makeToken } from '#testing/make.ts'
import { expectAgreement } from '#testing/payments/agree.ts'
import { type Buyer, buy, known, makeBuyer, payCheckout, settledPayments } from '#testing/payments/buyer.ts'
import { serveDatabase, startTestServer } from '#testing/start-server.ts'

const env = { PAYMENTS: 'simulated' }
const server = await startTestServer({ env })
const other = await serveDatabase(server.db, server.databaseUrl, {
  worker: false,
  env: { ...env, SECRETS_KEYS: server.services.config.secretsKeys },
})
afterAll(() => other.stop())

/** An admin of the organization, whose calls reach another process. */
async function adminOf(buyer: Buyer) {
  return other.client({ token: await makeToken(server, buyer, 'admin') })
}

/** Returns the code with which a call was refused, or `done`. */
async function outcome(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'done',
    (error: unknown) => (error instanceof MessagingError ? error.code : String(error)),
  )
}

const deedsOf = ({ billing }: Pick<Buyer['client'], 'billing'>) => ({
  more: () => billing.setPlan({ products: ['notify', 'developer', 'shop'] }),
  less: () => billing.setPlan({ products: ['notify'] }),
  numbers: () => billing.setExtraNumbers({ extraNumbers: 5 }),
  year: () => billing.setPeriod({ period: 'year' }),
  cancel: () => billing.cancel(),
  resume: () => billing.resume(),
})
type Deed = keyof ReturnType<typeof deedsOf>

/** What the first and the second person do. */
const pairs = [
  ['cancel', 'more'],
  ['more', 'less'],
  ['year', 'year'],
] as const satisfies readonly [Deed, Deed][]
const morePairs = [
  ['cancel', 'less'],
  ['cancel', 'year'],
  ['cancel', 'resume'],
  ['more', 'numbers'],
  ['year', 'less'],
] as const satisfies readonly [Deed, Deed][]
const tried: readonly (readonly [Deed, Deed])[] = process.env.BILLING === 'full' ? [...pairs, ...morePairs] : pairs

const refusals = ['done', 'PAYMENT_CHANGE_REFUSED', 'PAYMENT_NOTHING_TO_RESUME', 'PAYMENT_SAME_PERIOD']

describe('two people at two processes', () => {
  it.each(tried)('who do %s and %s leave a state that one of them wanted, paid once', async (first, second) => {
    const buyer = await makeBuyer(server)
    await buy(server, buyer, { products: ['notify', 'developer'], extraNumbers: 1 })
    const theirs = deedsOf(await adminOf(buyer))
    const outcomes = await Promise.all([outcome(deedsOf(buyer.client)[first]()), outcome(theirs[second]())])
    for (const one of outcomes) expect(refusals).toContain(one)
    expect(outcomes).toContain('done')
    await settledPayments(server)
    await expectAgreement(server, buyer)
    const { subscriptions } = await known(server, buyer)
    expect(subscriptions).toHaveLength(1)
  })

  it('of whom one pays and one deletes the organization leave no subscription', async () => {
    const buyer = await makeBuyer(server)
    const { checkout } = await buyer.client.billing.checkout({ products: ['notify'] })
    const deletion = transaction(server.db, (trx) =>
      endOrganization(trx, buyer.organizationId, {
        userId: buyer.ownerId,
        actor: { kind: 'operator', id: null },
      }),
    )
    await Promise.all([deletion, payCheckout(server, checkout.url)])
    await server.advance(20)
    await settledPayments(server)
    const { subscriptions } = await known(server, buyer)
    expect(subscriptions.filter(({ status }) => status !== 'canceled')).toEqual([])
  })
})
