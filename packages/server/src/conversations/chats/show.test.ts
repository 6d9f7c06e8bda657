import type { GatewayEvent } from '@msgctl/network/gateway'
import { describe, expect, it } from 'vitest'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { arrival, later, typed } from '#testing/features/arrivals.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const receive = (...events: GatewayEvent[]) => handleGatewayEvents(server.services, events)
const from = (digits: string) => ({ kind: 'phone', digits }) as const

async function makeInbox() {
  const organization = await makeOrganization(server)
  const { organizationId } = organization
  const number = { organizationId, containerId: await makeNumber(server, organization) }
  const other = { organizationId, containerId: await makeNumber(server, organization) }
  return { client: server.client(organization), number, other }
}

/** What the owner of a number wrote on the phone, so many seconds later than usual. */
const written = (number: { organizationId: string; containerId: string }, digits: string, seconds: number) => ({
  ...typed(number, digits, 'reply'),
  at: later(seconds),
})

const phone = (n: number) => `1404555${String(n).padStart(4, '0')}`
const phonesOf = ({ chats }: { chats: { phone: string }[] }) => chats.map((chat) => chat.phone)

describe('GET /chats shows', () => {
  it('those to answer, however many chats a campaign has begun since', async () => {
    const { client, number, other } = await makeInbox()
    await receive(
      arrival(number, { from: from(phone(1)) }, later(1)),
      arrival(number, { from: from(phone(2)) }, later(2)),
      arrival(number, { from: from(phone(3)) }, later(3)),
      arrival(other, { from: from(phone(4)) }, later(4)),
    )
    await receive(written(number, phone(2), 10))
    const crowd = Array.from({ length: 60 }, (_, n) => written(number, phone(100 + n), 20 + n))
    await receive(...crowd)
    const show = 'to_answer'
    expect(phonesOf(await client.chats.list({ show, containerId: 'all' }))).toEqual([phone(4), phone(3), phone(1)])
    expect(phonesOf(await client.chats.list({ show, containerId: number.containerId }))).toEqual([phone(3), phone(1)])
    expect(phonesOf(await client.chats.list({ show, search: '0001' }))).toEqual([phone(1)])
    expect(phonesOf(await client.chats.list({ show, search: '0002' }))).toEqual([])
    await receive(arrival(number, { from: from(phone(2)) }, later(200)))
    expect(phonesOf(await client.chats.list({ show }))).toEqual([phone(2), phone(3), phone(1)])
  })

  it('those with unread messages', async () => {
    const { client, number } = await makeInbox()
    await receive(
      arrival(number, { from: from(phone(1)) }, later(1)),
      arrival(number, { from: from(phone(2)) }, later(2)),
    )
    await receive(written(number, phone(1), 10))
    await client.chats.read({ phone: phone(2) })
    expect(phonesOf(await client.chats.list({ show: 'unread' }))).toEqual([phone(1)])
    expect(phonesOf(await client.chats.list({ show: 'unread', search: phone(2) }))).toEqual([])
  })

  it.each(['all', 'unread', 'to_answer'] as const)('each chat once, page by page: %s', async (show) => {
    const { client, number, other } = await makeInbox()
    const arrivals = Array.from({ length: 23 }, (_, n) =>
      arrival(n % 2 === 0 ? number : other, { from: from(phone(n)) }, later(Math.floor(n / 3))),
    )
    await receive(...arrivals)
    const pages: string[] = []
    for await (const chat of client.chats.list.all({ show, containerId: 'all', limit: 5 })) pages.push(chat.phone)
    const whole = await client.chats.list({ show, containerId: 'all', limit: 50 })
    expect([pages.length, pages, whole.nextCursor]).toEqual([23, phonesOf(whole), null])
    const found: string[] = []
    for await (const chat of client.chats.list.all({ show, containerId: 'all', limit: 5, search: '000' }))
      found.push(chat.phone)
    expect(found).toEqual(phonesOf(whole).filter((digits) => digits.includes('000')))
  })

  it.each(['x', '', Buffer.from('1 2').toString('base64url')])('no page of the cursor %j', async (cursor) => {
    const { client } = await makeInbox()
    await expect(client.chats.list({ cursor })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})

describe('GET /chats/:phone', () => {
  it('reads on before a message', async () => {
    const { client, number } = await makeInbox()
    await receive(...Array.from({ length: 7 }, (_, n) => arrival(number, { text: `text ${n}` }, later(n))))
    const texts = (page: { messages: { text: string }[] }) => page.messages.map(({ text }) => text)
    const newest = await client.chats.thread({ phone: '12025550100', limit: 3 })
    expect(texts(newest)).toEqual(['text 4', 'text 5', 'text 6'])
    const before = newest.messages[0]?.id ?? ''
    expect(texts(await client.chats.thread({ phone: '12025550100', limit: 3, before }))).toEqual([
      'text 1',
      'text 2',
      'text 3',
    ])
    const unknown = '018f3b5e-0000-7000-8000-000000000001'
    expect(texts(await client.chats.thread({ phone: '12025550100', before: unknown }))).toEqual([])
  })
})
