import { createHmac, randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import {
  buyer,
  newBuyer,
  newKey,
  openPage,
  simProvider,
  stateOf,
  subscriptionOf,
} from '#testing/payments/sim-provider.ts'
import { ProviderError, type ProviderFailure } from './provider.ts'
import { payCheckoutPage } from './simulator/control.ts'
import { type CallFault, savePayFaults } from './simulator/fault-store.ts'
import { customersOf } from './simulator/store.ts'

const world = await simProvider({ timeoutSeconds: 1 })
const { sim, provider, stripe } = world

async function failing(call: Promise<unknown>): Promise<ProviderFailure> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ProviderError)) throw new Error('the call did not fail', { cause: error })
  expect(error.message).not.toMatch(/@|cus_|sk_/)
  return error.failure
}

const fault = (owner: string, calls: CallFault, only: string, times: number | null) =>
  savePayFaults(sim.db, owner, { calls, onlyCalls: only, times, webhooks: null })

describe('a call that fails', () => {
  test.each([
    ['refused', 'not_done'],
    ['silent', 'unknown'],
    ['error', 'unknown'],
    ['limited', 'not_done'],
    ['answer_lost', 'unknown'],
  ] as const)('%s is unavailable: %s', async (calls, outcome) => {
    const { customerId, organizationId } = await newBuyer(world)
    await fault(organizationId, calls, 'GET /v1/customers', null)
    expect(await failing(provider.read(customerId))).toEqual({ kind: 'unavailable', outcome, misconfigured: false })
  })

  test('whose response was lost is done once, and repeating it says what was done', async () => {
    const organizationId = randomUUID()
    const customer = { key: newKey(), organizationId, email: 'a@example.com', name: 'Acme' }
    await fault(organizationId, 'answer_lost', 'POST /v1/customers', null)
    expect(await failing(provider.saveCustomer(customer))).toMatchObject({ outcome: 'unknown' })
    await fault(organizationId, 'answer_lost', 'POST /v1/nothing', null)
    const id = await provider.saveCustomer(customer)
    expect(await customersOf(sim.db, organizationId)).toEqual([id])
  })

  test('once is repeated by the library', async () => {
    const { customerId, organizationId } = await newBuyer(world)
    await fault(organizationId, 'error', 'GET /v1/customers', 1)
    expect(await provider.read(customerId)).not.toBeNull()
  })

  test('says what is gone, and what the provider refuses', async () => {
    const { customerId } = await buyer(world, [{ item: 'notify', quantity: 1 }])
    const { id } = await subscriptionOf(world, customerId)
    const change = { subscriptionId: id, period: 'month', currency: 'USD', ifPaid: true } as const
    expect(await failing(provider.change({ key: newKey(), ...change, changes: [{ id, deleted: true }] }))).toEqual({
      kind: 'refused',
    })
    expect(await failing(provider.stop(`${id}x`, 'period_end', { key: newKey() }))).toEqual({ kind: 'missing' })
    await expect(provider.read('cus_00000000000000')).rejects.toMatchObject({ failure: { kind: 'missing' } })
    await stripe.customers.del(customerId)
    expect(await provider.read(customerId)).toBeNull()
  })

  test('that the simulator does not know gets 404, so that none passes by luck', async () => {
    await expect(stripe.coupons.list()).rejects.toMatchObject({ statusCode: 404 })
  })

  test('with a key that was used for something else is refused', async () => {
    const key = newKey()
    const customer = { key, organizationId: randomUUID(), email: 'a@example.com', name: 'Acme' }
    await provider.saveCustomer(customer)
    const other = { ...customer, name: 'Other' }
    expect(await failing(provider.saveCustomer(other))).toEqual({
      kind: 'unavailable',
      outcome: 'not_done',
      misconfigured: true,
    })
  })
})

describe('pages', () => {
  test('a checkout is open, can be closed, and expires after a day', async () => {
    const { customerId } = await newBuyer(world)
    const [closed, late] = [
      await openPage(world, customerId, [{ item: 'shop', quantity: 1 }]),
      await openPage(world, customerId, [{ item: 'shop', quantity: 1 }]),
    ]
    await provider.expireCheckout(closed)
    await provider.expireCheckout(closed)
    expect((await stateOf(world, customerId)).checkouts.map(({ status }) => status)).toEqual(['open', 'expired'])
    await world.advance(86_401)
    expect((await stateOf(world, customerId)).checkouts.map(({ status }) => status)).toEqual(['expired', 'expired'])
    expect(await payCheckoutPage(sim, late, { card: '4242424242424242', authenticate: true })).toEqual({
      outcome: 'expired',
      declineCode: null,
    })
  })

  test('a paid invoice has a receipt, can be paid back once, and is found by its charge', async () => {
    const { customerId } = await buyer(world, [{ item: 'shop', quantity: 1 }])
    const [invoice] = (await stateOf(world, customerId)).invoices
    const id = invoice?.id ?? ''
    expect(await provider.receipt(id)).toMatchObject({ number: invoice?.number })
    const { data } = await stripe.charges.list({ customer: customerId })
    expect(await provider.findCustomer({ chargeId: data[0]?.id ?? '' })).toBe(customerId)
    await provider.undoInvoice(id, { key: newKey() })
    await provider.undoInvoice(id, { key: newKey() })
    expect((await stateOf(world, customerId)).invoices[0]).toMatchObject({ refunded: 3900, disputed: false })
  })

  test('the card that is disputed at once is', async () => {
    const { customerId } = await buyer(world, [{ item: 'shop', quantity: 1 }], { card: '4000000000000259' })
    expect((await stateOf(world, customerId)).invoices[0]).toMatchObject({ status: 'paid', disputed: true })
  })
})

describe('the signature of an event', () => {
  const body = JSON.stringify({
    id: 'evt_1',
    type: 'invoice.paid',
    created: 1_800_000_000,
    livemode: false,
    data: { object: { object: 'invoice', customer: 'cus_1' } },
  })
  const seconds = () => Math.floor(Date.now() / 1000)
  const mac = (time: number, secret = sim.webhookSecret) =>
    createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  const read = (header: string | undefined, text = body) => provider.readEvent(Buffer.from(text), header)

  test('that is right lets the event be read: whom it is about, nothing else', () => {
    const time = seconds()
    expect(read(`t=${time},v0=x,v1=${'0'.repeat(64)},v1=${mac(time)}`)).toEqual({
      id: 'evt_1',
      type: 'invoice.paid',
      createdAt: new Date(1_800_000_000_000),
      livemode: false,
      customerId: 'cus_1',
      chargeId: null,
    })
  })

  test('is what Stripe signs with', () => {
    expect(read(stripe.webhooks.generateTestHeaderString({ payload: body, secret: sim.webhookSecret }))).toMatchObject({
      id: 'evt_1',
    })
  })

  test.each([
    ['missing', undefined],
    ['missing', ' '],
    ['malformed', 'v1=00'],
    ['malformed', 't=1800000000'],
    ['malformed', 't=yesterday,v1=00'],
    ['mismatch', `t=1800000000,v1=${'0'.repeat(64)}`],
  ] as const)('%s: %s', (reason, header) => {
    expect(read(header)).toBe(reason)
  })

  test('of another secret or another body is a mismatch', () => {
    const time = seconds()
    expect(read(`t=${time},v1=${mac(time, 'whsec_another')}`)).toBe('mismatch')
    expect(read(`t=${time},v1=${mac(time)}`, `${body} `)).toBe('mismatch')
  })

  test('is expired more than 300 s from the clock of the machine, in either direction', () => {
    const now = seconds()
    vi.spyOn(Date, 'now').mockReturnValue(now * 1000)
    for (const [shift, expected] of [
      [-300, 'object'],
      [300, 'object'],
      [-301, 'expired'],
      [301, 'expired'],
    ] as const) {
      const found = read(`t=${now + shift},v1=${mac(now + shift)}`)
      expect(typeof found === 'string' ? found : typeof found).toBe(expected)
    }
    vi.restoreAllMocks()
  })

  test('over what is no event says so', () => {
    for (const [text, expected] of [
      ['{', 'not_json'],
      ['{"id":1}', 'no_event'],
      ['[]', 'no_event'],
    ] as const) {
      const header = stripe.webhooks.generateTestHeaderString({ payload: text, secret: sim.webhookSecret })
      expect(read(header, text)).toBe(expected)
    }
  })
})
