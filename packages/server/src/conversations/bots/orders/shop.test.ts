import { describe, expect, it } from 'vitest'
import { makeAssistant } from '#testing/features/assistant.ts'
import { startReceiver } from '#testing/features/receiver.ts'
import { transcriptOf } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer()
await server.services.clock.freeze()
const shop = { enabled: true, currency: 'EUR', deliveryFee: 2.5, askName: false }

async function makeShop() {
  const assistant = await makeAssistant(server, { shop })
  const { client, botId } = assistant
  const { product } = await client.bots.addProduct({ botId, name: 'Cake', price: 4, stock: 3 })
  return { ...assistant, productId: product.id }
}

describe('an order', () => {
  it('is placed by a yes to its summary, reported, and sent to the order phones', async () => {
    const receiver = await startReceiver()
    const { customer, client, botId, containerId, events } = await makeShop()
    await client.webhook.set({ webhookUrl: receiver.url })
    const kitchen = customer()
    await client.bots.addOrderPhone({ botId, phone: `+${kitchen.phone}`, name: 'Kitchen' })
    const jane = customer()
    expect((await jane.says('2 cake'))[0]).toContain('1. 2 x Cake - 8.00 EUR')
    expect(await jane.says('order')).toEqual(['Where should we deliver? Please send the address or your location.'])
    await jane.writes('', { type: 'location', latitude: 38.89, longitude: -77.03 })
    const [summary = ''] = await jane.says()
    expect(summary.split('\n')).toEqual([
      'Please check your order:',
      '1. 2 x Cake - 8.00 EUR',
      'Delivery: 2.50 EUR',
      'Total: 10.50 EUR',
      '[location] 38.89,-77.03',
      'You pay in cash on delivery.',
      'Shall we deliver this? Send "yes" or "no".',
    ])
    expect(await jane.says('do you deliver?')).toEqual([`Hello!\nYes, we deliver in the city.\n\n${summary}`])
    expect(await jane.says('yes')).toEqual([
      'Thank you! Your order has the number 1001. Total: 10.50 EUR, cash on delivery.',
    ])
    const placed = { botId, contactPhone: jane.phone, orderNumber: '1001', total: 10.5, currency: 'EUR' }
    expect(await events()).toEqual([{ event: 'commerce.order', data: { ...placed, timestamp: expect.any(String) } }])
    await expect
      .poll(() =>
        receiver.received.map(({ body }) => JSON.parse(body)).filter(({ event }) => event === 'commerce.order'),
      )
      .toMatchObject([{ data: placed }])
    const toKitchen = (await transcriptOf(server, containerId)).filter(({ to }) => to === kitchen.phone)
    expect(toKitchen).toHaveLength(1)
    expect(JSON.stringify(toKitchen[0]?.content)).toContain(`New order 1001 from +${jane.phone}`)
    expect(await kitchen.says('on it')).toHaveLength(1)
    expect((await client.bots.products({ botId })).products).toMatchObject([{ stock: 1 }])
    const { order } = await client.bots.order({ botId, orderNumber: '1001' })
    expect(order).toMatchObject({ status: 'placed', total: 10.5, lines: [{ name: 'Cake', price: 4, quantity: 2 }] })
    expect((await client.bots.orders({ botId, phone: `+${jane.phone}`, status: 'placed' })).total).toBe(1)
    // Cancelling is for people.
    expect(await jane.says('cancel')).toEqual(['Someone from our team will answer you here.'])
  })

  it('never takes more than there is, with three customers at once', async () => {
    const { customer, client, botId } = await makeShop()
    const customers = [customer(), customer(), customer()]
    for (const one of customers) await one.says('2 cake')
    for (const one of customers) await one.says('order')
    for (const one of customers) await one.says('1 Main Street')
    for (const one of customers) await one.writes('yes')
    const said = await Promise.all(customers.map((one) => one.says()))
    expect(said.flat().filter((text) => text.startsWith('Thank you!'))).toHaveLength(1)
    expect(said.flat().filter((text) => text.includes('Only 1 of "Cake" are left.'))).toHaveLength(2)
    expect((await client.bots.products({ botId })).products).toMatchObject([{ stock: 1 }])
    expect((await client.bots.orders({ botId })).orders.map(({ orderNumber }) => orderNumber)).toEqual(['1001'])
  })

  it('is moved by people, notifies the customer, and puts its stock back when it is refused', async () => {
    const { customer, client, botId } = await makeShop()
    const jane = customer()
    for (const text of ['1 cake', 'order', '1 Main Street', 'yes']) await jane.says(text)
    const orderNumber = '1001'
    const move = (status: 'confirmed' | 'shipped' | 'refused', more = {}) =>
      client.bots.changeOrder({ botId, orderNumber, status, ...more })
    await expect(move('shipped')).rejects.toMatchObject({ details: { reason: 'order_status', status: 'placed' } })
    expect((await move('confirmed', { note: 'Today at 6.' })).notified).toBe(true)
    expect(await jane.says()).toEqual(['Your order 1001 is confirmed.\nToday at 6.'])
    expect((await move('shipped', { notify: false })).notified).toBe(false)
    const { order } = await move('refused')
    expect(order.history.map(({ status }) => status)).toEqual(['placed', 'confirmed', 'shipped', 'refused'])
    expect((await client.bots.products({ botId })).products).toMatchObject([{ stock: 3 }])
    const currency = { ...shop, currency: 'USD' }
    await expect(client.bots.update({ botId, shop: currency })).rejects.toMatchObject({
      details: { reason: 'currency_fixed' },
    })
  })
})

describe('a catalogue', () => {
  it('has prices with the decimals of its currency, and each sku once', async () => {
    const { client, botId, productId } = await makeShop()
    await expect(client.bots.addProduct({ botId, name: 'Tea', price: 1.234 })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    })
    await client.bots.addProduct({ botId, name: 'Tea', price: 1.23, sku: 'T' })
    await expect(client.bots.addProduct({ botId, name: 'Tea 2', price: 1, sku: 'T' })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    await expect(client.bots.changeProduct({ botId, productId, sku: 'T' })).rejects.toMatchObject({ code: 'CONFLICT' })
    const { bot } = await client.bots.create({ name: 'Tokyo', shop: { enabled: true, currency: 'JPY' } })
    const yen = client.bots.addProduct({ botId: bot.id, name: 'Tea', price: 1.5 })
    await expect(yen).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    expect((await client.bots.addProduct({ botId: bot.id, name: 'Tea', price: 150 })).product.price).toBe(150)
  })

  it('refuses order phones that are numbers of the organization, twice the same, and an eleventh', async () => {
    const { client, botId } = await makeShop()
    const { sessions } = await client.numbers.list()
    const own = `+${sessions[0]?.phoneNumber}`
    await expect(client.bots.addOrderPhone({ botId, phone: own })).rejects.toMatchObject({
      code: 'STAFF_PHONE_IS_BUSINESS',
    })
    await expect(client.bots.addOrderPhone({ botId, phone: '+12025550101' })).rejects.toMatchObject({
      code: 'NUMBER_NOT_ON_NETWORK',
    })
    await expect(client.bots.addOrderPhone({ botId, phone: '+12025550102' })).rejects.toMatchObject({
      code: 'NUMBER_VALIDATION_UNAVAILABLE',
    })
    for (let n = 10; n < 20; n++) await client.bots.addOrderPhone({ botId, phone: `+131255560${n}` })
    await expect(client.bots.addOrderPhone({ botId, phone: '+13125556010' })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    await expect(client.bots.addOrderPhone({ botId, phone: '+13125556099' })).rejects.toMatchObject({
      code: 'STAFF_PHONE_LIMIT',
      details: { limit: 10 },
    })
    await client.bots.removeOrderPhone({ botId, phone: '+13125556010' })
    expect((await client.bots.orderPhones({ botId })).orderPhones).toHaveLength(9)
  })
})
