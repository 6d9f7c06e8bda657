import { describe, expect, it } from 'vitest'
import { linkPairs } from '#conversations/contacts/link.ts'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { arrival } from '#testing/features/arrivals.ts'
import { answered, makeAssistant } from '#testing/features/assistant.ts'
import { transcriptOf } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer()
const { db, services } = server
await services.clock.freeze()
const shop = { enabled: true, currency: 'EUR', askName: false }

/** An assistant, and a person who writes to it with digits or with the hidden id of the same phone. */
async function makePerson(digits: string) {
  const assistant = await makeAssistant(server, { shop })
  const { organization, client, containerId, botId } = assistant
  const number = { organizationId: organization.organizationId, containerId }
  const lid = `9${digits}@lid`
  const ids = { lid: { kind: 'lid', id: lid }, digits: { kind: 'phone', digits } } as const
  await client.bots.addProduct({ botId, name: 'Cake', price: 4 })
  return {
    client,
    botId,
    lid,
    /** Writes to the number; the assistant has not answered yet. */
    async writes(by: keyof typeof ids, text: string) {
      await handleGatewayEvents(services, [arrival(number, { from: ids[by], text }, services.clock.now())])
    },
    async settles() {
      await server.advance(4)
      await answered(server)
    },
    link: () => linkPairs(db, number, [{ lid, digits }]),
    said: async () =>
      (await transcriptOf(server, containerId)).map(({ content }) => String((content as { text?: string }).text)),
    open: async () =>
      (await client.bots.conversations({ botId })).conversations.filter(({ closedAt }) => closedAt === null),
  }
}

describe('two conversations of one person', () => {
  it('become one, with what waits in both answered once, and all orders by the digits', async () => {
    const jane = await makePerson('13125557001')
    for (const text of ['1 cake', 'order', '1 Main Street', 'yes']) {
      await jane.writes('lid', text)
      await jane.settles()
    }
    const { client, botId } = jane
    expect((await client.bots.orders({ botId })).orders).toMatchObject([{ contactPhone: jane.lid }])
    await jane.writes('lid', 'when are')
    await jane.writes('digits', 'you open')
    expect(await jane.open()).toHaveLength(2)
    const before = (await jane.said()).length
    await jane.link()
    expect(await jane.open()).toMatchObject([{ contactPhone: '13125557001' }])
    await jane.settles()
    expect((await jane.said()).slice(before)).toEqual(['Hello!\nWe are open from 9 to 5.'])
    const { conversations } = await client.bots.conversations({ botId })
    expect(conversations.map(({ contactPhone }) => contactPhone)).toEqual(['13125557001', '13125557001'])
    expect((await client.bots.orders({ botId, phone: '+13125557001' })).total).toBe(1)
    expect((await client.bots.order({ botId, orderNumber: '1001' })).order.contactPhone).toBe('13125557001')
  })

  it('keep the cart of the later one', async () => {
    const jane = await makePerson('13125557002')
    await jane.writes('digits', 'when are you open')
    await jane.settles()
    await jane.writes('lid', '2 cake')
    await jane.settles()
    await jane.link()
    await jane.writes('digits', 'order')
    await jane.settles()
    expect((await jane.said()).at(-1)).toBe('Where should we deliver? Please send the address or your location.')
  })

  it('stay with the person who answers in one of them', async () => {
    const jane = await makePerson('13125557003')
    await jane.writes('lid', 'I want to speak to someone please')
    await jane.settles()
    await jane.writes('digits', 'when are you open')
    const before = await jane.said()
    await jane.link()
    await jane.settles()
    await jane.writes('digits', 'how can I pay')
    await jane.settles()
    expect(await jane.said()).toEqual(before)
    expect(await jane.open()).toMatchObject([{ state: 'person' }])
  })
})

describe('the conversation of a person whose phone is learnt', () => {
  it('continues', async () => {
    const jane = await makePerson('13125557004')
    await jane.writes('lid', '2 cake')
    await jane.settles()
    const [before] = await jane.open()
    await jane.link()
    await jane.writes('digits', 'order')
    await jane.settles()
    expect(await jane.open()).toMatchObject([{ id: before?.id, contactPhone: '13125557004' }])
    expect((await jane.said()).at(-1)).toBe('Where should we deliver? Please send the address or your location.')
  })
})
