import type { GatewayEvent } from '@msgctl/network/gateway'
import { describe, expect, it } from 'vitest'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { arrival, later } from '#testing/features/arrivals.ts'
import { samplesOf } from '#testing/features/metrics.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const { services } = server
const organization = await makeOrganization(server)
const number = { organizationId: organization.organizationId, containerId: await makeNumber(server, organization) }
const client = server.client(organization)

const receive = (...events: GatewayEvent[]) => handleGatewayEvents(services, events)
const unsupported = { type: 'unsupported', text: '' } as const

let people = 0
function someone() {
  people += 1
  return { kind: 'phone', digits: `1303557${String(people).padStart(4, '0')}` } as const
}

const threadOf = async (phone: string) => (await client.chats.thread({ phone })).messages
const chatsOf = async (phone: string) => (await client.chats.list({ search: phone })).chats

async function reportedFrom(phone: string) {
  const { events } = await client.events.list({ limit: 200 })
  return events.flatMap((event) =>
    event.event === 'message.inbound' && event.data.sender === phone ? [event.data.body] : [],
  )
}

describe('a message that cannot be read', () => {
  it('is an unread line of the chat with a label, and no event', async () => {
    const from = someone()
    await receive(arrival(number, { from, ...unsupported }))
    expect(await threadOf(from.digits)).toMatchObject([{ type: 'unsupported', text: '' }])
    expect(await chatsOf(from.digits)).toMatchObject([
      { lastMessage: '', lastAttachment: 'Unsupported message', unread: 1 },
    ])
    expect(await reportedFrom(from.digits)).toEqual([])
  })

  it('is not unread when phones do not count it', async () => {
    const from = someone()
    await receive(arrival(number, { from, ...unsupported, isQuiet: true }))
    expect(await threadOf(from.digits)).toHaveLength(1)
    expect(await chatsOf(from.digits)).toMatchObject([{ unread: 0 }])
  })

  it.each(['in one batch', 'later'])('is replaced once when it comes %s and can be read', async (when) => {
    const from = someone()
    const first = arrival(number, { from, ...unsupported, isQuiet: true })
    const { networkId } = first.message
    const read = arrival(number, { from, networkId, text: 'from an ad' }, later(3))
    if (when === 'later') await receive(first)
    await receive(first, read)
    await receive(read)
    await receive(arrival(number, { from, networkId, text: 'another' }), first)
    expect(await threadOf(from.digits)).toMatchObject([{ type: 'chat', text: 'from an ad' }])
    expect(await chatsOf(from.digits)).toMatchObject([{ lastMessage: 'from an ad', unread: 1 }])
    expect(await reportedFrom(from.digits)).toEqual(['from an ad'])
  })

  it('is not replaced by what another person sends under its id', async () => {
    const [from, other] = [someone(), someone()]
    const first = arrival(number, { from, ...unsupported })
    await receive(first)
    await receive(arrival(number, { from: other, networkId: first.message.networkId, text: 'not theirs' }))
    expect(await threadOf(from.digits)).toMatchObject([{ type: 'unsupported', text: '' }])
  })
})

it('counts what arrives by its kind, each message once', async () => {
  const before = samplesOf((await services.metrics.text()).body)
  const from = someone()
  const order = arrival(number, { from, ...unsupported })
  await receive(order, arrival(number, { from }), arrival(number, { from, type: 'image', text: '' }))
  await receive(order)
  const after = samplesOf((await services.metrics.text()).body)
  const more = (kind: string) => {
    const name = `msgctl_inbound_total{kind="${kind}"}`
    return (after.get(name) ?? 0) - (before.get(name) ?? 0)
  }
  expect(['unsupported', 'chat', 'image'].map(more)).toEqual([1, 1, 1])
})
