import { describe, expect, it } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { buy, cards, known, makeBuyer, pageId } from '#testing/payments/buyer.ts'
import { sim } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ env: { PAYMENTS: 'simulated' } })

async function open(url: string, form?: Record<string, string>, headers: Record<string, string> = {}) {
  const body = form && { method: 'POST', body: new URLSearchParams(form).toString() }
  const type = form && { 'content-type': 'application/x-www-form-urlencoded' }
  const response = await fetch(url, { ...body, headers: { ...type, ...headers } })
  const { headers: sent, status } = response
  return { status, text: await response.text(), type: sent.get('content-type'), referrer: sent.get('referrer-policy') }
}

describe('the pages of the simulated provider', () => {
  it('let a person buy with a card of the page, and show the receipt', async () => {
    const { client } = await makeBuyer(server)
    const { checkout } = await client.billing.checkout({ products: ['developer'], extraNumbers: 2 })
    const page = await open(checkout.url)
    expect(page.type).toBe('text/html; charset=utf-8')
    for (const said of ['no money moves', '2 × Extra number', '49.00 USD', '69.00 USD', '4242 4242 4242 4242']) {
      expect(page.text).toContain(said)
    }
    expect(page.text).not.toContain('<script')
    // A browser then sends the form with the origin of the page, not null.
    expect(page.referrer).toBe('same-origin')
    expect((await open(checkout.url, { card: cards.declined })).text).toContain('The card was declined')
    expect((await open(checkout.url, { card: '4111111111111111' })).text).toContain('Only the test cards work here')
    expect((await open(checkout.url, { card: cards.asksOnce, refuse: '1' })).text).toContain('was not confirmed')
    const paid = await open(checkout.url, { card: '4242 4242 4242 4242', country: 'DE' })
    expect(paid.text).toContain('Paid.')
    expect(paid.text).toContain('Back to the service')
    const { billing } = await client.billing.refresh()
    expect(billing).toMatchObject({ status: 'active', products: ['developer'], extraNumbers: 2, country: 'DE' })
    const { invoices } = await client.billing.invoices({})
    const { receipt } = await client.billing.receipt({ invoiceId: invoices[0]?.id ?? '' })
    const shown = await open(receipt.url)
    expect(shown.text).toContain(`Receipt ${receipt.number}`)
    expect(shown.text).toContain('Paid by card')
  })

  it('let a person change card and e-mail', async () => {
    const buyer = await makeBuyer(server)
    await buy(server, buyer)
    const { portal } = await buyer.client.billing.portal()
    expect((await open(portal.url, { card: cards.failsLater })).text).toContain('The card is stored')
    expect((await open(portal.url, { email: 'bills@example.com' })).text).toContain('Saved.')
    const { customers } = await known(server, buyer)
    expect(customers).toMatchObject([{ email: 'bills@example.com', last4: '0341' }])
  })

  it('are for people on this machine, who know the address', async () => {
    const { client } = await makeBuyer(server)
    const { checkout } = await client.billing.checkout({ products: ['notify'] })
    expect((await open(checkout.url, undefined, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(403)
    expect((await open(checkout.url, { card: cards.pays }, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await open(`${checkout.url}x`)).status).toBe(404)
    expect((await open(checkout.url.replace('checkout', 'constructor'))).status).toBe(404)
  })
})

describe('the control of the simulated provider', () => {
  it('is for programs with the token', async () => {
    const response = await fetch(`${server.address}/sim/payments/faults`, { method: 'DELETE' })
    expect(response.status).toBe(403)
    await expect(sim(server, 'POST payments/nothing', {})).rejects.toThrow('ROUTE_NOT_FOUND')
    await expect(
      sim(server, 'POST payments/checkouts/cs_test_0123456789abcd/pay', { card: cards.pays }),
    ).rejects.toThrow('NOT_FOUND')
  })

  it('refuses a number that is no test card without repeating it', async () => {
    const { client } = await makeBuyer(server)
    const { checkout } = await client.billing.checkout({ products: ['notify'] })
    const refused = await sim(server, `POST payments/checkouts/${pageId(checkout.url)}/pay`, {
      card: '4111111111111111',
    }).catch(String)
    expect(refused).toContain('VALIDATION_ERROR')
    expect(refused).not.toContain('4111')
  })

  it('delivers each event, signed, to the route of the service; once more on request', async () => {
    const buyer = await makeBuyer(server)
    await buy(server, buyer)
    const { events } = await eventually(
      () => known(server, buyer),
      (found) => found.events.every(({ deliveries }) => deliveries.length > 0),
    )
    expect(events.map(({ type }) => type)).toContain('checkout.session.completed')
    expect(events.flatMap(({ deliveries }) => deliveries.map(({ status }) => status))).toEqual(events.map(() => 200))
    expect(await sim(server, `POST payments/events/${events[0]?.id}/deliver`)).toEqual({ status: 200 })
  })

  it('says what the provider knows, and pays back and disputes', async () => {
    const buyer = await makeBuyer(server)
    await buy(server, buyer)
    const [invoice] = (await known(server, buyer)).invoices
    await sim(server, `POST payments/invoices/${invoice?.id}/refund`, { amount: 500 })
    await sim(server, `POST payments/invoices/${invoice?.id}/dispute`, {})
    await buyer.client.billing.refresh()
    const { invoices } = await buyer.client.billing.invoices({})
    expect(invoices[0]).toMatchObject({ refunded: { amount: 500 }, disputed: true })
    await sim(server, `POST payments/invoices/${invoice?.id}/dispute`, { status: 'won' })
    await sim(server, `POST payments/organizations/${buyer.organizationId}/end`, {})
    expect((await buyer.client.billing.refresh()).billing.status).toBe('ended')
    expect((await buyer.client.billing.invoices({})).invoices[0]).toMatchObject({ disputed: false })
  })
})
